"""How much of the design's text reaches everyone: the text on the page, reduced by failures."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import fsum, prod

from pytest_design2a11y.models.audit import IMPACT_WEIGHTS, MAX_IMPACT_WEIGHT, FailedCheck
from pytest_design2a11y.models.page import TextRun, read_apart
from pytest_design2a11y.models.verdicts import DeliveredParts
from pytest_design2a11y.models.visual import Block, Match

#: Rules about the page as a whole: language, title, landmarks, content outside of them, zoom.
PAGE_RULES = frozenset(
    {
        *("aria-hidden-body", "bypass", "css-orientation-lock", "document-title", "html-has-lang"),
        *("html-lang-valid", "html-xml-lang-mismatch", "meta-refresh", "meta-refresh-no-exceptions"),
        *("meta-viewport", "meta-viewport-large", "page-has-heading-one", "region"),
    }
)
_LANDMARKS = "landmark-"

#: Rules whose failure makes the whole content of the element inaccessible.
WHOLE_RULES = frozenset(
    {
        *("aria-hidden-focus", "blink", "frame-focusable-content", "marquee", "nested-interactive"),
        *("role-img-alt", "scrollable-region-focusable", "svg-img-alt", "valid-lang"),
    }
)

#: Rules about an element's own text, even if the element is the page's body.
_CONTRAST = frozenset({"color-contrast", "color-contrast-enhanced"})

#: Fraction of its weight by which a page-wide failure reduces the whole; minimum assumed number of blocks.
_PAGE_SHARE = 0.1
_LEAST_BLOCKS = 20

#: Labels that are less alike count as different.
_LEAST_ALIKE = 0.5

#: Smaller parts are not shown, because they would be rounded to 0.
LEAST_SHOWN = 0.005


@dataclass(frozen=True, slots=True)
class Delivered:
    """The share of the design's text that reaches everyone, and what happens to the rest, each 0..1.

    References:
        The weights of impacts are those of IWIR; that a page-wide failure subtracts a tenth of its weight is
        a convention of this package.
    """

    value: float  # on_page minus the other three
    on_page: float  # Share of the design's characters with a counterpart, by likeness of the texts
    unaudited: float  # Subtracted for text that no rule checks
    failures: float  # Subtracted for failures on the text
    others: float  # Subtracted for failures on anything but matched text, and on the page as a whole

    @property
    def parts(self) -> DeliveredParts:
        """The text on the page and the subtracted parts, by name."""
        return DeliveredParts(
            on_page=self.on_page, unaudited=self.unaudited, failures=self.failures, others=self.others
        )


def delivered(
    matches: Sequence[Match],
    missing: Iterable[Block],
    *,
    text_runs: Iterable[TextRun],
    failures: Sequence[FailedCheck],
    reference_runs: Iterable[TextRun] = (),
) -> Delivered:
    """Compute how much of the design's text is on the page and accessible; all 0 for a design without text.

    With weights w minor 0.1, moderate 0.3, serious 0.6, critical 1::

        delivered = F * sum(characters * text ratio * seen * credit) / (C + u * L)

    C is the number of characters in the design's blocks; seen is the share of a block that rules check;
    credit is 1 - w of the worst failure on the text, averaged over the texts of a block; L is the sum of w of
    failures on no matched text, u the characters of a mean block, for at least 20 blocks; F is the product of
    1 - w / 10 over rules that fail for the page as a whole. Removing a failure never lowers the result. Parts
    of one of the design's blocks that are far apart are searched one by one (`reference_runs`).
    """
    lost = [_num_characters(block.text) for block in missing]
    num_characters = sum(lost) + sum(_num_characters(match.reference.text) for match in matches)
    if not num_characters:
        return Delivered(0.0, 0.0, 0.0, 0.0, 0.0)
    page_wide, of_elements = _divided(failures)
    texts, labels = _owned(text_runs), _apart(reference_runs)
    worst: dict[int, float] = {}  # Weight of the worst failure on the text of each owner
    for check in of_elements:
        for owner in _touched(check):
            worst[owner] = max(worst.get(owner, 0.0), _weight(check))
    alike, seen, credited = [], [], []
    for match in matches:
        characters = _num_characters(match.reference.text) * _alike(match, labels)
        audited, credit = _credit(match.candidate.owners, texts, worst)
        alike.append(characters)
        seen.append(characters * audited)
        credited.append(characters * credit)
    on_page, heard, reached = (fsum(values) / num_characters for values in (alike, seen, credited))
    matched = {owner for match in matches for owner in match.candidate.owners}
    elsewhere = fsum(_weight(check) for check in of_elements if matched.isdisjoint(_touched(check)))
    num_blocks = max(len(matches) + len(lost), _LEAST_BLOCKS)
    whole = prod(1 - _PAGE_SHARE * weight for weight in page_wide.values())
    value = whole * reached / (1 + elsewhere / num_blocks)
    taken = (max(0.0, more - less) for more, less in ((on_page, heard), (heard, reached), (reached, value)))
    return Delivered(value, on_page, *taken)


def delivered_line(value: float, parts: DeliveredParts) -> str:
    """Return in one line how much of the design's text reaches everyone, and what reduces it."""
    takers = {
        "text that no rule checks subtracts": parts["unaudited"],
        "accessibility failures on it subtract": parts["failures"],
        "accessibility failures elsewhere subtract": parts["others"],
    }
    parts_shown = [f"{100 * parts['on_page']:.0f} % of the design's text is on the page"]
    parts_shown += [f"{taker} {share:.2f}" for taker, share in takers.items() if share >= LEAST_SHOWN]
    return f"delivered {value:.2f}: {'; '.join(parts_shown)}"


def _apart(text_runs: Iterable[TextRun]) -> dict[int, list[str]]:
    """Return the parts of each owner's text that are far apart, as letters only."""
    found: dict[int, list[str]] = defaultdict(list)
    for part in read_apart(text_runs):
        texts: dict[int, str] = defaultdict(str)
        for run in part:
            texts[run.owner] += _letters(run.text)
        for owner, text in texts.items():
            found[owner].append(text)
    return found


def _alike(match: Match, labels: Mapping[int, Sequence[str]]) -> float:
    """Return the similarity of two texts, 0..1; labels that are far apart are compared one by one."""
    # Merged blocks belong together, wherever they are.
    owners = match.reference.owners if len(match.reference.owners) == 1 else ()
    parts = [part for owner in owners for part in labels.get(owner, ()) if part]
    if match.text == 1.0 or len(parts) < 2:
        return match.text
    letters = _letters(match.candidate.text)
    return fsum(_share_in(part, letters) * len(part) for part in parts) / sum(map(len, parts))


def _share_in(part: str, text: str) -> float:
    """Return the share of a label found in a text, 0..1; 0 if the text is another label."""
    if part in text:
        return 1.0
    # What compares runs imports this module, and matches no text.
    from rapidfuzz import distance, fuzz

    ratio = (
        fuzz.partial_ratio(part, text) / 100
        if len(part) <= len(text)
        else distance.Indel.normalized_similarity(part, text)
    )
    return ratio if ratio >= _LEAST_ALIKE else 0.0


def _letters(text: str) -> str:
    return "".join(text.lower().split())


def _num_characters(text: str) -> int:
    return len("".join(text.split()))


def _weight(check: FailedCheck) -> float:
    return IMPACT_WEIGHTS[check.impact] / MAX_IMPACT_WEIGHT


def _divided(failures: Iterable[FailedCheck]) -> tuple[dict[str, float], list[FailedCheck]]:
    """Return the rules that fail for the page as a whole, with their weights, and all other failures."""
    page_wide: dict[str, float] = {}
    of_elements = []
    for check in failures:
        is_page = check.is_page and check.rule not in _CONTRAST
        if is_page or check.rule in PAGE_RULES or check.rule.startswith(_LANDMARKS):
            page_wide[check.rule] = max(page_wide.get(check.rule, 0.0), _weight(check))
        else:
            of_elements.append(check)
    return page_wide, of_elements


def _owned(text_runs: Iterable[TextRun]) -> dict[int, tuple[int, int]]:
    """Return, for each owner, the number of characters of its text, and of those that no rule checks."""
    found: dict[int, tuple[int, int]] = defaultdict(lambda: (0, 0))
    for run in text_runs:
        number, unaudited = found[run.owner]
        found[run.owner] = (number + _num_characters(run.text), unaudited + run.unaudited)
    return found


def _touched(check: FailedCheck) -> tuple[int, ...]:
    return check.owners + check.around if check.rule in WHOLE_RULES else check.owners


def _credit(
    owners: Iterable[int], texts: Mapping[int, tuple[int, int]], worst: Mapping[int, float]
) -> tuple[float, float]:
    """Return the share of a block that rules check, and the share that reaches everyone."""
    total = audited = credited = 0.0
    for owner in owners:
        number, unaudited = texts.get(owner, (0, 0))
        seen = max(number - unaudited, 0)
        total += number
        audited += seen
        credited += seen * (1 - worst.get(owner, 0.0))
    return (audited / total, credited / total) if total else (1.0, 1.0)

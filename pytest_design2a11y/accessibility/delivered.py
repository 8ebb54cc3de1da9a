"""How much of the design's text reaches everyone: what is on the page, less what failures take from it."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import fsum, prod

from rapidfuzz.distance import Indel
from rapidfuzz.fuzz import partial_ratio

from pytest_design2a11y.models.audit import FailedCheck
from pytest_design2a11y.models.metrics import IMPACT_WEIGHTS, MAX_IMPACT_WEIGHT
from pytest_design2a11y.models.page import TextRun, read_apart
from pytest_design2a11y.models.visual import Block, Match

#: Rules about the page as a whole: language, title, landmarks, what lies outside of them, zoom.
PAGE_RULES = frozenset(
    {
        *("aria-hidden-body", "bypass", "css-orientation-lock", "document-title", "html-has-lang"),
        *("html-lang-valid", "html-xml-lang-mismatch", "meta-refresh", "meta-refresh-no-exceptions"),
        *("meta-viewport", "meta-viewport-large", "page-has-heading-one", "region"),
    }
)
_LANDMARKS = "landmark-"

#: Rules whose failure keeps people from all that the element holds.
WHOLE_RULES = frozenset(
    {
        *("aria-hidden-focus", "blink", "frame-focusable-content", "marquee", "nested-interactive"),
        *("role-img-alt", "scrollable-region-focusable", "svg-img-alt", "valid-lang"),
    }
)

#: Rules about the text in an element itself, of the page's body too.
_CONTRAST = frozenset({"color-contrast", "color-contrast-enhanced"})

#: What a page-wide failure takes of the whole, by its weight; the fewest blocks that a page counts as having.
_PAGE_SHARE = 0.1
_LEAST_BLOCKS = 20

#: Labels with less in common are two.
_LEAST_ALIKE = 0.5

#: Smaller parts are not shown, since they would be rounded to 0.
LEAST_SHOWN = 0.005


@dataclass(frozen=True, slots=True)
class Delivered:
    """The share of the design's text that reaches everyone, and what becomes of the rest, each 0..1.

    Attributes:
        value: on_page less the other three.
        on_page: Share of the design's characters with a counterpart, each by how alike the texts are.
        unaudited: Subtracted for text that no rule checks.
        failures: Taken by failures on the text.
        others: Taken by failures on what is not matched text, and on the page as a whole.

    References:
        Weights of impacts as those of IWIR; that a page-wide failure takes a tenth of its weight is a
        convention of this package.
    """

    value: float
    on_page: float
    unaudited: float
    failures: float
    others: float

    @property
    def parts(self) -> dict[str, float]:
        """Return what is on the page and what is taken, by name."""
        return {name: getattr(self, name) for name in ("on_page", "unaudited", "failures", "others")}


def delivered(
    matches: Sequence[Match],
    missing: Iterable[Block],
    *,
    text_runs: Iterable[TextRun],
    failures: Sequence[FailedCheck],
    reference_runs: Iterable[TextRun] = (),
) -> Delivered:
    """Join what is on a page with what is accessible of it.

    With weights w minor 0.1, moderate 0.3, serious 0.6, critical 1::

        delivered = F * sum(characters * text ratio * seen * credit) / (C + u * L)

    C are the characters of the design's blocks; seen is the share of a block that rules check; credit is
    1 - w of the worst failure on the text, averaged over the texts of a block; L is the sum of w of failures
    that touch no matched text, u the characters of a mean block, of 20 blocks at least; F is the product of
    1 - w / 10 over the rules that fail for the page as a whole. Take a failure away, and it never falls.

    Args:
        matches: The design's blocks with their counterparts.
        missing: The design's blocks without one.
        text_runs: Of the candidate.
        failures: Of the candidate.
        reference_runs: Text of the design: of a block whose parts stand far apart, each is sought by itself.

    Returns:
        All 0 where the design has no text.
    """
    lost = [_num_characters(block.text) for block in missing]
    num_characters = sum(lost) + sum(_num_characters(match.reference.text) for match in matches)
    if not num_characters:
        return Delivered(0.0, 0.0, 0.0, 0.0, 0.0)
    page_wide, own = _divided(failures)
    texts, labels = _owned(text_runs), _apart(reference_runs)
    worst: dict[int, float] = {}  # The weight of the worst failure on every owner's text
    for check in own:
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
    elsewhere = fsum(_weight(check) for check in own if matched.isdisjoint(_touched(check)))
    num_blocks = max(len(matches) + len(lost), _LEAST_BLOCKS)
    whole = prod(1 - _PAGE_SHARE * weight for weight in page_wide.values())
    value = whole * reached / (1 + elsewhere / num_blocks)
    taken = (max(0.0, more - less) for more, less in ((on_page, heard), (heard, reached), (reached, value)))
    return Delivered(value, on_page, *taken)


def delivered_line(value: float, parts: Mapping[str, float]) -> str:
    """Return in one line how much of the design's text reaches everyone, and what takes the rest."""
    takers = {
        "text that no rule checks subtracts": parts["unaudited"],
        "accessibility failures on it subtract": parts["failures"],
        "accessibility failures elsewhere subtract": parts["others"],
    }
    parts_shown = [f"{100 * parts['on_page']:.0f} % of the design's text is on the page"]
    parts_shown += [f"{taker} {share:.2f}" for taker, share in takers.items() if share >= LEAST_SHOWN]
    return f"delivered {value:.2f}: {'; '.join(parts_shown)}"


def _apart(text_runs: Iterable[TextRun]) -> dict[int, list[str]]:
    """Return the parts of every owner's text that stand far apart, as letters alone."""
    found: dict[int, list[str]] = defaultdict(list)
    for part in read_apart(text_runs):
        texts: dict[int, str] = defaultdict(str)
        for run in part:
            texts[run.owner] += _letters(run.text)
        for owner, text in texts.items():
            found[owner].append(text)
    return found


def _alike(match: Match, labels: Mapping[int, Sequence[str]]) -> float:
    """Return how alike two texts are, 0..1; of labels far apart, each is there or it is not."""
    # Blocks that were merged belong together, wherever they stand.
    owners = match.reference.owners if len(match.reference.owners) == 1 else ()
    parts = [part for owner in owners for part in labels.get(owner, ()) if part]
    if match.text == 1.0 or len(parts) < 2:
        return match.text
    own = _letters(match.candidate.text)
    return fsum(_share_in(part, own) * len(part) for part in parts) / sum(map(len, parts))


def _share_in(part: str, text: str) -> float:
    """Return how much of a label stands in a text, 0..1; 0 where another label stands there."""
    if part in text:
        return 1.0
    ratio = (
        partial_ratio(part, text) / 100 if len(part) <= len(text) else Indel.normalized_similarity(part, text)
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
    own = []
    for check in failures:
        is_page = check.is_page and check.rule not in _CONTRAST
        if is_page or check.rule in PAGE_RULES or check.rule.startswith(_LANDMARKS):
            page_wide[check.rule] = max(page_wide.get(check.rule, 0.0), _weight(check))
        else:
            own.append(check)
    return page_wide, own


def _owned(text_runs: Iterable[TextRun]) -> dict[int, tuple[int, int]]:
    """Return the number of characters of every owner's text, and how many of them no rule checks."""
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

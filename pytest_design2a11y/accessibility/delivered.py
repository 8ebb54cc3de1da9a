"""How much of the design's text reaches everyone: what is on the page, less what failures take from it."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import fsum, prod

from pytest_design2a11y.models.audit import FailedCheck
from pytest_design2a11y.models.metrics import IMPACT_WEIGHTS, MAX_IMPACT_WEIGHT
from pytest_design2a11y.models.page import TextRun
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

#: A part below that is not told, since it would be told as nothing.
LEAST_TOLD = 0.005


@dataclass(frozen=True, slots=True)
class Delivered:
    """The share of the design's text that reaches everyone, and what becomes of the rest, each 0..1.

    Attributes:
        value: on_page less the other three.
        on_page: Share of the design's characters with a counterpart, each by how alike the texts are.
        unaudited: Taken by text that no rule looks at.
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
        """What is on the page and what is taken, by name."""
        return {name: getattr(self, name) for name in ("on_page", "unaudited", "failures", "others")}


def delivered(
    matches: Sequence[Match],
    missing: Iterable[Block],
    *,
    text_runs: Iterable[TextRun],
    failures: Sequence[FailedCheck],
) -> Delivered:
    """Join what is on a page with what is accessible of it.

    With weights w minor 0.1, moderate 0.3, serious 0.6, critical 1::

        delivered = F * sum(characters * text ratio * seen * credit) / (C + u * L)

    C are the characters of the design's blocks; seen is the share of a block that rules look at; credit is
    1 - w of the worst failure on the text, averaged over the texts of a block; L is the sum of w of failures
    that touch no matched text, u the characters of a mean block, of 20 blocks at least; F is the product of
    1 - w / 10 over the rules that fail for the page as a whole. Take a failure away, and it never falls.

    Args:
        matches: The design's blocks with their counterparts.
        missing: The design's blocks without one.
        text_runs: Of the candidate.
        failures: Of the candidate.

    Returns:
        All 0 where the design has no text.
    """
    lost = [_num_characters(block.text) for block in missing]
    num_characters = sum(lost) + sum(_num_characters(match.reference.text) for match in matches)
    if not num_characters:
        return Delivered(0.0, 0.0, 0.0, 0.0, 0.0)
    page_wide, own = _divided(failures)
    texts = _owned(text_runs)
    worst: dict[int, float] = {}  # The weight of the worst failure on every owner's text
    for one in own:
        for owner in _touched(one):
            worst[owner] = max(worst.get(owner, 0.0), _weight(one))
    alike, seen, credited = [], [], []
    for match in matches:
        characters = _num_characters(match.reference.text) * match.text
        audited, credit = _credit(match.candidate.owners, texts, worst)
        alike.append(characters)
        seen.append(characters * audited)
        credited.append(characters * credit)
    on_page, heard, reached = (fsum(values) / num_characters for values in (alike, seen, credited))
    matched = {owner for match in matches for owner in match.candidate.owners}
    elsewhere = fsum(_weight(one) for one in own if matched.isdisjoint(_touched(one)))
    num_blocks = max(len(matches) + len(lost), _LEAST_BLOCKS)
    whole = prod(1 - _PAGE_SHARE * weight for weight in page_wide.values())
    value = whole * reached / (1 + elsewhere / num_blocks)
    taken = (max(0.0, more - less) for more, less in ((on_page, heard), (heard, reached), (reached, value)))
    return Delivered(value, on_page, *taken)


def delivered_line(value: float, parts: Mapping[str, float]) -> str:
    """Say in one line how much of the design's text reaches everyone, and what takes the rest."""
    unseen = (
        f"what no rule looks at takes {parts['unaudited']:.2f}, " if parts["unaudited"] >= LEAST_TOLD else ""
    )
    return (
        f"delivered {value:.2f} of the design's text: {parts['on_page']:.2f} is on the page, {unseen}"
        f"failures on it take {parts['failures']:.2f}, other failures {parts['others']:.2f}"
    )


def _num_characters(text: str) -> int:
    return len("".join(text.split()))


def _weight(check: FailedCheck) -> float:
    return IMPACT_WEIGHTS[check.impact] / MAX_IMPACT_WEIGHT


def _divided(failures: Iterable[FailedCheck]) -> tuple[dict[str, float], list[FailedCheck]]:
    """Return the rules that fail for the page as a whole, with their weights, and all other failures."""
    page_wide: dict[str, float] = {}
    own = []
    for one in failures:
        is_page = one.is_page and one.rule not in _CONTRAST
        if is_page or one.rule in PAGE_RULES or one.rule.startswith(_LANDMARKS):
            page_wide[one.rule] = max(page_wide.get(one.rule, 0.0), _weight(one))
        else:
            own.append(one)
    return page_wide, own


def _owned(text_runs: Iterable[TextRun]) -> dict[int, tuple[int, int]]:
    """Return the number of characters of every owner's text, and how many of them no rule looks at."""
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
    """Return which share of a block rules look at, and which reaches everyone."""
    total = audited = credited = 0.0
    for owner in owners:
        number, unaudited = texts.get(owner, (0, 0))
        seen = max(number - unaudited, 0)
        total += number
        audited += seen
        credited += seen * (1 - worst.get(owner, 0.0))
    return (audited / total, credited / total) if total else (1.0, 1.0)

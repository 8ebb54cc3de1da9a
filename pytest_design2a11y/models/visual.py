"""Text blocks, how they were matched, and what that scores."""

import builtins
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal

from pytest_design2a11y.models.geometry import Box, MeanColor
from pytest_design2a11y.models.option import Impact, Published, TextRatio
from pytest_design2a11y.models.records import (
    DETAIL,
    NOT_SAVED,
    RARE,
    SHORT_IN_RUNS,
    Count,
    ManyNumbers,
    Number,
    Share,
)


@dataclass(frozen=True, slots=True)
class Block:
    """A text block: the unit that visual similarity counts."""

    text: str  # Lower-cased text that one element owns
    box: Box  # (x, y, width, height) of its ink as fractions of the page's width and height
    color: MeanColor  # Mean sRGB of its text, each 0..255; for joined blocks the mean, which has fractions
    # The least of reading it from a picture, 0..1; None if it was not read from one. It is shown, and scores
    # nothing.
    confidence: Share | None = field(default=None, compare=False, metadata=RARE)
    # Numbers of the elements that own the text, as in `TextRun.owner`; empty if it was not read from an open
    # page
    owners: tuple[int, ...] = field(default=(), compare=False, repr=False, metadata=NOT_SAVED)


def least_confidence(confidences: Iterable[float | None]) -> float | None:
    """Return the least of those that are known."""
    return min((known for known in confidences if known is not None), default=None)


@dataclass(frozen=True, slots=True)
class Matching:
    """The matched blocks, after merging."""

    reference: tuple[Block, ...]  # The reference's blocks as merged
    candidate: tuple[Block, ...]  # The candidate's blocks as merged
    pairs: tuple[tuple[int, int, float], ...]  # (index in reference, index in candidate, text ratio)
    text_ratio: TextRatio  # Which text ratio was used
    published: Published | None = None  # Whose published figures it reproduces; None: it does not


@dataclass(frozen=True, slots=True)
class Match:
    """A reference block and its matching candidate block, with their similarities (0..1 each)."""

    reference: Block
    candidate: Block
    text: Number
    position: Number
    color: Number


DifferenceKind = Literal[
    "missing", "extra", "moved", "resized", "restyled", "recolored", "reworded", "font", "ground", "covered",
    "overflowing", "distorted", "blank", "state", "figure", "icon", "unreadable", "unexplained", "exchanged",
    "turned", "mirrored",
]  # fmt: skip
DifferenceSubject = Literal["text", "picture", "control", "panel", "line", "page"]
Severity = Impact

#: Severities, the worst first.
SEVERITIES: tuple[Severity, ...] = ("critical", "serious", "moderate", "minor")

#: Severities counted by `blocking`: those that a reviewer would not accept.
BLOCKING = SEVERITIES[:2]

#: Differences whose total cost is less are not reported.
LEAST_COST = 0.0005

if TYPE_CHECKING:
    Value = Any  # Which of them is known from `property`
else:
    Value = str | Number | None


@dataclass(frozen=True, slots=True)
class Difference:
    """One visible difference, as facts from which `models.words` makes a sentence."""

    kind: DifferenceKind  # In what way it differs
    what: DifferenceSubject  # What differs
    cost: Number  # How much it lowers fidelity, 0..1, all else unchanged; without fidelity, the score
    severity: Severity = "minor"  # By the table in docs/differences.md
    property: str | None = None  # What differs: "fill", "font_size", "place"; None: the whole thing
    expected: Value = None  # Its value in the design; None without one
    actual: Value = None  # Its value in the generated page; None without one
    # Where and what it is in the design: "box" (left, top, width, height, px of that page), and further facts
    # such as "text", "name", "label", "fill"; None if it is extra
    reference: Mapping[str, Any] | None = None
    candidate: Mapping[str, Any] | None = None  # The same for the generated page; None if it is missing
    members: "tuple[Difference, ...]" = ()  # The differences that it summarizes, if several have one cause
    # The part of the differing pixels of both pages that it explains, 0..1; None if not measured
    share: Share | None = field(default=None, metadata=RARE)
    # The note on why it is accepted, "" without one; None: it is not accepted
    accepted: str | None = field(default=None, metadata=RARE)

    @builtins.property  # The other one is a field
    def design(self) -> Mapping[str, Any]:
        """Facts about it in the design; empty if it is extra."""
        return self.reference or {}

    @builtins.property
    def made(self) -> Mapping[str, Any]:
        """Facts about it in the generated page; empty if it is missing."""
        return self.candidate or {}

    @builtins.property
    def facts(self) -> Mapping[str, Any]:
        """Facts about it in the design or, if it is extra, in the generated page."""
        return self.reference or self.made

    @builtins.property
    def boxes(self) -> tuple[Box, Box]:
        """Its boxes in the design and in the generated page, px; all 0 where it is not."""
        reference, candidate = (tuple(side.get("box", (0, 0, 0, 0))) for side in (self.design, self.made))
        return reference, candidate


@dataclass(frozen=True, slots=True)
class VisualScore(ManyNumbers):
    """Visual similarity of two pages, each number in [0, 1]."""

    _comparing = (
        "Write assert_fidelity(reference, candidate) > 0.4, which asserts, or compare its `.fidelity`."
    )

    score: Share  # Mean of the components that were measured
    block_match: Share  # Share of the block area that was matched
    text: Share  # Mean text ratio of the matches
    position: Share  # Mean nearness of the matches' centers
    color: Share  # Mean color similarity of the matches
    appearance: Share | None  # Similarity of the pictures without their text; None if not measured
    text_ratio: TextRatio  # Which text ratio was used
    appearance_backend: str | None = None  # The backend that computed `appearance`; None if not measured
    matches: tuple[Match, ...] = field(default=(), repr=False, metadata=DETAIL)  # Pairs in the design's order
    missing: tuple[Block, ...] = field(default=(), repr=False, metadata=DETAIL)  # Blocks of the design alone
    extra: tuple[Block, ...] = field(default=(), repr=False, metadata=DETAIL)  # Blocks of the candidate alone
    # Whose published figures it reproduces, comparable only with those; None: it does not
    published: Published | None = field(default=None, metadata=RARE)
    elements: Share | None = None  # Similarity of everything that is not text; None if not measured
    typography: Share | None = None  # Of sizes, families and weights of the text; None if not measured
    figures: Share | None = None  # Share of its numbers that are the design's; None if the design has none
    fidelity: Share | None = None  # Of the whole page (`visual.score.fidelity`); None if a part is missing
    # The visible differences one by one, the worst first
    differences: tuple[Difference, ...] = field(default=(), repr=False, metadata=SHORT_IN_RUNS)
    blocking: Count | None = None  # Critical and serious differences; None if not all are known
    # Why metrics of the whole page have no value, by name
    unmeasured: Mapping[str, str] = field(default_factory=dict, repr=False, compare=False, metadata=NOT_SAVED)

    @property
    def blockers(self) -> tuple[Difference, ...]:
        """The differences counted by `blocking`, the only ones kept in saved runs without details."""
        return tuple(
            difference
            for difference in self.differences
            if difference.severity in BLOCKING and difference.accepted is None
        )

"""Text blocks, how they were matched, and what that scores."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from pytest_design2a11y.models.choices import Published, TextRatio
from pytest_design2a11y.models.from_json import NOT_SAVED, SAVED_IF_SET, Share
from pytest_design2a11y.models.geometry import Box, Color
from pytest_design2a11y.models.metrics import ManyNumbers
from pytest_design2a11y.models.preferences import PREFERENCE_WEIGHTS, weighted_preference


@dataclass(frozen=True, slots=True)
class Block:
    """A text block: the unit that visual similarity counts.

    Attributes:
        text: Lower-cased text that one element owns.
        box: (x, y, width, height) of its ink as fractions of the page's width and height.
        color: Mean sRGB of its text, each 0..255.
        confidence: The least of what read it from a picture, 0..1; None where nothing had to be read. It is
            told, and scores nothing.
        owners: Numbers of the elements that own the text, as in `TextRun.owner`; none where it was not read
            from an open page.
    """

    text: str
    box: Box
    color: Color
    confidence: float | None = field(default=None, compare=False, metadata=SAVED_IF_SET)
    owners: tuple[int, ...] = field(default=(), compare=False, repr=False, metadata=NOT_SAVED)


def least_confidence(confidences: Iterable[float | None]) -> float | None:
    """Return the least of those that are known."""
    return min((one for one in confidences if one is not None), default=None)


@dataclass(frozen=True, slots=True)
class Matching:
    """Which block was taken for which, after merging."""

    reference: tuple[Block, ...]  # The reference's blocks as merged
    candidate: tuple[Block, ...]  # The candidate's blocks as merged
    # (index in reference, index in candidate, text ratio), in the reference's order
    pairs: tuple[tuple[int, int, float], ...]
    text_ratio: TextRatio  # Which text ratio was used
    published: Published | None = None  # Whose published figures it rebuilds; None if it rebuilds none


@dataclass(frozen=True, slots=True)
class Match:
    """A reference block and the candidate block taken for it, with how alike they are (0..1 each)."""

    reference: Block
    candidate: Block
    text: float
    position: float
    color: float


DifferenceKind = Literal[
    "missing", "extra", "moved", "resized", "restyled", "recolored", "reworded", "font", "ground"
]
DifferenceSubject = Literal["text", "picture", "control", "panel", "line", "page"]


#: Differences that cost less than this in sum are not told.
LEAST_COST = 0.0005


@dataclass(frozen=True, slots=True)
class Difference:
    """One thing that a person would see to be different, and what it costs."""

    kind: DifferenceKind  # In what way it differs
    what: DifferenceSubject  # What differs
    message: str  # The same in words, one sentence without a full stop
    # What it takes from fidelity, 0..1, everything else left as it is; from the score where there is no
    # fidelity
    cost: float
    # How it is in the design: "box" (x, y, width, height, px of that page) and what differs, such as "text",
    # "color", "ground", "fill", "font_size"; None where it is extra
    reference: Mapping[str, Any] | None = None
    # How it is in the generated page, likewise; None where it is missing
    candidate: Mapping[str, Any] | None = None


@dataclass(frozen=True, slots=True)
class VisualScore(ManyNumbers):
    """Visual similarity of two pages, each number in [0, 1].

    Attributes:
        score: Mean of the components that were measured.
        block_match: Share of the block area that was matched.
        text: Mean text ratio of the matches.
        position: Mean nearness of the matches' centres.
        color: Mean colour similarity of the matches.
        appearance: Similarity of the pictures without their text; None where not measured.
        text_ratio: Which text ratio was used.
        appearance_backend: What computed `appearance`; None where not measured.
        matches: The pairs, in the reference's order.
        missing: Reference blocks without a match.
        extra: Candidate blocks without a match.
        published: Whose published figures it rebuilds, which compares with nothing else; None: it does not.
        elements: How alike everything is that is not text; None where not measured.
        typography: How alike sizes, families and weights of the text are; None where not measured.
        fidelity: (2 score + 2 elements + typography) / 5; None where one of them is not measured.
        differences: What a person would see to be different, one by one, the most costly first.
    """

    _comparing = (
        "Write assert_visual_similarity(reference, candidate) > 0.8, which asserts, or compare its `.score`."
    )

    score: Share
    block_match: Share
    text: Share
    position: Share
    color: Share
    appearance: Share | None
    text_ratio: TextRatio
    appearance_backend: str | None = None
    matches: tuple[Match, ...] = field(default=(), repr=False)
    missing: tuple[Block, ...] = field(default=(), repr=False)
    extra: tuple[Block, ...] = field(default=(), repr=False)
    published: Published | None = field(default=None, metadata=SAVED_IF_SET)
    elements: Share | None = None
    typography: Share | None = None
    fidelity: Share | None = None
    differences: tuple[Difference, ...] = field(default=(), repr=False)

    @property
    def visual_preference(self) -> float | None:
        """Mean of the components weighted as people's decisions weigh them; None without appearance.

        For a look beside `score`, never in its place: see `models.preferences` for the source.
        """
        if self.appearance is None:
            return None
        return weighted_preference({name: getattr(self, name) for name in PREFERENCE_WEIGHTS})

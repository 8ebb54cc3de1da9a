"""In what a page differs from its design, in words: single things, and likes together."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from pytest_design2a11y.escaping import sanitize
from pytest_design2a11y.models.geometry import Box, area, hex_color
from pytest_design2a11y.models.run import Evaluation
from pytest_design2a11y.models.visual import (
    Block,
    Difference,
    DifferenceKind,
    DifferenceSubject,
    Match,
    VisualScore,
)
from pytest_design2a11y.visual.differences.texts import SAME_COLOR, text_costs

_SHARED: dict[DifferenceKind, str] = {
    "missing": "are missing",
    "extra": "are not in the design",
    "moved": "are in other places",
    "resized": "have other sizes",
    "restyled": "are styled otherwise",
    "recolored": "have other colours",
    "reworded": "read otherwise",
    "font": "are in other fonts",
    "ground": "have other backgrounds",
}
#: Likeness below which a matched text is called wrong. Position: its centre is off by more than 1 % of the
#: page (13 px of 1280). Text: any difference.
_TOLERATED: dict[DifferenceKind, tuple[str, float]] = {
    "moved": ("position", 0.99),
    "recolored": ("color", SAME_COLOR),
    "reworded": ("text", 1.0 - 1e-9),
}
#: Members of a group that are told one by one.
_MOST_TOLD = 2


@dataclass(frozen=True, slots=True)
class DifferenceGroup:
    """Differences of one kind between the same sort of things.

    Attributes:
        members: The differences, the most costly first; at least one.
    """

    kind: DifferenceKind
    what: DifferenceSubject
    members: tuple[Difference, ...]

    @property
    def cost(self) -> float:
        """What they take together from fidelity, 0..1; from the visual score where there is no fidelity."""
        return sum(one.cost for one in self.members)

    @property
    def message(self) -> str:
        """The same in words, without a full stop."""
        if len(self.members) == 1:
            return self.members[0].message
        shared = _SHARED[self.kind]
        told = [
            one.message.removesuffix(shared.replace("are", " is", 1)) for one in self.members[:_MOST_TOLD]
        ]
        rest = len(self.members) - len(told)
        told += [f"and {rest} more"] if rest else []
        return f"{len(self.members)} {self.what}s {shared}: {'; '.join(told)}"


def differences_of(evaluation: Evaluation) -> Sequence[Difference]:
    """Return in what a page differs from its design, the most costly first.

    A run that was saved before there was fidelity, and one of published figures, has those of its texts only,
    with what they cost of the visual score; one without details has none.
    """
    visual = evaluation.visual
    if visual is None:
        return ()
    return visual.differences or sorted(_of_texts(visual, evaluation), key=lambda one: -one.cost)


def group_differences(differences: Iterable[Difference]) -> list[DifferenceGroup]:
    """Put likes together, the most costly group first."""
    groups: dict[tuple[DifferenceKind, DifferenceSubject], list[Difference]] = {}
    for one in differences:
        groups.setdefault((one.kind, one.what), []).append(one)
    made = (
        DifferenceGroup(kind, what, tuple(sorted(members, key=lambda one: -one.cost)))
        for (kind, what), members in groups.items()
    )
    return sorted(made, key=lambda group: -group.cost)


def _of_texts(visual: VisualScore, evaluation: Evaluation) -> Iterator[Difference]:
    lost, unlike = text_costs(visual)
    sizes = {role: evaluation.page_sizes.get(role, (1, 1)) for role in ("reference", "candidate")}
    for match in visual.matches:
        sides = _side(match.reference, sizes["reference"]), _side(match.candidate, sizes["candidate"])
        losses = {kind: 1 - getattr(match, name) for kind, (name, _least) in _TOLERATED.items()}
        for kind in sorted(losses, key=lambda one: -losses[one]):
            if losses[kind] > 1 - _TOLERATED[kind][1]:
                told = f"{_quoted(match.reference)} {_fault(kind, match, sizes['reference'])}"
                yield Difference(kind, "text", told, losses[kind] * unlike, *sides)
    for block in visual.missing:
        side = _side(block, sizes["reference"])
        cost = area(block.box) * lost
        yield Difference("missing", "text", f"{_quoted(block)} is missing", cost, side, None)
    for block in visual.extra:
        side = _side(block, sizes["candidate"])
        cost = area(block.box) * lost
        yield Difference("extra", "text", f"{_quoted(block)} is not in the design", cost, None, side)


def _side(block: Block, size: tuple[int, int]) -> dict[str, object]:
    width, height = size
    x, y, w, h = block.box
    box: Box = (x * width, y * height, w * width, h * height)
    return {"box": box, "text": block.text, "color": block.color}


def _fault(kind: DifferenceKind, match: Match, page_size: tuple[int, int]) -> str:
    if kind == "recolored":
        return f"is {hex_color(match.candidate.color)} instead of {hex_color(match.reference.color)}"
    if kind == "reworded":
        return f"reads {_quoted(match.candidate)}"
    moves = []
    for axis, (backward, forward) in enumerate((("left", "right"), ("up", "down"))):
        first, second = match.reference.box, match.candidate.box
        shift = (second[axis] + second[axis + 2] / 2) - (first[axis] + first[axis + 2] / 2)
        if pixels := round(abs(shift) * page_size[axis]):
            moves.append(f"{pixels} px {forward if shift > 0 else backward}")
    return f"moved {' and '.join(moves)}"


def _quoted(block: Block) -> str:
    return f'"{sanitize(block.text, limit=40)}"'

"""In what a page differs from its design, in words: single things, and likes together."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from pytest_design2a11y.escaping import sanitize
from pytest_design2a11y.models.geometry import Box, hex_color
from pytest_design2a11y.models.run import Evaluation
from pytest_design2a11y.models.visual import (
    Block,
    Difference,
    DifferenceKind,
    DifferenceSubject,
    Match,
    VisualScore,
)
from pytest_design2a11y.report.findings import BlockFinding, Kind, find_block_findings, kind_cost

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
#: Members of a group that are told one by one.
_MOST_TOLD = 2


@dataclass(frozen=True, slots=True)
class DifferenceGroup:
    """Differences of one kind between the same sort of things.

    Attributes:
        kind: In what way they differ.
        what: What differs.
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

    A run that was saved before there was fidelity has those of its texts only, and one without details none.
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
    sizes = {role: evaluation.page_sizes.get(role, (1, 1)) for role in ("reference", "candidate")}
    for finding in find_block_findings(visual):
        for kind in finding.kinds:
            if kind != "fine":
                yield Difference(
                    kind,
                    "text",
                    _fault_sentence(finding, kind, sizes["reference"]),
                    kind_cost(visual, finding, kind),
                    _side(finding.reference, sizes["reference"]),
                    _side(finding.candidate, sizes["candidate"]),
                )


def _side(block: Block | None, size: tuple[int, int]) -> dict[str, object] | None:
    if block is None:
        return None
    width, height = size
    x, y, w, h = block.box
    box: Box = (x * width, y * height, w * width, h * height)
    return {"box": box, "text": block.text, "color": block.color}


def _fault_sentence(finding: BlockFinding, kind: Kind, page_size: tuple[int, int]) -> str:
    """Return one thing that is wrong with a block as a sentence without a full stop."""
    block = finding.reference or finding.candidate
    assert block is not None
    if finding.match is None:
        return f"{_quoted(block)} is {'missing' if kind == 'missing' else 'not in the design'}"
    return f"{_quoted(block)} {_fault(kind, finding.match, page_size)}"


def _fault(kind: Kind, match: Match, page_size: tuple[int, int]) -> str:
    if kind == "moved":
        return _shift(match, page_size)
    if kind == "recolored":
        return f"is {hex_color(match.candidate.color)} instead of {hex_color(match.reference.color)}"
    return f"reads {_quoted(match.candidate)}"


def _quoted(block: Block) -> str:
    return f'"{sanitize(block.text, limit=40)}"'


def _shift(match: Match, page_size: tuple[int, int]) -> str:
    moves = []
    for axis, (backward, forward) in enumerate((("left", "right"), ("up", "down"))):
        first, second = match.reference.box, match.candidate.box
        shift = (second[axis] + second[axis + 2] / 2) - (first[axis] + first[axis + 2] / 2)
        pixels = round(abs(shift) * page_size[axis])
        if pixels:
            moves.append(f"{pixels} px {forward if shift > 0 else backward}")
    return f"moved {' and '.join(moves)}"

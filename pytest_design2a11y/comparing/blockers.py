"""Which severe differences came and went from one run to another, case by case."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from pytest_design2a11y.comparing.pairing import Alignment
from pytest_design2a11y.comparing.table import RunTable
from pytest_design2a11y.models.evaluation import CaseKey
from pytest_design2a11y.models.run import Evaluation, Run, case_name
from pytest_design2a11y.models.visual import Difference

#: Sizes in px that differ by less are one where that is all that something is known by.
_SAME_SIZE = 8


@dataclass(frozen=True, slots=True)
class BlockerChange:
    """What a reviewer would block in one case now and would not have before, and the reverse.

    Attributes:
        key: The case, along its axes.
        new: Critical and serious differences that no sample of the old run has, the worst first.
        gone: Those that no sample of the new run has any more.
        num_new: How many new ones a sample of the new run has in the mean.
    """

    key: CaseKey
    new: tuple[Difference, ...]
    gone: tuple[Difference, ...]
    num_new: float

    @property
    def name(self) -> str:
        """The name of the case, with the values of its axes."""
        return case_name(self.key)


def anchor(difference: Difference) -> tuple[object, ...]:
    """Return what a difference is known by in another measurement of the page, or of another page.

    That is its kind, and what of the design it is about; of what is in no design, its words or its look.
    """
    side: Mapping[str, object] = difference.reference or difference.candidate or {}
    name = side.get("text") or (side.get("box") if difference.reference else side.get("label")) or ""
    if not name and isinstance(box := side.get("box"), list | tuple):
        name = side.get("name"), *(round(length / _SAME_SIZE) for length in box[2:])
    return difference.kind, difference.what, difference.property, str(name)


def blocker_changes(
    runs: tuple[Run, Run], tables: tuple[RunTable, RunTable], aligned: Alignment
) -> tuple[BlockerChange, ...]:
    """Return what changed in each case of which both runs know their severe differences."""
    pages = [_by_key(run.evaluations) for run in runs]
    changes = []
    for key, *rows in zip(aligned.keys, *aligned.rows, strict=True):
        old, new = (
            found.get(table.keys[row], []) for found, table, row in zip(pages, tables, rows, strict=True)
        )
        if old and new:
            change = _change(key, old, new)
            changes += [change] if change.new or change.gone else []
    return tuple(changes)


def _by_key(evaluations: Iterable[Evaluation]) -> dict[CaseKey, list[tuple[Difference, ...]]]:
    found: dict[CaseKey, list[tuple[Difference, ...]]] = {}
    for one in evaluations:
        if one.visual is not None and one.visual.blocking is not None:
            found.setdefault(one.case_key, []).append(one.visual.blockers)
    return found


def _change(
    key: CaseKey, old: list[tuple[Difference, ...]], new: list[tuple[Difference, ...]]
) -> BlockerChange:
    sides = [_by_anchor(one for page in pages for one in page) for pages in (old, new)]
    num_new = sum(anchor(one) not in sides[0] for page in new for one in page) / len(new)
    came, went = (
        tuple(one for name, one in sides[side].items() if name not in sides[1 - side]) for side in (1, 0)
    )
    return BlockerChange(key, came, went, num_new)


def _by_anchor(differences: Iterable[Difference]) -> dict[tuple[object, ...], Difference]:
    return {anchor(one): one for one in differences}

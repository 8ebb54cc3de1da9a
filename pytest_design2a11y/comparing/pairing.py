"""Which case of one run belongs to which of another: equal cases along equal axes, nothing else."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy
from numpy.typing import NDArray

from pytest_design2a11y.comparing.table import RunTable
from pytest_design2a11y.escaping import harmless, terminal_line
from pytest_design2a11y.exceptions import AxesDiffer
from pytest_design2a11y.models.run import CaseKey

_MAX_LISTED = 30

AxisValues = tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class AxisChange:
    """An axis that has one value in either run, and not the same: what was changed between the runs."""

    axis: str
    old: str
    new: str

    def __str__(self) -> str:
        return f"{self.axis}: {self.old or 'not named'} -> {self.new or 'not named'}"


@dataclass(frozen=True, eq=False)
class Pairing:
    """The cases of two runs, put side by side.

    Attributes:
        keys: What is in both runs.
        old_rows: Its places in the old run's table.
        new_rows: Its places in the new run's table.
        only_old: Without counterpart in the new run.
        old_only_rows: Its places in the old run's table.
        only_new: Without counterpart in the old run.
        changes: Axes that tell the runs apart.
        axes: The values of the axes that cases are paired along, those with several.
    """

    keys: tuple[CaseKey, ...]
    old_rows: NDArray[numpy.intp]
    new_rows: NDArray[numpy.intp]
    only_old: tuple[CaseKey, ...]
    old_only_rows: NDArray[numpy.intp]
    only_new: tuple[CaseKey, ...]
    changes: tuple[AxisChange, ...]
    axes: Mapping[str, tuple[str, ...]]


def pair_cases(old: RunTable, new: RunTable, *, names: tuple[str, str]) -> Pairing:
    """Pair the cases of two runs along equal axes.

    An axis that has one value in the old run and another one in the new run is what was changed: the cases
    are paired across it. In every other axis, both runs have to mix the same values.

    Args:
        old: The earlier run.
        new: The later run.
        names: Of the two, for messages.

    Raises:
        AxesDiffer: The runs mix different values; the message has the table of both.
    """
    changes = tuple(_changes(old.keys, new.keys))
    changed = {change.axis for change in changes}
    keys = [[_without(key, changed) for key in table.keys] for table in (old, new)]
    mixes = [Counter(axes for _case, axes in side) for side in keys]
    if keys[0] and keys[1] and mixes[0].keys() != mixes[1].keys():
        _refuse(mixes[0], mixes[1], names)
    places = [{key: place for place, key in enumerate(side)} for side in keys]
    paired = tuple(key for key in keys[0] if key in places[1])
    only_old = tuple(key for key in keys[0] if key not in places[1])
    return Pairing(
        keys=paired,
        old_rows=_rows(places[0], paired),
        new_rows=_rows(places[1], paired),
        only_old=only_old,
        old_only_rows=_rows(places[0], only_old),
        only_new=tuple(key for key in keys[1] if key not in places[0]),
        changes=changes,
        axes={name: values for name, values in axis_values(keys[0]).items() if len(values) > 1},
    )


def axis_values(keys: Sequence[CaseKey]) -> dict[str, tuple[str, ...]]:
    """Give the values of every axis, by its name, "" where a case does not name the axis."""
    mix = [dict(axes) for axes in {axes for _case, axes in keys}]
    names = sorted({name for axes in mix for name in axes})
    return {name: tuple(sorted({axes.get(name, "") for axes in mix})) for name in names}


def axes_text(axes: AxisValues) -> str:
    """Write values of axes."""
    return ", ".join(f"{name}={value}" for name, value in axes) or "(no axes)"


def _changes(old: Sequence[CaseKey], new: Sequence[CaseKey]) -> Iterator[AxisChange]:
    values = axis_values(old), axis_values(new)
    for name in sorted(values[0].keys() | values[1].keys()):
        one, other = (side.get(name, ("",)) for side in values)
        if len(one) == len(other) == 1 and one != other:
            yield AxisChange(name, one[0], other[0])


def _without(key: CaseKey, changed: set[str]) -> CaseKey:
    case, axes = key
    return case, tuple((name, value) for name, value in axes if name not in changed)


def _rows(places: Mapping[CaseKey, int], keys: Sequence[CaseKey]) -> NDArray[numpy.intp]:
    return numpy.array([places[key] for key in keys], dtype=numpy.intp)


def _refuse(old: Counter[AxisValues], new: Counter[AxisValues], names: tuple[str, str]) -> None:
    mixes = sorted(old.keys() | new.keys())
    texts = {axes: terminal_line(axes_text(axes)) for axes in mixes}
    width = max(4, *map(len, texts.values()))
    lines = [f"  {'':<{width}}  {'old':>7}{'new':>7}  (cases)"]
    lines += [
        f"  {texts[axes]:<{width}}  {old[axes] or '-':>7}{new[axes] or '-':>7}"
        for axes in mixes[:_MAX_LISTED]
    ]
    if len(mixes) > _MAX_LISTED:
        lines.append(f"  and {len(mixes) - _MAX_LISTED} more")
    both = sorted(old.keys() & new.keys())
    example = harmless(axes_text(both[0][:1])) if both and both[0] else "AXIS=VALUE"
    axis = next((name for axes in mixes for name, _value in axes), "AXIS")
    raise AxesDiffer(
        f"The runs {names[0]!r} and {names[1]!r} do not mix the same axes; their means do not compare:\n"
        + "\n".join(lines)
        + "\n",
        stage="runs",
        advice=f"Choose what both have (--design2a11y-only {example}), or compare each with its own kind "
        f"(design2a11y compare --by {harmless(axis)}).",
    )

"""Which cases of several runs belong together, and which severe differences appeared or disappeared."""

import operator
import re
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain

import numpy
from numpy.typing import NDArray

from pytest_design2a11y.comparing.table import RunTable
from pytest_design2a11y.escaping import sanitize, terminal_line
from pytest_design2a11y.exceptions import AxesDiffer, NotComparable
from pytest_design2a11y.models.run import Run, prompts_text
from pytest_design2a11y.models.verdicts import CaseKey, case_name
from pytest_design2a11y.models.visual import Difference
from pytest_design2a11y.wording import command_flag, counted

_MAX_LISTED = 30
# Number of a run's cases that an error names.
_MAX_NAMED = 5

AxisValues = tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class AxisChange:
    """What was changed: an axis with a single, different value in each run, or the prompt files."""

    axis: str
    old: str
    new: str

    def __str__(self) -> str:
        return f"{self.axis}: {self.old or 'not named'} -> {self.new or 'not named'}"


@dataclass(frozen=True, eq=False)
class Alignment:
    """The cases of several runs, side by side."""

    keys: tuple[CaseKey, ...]  # The cases that are in all runs
    rows: tuple[NDArray[numpy.intp], ...]  # Their row indices in each run's table
    # The cases of each run, without the axes in which the runs differ
    all_keys: tuple[tuple[CaseKey, ...], ...]
    changes: Mapping[str, tuple[str, ...]]  # Axes in which the runs differ: the single value per run
    axes: Mapping[str, tuple[str, ...]]  # Of axes with several values: those that cases are aligned along

    def rows_alone(self, run: int) -> list[int]:
        """Return the row indices in a run's table of cases that only some runs have."""
        shared = frozenset(self.keys)
        return [row for row, key in enumerate(self.all_keys[run]) if key not in shared]


def names_alike(known: Collection[str], other: Collection[str]) -> dict[str, str]:
    """Return what one run's cases are called in another run (`known`), where that is unambiguous.

    One run may call a design "login" and the other "designs/login": one path ends with the other. If runs
    share no case at all, matching file names are enough.
    """
    known, other = frozenset(known), frozenset(other)
    shares_some = not known.isdisjoint(other)
    by_file: tuple[dict[str, list[str]], ...] = ({}, {})
    for files, lone in zip(by_file, (known - other, other - known), strict=True):
        for case in lone:
            files.setdefault(_parts(case)[-1], []).append(case)

    def like(case: str, others: Sequence[str]) -> list[str]:
        return [name for name in others if not shares_some or is_end(case, name)]

    names: dict[str, str] = {}
    for file, cases in by_file[1].items():
        for case in cases:
            alike = like(case, by_file[0].get(file, ()))
            if len(alike) == 1 and len(like(alike[0], cases)) == 1:
                names[case] = alike[0]
    return names


def is_end(case: str, other: str) -> bool:
    """Return whether the path of one case ends with that of the other."""
    return all(map(operator.eq, _parts(case)[::-1], _parts(other)[::-1]))


def _parts(case: str) -> tuple[str, ...]:
    """Return the parts of a case's path or address; "index" gets the name of its folder."""
    parts = tuple(part for part in re.split(r"[/\\]+", case.partition("?")[0]) if part) or (case,)
    stem = re.sub(r"\.html?$", "", parts[-1], flags=re.IGNORECASE)
    return parts[:-1] if stem == "index" and len(parts) > 1 else (*parts[:-1], stem)


def align_cases(tables: Sequence[RunTable], *, names: Sequence[str], heads: Sequence[str]) -> Alignment:
    """Align the cases of several runs along equal axes.

    An axis with a single value per run that is not the same in all is what was changed: cases are aligned
    across it. In every other axis, all runs must mix the same values. A case called "login" in one run and
    "designs/login" in another is the same case, if that is unambiguous. `names` of runs are for messages, as
    are `heads`, of at most six characters.
    """
    values = [axis_values(table.keys) for table in tables]
    changes: dict[str, tuple[str, ...]] = {}
    for name in sorted({name for run in values for name in run}):
        of_axis = [run.get(name, ("",)) for run in values]
        if all(len(values_of_run) == 1 for values_of_run in of_axis) and len(set(of_axis)) > 1:
            changes[name] = tuple(value for (value,) in of_axis)
    given = [
        tuple((case, tuple(axis for axis in axes if axis[0] not in changes)) for case, axes in table.keys)
        for table in tables
    ]
    all_keys = given[:1]
    for run in given[1:]:
        called = names_alike({case for case, _axes in given[0]}, {case for case, _axes in run})
        all_keys.append(tuple((called.get(case, case), axes) for case, axes in run))
    mixes = [Counter(axes for _case, axes in run) for run in all_keys]
    if all(all_keys) and any(mix.keys() != mixes[0].keys() for mix in mixes):
        _refuse(mixes, names, heads)
    row_of = [{key: row for row, key in enumerate(run)} for run in all_keys]
    shared = tuple(key for key in all_keys[0] if all(key in rows for rows in row_of))
    if not shared:
        runs_with_cases = [
            f"{name!r} ({counted(len(table.cases), 'case')}: {_listed(table.cases)})"
            for name, table in zip(names, tables, strict=True)
        ]
        raise NotComparable(
            f"The runs {', '.join(runs_with_cases[:-1])} and {runs_with_cases[-1]} have no case in common.",
            advice="Cases are paired by the path or file name of their design. Name them alike: case= in the "
            'marker or in render, a parameter named case, or "case" in the lines of --pairs.',
        )
    for key in shared:
        of_runs = tuple(run[rows[key]][0] for run, rows in zip(given, row_of, strict=True))
        if len(set(of_runs)) > 1:
            changes = {"names of cases, such as": of_runs, **changes}
            break
    return Alignment(
        keys=shared,
        rows=tuple(numpy.array([rows[key] for key in shared], dtype=numpy.intp) for rows in row_of),
        all_keys=tuple(all_keys),
        changes=changes,
        axes={name: values for name, values in axis_values(all_keys[0]).items() if len(values) > 1},
    )


def prompt_changes(runs: Sequence[Run]) -> dict[str, tuple[str, ...]]:
    """Return the change of prompt files in the form of an axis change; empty if any run records none."""
    prompts = [run.prompts for run in runs]
    if not all(prompts) or all(files == prompts[0] for files in prompts):
        return {}
    return {"prompt file": tuple(map(prompts_text, prompts))}


def _listed(cases: Sequence[str]) -> str:
    return ", ".join([*map(sanitize, cases[:_MAX_NAMED]), *(["..."] if len(cases) > _MAX_NAMED else [])])


def axis_values(keys: Sequence[CaseKey]) -> dict[str, tuple[str, ...]]:
    """Return the values of every axis by its name, "" for a case that does not name the axis."""
    mix = [dict(axes) for axes in {axes for _case, axes in keys}]
    names = sorted({name for axes in mix for name in axes})
    return {name: tuple(sorted({axes.get(name, "") for axes in mix})) for name in names}


def axes_text(axes: AxisValues) -> str:
    """Write the values of axes as text."""
    return ", ".join(f"{name}={value}" for name, value in axes) or "(no axes)"


def _refuse(counts: Sequence[Counter[AxisValues]], names: Sequence[str], heads: Sequence[str]) -> None:
    mixes = sorted({axes for mix in counts for axes in mix})
    texts = {axes: terminal_line(axes_text(axes)) for axes in mixes}
    width = max(4, *map(len, texts.values()))
    lines = [f"  {'':<{width}}  {''.join(f'{head:>7}' for head in heads)}  (cases)"]
    for axes in mixes[:_MAX_LISTED]:
        numbers = "".join(f"{mix[axes] or '-':>7}" for mix in counts)
        lines.append(f"  {texts[axes]:<{width}}  {numbers}")
    if len(mixes) > _MAX_LISTED:
        lines.append(f"  and {len(mixes) - _MAX_LISTED} more")
    shared = sorted(set.intersection(*map(set, counts)))
    only = sanitize(axes_text(shared[0][:1])) if shared and shared[0] else ""
    choose = (
        f"Choose what all of them have ({command_flag('only')}={only}), or compare" if only else "Compare"
    )
    axis = next((name for axes in mixes for name, _value in axes), "AXIS")
    runs = f"{', '.join(map(repr, names[:-1]))} and {names[-1]!r}"
    unnamed = [name for name, mix in zip(names, counts, strict=True) if () in mix] if axis != "AXIS" else []
    label = (
        f" Name it where it is missing: design2a11y runs label {unnamed[0]} {axis}=VALUE." if unnamed else ""
    )
    raise AxesDiffer(
        f"The runs {runs} do not mix the same axes; their means do not compare:\n" + "\n".join(lines) + "\n",
        advice=f"{choose} each with its own kind (design2a11y compare --by {sanitize(axis)}).{label}",
    )


#: Sizes that differ by less (px) count as equal if a thing is known by nothing else.
_SAME_SIZE = 8


@dataclass(frozen=True, slots=True)
class BlockerChange:
    """What a reviewer would block in one case now but would not have before, and the reverse."""

    key: CaseKey  # The case, along its axes
    # Critical and serious differences that no sample of the old run has, the worst first
    new: tuple[Difference, ...]
    gone: tuple[Difference, ...]  # Those that no sample of the new run has
    num_new: float  # Mean number of new ones per sample of the new run

    @property
    def name(self) -> str:
        """The case's name, with the values of its axes."""
        return case_name(self.key)


def anchor(difference: Difference) -> tuple[object, ...]:
    """Return a key that identifies a difference across measurements, of the same page or another one.

    It consists of the kind and the thing in the design; without one there, of the text or the look.
    """
    thing: Mapping[str, object] = difference.reference or difference.candidate or {}
    name = thing.get("text") or (thing.get("box") if difference.reference else thing.get("label")) or ""
    if not name and isinstance(box := thing.get("box"), list | tuple):
        name = thing.get("name"), *(round(length / _SAME_SIZE) for length in box[2:])
    return difference.kind, difference.what, difference.property, str(name)


def blocker_changes(
    runs: tuple[Run, Run], tables: tuple[RunTable, RunTable], aligned: Alignment
) -> tuple[BlockerChange, ...]:
    """Return the changes in each case whose severe differences are known in both runs."""
    pages: tuple[dict[CaseKey, list[tuple[Difference, ...]]], ...] = ({}, {})
    for run, by_case in zip(runs, pages, strict=True):
        for page in run.evaluations:
            if page.visual is not None and page.visual.blocking is not None:
                by_case.setdefault(page.case_key, []).append(page.visual.blockers)
    changes = []
    for key, *rows in zip(aligned.keys, *aligned.rows, strict=True):
        old, new = (
            by_case.get(table.keys[row], []) for by_case, table, row in zip(pages, tables, rows, strict=True)
        )
        if old and new:
            before, after = ({anchor(blocker): blocker for blocker in chain(*run)} for run in (old, new))
            num_new = sum(anchor(blocker) not in before for blocker in chain(*new)) / len(new)
            came = tuple(blocker for name, blocker in after.items() if name not in before)
            went = tuple(blocker for name, blocker in before.items() if name not in after)
            if came or went:
                changes.append(BlockerChange(key, came, went, num_new))
    return tuple(changes)

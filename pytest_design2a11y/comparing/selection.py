"""Parts of a run: the pages with chosen values of axes, or one part per value."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from difflib import get_close_matches
from itertools import chain

from pytest_design2a11y.comparing.gates import known_metric
from pytest_design2a11y.comparing.pairing import AxisValues, is_end, names_alike
from pytest_design2a11y.exceptions import ConfigurationError
from pytest_design2a11y.models.evaluation import Evaluation
from pytest_design2a11y.models.metrics import shown_in
from pytest_design2a11y.models.run import Run
from pytest_design2a11y.runs import parse_only, select
from pytest_design2a11y.wording import command_flag, did_you_mean, listed, setting


def parse_by(text: str | None) -> tuple[str, ...]:
    """Parse "model,prompt": the axes to group by, or other names, without duplicates."""
    return tuple(dict.fromkeys(part.strip() for part in (text or "").split(",") if part.strip()))


def parse_metrics(text: str | None) -> tuple[str, ...]:
    """Parse a list such as "visual,iwir"."""
    return tuple(known_metric(name, "rank by").name for name in parse_by(text)) or shown_in("ranking")


def rename_cases(runs: Sequence[Run], texts: Sequence[str]) -> list[Run]:
    """Rename cases by "login=designs/sign-in", so that a case has the same name in all runs.

    A case can be given by the last parts of its path. The other cases are paired as they are without that.
    ConfigurationError if a text is malformed, no run has such a case, or one run has both.
    """
    cases = [frozenset(page.case for page in run.evaluations) for run in runs]
    known = frozenset().union(*cases)
    given = dict(_same_case(text, known) for text in texts)
    if not given:
        return list(runs)
    for old, new in given.items():
        _check_pairs(old, new, given, runs, cases)
    named = given.keys() | given.values()
    first, renamed = cases[0] - named, []
    for run, own in zip(runs, cases, strict=True):
        names = names_alike(first, own - named) | given
        pages = (replace(page, case=names.get(page.case, page.case)) for page in run.evaluations)
        renamed.append(replace(run, evaluations=tuple(pages)))
    return renamed


def _check_pairs(
    old: str, new: str, given: Mapping[str, str], runs: Sequence[Run], cases: Sequence[Collection[str]]
) -> None:
    """Refuse a new name that pairs nothing, or that would make one case of two."""
    if both := [run.name for run, own in zip(runs, cases, strict=True) if {old, new} <= {*own}]:
        raise ConfigurationError(
            f"{old!r} and {new!r} are two cases of the run {both[0]!r}.", advice="Name a case of each run."
        )
    others = chain.from_iterable(own for own in cases if old not in own)
    if new not in {*others, *(name for case, name in given.items() if case != old)}:
        raise _no_case(new, [case for own in cases for case in own if case != old])


def _same_case(text: str, known: Collection[str]) -> tuple[str, str]:
    name, mark, new_name = text.partition("=")
    if not (name and mark and new_name):
        raise ConfigurationError(
            f"{setting('same_case')} does not take {text!r}.",
            advice="Write what the case is called in either run, such as "
            f"{setting('same_case')}=login=designs/sign-in.",
        )
    return _case_named(name, known), _case_named(new_name, known, is_new=True)


def _case_named(name: str, known: Collection[str], *, is_new: bool = False) -> str:
    """Return the case that is called so, or whose path alone ends so; a new name may be unknown."""
    cases = [name] if name in known else sorted(case for case in known if is_end(name, case))
    if len(cases) == 1 or (is_new and not cases):
        return cases[0] if cases else name
    if cases:
        raise ConfigurationError(
            f"{name!r} may be several cases: {listed(cases, most=5)}.", advice="Write more of its path."
        )
    raise _no_case(name, known)


def _no_case(name: str, known: Collection[str]) -> ConfigurationError:
    near = get_close_matches(name, known, n=3) or sorted({*known})[:5]
    return ConfigurationError(
        f"No run has a case {name!r}.", advice=f"There are: {', '.join(map(repr, near))}."
    )


def group(runs: Sequence[Run], axes: Sequence[str]) -> dict[AxisValues, list[Run]]:
    """Group runs by the values of some axes; ConfigurationError for an unknown axis."""
    pages = tuple(chain.from_iterable(run.evaluations for run in runs))
    known = sorted({axis for page in pages for axis in page.axes})
    if unknown := [name for name in axes if name not in known]:
        there = f"They have: {', '.join(known)}." if known else "They name no axes."
        raise ConfigurationError(
            f"The runs have no axis {unknown[0]!r}.", advice=f"{did_you_mean(unknown[0], known)}{there}"
        )
    return {
        values: [
            replace(run, evaluations=tuple(page for page in run.evaluations if _values(page, axes) == values))
            for run in runs
        ]
        for values in sorted({_values(page, axes) for page in pages})
    }


@dataclass(frozen=True, slots=True)
class RunPart:
    """A run, or those of its pages that have certain values of axes."""

    name: str  # Unique among its kind
    run: Run  # Its pages
    axes: AxisValues = ()  # The values, with "run" first if several runs have them; empty for a whole run


def split_off(run: Run, expression: str) -> tuple[Run, Run]:
    """Split a run into pages with an axis value and the others; ConfigurationError if either is empty."""
    chosen = parse_only([expression])
    ((axis, values),) = chosen.items()
    baseline = select(run, chosen)
    others = sorted({page.axes.get(axis, "") for page in run.evaluations} - values)
    if len(others) != 1:
        ways = " ".join(f"{command_flag('only')}={axis}={value}" for value in (*values, *others[:1]))
        *most, last = others or [""]
        there = " and ".join(filter(None, [", ".join(most), last]))
        what = f"also contains {there}; choose one to compare with" if others else f"has no other {axis}"
        raise ConfigurationError(
            f"The run {run.name!r} {what}.",
            advice=f"Give {ways}, or rank all of them (--by {axis})."
            if others
            else "Measure both in one run.",
        )
    rest = tuple(page for page in run.evaluations if page.axes.get(axis, "") not in values)
    return replace(baseline, name=expression), replace(run, name=f"{axis}={others[0]}", evaluations=rest)


def parts_of(runs: Mapping[str, Run], axes: Sequence[str]) -> list[RunPart]:
    """Return whole runs or, given axes, their parts, one per combination of values."""
    if not axes:
        return [RunPart(name, run) for name, run in runs.items()]
    found = [
        (name, values, part)
        for values, members in group(list(runs.values()), axes).items()
        for name, part in zip(runs, members, strict=True)
        if part.evaluations
    ]
    has_runs = len({values for _name, values, _part in found}) < len(found)
    parts = []
    for name, values, part in found:
        texts = [value or "(none)" for _name, value in values]
        own: AxisValues = (("run", name),) if has_runs else ()
        parts.append(RunPart(", ".join([*(name for _run, name in own), *texts]), part, (*own, *values)))
    return parts


def _values(evaluation: Evaluation, axes: Sequence[str]) -> AxisValues:
    return tuple((name, evaluation.axes.get(name, "")) for name in axes)

"""Parts of a run: the pages with chosen values of axes, or one part per value."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain

from pytest_design2a11y.comparing.gates import known_metric
from pytest_design2a11y.comparing.pairing import AxisValues
from pytest_design2a11y.exceptions import ConfigurationError
from pytest_design2a11y.models.evaluation import Evaluation
from pytest_design2a11y.models.metrics import shown_in
from pytest_design2a11y.models.run import Run
from pytest_design2a11y.runs import parse_only, select
from pytest_design2a11y.wording import command_flag, did_you_mean


def parse_by(text: str | None) -> tuple[str, ...]:
    """Parse "model,prompt": the axes to group by, or other names, without duplicates."""
    return tuple(dict.fromkeys(part.strip() for part in (text or "").split(",") if part.strip()))


def parse_metrics(text: str | None) -> tuple[str, ...]:
    """Parse a list such as "visual,iwir"."""
    return tuple(known_metric(name, "rank by").name for name in parse_by(text)) or shown_in("ranking")


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
        of_run: AxisValues = (("run", name),) if has_runs else ()
        parts.append(RunPart(", ".join([*(name for _run, name in of_run), *texts]), part, (*of_run, *values)))
    return parts


def _values(evaluation: Evaluation, axes: Sequence[str]) -> AxisValues:
    return tuple((name, evaluation.axes.get(name, "")) for name in axes)

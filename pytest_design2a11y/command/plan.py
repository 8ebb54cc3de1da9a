"""`design2a11y runs plan`: how many cases and samples detect a drop, given how a saved run's pages vary."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from pytest_design2a11y.command.output import argument, say, say_json
from pytest_design2a11y.exceptions import ConfigurationError
from pytest_design2a11y.models.metrics import SCHEMA_VERSION
from pytest_design2a11y.models.readers import number_above_zero
from pytest_design2a11y.runs.store import load_run
from pytest_design2a11y.settings.options import settings_from_namespace
from pytest_design2a11y.wording import counted

if TYPE_CHECKING:
    from pytest_design2a11y.comparing.planning import Plan


def add_to(parts: Any) -> None:
    """Declare this part of `runs`."""
    plan = parts.add_parser("plan", help="compute how many cases and samples are needed to detect a drop")
    amount = argument(number_above_zero)
    plan.add_argument(
        "--from", dest="saved", required=True, metavar="RUN", help="a run with several samples per case"
    )
    plan.add_argument(
        "--drop", type=amount, required=True, metavar="X", help="mean drop to detect, such as 0.02"
    )
    plan.add_argument(
        "--metric", default="visual", metavar="NAME", help="metric that drops. Default: visual."
    )
    plan.add_argument(
        "--spread",
        type=amount,
        metavar="X",
        help="standard deviation of the change between cases. Default: 1.2 times --drop.",
    )
    plan.add_argument("--json", action="store_true", help="print JSON and nothing else")
    plan.set_defaults(run=_plan)


def _plan(namespace: argparse.Namespace) -> None:
    from pytest_design2a11y.comparing.planning import make_plan, read_noise
    from pytest_design2a11y.comparing.selection import parse_metrics
    from pytest_design2a11y.runs.store import parse_only, select

    settings = settings_from_namespace(namespace)
    run = select(load_run(namespace.saved, has_audit=False), parse_only(settings.only))
    metric, *others = parse_metrics(namespace.metric)
    if others:
        raise ConfigurationError("A plan is for one metric.", advice="Plan for each on its own.")
    noise = read_noise(run, metric, failed_pages=settings.failed_pages)
    plan = make_plan(noise, drop=namespace.drop, spread=namespace.spread)
    if namespace.json:
        numbers = ("metric", "mean", "num_cases", "num_samples", "between_cases", "within_cases")
        counts = [{"num_samples": samples, "num_cases": cases} for samples, cases in plan.needed.items()]
        say_json(
            {
                "schema": SCHEMA_VERSION,
                **{name: getattr(noise, name) for name in numbers},
                "drop": plan.drop,
                "spread": plan.spread,
                "needed": counts,
                "own_power": plan.own_power,
            }
        )
    else:
        say(*_lines(plan, run.name))


def _lines(plan: Plan, name: str) -> Iterator[str]:
    from pytest_design2a11y.comparing.planning import MAX_CASES, NUM_COMPARISONS

    noise = plan.noise
    yield (
        f"{noise.metric} in {name}: mean {noise.mean:.4f}, {counted(noise.num_cases, 'case')} with "
        f"{counted(noise.num_samples, 'sample')} each"
    )
    yield (
        f"standard deviation: {noise.within_cases:.4f} between the samples of a case, "
        f"{noise.between_cases:.4f} between cases"
    )
    yield ""
    yield f"to notice a drop of {plan.drop:g} in 4 comparisons of 5 (gate {noise.metric!r}, margin 0):"
    yield f"{'samples a case':>16}{'cases':>8}{'pages a run':>13}"
    for samples, cases in plan.needed.items():
        counts = f"{'-':>8}  more than {MAX_CASES}" if cases is None else f"{cases:>8}{cases * samples:>13}"
        yield f"{samples:>16}{counts}"
    if len(set(plan.needed.values())) == 1 and None not in plan.needed.values():
        yield "(the samples of a case hardly differ: more of them add nothing)"
    yield ""
    yield (
        f"with {counted(noise.num_cases, 'case')} and {counted(noise.num_samples, 'sample')}, as here, "
        f"{100 * plan.own_power:.0f} % of comparisons notice it"
    )
    yield (
        "assumed: the pages of both runs vary like these, with cases like these; cases are paired, so that "
        "differences between designs add no noise; the drop differs from case to case by "
        f"{plan.spread:g} (standard deviation; --spread). {NUM_COMPARISONS} simulated comparisons, fixed "
        "seed."
    )

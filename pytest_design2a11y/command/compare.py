"""`design2a11y compare`: compares two saved runs, or ranks several."""

import argparse
import sys
from pathlib import Path
from typing import Any

from pytest_design2a11y.command.shell import EXIT_UNMEASURED, say, say_json
from pytest_design2a11y.exceptions import AxesDiffer, ConfigurationError
from pytest_design2a11y.models.metrics import SCHEMA_VERSION, shown_in
from pytest_design2a11y.runs.store import find_run, load_run, with_details
from pytest_design2a11y.settings.options import settings_from_namespace
from pytest_design2a11y.settings.values import Settings


def add_to(commands: Any) -> None:
    """Declare the command."""
    compare = commands.add_parser(
        "compare", description="compare two saved runs, or rank several, without rendering anything"
    )
    compare.add_argument(
        "runs",
        nargs="+",
        metavar="RUN",
        help="name or file of a run: two to compare, the earlier first; one, or three or more, to rank; "
        "AXIS=VALUE and one run: compare that part of it with the rest",
    )
    compare.add_argument(
        "--by", metavar="AXES", help='compare group by group, or rank the groups, such as "model,prompt"'
    )
    compare.add_argument("--rank", action="store_true", help="rank two runs too, or their groups")
    compare.add_argument(
        "--rank-by", metavar="METRICS", help=f"rank by these. Default: {','.join(shown_in('ranking'))}."
    )
    compare.add_argument(
        "--cases",
        type=_count_or_all,
        default=argparse.SUPPRESS,
        metavar="N",
        help='list the N cases that changed most in each metric, or "all". Default: 5 for two runs.',
    )
    compare.add_argument("--markdown", action="store_true", help="print Markdown for a pull request")
    compare.add_argument("--json", action="store_true", help="print JSON and nothing else")
    compare.add_argument("--csv", action="store_true", help="print CSV and nothing else")
    compare.add_argument(
        "--plot", type=Path, metavar="FILE", help="plot a ranking: FILE.svg, .pdf or .png (extra `plot`)"
    )
    compare.set_defaults(run=_compare)


def _count_or_all(text: str) -> int | None:
    if text == "all":
        return None
    if not (text.isascii() and text.isdigit()):
        raise argparse.ArgumentTypeError(f'{text!r} is neither a whole number nor "all"')
    return int(text)


def _compare(namespace: argparse.Namespace) -> int:
    settings = settings_from_namespace(namespace)
    is_ranking = namespace.rank or namespace.rank_by is not None or len(namespace.runs) != 2
    if namespace.plot is not None and not is_ranking:
        raise ConfigurationError("--plot draws rankings, and two runs are compared.", advice="Add --rank.")
    try:
        return (_rank if is_ranking else _compare_two)(namespace, settings)
    except AxesDiffer as error:
        say(*f"design2a11y: {error}".split("\n"), file=sys.stderr)
        if namespace.json:
            failure = {"type": type(error).__name__, "message": str(error)}
            say_json({"schema": SCHEMA_VERSION, "error": failure})
        return EXIT_UNMEASURED


def _compare_two(namespace: argparse.Namespace, settings: Settings) -> int:
    from pytest_design2a11y.command.compare_output import print_comparison
    from pytest_design2a11y.run_end.gating import compare_groups, is_part, old_and_new

    baseline, name = namespace.runs
    if not is_part(baseline):
        find_run(baseline)  # So that a missing old run is reported first.
    run = load_run(name, has_audit=False)
    old, new = old_and_new(baseline, run if settings.html is None else with_details(run), settings)
    gated = compare_groups(old, new, settings, by=namespace.by)
    runs = (old if settings.html is None else with_details(old)), new
    print_comparison(gated, namespace, runs=runs, html=settings.html)
    return gated.exit_code


def _rank(namespace: argparse.Namespace, settings: Settings) -> int:
    from pytest_design2a11y.command.compare_output import print_ranking
    from pytest_design2a11y.comparing.selection import parse_metrics
    from pytest_design2a11y.run_end.gating import rank_and_judge

    names = namespace.runs
    if twice := [name for name in names if names.count(name) > 1]:
        raise ConfigurationError(f"The run {twice[0]!r} is named twice.", advice="Name each run once.")
    runs = {name: load_run(name, has_audit=False) for name in names}
    metrics = parse_metrics(namespace.rank_by)
    # File names if they are distinct, otherwise as typed.
    by_name = {run.name: run for run in runs.values()}
    runs = by_name if len(by_name) == len(runs) else runs
    ranking, gated = rank_and_judge(runs, settings, by=namespace.by, metrics=metrics)
    print_ranking(ranking, gated, namespace, html=settings.html)
    return gated.exit_code

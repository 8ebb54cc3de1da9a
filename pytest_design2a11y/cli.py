"""The `design2a11y` command: arguments in, pipeline, output.

Exit codes: 0 measured, 1 a given limit fails, 2 usage error, 3 a page could not be measured.
"""

from __future__ import annotations

import argparse
import json
import shutil
import sys
from collections.abc import Sequence
from dataclasses import replace
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING, NoReturn

from pytest_design2a11y import options
from pytest_design2a11y.exceptions import AppearanceUnavailable, ConfigurationError, RunError
from pytest_design2a11y.models import Evaluation, Subject
from pytest_design2a11y.settings import Settings, settings_from_namespace

if TYPE_CHECKING:
    from pytest_design2a11y import batch

EXIT_MEASURED, EXIT_LIMIT, EXIT_USAGE, EXIT_UNMEASURED = 0, 1, 2, 3


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command and give its exit code."""
    parser = _parser()
    namespace = parser.parse_args(arguments)
    try:
        code: int = namespace.run(namespace)
    except (ConfigurationError, RunError, AppearanceUnavailable) as error:
        _usage_error(parser, str(error))
    except BrokenPipeError:
        sys.stderr.close()
        return EXIT_MEASURED
    return code


def _usage_error(parser: argparse.ArgumentParser, message: str) -> NoReturn:
    parser.exit(EXIT_USAGE, f"design2a11y: {message}\n")


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="design2a11y", description="Visual similarity and accessibility rates of generated pages."
    )
    parser.add_argument("--version", action="version", version=version("pytest-design2a11y"))
    commands = parser.add_subparsers(required=True, metavar="COMMAND")

    score = commands.add_parser("score", help="score a generated page against its reference")
    score.add_argument("reference", nargs="?", help="path or URL of the design")
    score.add_argument("candidate", nargs="?", help="path or URL of the generated page")
    score.add_argument("--pairs", type=Path, metavar="FILE", help="JSON lines with id, reference, candidate")
    score.add_argument("-j", "--jobs", type=options.count_above_zero, default=1, help="processes for --pairs")
    score.set_defaults(run=_score)

    audit = commands.add_parser("audit", help="count how inaccessible a page is")
    audit.add_argument("page", help="path or URL")
    audit.set_defaults(run=_audit)

    compare = commands.add_parser("compare", help="compare two saved runs, without rendering anything")
    compare.add_argument("old", help="name or file of the earlier run")
    compare.add_argument("new", help="name or file of the later run")
    compare.add_argument("--markdown", action="store_true", help="print Markdown for a pull request")
    compare.set_defaults(run=_compare)

    check = commands.add_parser("check", help="judge a saved run by other limits, without rendering anything")
    check.add_argument("saved", metavar="RUN", help="name or file of the run")
    check.set_defaults(run=_check)

    history = commands.add_parser("history", help="list saved runs with their means")
    history.add_argument("--plot", type=Path, metavar="FILE.svg", help="draw the means over time")
    history.set_defaults(run=_history)

    report = commands.add_parser("report", help="write the report of a saved run")
    report.add_argument("saved", metavar="RUN", help="name or file of the run")
    report.add_argument("-o", "--output", type=Path, required=True, metavar="FILE", help="where")
    report.add_argument("--against", metavar="RUN", help="an earlier run to compare with")
    report.set_defaults(run=_report)

    feedback = commands.add_parser("feedback", help="tell a model what to do better on a page")
    feedback.add_argument("saved", metavar="RUN", help="name or file of the run")
    feedback.add_argument("case", help="case, or id of one of its evaluations")
    feedback.set_defaults(run=_feedback)

    fetch = commands.add_parser("fetch-clip", help="download the CLIP weights, once")
    fetch.set_defaults(run=_fetch_clip)

    for command in (score, audit, compare, history, feedback):
        command.add_argument("--json", action="store_true", help="print JSON and nothing else")
    for command in (score, audit):
        command.add_argument("--details", action="store_true", help="tell blocks and elements one by one")
    for name, command in commands.choices.items():
        options.add_to_parser(command, name)
    return parser


def _score(namespace: argparse.Namespace) -> int:
    from pytest_design2a11y import batch

    if namespace.pairs is not None:
        if namespace.reference is not None:
            raise ConfigurationError("--pairs stands for both pages.", advice="Give --pairs or two pages.")
        pairs = batch.read_pairs(namespace.pairs)
    elif namespace.candidate is None:
        raise ConfigurationError("Two pages are needed.", advice="Give REFERENCE CANDIDATE, or --pairs FILE.")
    else:
        subject = Subject(id=namespace.candidate, case="")
        pairs = [batch.Pair(subject, namespace.reference, namespace.candidate, Path.cwd())]
    return _measure(pairs, namespace)


def _audit(namespace: argparse.Namespace) -> int:
    from pytest_design2a11y import batch

    subject = Subject(id=namespace.page, case="")
    return _measure([batch.Pair(subject, None, namespace.page, Path.cwd())], namespace)


def _measure(pairs: Sequence[batch.Pair], namespace: argparse.Namespace) -> int:
    from pytest_design2a11y import batch
    from pytest_design2a11y.outcome import check_settings, conclude
    from pytest_design2a11y.pipeline import make_run
    from pytest_design2a11y.report.progress import Progress
    from pytest_design2a11y.runs.store import DEFAULT_FOLDER

    settings = settings_from_namespace(namespace)
    check_settings(settings, folder=DEFAULT_FOLDER)
    code = EXIT_MEASURED
    kept = []
    with Progress(len(pairs), sys.stderr) as progress:
        for evaluation in batch.score_pairs(pairs, settings=settings, jobs=getattr(namespace, "jobs", 1)):
            judged = _judge(evaluation, settings)
            code = max(code, _code_of(judged))
            with progress.paused():
                _print(judged, namespace)
            progress.advance()
            if settings.save is not None:
                kept.append(judged)
    if settings.save is not None:
        outcome = conclude(make_run(settings.save, kept), settings, folder=DEFAULT_FOLDER, width=100)
        for lines in outcome.sections.values():
            print("\n".join(lines), file=sys.stderr)
        code = max(code, EXIT_LIMIT if outcome.is_failed else EXIT_MEASURED)
    return code


def _compare(namespace: argparse.Namespace) -> int:
    from pytest_design2a11y.outcome import compare_and_judge
    from pytest_design2a11y.runs.export import comparison_to_dict
    from pytest_design2a11y.runs.judgement import exit_code
    from pytest_design2a11y.runs.markdown import comparison_markdown
    from pytest_design2a11y.runs.present import comparison_lines
    from pytest_design2a11y.runs.store import load_run

    settings = settings_from_namespace(namespace)
    old, new = (load_run(name, has_audit=False) for name in (namespace.old, namespace.new))
    comparison, outcomes = compare_and_judge(old, new, settings)
    if namespace.json:
        print(json.dumps(comparison_to_dict(comparison, outcomes)))
    elif namespace.markdown:
        print(comparison_markdown(comparison, outcomes), end="")
    else:
        width = shutil.get_terminal_size().columns
        print("\n".join(comparison_lines(comparison, outcomes, width=width)))
    return exit_code(outcomes)


def _check(namespace: argparse.Namespace) -> int:
    from pytest_design2a11y.outcome import check_run
    from pytest_design2a11y.runs.store import load_run

    settings = settings_from_namespace(namespace)
    outcome = check_run(load_run(namespace.saved), settings)
    for lines in outcome.sections.values():
        print("\n".join(lines))
    if outcome.is_unmeasured:
        return EXIT_UNMEASURED
    return EXIT_LIMIT if outcome.is_failed else EXIT_MEASURED


def _history(namespace: argparse.Namespace) -> int:
    from pytest_design2a11y.runs.history import history_lines, history_to_dict, make_history
    from pytest_design2a11y.runs.plot import plot_history
    from pytest_design2a11y.runs.store import list_runs, load_run

    entries = make_history(load_run(header.name, has_audit=False) for header in list_runs())
    if namespace.plot is not None:
        namespace.plot.write_text(plot_history(entries), encoding="utf-8")
    print(json.dumps(history_to_dict(entries)) if namespace.json else "\n".join(history_lines(entries)))
    return EXIT_MEASURED


def _report(namespace: argparse.Namespace) -> int:
    from pytest_design2a11y.outcome import compare_and_judge, load_detailed_run, write_html
    from pytest_design2a11y.runs.export import comparison_to_dict
    from pytest_design2a11y.runs.store import load_run

    settings = settings_from_namespace(namespace)
    run = load_detailed_run(namespace.saved)
    comparison = None
    if namespace.against is not None:
        old = load_run(namespace.against, has_audit=False)
        comparison = comparison_to_dict(*compare_and_judge(old, run, settings))
    write_html(namespace.output, run, settings, comparison=comparison)
    return EXIT_MEASURED


def _feedback(namespace: argparse.Namespace) -> int:
    from pytest_design2a11y.outcome import load_detailed_run
    from pytest_design2a11y.report.feedback import feedback

    run = load_detailed_run(namespace.saved)
    chosen = [one for one in run.evaluations if namespace.case in (one.case, one.id)]
    if not chosen:
        cases = ", ".join(sorted({one.case for one in run.evaluations})[:20])
        raise ConfigurationError(f"{run.name} has no case {namespace.case!r}.", advice=f"It has: {cases}.")
    for evaluation in chosen:
        made = feedback(evaluation)
        print(json.dumps(made.to_dict()) if namespace.json else "\n".join(made.lines()))
    return EXIT_MEASURED


def _fetch_clip(namespace: argparse.Namespace) -> int:
    from pytest_design2a11y.visual.clip import fetch_weights, parse_appearance

    settings = settings_from_namespace(namespace)
    name = "clip" if settings.appearance == "embedded" else settings.appearance
    fetch_weights(parse_appearance(name), say=print)
    return EXIT_MEASURED


def _judge(evaluation: Evaluation, settings: Settings) -> Evaluation:
    from pytest_design2a11y.session import apply_limits

    return replace(evaluation, verdicts=tuple(apply_limits(evaluation, settings.limits)))


def _code_of(evaluation: Evaluation) -> int:
    if evaluation.error is not None:
        return EXIT_UNMEASURED
    return EXIT_MEASURED if all(verdict.is_passed for verdict in evaluation.verdicts) else EXIT_LIMIT


def _print(evaluation: Evaluation, namespace: argparse.Namespace) -> None:
    if namespace.json:
        from pytest_design2a11y.records import to_dict

        print(json.dumps(to_dict(evaluation, has_details=namespace.details)), flush=True)
        return
    from pytest_design2a11y.explanations import describe

    print("\n".join(describe(evaluation, has_details=namespace.details)), flush=True)

"""`design2a11y runs`: list, label, merge and export saved runs, and plan how large the next ones must be."""

import argparse
import sys
from pathlib import Path
from typing import Any

from pytest_design2a11y.command.shell import say, say_as_is, say_json, say_written
from pytest_design2a11y.exceptions import ConfigurationError
from pytest_design2a11y.files import STANDARD_OUTPUT, write_text
from pytest_design2a11y.models.metrics import SCHEMA_VERSION
from pytest_design2a11y.runs import load_run, load_runs, with_details
from pytest_design2a11y.settings.options import settings_from_namespace
from pytest_design2a11y.wording import counted

_FORMATS = ("csv", "jsonl")


def _list(namespace: argparse.Namespace) -> None:
    from pytest_design2a11y.comparing.compare import history_lines, history_to_dict, make_history

    runs, problems = load_runs()
    for problem in problems:
        say(f"left out: {problem}", file=sys.stderr)
    entries = make_history(runs)
    if namespace.json:
        say_json(history_to_dict(entries))
    else:
        say(*history_lines(entries))


def _label(namespace: argparse.Namespace) -> None:
    from pytest_design2a11y.run_end.merging import label_saved_run

    run, path = label_saved_run(namespace.saved, namespace.labels)
    labels = ", ".join(f"{key}={value}" for key, value in namespace.labels)
    say(f"wrote {path}: {counted(len(run.evaluations), 'page')} with {labels}")


def _merge(namespace: argparse.Namespace) -> None:
    from pytest_design2a11y.run_end.merging import merge_saved_runs

    run, path = merge_saved_runs(namespace.parts, namespace.output)
    cases = len({evaluation.case for evaluation in run.evaluations})
    incomplete = "" if run.is_complete else "; it is incomplete, because a part is"
    say(
        f"merged {counted(len(namespace.parts), 'run')} into {path}: {counted(cases, 'case')}, "
        f"{counted(len(run.evaluations), 'evaluation')}{incomplete}"
    )


def _format_of(output: Path | None) -> Any:
    """Return the format of a table by its file's suffix; ConfigurationError for an unknown one."""
    kind = "" if output is None else output.suffix.lower().removeprefix(".")
    if kind and kind not in _FORMATS:
        raise ConfigurationError(
            f"{output} is not the name of a table that `runs export` writes.",
            advice="End it in .csv or .jsonl, or give --format.",
        )
    return kind or "csv"


def _export(namespace: argparse.Namespace) -> None:
    from pytest_design2a11y.report.findings_file import table_lines, write_findings

    findings = settings_from_namespace(namespace).findings
    namespace.output = None if namespace.output == STANDARD_OUTPUT else namespace.output
    run = load_run(namespace.saved, has_audit=bool(findings))
    for path in findings:
        write_findings(path, with_details(run), {})
        say_written(path)
    if findings and namespace.output is None:
        return
    kind = namespace.format or _format_of(namespace.output)
    if namespace.output is None:
        for line in table_lines(run, kind):
            say_as_is(line)
        return
    write_text(namespace.output, (f"{line}\n" for line in table_lines(run, kind)))
    incomplete = "" if run.is_complete else "; the run is incomplete"
    say(f"wrote {namespace.output}: {counted(len(run.evaluations), 'evaluation')}{incomplete}")


def _plan(namespace: argparse.Namespace) -> None:
    from pytest_design2a11y.comparing.planning import MAX_CASES, make_plan, read_noise
    from pytest_design2a11y.comparing.selection import parse_metrics
    from pytest_design2a11y.models.metrics import ERRORS
    from pytest_design2a11y.report import render_markdown

    run = load_run(namespace.saved, only=settings_from_namespace(namespace).only, has_audit=False)
    metric, *others = parse_metrics(namespace.metric)
    if others or metric == ERRORS.name:
        raise ConfigurationError("A plan is for one metric of pages.", advice="Plan for each on its own.")
    noise = read_noise(run, metric)
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
        text = render_markdown("plan.txt.j2", plan=plan, run=run.name, counted=counted, max_cases=MAX_CASES)
        say(*text.split("\n"))

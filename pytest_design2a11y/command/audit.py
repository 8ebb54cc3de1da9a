"""`design2a11y audit` and `describe`: what there is to say of pages by themselves."""

import argparse
import shutil
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from pytest_design2a11y.command.shell import (
    EXIT_MEASURED,
    EXIT_UNMEASURED,
    Progress,
    say,
    say_as_is,
    say_json,
)
from pytest_design2a11y.exceptions import CaptureError, MeasurementError, SourceError
from pytest_design2a11y.files import STANDARD_OUTPUT
from pytest_design2a11y.measuring.page_inputs import Steps, list_pages, read_steps
from pytest_design2a11y.measuring.pairs import Pair, along_variants, require_states, with_steps
from pytest_design2a11y.models.evaluation import Evaluation
from pytest_design2a11y.models.metrics import SCHEMA_VERSION
from pytest_design2a11y.models.option import QUICK_PROBES
from pytest_design2a11y.models.run import UNSAVED
from pytest_design2a11y.models.verdicts import Subject
from pytest_design2a11y.runs import DEFAULT_FOLDER
from pytest_design2a11y.settings import FOLDER, Settings
from pytest_design2a11y.settings.options import keywords_from_namespace, settings_from_namespace

if TYPE_CHECKING:
    from pytest_design2a11y.run_end import Outcome


#: Number of pages in the table of a run, the worst first; `--verbose` lists all of them.
_MOST_PAGES = 10
#: Number of pages up to which details are kept until the end, where their summary joins what they share.
_MOST_DETAILED = 200

_NOT_PUBLISHED = (
    "These are not the published figures, which include bugs of their code and rank pages differently: add "
    "--published design2code or ui2code-study to reproduce them (docs/published.md)."
)

PageLines = Callable[[Evaluation, Settings], Iterable[str]]
"""Returns the lines that are printed of one page."""


def _audit(namespace: argparse.Namespace) -> int:
    pages = list_pages(namespace.pages)
    states = [("", {}), *((f"[{state}]", {"state": state}) for state in namespace.steps if state)]
    pairs = [
        Pair(Subject(id=page + name, case="", axes=axes), None, page, Path.cwd())
        for page in pages
        for name, axes in states
    ]
    return measure(pairs, namespace, lines=_page_lines, standard={"probes": QUICK_PROBES})


def _page_lines(evaluation: Evaluation, settings: Settings) -> Iterator[str]:
    from pytest_design2a11y.report.failure_text import audit_lines
    from pytest_design2a11y.run_end.known import without_accepted

    remaining, num_accepted = without_accepted(evaluation, settings)
    yield from audit_lines(remaining, num_accepted=num_accepted)


def _steps(text: str) -> Steps:
    return read_steps(Path(text))


def measure(
    pairs: Sequence[Pair],
    namespace: argparse.Namespace,
    *,
    lines: PageLines,
    prints_each: bool = True,
    standard: Mapping[str, Any] = MappingProxyType({}),
) -> int:
    """Score pairs, print each when it is ready, conclude the run, and return the exit code.

    With several pairs, pages are printed only if `prints_each`; a table follows at the end. `standard` has
    values of options that nobody gives.
    """
    from pytest_design2a11y.comparing.gates import exit_code_of
    from pytest_design2a11y.limits import judge
    from pytest_design2a11y.measuring.accepted import unaccepted
    from pytest_design2a11y.measuring.executors import score_pairs
    from pytest_design2a11y.run_end.gating import check_settings

    settings = settings_from_namespace(namespace, standard=standard)
    prints_each |= len(pairs) == 1
    is_piped = STANDARD_OUTPUT in (settings.html, *settings.findings)
    lines_to = sys.stderr if is_piped else sys.stdout
    require_states(pairs, namespace.steps)
    pairs = list(along_variants((with_steps(pair, namespace.steps) for pair in pairs), settings))
    check_settings(settings, folder=DEFAULT_FOLDER)
    if settings.text_ratio == "difflib" and settings.published is None and not namespace.json:
        say(_NOT_PUBLISHED, file=sys.stderr)
    how: dict[str, Any] = {
        name: getattr(namespace, name) for name in ("jobs", "executor") if name in namespace
    }
    kept = []
    # Closed even on errors here: otherwise Python would wait for the browser at exit.
    with (
        Progress(len(pairs), sys.stderr) as progress,
        closing(score_pairs(pairs, settings=settings, **how)) as scored,
    ):
        for evaluation in scored:
            evaluation = judge(evaluation, settings.limits_on(evaluation.case)).evaluation
            with progress.paused():
                if namespace.json:
                    say_json(evaluation.to_dict(has_details=namespace.details))
                elif prints_each:
                    say(*lines(evaluation, settings), file=lines_to)
            progress.advance()
            kept.append(_kept(evaluation, settings, len(pairs)))
    if len(pairs) > 1 and not namespace.json:
        say(*table_of(kept, settings, is_long=prints_each), file=lines_to)
    outcome = _conclude(kept, settings)
    is_failed = outcome.is_failed or any(unaccepted(evaluation, settings) for evaluation in kept)
    is_unmeasured = outcome.is_unmeasured or any(evaluation.error is not None for evaluation in kept)
    return exit_code_of(is_failed=is_failed, is_unmeasured=is_unmeasured)


def _kept(evaluation: Evaluation, settings: Settings, num_pages: int) -> Evaluation:
    """Return only what the end of the run needs, so that any number of pages fits in memory."""
    from pytest_design2a11y.run_end import needs_details

    if needs_details(settings) or num_pages <= _MOST_DETAILED:
        return evaluation
    visual = evaluation.visual and replace(
        evaluation.visual, matches=(), missing=(), extra=(), differences=evaluation.visual.blockers
    )
    return replace(
        evaluation, visual=visual, audit=None, further_audits={}, probe_findings={}, metric_findings={}
    )


def table_of(evaluations: Sequence[Evaluation], settings: Settings, *, is_long: bool) -> Iterator[str]:
    """Yield the table that pytest prints, with all pages or only the worst."""
    from pytest_design2a11y.report.terminal import summary_lines

    yield ""
    for line in summary_lines(
        evaluations,
        width=shutil.get_terminal_size().columns,
        is_brief=False,
        most=None if is_long else _MOST_PAGES,
    ):
        yield line.text


def _conclude(evaluations: Sequence[Evaluation], settings: Settings) -> "Outcome":
    """Save, compare and report the run as in pytest, with messages on standard error."""
    from pytest_design2a11y.measuring.records import make_run
    from pytest_design2a11y.run_end import conclude

    run = make_run(settings.save or UNSAVED, evaluations)
    width = shutil.get_terminal_size().columns
    outcome = conclude(run, settings, folder=DEFAULT_FOLDER, width=width)
    for heading, lines in outcome.sections.items():
        say(f"{heading}:", *(f"  {line}" for line in lines), file=sys.stderr)
    for annotation in outcome.annotations:
        say_as_is(annotation, file=sys.stderr)
    return outcome


def _describe(namespace: argparse.Namespace) -> int:
    from pytest_design2a11y import Scorer

    try:
        with Scorer(cache_folder=FOLDER / "cache", **keywords_from_namespace(namespace)) as scorer:
            inventory = scorer.describe(namespace.design)
    except (SourceError, CaptureError, MeasurementError) as error:
        if namespace.json:
            failure = {"type": type(error).__name__, "message": str(error)}
            say_json({"schema": SCHEMA_VERSION, "design": namespace.design, "error": failure})
        else:
            say(f"design2a11y: {type(error).__name__}: {error}", file=sys.stderr)
        return EXIT_UNMEASURED
    for message in inventory.warnings:
        say(f"warning: {message}", file=sys.stderr)
    if namespace.json:
        say_json({"schema": SCHEMA_VERSION, **inventory.to_dict()})
    else:
        say(*inventory.lines())
    return EXIT_MEASURED

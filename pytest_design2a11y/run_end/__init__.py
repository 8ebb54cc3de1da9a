"""The end of a run: cases are judged over their samples, and the run is saved, compared and gated."""

import os
import subprocess
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from pytest_design2a11y.comparing.gates import is_failure
from pytest_design2a11y.comparing.table import missing_samples, mistaken_samples, repetitions
from pytest_design2a11y.exceptions import ConfigurationError, Design2a11yError, RunError
from pytest_design2a11y.files import STANDARD_OUTPUT
from pytest_design2a11y.limits import idle_limits, judge
from pytest_design2a11y.limits.cases import parse_policy
from pytest_design2a11y.models.run import Run
from pytest_design2a11y.models.verdicts import CaseJudgement, CaseKey, case_key
from pytest_design2a11y.report.comparison.rows import page_values
from pytest_design2a11y.report.comparison.text import comparison_lines, comparison_markdown
from pytest_design2a11y.report.failure_text import explain_idle
from pytest_design2a11y.report.findings_file import write_findings
from pytest_design2a11y.report.github import annotation_lines, step_summary
from pytest_design2a11y.run_end.gating import JudgedRun, compare_groups, judge_run, old_and_new
from pytest_design2a11y.run_end.known import accepted, known_lines
from pytest_design2a11y.runs import save_details, save_run, with_details
from pytest_design2a11y.runs.pictures import prune_pictures
from pytest_design2a11y.settings import FOLDER, Settings
from pytest_design2a11y.wording import counted, flag

_SECONDS_FOR_GIT = 10.0


@dataclass
class Outcome:
    """A run's output, and whether it fails."""

    sections: dict[str, list[str]] = field(default_factory=dict)  # Lines by heading
    is_failed: bool = False  # Whether a limit is broken, a gate fails, or something could not be written
    is_unmeasured: bool = False  # Whether a limit or gate could not be judged, which is not a pass either
    annotations: list[str] = field(default_factory=list)  # Workflow commands for GitHub Actions, a line each
    failing: dict[str, list[str]] = field(default_factory=dict)  # Why it fails, apart from pages
    failed_cases: set[CaseKey] = field(default_factory=set)  # Cases of several samples that fail


def needs_details(settings: Settings) -> bool:
    """Check whether the end of a run needs blocks and elements, not just numbers and verdicts."""
    return settings.has_output or settings.known is not None or _is_on_github()


def conclude(
    run: Run,
    settings: Settings,
    *,
    folder: Path,
    width: int,
    judges_pages: bool = True,
    judges_idle: bool = True,
    unjudged: Collection[str] = (),
) -> Outcome:
    """Judge, compare and save a run; a failed comparison or write fails the run, but stops nothing else.

    Pages that are their case's only sample are judged here (`judges_pages`), except in pytest, where tests
    judge them; for `unjudged` see `sampled_cases`. `judges_idle`: whether a limit that judged nothing is
    reported, as where the run has everything that limits are set for.
    """
    outcome = Outcome()
    if settings.save is not None or settings.compare is not None:
        run = replace(
            run,
            labels=dict(settings.label),
            commit=current_commit(folder.parent.parent),
            prompts=dict(settings.prompt_file),
        )
    judged = _judge(
        run, settings, outcome, judges_pages=judges_pages, judges_idle=judges_idle, unjudged=unjudged
    )
    if judges_pages and judged.unmeasured:
        outcome.sections["not judged"] = list(judged.unmeasured)
    checks = (repetitions, mistaken_samples, missing_samples)
    if sentences := [text for check in checks if (text := check(run.evaluations))]:
        outcome.sections["samples"] = sentences
    comparison, compared = None, None
    if settings.compare is not None:
        with _failing(outcome, "compared"):
            compared = old_and_new(settings.compare, run, settings, folder=folder)
            gated = compare_groups(*compared, settings)
            outcomes = gated.groups[0].outcomes
            comparison = gated.groups[0].comparison, outcomes
            outcome.sections["compared"] = comparison_lines(
                *comparison, inconclusive=settings.inconclusive, width=width
            )
            outcome.is_failed |= gated.exit_code == 1
            outcome.is_unmeasured |= gated.exit_code == 3
            if gated.exit_code:
                outcome.failing["compared"] = [
                    gate.sentence
                    for gate in outcomes
                    if gate.state == "error" or is_failure(gate, settings.inconclusive)
                ]
    if settings.save is not None and not run.evaluations:
        outcome.sections["saved"] = ["nothing was measured, so nothing was saved"]
    elif settings.save is not None:
        with _failing(outcome, "saved"):
            path = save_run(run, folder=folder)
            save_details(run, folder=folder.parent)
            saved = f"saved {counted(len(run.evaluations), 'evaluation')} as {path}"
            outcome.sections["saved"] = [saved if run.is_complete else f"{saved}; it is incomplete"]
    if settings.known is not None:
        with _failing(outcome, "known"):
            outcome.sections["known"] = known_lines(run, settings, settings.known)

    def write_report(path: Path) -> None:
        record = comparison and page_values(*comparison)
        runs = compared and (with_details(compared[0], folder=folder.parent), compared[1])
        write_html(path, run, settings, judgements=judged.cases, comparison=record, compared=runs)

    if settings.html is not None:
        with _failing(outcome, "report"):
            write_report(settings.html)
            _note_written(outcome, "report", settings.html)
    for path in settings.findings:
        with _failing(outcome, "findings"):
            write_findings(path, run, accepted(run, settings))
            _note_written(outcome, "findings", path)
    if settings.picture_folder is not None:
        with _failing(outcome, "pictures"):
            prune_pictures(settings.picture_folder)
    markdown = comparison_markdown(*comparison, inconclusive=settings.inconclusive) if comparison else ""
    with _failing(outcome, "GitHub"):
        if _is_on_github():
            _report_to_github(run, markdown, outcome)
    return outcome


def _note_written(outcome: Outcome, heading: str, path: Path) -> None:
    if path != STANDARD_OUTPUT:
        outcome.sections.setdefault(heading, []).append(f"wrote {path}")


@contextmanager
def _failing(outcome: Outcome, heading: str) -> Iterator[None]:
    """Fail the run, under a heading, if something cannot be done at its end.

    If the run cannot be compared, its gate counts as unmeasured; everything else is a failure.
    """
    try:
        yield
    except RunError as error:
        outcome.failing[heading] = outcome.sections[heading] = str(error).splitlines()
        outcome.is_unmeasured = True
    except Exception as error:
        is_plain = isinstance(error, Design2a11yError | OSError)
        lines = str(error).split("\n") if is_plain else [f"{type(error).__name__}: {error}"]
        outcome.failing[heading] = outcome.sections[heading] = lines
        outcome.is_failed = True


def _report_to_github(run: Run, comparison: str, outcome: Outcome) -> None:
    if summary := os.environ.get("GITHUB_STEP_SUMMARY"):
        address = os.environ.get("DESIGN2A11Y_REPORT_ADDRESS", "")
        text = step_summary(run, comparison=comparison, address=address)
        with Path(summary).open("a", encoding="utf-8") as file:
            file.write(text)
    outcome.annotations = list(annotation_lines(run))


def _is_on_github() -> bool:
    return os.environ.get("GITHUB_ACTIONS") == "true"


def write_html(
    path: Path,
    run: Run,
    settings: Settings,
    *,
    judgements: Sequence[CaseJudgement] | None = None,
    comparison: Mapping[str, Any] | None = None,
    compared: tuple[Run, Run] | None = None,
) -> None:
    """Write the report of a run, with its stored pictures; without judgements, cases are judged here."""
    from pytest_design2a11y.report.html import write_report

    write_report(
        path,
        run,
        picture_folder=settings.picture_folder or FOLDER / "pictures",
        comparison=comparison,
        compared=compared,
        policy=settings.samples,
        judgements=judge_run(run, policy=parse_policy(settings.samples)).cases
        if judgements is None
        else judgements,
        accepted=accepted(run, settings),
    )


def check_run(run: Run, settings: Settings) -> Outcome:
    """Judge a saved run by other limits, without rendering; ConfigurationError without any limits."""
    if not settings.limits:
        raise ConfigurationError(
            "There is no limit to check the run by.",
            advice=f'Give --max-iwir, or {flag("require")} "ir<=0.1".',
        )
    pages = (judge(page, settings.limits_on(page.case)).evaluation for page in run.evaluations)
    outcome = Outcome()
    judged = _judge(replace(run, evaluations=tuple(pages)), settings, outcome)
    outcome.sections["checked"] = judged.page_lines(run.name)
    return outcome


def _judge(
    run: Run,
    settings: Settings,
    outcome: Outcome,
    *,
    judges_pages: bool = True,
    judges_idle: bool = True,
    unjudged: Collection[str] = (),
) -> JudgedRun:
    policy = parse_policy(settings.samples)
    judged = judge_run(run, policy=policy, limits_on=settings.limits_on, unjudged=unjudged)
    if judged.cases:
        outcome.sections[f"cases ({policy})"] = judged.case_lines()
    if broken := judged.case_lines(only_broken=True):
        outcome.failing["cases"] = broken
    outcome.failed_cases = {case_key(case.case, case.axes) for case in judged.cases if not case.is_passed}
    outcome.is_failed |= any(case.is_judged and not case.is_passed for case in judged.cases)
    outcome.is_unmeasured |= any(not case.is_judged for case in judged.cases)
    if judges_pages:
        outcome.is_failed |= bool(judged.broken)
        outcome.is_unmeasured |= bool(judged.unmeasured)
    idle = explain_idle(idle_limits(run.evaluations, settings.limits)) if judges_idle else []
    if judges_idle and not judges_pages:
        idle += _explain_unmatched(run, settings)
    if idle:
        outcome.sections["limits"] = outcome.failing["limits"] = idle
        outcome.is_unmeasured = True
    return judged


def _explain_unmatched(run: Run, settings: Settings) -> Iterator[str]:
    """Yield a line for each rule of the configuration whose limits no case of a whole run was judged by."""
    for rule in settings.cases:
        if rule.limits and not any(rule.is_for(page.case) for page in run.evaluations):
            yield (
                f"{', '.join(map(str, rule.limits))} (case) judged nothing: no case is named as in "
                f"match = {rule.match!r}. Correct it, or leave the limits out."
            )


def current_commit(folder: Path) -> str:
    """Return the commit checked out in a folder, with "-dirty" if files differ; "" if git tells none."""
    command = ("git", "-C", str(folder), "describe", "--always", "--dirty", "--abbrev=40", "--exclude=*")
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=_SECONDS_FOR_GIT, check=True)
    except (OSError, subprocess.SubprocessError, UnicodeDecodeError):
        return ""
    return done.stdout.strip()

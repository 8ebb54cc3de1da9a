"""Output for GitHub Actions: a job summary in Markdown, and annotations on the run."""

import re
from collections.abc import Iterator

from pytest_design2a11y.comparing.table import LEFT_OUT, repetitions
from pytest_design2a11y.comparing.variants import find_variants
from pytest_design2a11y.escaping import workflow_data, workflow_property
from pytest_design2a11y.models.audit import LIMITS_OF_CHECKS
from pytest_design2a11y.models.evaluation import Evaluation
from pytest_design2a11y.models.metrics import METRICS, number_of, shown_in
from pytest_design2a11y.models.run import Run, file_of
from pytest_design2a11y.models.verdicts import reasons, sentence
from pytest_design2a11y.report import render_markdown
from pytest_design2a11y.report.causes import causes_of, differences_of, group_differences, page_warnings
from pytest_design2a11y.report.comparison.ranking_sentences import standing_lines
from pytest_design2a11y.report.notes import severity_lines
from pytest_design2a11y.report.rules import RULE_ADVICE, failing_rules
from pytest_design2a11y.report.run_pages import counted_states, shared_causes, worst_first
from pytest_design2a11y.report.terminal import cases_text, mean_text
from pytest_design2a11y.runs.pictures import is_picture_name
from pytest_design2a11y.wording import counted

#: GitHub shows ten errors per step; the tenth counts the others.
MAX_ANNOTATIONS = 10

_MARKS = {"error": "⚠️ not measured", "fail": "❌ fail", "pass": "✅ pass", "none": "–"}

#: Number of failing pages listed one by one; the others are in the table only.
_MOST_FAILING = 10
#: Number of differences and rules listed for each of them.
_MOST_LISTED = 3
#: Number of things listed that are wrong with several pages, and of pages named for each.
_MOST_SHARED, _MOST_PAGES = 10, 100


def step_summary(
    run: Run,
    *,
    max_pages: int = 20,
    comparison: str = "",
    address: str = "",
) -> str:
    """Return a run as GitHub's Markdown, for the file that $GITHUB_STEP_SUMMARY names, the worst pages first.

    A comparison, in Markdown, is placed above the means. `address` is where the folder with the report and
    its pictures can be seen; "": nowhere, so failing pages are shown without pictures.
    """
    rows = worst_first(run)
    variants = find_variants(run.evaluations)
    is_address = re.match(r"https?://[^\s\"<>]+\Z", address.rstrip("/"))
    best = [variants.is_best(variant, name) for variant in variants.all for name in variants.columns]
    summary = render_markdown(
        "step_summary.md.j2",
        run=run,
        rows=rows,
        failing=[row for row in rows if row.state in ("error", "fail")][:_MOST_FAILING],
        states=f"{counted(len(rows), 'page')}: {counted_states(rows)}",
        marks=_MARKS,
        messages=_messages,
        shared=[
            (cause.sentence, [run.evaluations[number].id for number in cause.pages])
            for cause in shared_causes(run.evaluations)[:_MOST_SHARED]
        ],
        max_named=_MOST_PAGES,
        address=address.rstrip("/") if is_address else "",
        is_picture_name=is_picture_name,
        comparison=comparison,
        repetitions=repetitions(run.evaluations),
        variants=variants,
        has_best=any(best),
        metrics=METRICS,
        cases_text=cases_text,
        mean_text=mean_text,
        standing_lines=list(standing_lines(variants.judged, variants.choices)),
        rule=LEFT_OUT,
        columns=(*shown_in("summary"), "blocking", "failed"),
        number_of=number_of,
        max_pages=max_pages,
        severity_lines=list(severity_lines(run.evaluations)),
        limits_of_checks=LIMITS_OF_CHECKS,
    )
    return f"{summary}\n"


def _messages(evaluation: Evaluation) -> Iterator[str]:
    """Yield what is wrong with a page: broken limits, page-wide problems, main differences, failed rules."""
    yield from (*_reasons(evaluation), *page_warnings(evaluation))
    for group in group_differences(differences_of(evaluation))[:_MOST_LISTED]:
        yield f"{group.message} (costs {group.cost:.4f})"
    for rule in failing_rules(evaluation.audit)[:_MOST_LISTED] if evaluation.audit else ():
        advice = RULE_ADVICE.get(rule.rule, rule.help)
        yield f"{rule.rule}, {counted(rule.num_violations, 'element')}: {advice}"


def annotation_lines(run: Run) -> Iterator[str]:
    """Yield a workflow command `::error` for every page that broke a limit or could not be measured."""
    bad = [row.evaluation for row in worst_first(run) if row.state in ("error", "fail")]
    shown = bad if len(bad) <= MAX_ANNOTATIONS else bad[: MAX_ANNOTATIONS - 1]
    for evaluation in shown:
        title = "not measured" if evaluation.error else ", ".join(reasons(evaluation.verdicts))
        causes = [] if evaluation.error else causes_of(evaluation)[:_MOST_LISTED]
        messages = [*_reasons(evaluation), *(cause.phrase for cause in causes)]
        message = f"{evaluation.id}: {'; '.join(messages)}"
        file = file_of(evaluation)
        where = f"file={workflow_property(file)}," if file and not file.startswith("/") else ""
        yield f"::error {where}title={workflow_property(f'design2a11y: {title}')}::{workflow_data(message)}"
    if len(bad) > len(shown):
        more = f"{len(bad) - len(shown)} more pages broke a limit or could not be measured."
        yield f"::error title=design2a11y::{workflow_data(more)}"


def _reasons(evaluation: Evaluation) -> list[str]:
    if evaluation.error is not None:
        return [str(evaluation.error)]
    return [sentence(verdict) for verdict in evaluation.verdicts if not verdict.is_passed]

"""What GitHub Actions shows: a job summary in Markdown, and annotations on the run."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from pytest_design2a11y.comparing.table import FailedPages, repetitions, rule_text
from pytest_design2a11y.comparing.variants import Variants, find_variants
from pytest_design2a11y.escaping import markdown, workflow_data, workflow_property
from pytest_design2a11y.models.metrics import LIMITS_OF_CHECKS, METRICS, number_of, shown_in
from pytest_design2a11y.models.run import Evaluation, Run
from pytest_design2a11y.models.serialization import metric_value
from pytest_design2a11y.models.verdict_words import reasons, sentence
from pytest_design2a11y.report.causes import causes_of, page_warnings
from pytest_design2a11y.report.comparison.sentences import standing_lines
from pytest_design2a11y.report.differences import differences_of, group_differences
from pytest_design2a11y.report.html.overview import Row, counted_states, worst_first
from pytest_design2a11y.report.pictures import is_picture_name
from pytest_design2a11y.report.rules import RULE_ADVICE, failing_rules
from pytest_design2a11y.report.terminal import cases_text, mean_text, severity_lines
from pytest_design2a11y.wording import counted

#: GitHub shows ten errors per step; the tenth counts the others.
MAX_ANNOTATIONS = 10

_MARKS = {"error": "⚠️ not measured", "fail": "❌ fail", "pass": "✅ pass", "none": "–"}

#: Number of failing pages listed one by one; the table has the others.
_MOST_FAILING = 10
#: Number of differences and rules listed for each of them.
_MOST_TOLD = 3


def step_summary(
    run: Run,
    *,
    max_pages: int = 20,
    comparison: str = "",
    failed_pages: FailedPages = "exclude",
    address: str = "",
) -> str:
    """Return a run as GitHub's Markdown, for the file that $GITHUB_STEP_SUMMARY names.

    Args:
        run: What was measured.
        max_pages: How many pages are listed, the worst first.
        comparison: Markdown of the run against an older one, put above the means.
        failed_pages: What a candidate that failed by its own fault counts as in the means.
        address: Where the folder with the report and its pictures can be seen; "": nowhere, and failing pages
            have no pictures.
    """
    rows = worst_first(run)
    variants = find_variants(run.evaluations, failed_pages=failed_pages)
    lines = [
        f"### design2a11y: {markdown(run.name)}",
        "",
        f"{counted(len(rows), 'page')}: {counted_states(rows)}."
        + ("" if run.is_complete else " **The run is incomplete.**"),
        "",
        *([f"{markdown(repeated, limit=500)}.", ""] if (repeated := repetitions(run.evaluations)) else []),
        *_failing_pages([row for row in rows if row.state in ("error", "fail")], address.rstrip("/")),
        *([comparison, "#### This run", ""] if comparison else []),
        *_means(variants, rule_text(failed_pages, variants.num_zeros)),
        *_pages(rows, max_pages),
        *(f"{markdown(text, limit=500)}.\n" for text in severity_lines(run.evaluations)),
        LIMITS_OF_CHECKS,
    ]
    return "\n".join(lines) + "\n"


def annotation_lines(run: Run) -> Iterator[str]:
    """Return a workflow command `::error` for every page that broke a limit or could not be measured.

    Print them on lines of their own, and only where GITHUB_ACTIONS is "true".
    """
    bad = [row.evaluation for row in worst_first(run) if row.state in ("error", "fail")]
    shown = bad if len(bad) <= MAX_ANNOTATIONS else bad[: MAX_ANNOTATIONS - 1]
    for evaluation in shown:
        title = "not measured" if evaluation.error else ", ".join(reasons(evaluation.verdicts))
        causes = [] if evaluation.error else causes_of(evaluation)[:_MOST_TOLD]
        messages = [*_reasons(evaluation), *(cause.phrase for cause in causes)]
        message = f"{evaluation.id}: {'; '.join(messages)}"
        file = evaluation.candidate
        is_path = bool(file) and "://" not in file and not file.startswith(("<", "/"))
        place = f"file={workflow_property(file)}," if is_path else ""
        yield f"::error {place}title={workflow_property(f'design2a11y: {title}')}::{workflow_data(message)}"
    if len(bad) > len(shown):
        more = f"{len(bad) - len(shown)} more pages broke a limit or could not be measured."
        yield f"::error title=design2a11y::{workflow_data(more)}"


def _failing_pages(rows: Sequence[Row], address: str) -> Iterator[str]:
    """Yield failing pages: the limit, the page as a whole, what differs most, which rules fail."""
    for row in rows[:_MOST_FAILING]:
        evaluation = row.evaluation
        yield from (f"#### {_MARKS[row.state]}: {markdown(evaluation.id)}", "")
        messages = [*_reasons(evaluation), *page_warnings(evaluation)]
        for group in group_differences(differences_of(evaluation))[:_MOST_TOLD]:
            messages.append(f"{group.message} (costs {group.cost:.4f})")
        for rule in failing_rules(evaluation.audit)[:_MOST_TOLD] if evaluation.audit else ():
            advice = RULE_ADVICE.get(rule.rule, rule.help)
            messages.append(f"{rule.rule}, {counted(rule.num_violations, 'element')}: {advice}")
        yield from (f"- {markdown(text, limit=400)}" for text in messages)
        yield ""
        names = [evaluation.pictures.get(role, "") for role in ("reference", "candidate")]
        if re.match(r"https?://[^\s\"<>]+\Z", address) and all(map(is_picture_name, names)):
            shown = (f'<img width="400" src="{address}/pictures/{name}">' for name in names)
            yield from ("| design | page |", "|---|---|", f"| {' | '.join(shown)} |", "")


def _means(variants: Variants, rule: str) -> Iterator[str]:
    """Return a row a variant, or one of the whole run, and which is surely better."""
    if not variants.columns:
        return
    heads = (f"{name} {'↑' if METRICS[name].is_higher_better else '↓'}" for name in variants.columns)
    yield f"| mean (95 % interval) | {' | '.join(heads)} | pages | break a limit |"
    yield f"|---|{'--:|' * (len(variants.columns) + 2)}"
    for variant in variants.all:
        means = ((mean_text(variant, name), variants.is_best(variant, name)) for name in variants.columns)
        cells = [f"**{text}**" if is_best else text for text, is_best in means]
        cells += [variant.pages, "–" if variant.num_broken is None else str(variant.num_broken)]
        yield f"| {markdown(variant.name or cases_text(variant.table))} | {' | '.join(cells)} |"
    yield ""
    if any(variants.is_best(variant, column) for variant in variants.all for column in variants.columns):
        yield from ("(bold: surely better than every other)", "")
    for line in standing_lines(variants.judged, variants.choices):
        yield f"- {markdown(line, limit=500)}"
    yield from ("", f"({rule})", "")


def _pages(rows: Sequence[Row], max_pages: int) -> Iterator[str]:
    columns = (*shown_in("summary"), "blocking", "failed")
    yield f"| page | limits | {' | '.join(columns)} |"
    yield f"|---|---|{'--:|' * len(columns)}"
    for row in rows[:max_pages]:
        values = {column: metric_value(row.evaluation, column) for column in columns}
        cells = ("–" if value is None else number_of(name, value) for name, value in values.items())
        yield f"| {markdown(row.evaluation.id)} | {_MARKS[row.state]} | {' | '.join(cells)} |"
    yield ""
    if len(rows) > max_pages:
        yield from (f"… and {len(rows) - max_pages} more pages.", "")


def _reasons(evaluation: Evaluation) -> list[str]:
    if evaluation.error is not None:
        return [str(evaluation.error)]
    return [sentence(verdict) for verdict in evaluation.verdicts if not verdict.is_passed]

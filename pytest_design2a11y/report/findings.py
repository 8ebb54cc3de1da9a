"""Findings as a table: a row for each failing element, with its line and WCAG criteria."""

from __future__ import annotations

from collections.abc import Iterator

from pytest_design2a11y.accessibility import deduplicate
from pytest_design2a11y.models.audit import Accepted
from pytest_design2a11y.models.run import Run
from pytest_design2a11y.report.long_table import csv_lines
from pytest_design2a11y.report.rules import criteria, failing_rules, reason_and_fix
from pytest_design2a11y.report.source_lines import line_of
from pytest_design2a11y.wording import counted, ended

COLUMNS = ("page", "rule", "impact", "element", "line", "message", "wcag")
#: In the place of a rule, where a page could not be measured: no row would read as a clean page.
NOT_MEASURED = "not-measured"

_Row = tuple[str, str, str, str, int | str, str, str]


def findings_csv(run: Run, accepted: Accepted) -> Iterator[str]:
    """Return the lines of the table, its head first, without line ends and without what is accepted.

    A page that several tests measured lists each element once. Elements that were only counted share a row.
    """
    rows = dict.fromkeys(_rows(run, accepted))
    return csv_lines(COLUMNS, (dict(zip(COLUMNS, row, strict=True)) for row in rows))


def _rows(run: Run, accepted: Accepted) -> Iterator[_Row]:
    for one in run.evaluations:
        page = one.candidate
        if one.error is not None:
            yield page, NOT_MEASURED, "", "", "", f"{one.error.type}: {one.error.message}", ""
        counts = accepted.get(one.id, {})
        for audit in (*deduplicate(one.audits, one.engines).values(), *one.probe_findings.values()):
            for rule in failing_rules(audit):
                if counts.get(rule.rule, 0) >= rule.num_violations:
                    continue
                named, what = "; ".join(criteria(rule.tags)), ended(rule.help or rule.rule)
                for node in rule.violations:
                    line = line_of(page, node) or ""
                    message = f"{what} {reason_and_fix(rule, node)}".strip()
                    impact = node.impact or rule.impact or ""
                    yield page, rule.rule, impact, node.target, line, message, named
                if rest := rule.num_violations - len(rule.violations):
                    message = f"{what} {counted(rest, 'further element')}."
                    yield page, rule.rule, rule.impact or "", "", "", message, named

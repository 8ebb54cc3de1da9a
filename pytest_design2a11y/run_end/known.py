"""A run's violations compared with the accepted ones: which are new or accepted, and messages about them."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from pathlib import Path

from pytest_design2a11y.accessibility.known import (
    KnownComparison,
    KnownViolations,
    compare_known,
    format_known,
    load_known,
    update_known,
)
from pytest_design2a11y.files import write_whole
from pytest_design2a11y.models.audit import Accepted, Audit
from pytest_design2a11y.models.page_identity import page_identity, page_name
from pytest_design2a11y.models.run import Evaluation, Run
from pytest_design2a11y.settings.values import Settings


@cache
def _load(path: Path, changed: int) -> KnownViolations:
    """Read a file of accepted violations, again if it has changed."""
    return load_known(path)


def unaccepted(evaluation: Evaluation, settings: Settings) -> tuple[str, ...]:
    """Return a page's violations beyond the accepted ones, in words; none if all are being accepted."""
    if settings.update_known:
        return ()
    comparison = _compared(evaluation, settings)
    return tuple(comparison.lines()) if comparison is not None and comparison.is_failure else ()


def without_accepted(evaluation: Evaluation, settings: Settings) -> tuple[Evaluation, int]:
    """Return an evaluation whose audit omits accepted failures, and the number that it had.

    Elements that may be new are kept if the file does not record which ones it accepts.
    """
    comparison = None if settings.update_known else _compared(evaluation, settings)
    if comparison is None or not comparison.is_recorded or evaluation.audit is None:
        return evaluation, 0
    new = {change.rule: change for change in comparison.new}
    rules = (
        replace(rule, num_violations=change.found - change.known, violations=change.new or rule.violations)
        if (change := new.get(rule.rule))
        else replace(rule, num_violations=0, violations=())
        for rule in evaluation.audit.rules
    )
    num_accepted = sum(min(change.known, change.found) for change in comparison.accepted)
    return replace(evaluation, audit=replace(evaluation.audit, rules=tuple(rules))), num_accepted


def accepted(run: Run, settings: Settings) -> Accepted:
    """Count the accepted failures that still occur, by evaluation and rule."""
    if settings.update_known:
        return {}
    return {
        page.id: {change.rule: min(change.known, change.found) for change in comparison.accepted}
        for page in run.evaluations
        if (comparison := _compared(page, settings)) is not None
    }


def known_lines(run: Run, settings: Settings, path: Path) -> list[str]:
    """List accepted, new, stale and unchecked failures; with `update_known`, accept the present ones."""
    pages: dict[str, Evaluation] = {}
    audits: dict[str, Audit] = {}
    for page in run.evaluations:
        if page.audit is not None:
            pages.setdefault(name := page_identity(page), page)
            audit = audits.get(name, page.audit)
            # If a page was audited repeatedly, as with samples: per rule, the audit with more failures
            rules = {rule.rule: rule for rule in audit.rules}
            for rule in page.audit.rules:
                rules[rule.rule] = max(rules.get(rule.rule, rule), rule, key=lambda rule: rule.num_violations)
            audits[name] = replace(audit, rules=tuple(rules.values()))
    if settings.update_known:
        known = load_known(path) if path.exists() else KnownViolations()
        update = update_known(known, audits, choice=settings.audit_choice)
        write_whole(path, format_known(update.known).encode())
        return [*(update.changes or ["nothing changed"]), f"wrote {path}"]
    found = (_compared(replace(page, audit=audits[name]), settings) for name, page in pages.items())
    comparisons = [comparison for comparison in found if comparison is not None]
    comparisons.sort(key=lambda comparison: (not comparison.is_failure, not comparison.is_recorded))
    lines = [line for comparison in comparisons for line in comparison.lines()]
    unseen = sorted(load_known(path).pages.keys() - {comparison.page for comparison in comparisons})
    lines += [f"{name}: recorded, but not looked at in this run" for name in unseen]
    return lines or ["none, and none accepted"]


def _compared(evaluation: Evaluation, settings: Settings) -> KnownComparison | None:
    """Compare a page's violations with the accepted ones; None if the page was not audited.

    A file may name a page only by its path, whatever its viewport, state and test.
    """
    if settings.known is None or evaluation.audit is None:
        return None
    path = settings.known.resolve()
    known = _load(path, path.stat().st_mtime_ns)
    page = page_identity(evaluation)
    if page not in known.pages and page_name(evaluation) in known.pages:
        page = page_name(evaluation)
    return compare_known(known, page, evaluation.audit, choice=settings.audit_choice)

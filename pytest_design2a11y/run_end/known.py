"""What a run has beyond what is accepted, what of it is accepted, and messages about both."""

from dataclasses import replace
from datetime import date
from pathlib import Path

from pytest_design2a11y.accessibility.known import update_known
from pytest_design2a11y.limits.known_file import (
    Known,
    accepted_lines,
    known_or_new,
    load_known,
    save_known,
    unused_claims,
)
from pytest_design2a11y.measuring.accepted import compared_with_known
from pytest_design2a11y.models.audit import Accepted, Audit
from pytest_design2a11y.models.evaluation import Evaluation
from pytest_design2a11y.models.run import Run, evaluated_page
from pytest_design2a11y.models.visual import Difference
from pytest_design2a11y.settings import Settings


def without_accepted(evaluation: Evaluation, settings: Settings) -> tuple[Evaluation, int]:
    """Return an evaluation whose audit omits accepted failures, and the number that it had.

    Elements that may be new are kept if the file does not record which ones it accepts.
    """
    comparison = None if settings.update_known else compared_with_known(evaluation, settings)
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
        if (comparison := compared_with_known(page, settings)) is not None
    }


def known_lines(run: Run, settings: Settings, path: Path) -> list[str]:
    """List what is accepted, new, stale and unchecked; with `update_known`, accept the present failures."""
    audits = _worst_audits(run)
    compared = _differences_of_pages(run)
    if settings.update_known:
        known = known_or_new(path)
        present = {name: audit for name, (_page, audit) in audits.items()}
        update = update_known(known.violations, present, choice=settings.audit_choice)
        differences = dict(known.differences)
        changes = list(update.changes)
        for page, found in compared.items():
            if unused := unused_claims(found, known.differences.get(page, {})):
                changes += [f"{page}: no longer accepted: {claim.says}" for claim in unused.values()]
                kept = {key: claim for key, claim in known.differences[page].items() if key not in unused}
                differences[page] = kept
        save_known(Known(update.known, {page: kept for page, kept in differences.items() if kept}), path)
        return [*(changes or ["nothing changed"]), f"wrote {path}"]
    known = load_known(path)
    found_in = (compared_with_known(replace(page, audit=audit), settings) for page, audit in audits.values())
    comparisons = [comparison for comparison in found_in if comparison is not None]
    comparisons.sort(key=lambda comparison: (not comparison.is_failure, not comparison.is_recorded))
    lines = [line for comparison in comparisons for line in comparison.lines()]
    for page, found in compared.items():
        lines += accepted_lines(page, found, known.differences.get(page, {}), date.today())
    seen = {comparison.page for comparison in comparisons} | compared.keys()
    unseen = sorted((known.violations.pages.keys() | known.differences.keys()) - seen)
    lines += [f"{name}: recorded, but not looked at in this run" for name in unseen]
    return lines or ["none, and none accepted"]


def _worst_audits(run: Run) -> dict[str, tuple[Evaluation, Audit]]:
    """Return each page with its audit; of one audited repeatedly, as samples are, the worst of each rule."""
    audits: dict[str, tuple[Evaluation, Audit]] = {}
    for page in run.evaluations:
        if page.audit is not None:
            first, audit = audits.get(name := evaluated_page(page), (page, page.audit))
            rules = {rule.rule: rule for rule in audit.rules}
            for rule in page.audit.rules:
                rules[rule.rule] = max(rules.get(rule.rule, rule), rule, key=lambda rule: rule.num_violations)
            audits[name] = first, replace(audit, rules=tuple(rules.values()))
    return audits


def _differences_of_pages(run: Run) -> dict[str, list[Difference]]:
    differences: dict[str, list[Difference]] = {}
    for page in run.evaluations:
        if page.visual is not None:
            name = evaluated_page(page, is_numbered=False)
            differences.setdefault(name, []).extend(page.visual.differences)
    return differences

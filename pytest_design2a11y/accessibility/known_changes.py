"""What a page's failures are beside the accepted ones, and how the accepted ones are brought up to date."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from pytest_design2a11y.accessibility.explain import WIDEST
from pytest_design2a11y.accessibility.known import KnownViolations, chosen_values, failing_counts
from pytest_design2a11y.escaping import sanitize
from pytest_design2a11y.models.audit import Audit, AuditChoice

_RECORD = "record it with --design2a11y-update-known"


@dataclass(frozen=True, slots=True)
class RuleChange:
    """One rule on one page.

    Attributes:
        rule: Rule id.
        known: Failing elements that are accepted.
        found: Failing elements that there are.
    """

    rule: str
    known: int
    found: int


@dataclass(frozen=True, slots=True)
class KnownComparison:
    """A page's failures beside the accepted ones.

    Attributes:
        page: Page id.
        is_recorded: Whether the page is in the file at all; if not, nothing is accepted and nothing is clean.
        new: Rules with more failures than are accepted; on a page that is not recorded, every failing rule.
        accepted: Rules with accepted failures that are still there.
        stale: Rules with fewer failures than are accepted, fixed or drifted: the file is to be tightened.
        is_same_choice: Whether the same rules ran as when the file was written; if not, a failure that is
            gone may just not have been looked for, and nothing is called stale.
    """

    page: str
    is_recorded: bool
    new: tuple[RuleChange, ...] = ()
    accepted: tuple[RuleChange, ...] = ()
    stale: tuple[RuleChange, ...] = ()
    is_same_choice: bool = True

    @property
    def num_new(self) -> int:
        """Failing elements beyond the accepted ones."""
        return sum(change.found - change.known for change in self.new)

    @property
    def is_failure(self) -> bool:
        """Whether a recorded page has failures that are not accepted."""
        return self.is_recorded and bool(self.new)

    def lines(self) -> list[str]:
        """Tell it, one line a rule, each with what to do."""
        page = sanitize(self.page, limit=WIDEST)
        if not self.is_recorded:
            return [f"{page}: not yet recorded, {_failures(self.num_new)}; {_RECORD}"]
        lines = [
            f"{page}: {change.rule} fails on {_beside(change)}: {change.found - change.known} new"
            for change in self.new
        ]
        unchanged = (change for change in self.accepted if change.known == change.found)
        lines += [f"{page}: {change.rule} fails on {_beside(change)}" for change in unchanged]
        lines += [
            f"{page}: {change.rule} fails on {_beside(change)}: stale; {_RECORD}" for change in self.stale
        ]
        return lines


@dataclass(frozen=True, slots=True)
class KnownUpdate:
    """Accepted failures brought up to date.

    Attributes:
        known: What to write.
        changes: What changed, one line a fact; empty: nothing.
    """

    known: KnownViolations
    changes: tuple[str, ...]


def compare_known(
    known: KnownViolations, page: str, audit: Audit, *, choice: AuditChoice | None = None
) -> KnownComparison:
    """Compare a page's failures with the accepted ones.

    Args:
        known: What is accepted.
        page: Page id, the same in every run.
        audit: What failed on the page now.
        choice: The rules that ran; None: take them to be those of the file.

    Returns:
        What is new, what is accepted, what is stale, rules sorted by id.
    """
    accepted = known.pages.get(page, {})
    found = failing_counts(audit)
    changes = [
        RuleChange(rule, accepted.get(rule, 0), found.get(rule, 0)) for rule in sorted({*accepted, *found})
    ]
    is_same_choice = choice is None or chosen_values(choice) == dict(known.choice)
    return KnownComparison(
        page=page,
        is_recorded=page in known.pages,
        new=tuple(change for change in changes if change.found > change.known),
        accepted=tuple(change for change in changes if min(change.found, change.known)),
        stale=tuple(change for change in changes if change.found < change.known) if is_same_choice else (),
        is_same_choice=is_same_choice,
    )


def unseen_pages(known: KnownViolations, pages: Iterable[str]) -> tuple[str, ...]:
    """Name recorded pages that a run did not look at, of which it therefore says nothing."""
    return tuple(sorted(set(known.pages) - set(pages)))


def update_known(
    known: KnownViolations, audits: Mapping[str, Audit], *, choice: AuditChoice | None = None
) -> KnownUpdate:
    """Accept the failures that there are now on the pages of a run; other pages stay as they are.

    Args:
        known: What was accepted so far; `KnownViolations()` at first.
        audits: What failed, by page id.
        choice: The rules that ran; None: the default ones.

    Returns:
        What is accepted from now on, and what changed.
    """
    updated = {page: failing_counts(audit) for page, audit in audits.items()}
    changes = [
        line for page in sorted(updated) for line in _page_changes(page, known.pages.get(page), updated[page])
    ]
    versions = sorted({audit.version for audit in audits.values()})
    axe_version = ", ".join(versions) if versions else known.axe_version
    if known.axe_version and axe_version != known.axe_version:
        changes.append(f"axe-core {axe_version} instead of {known.axe_version}")
    chosen = chosen_values(choice or AuditChoice())
    if known.pages and chosen != dict(known.choice):
        changes.append("other rules than before were chosen")
    return KnownUpdate(
        KnownViolations({**known.pages, **updated}, axe_version, chosen),
        tuple(changes),
    )


def _page_changes(page: str, before: Mapping[str, int] | None, after: Mapping[str, int]) -> list[str]:
    name = sanitize(page, limit=WIDEST)
    if before is None:
        rules = ", ".join(f"{rule} {count}" for rule, count in sorted(after.items()))
        return [f"{name}: recorded, {f'accepting {rules}' if rules else 'without failures'}"]
    return [
        f"{name}: {rule} {before.get(rule, 0)} -> {after.get(rule, 0)}"
        for rule in sorted({*before, *after})
        if before.get(rule, 0) != after.get(rule, 0)
    ]


def _failures(number: int) -> str:
    return "1 failure" if number == 1 else f"{number or 'no'} failures"


def _beside(change: RuleChange) -> str:
    return f"{change.found}, {change.known} accepted"

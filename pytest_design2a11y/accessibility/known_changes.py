"""What a page's failures are beside the accepted ones, and how the accepted ones are brought up to date."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from pytest_design2a11y.accessibility.known import (
    KnownViolations,
    chosen_values,
    element_digest,
    element_digests,
    failing_counts,
)
from pytest_design2a11y.escaping import sanitize
from pytest_design2a11y.models.audit import Audit, AuditChoice, CheckedNode
from pytest_design2a11y.wording import counted

_WIDEST = 160
#: New elements that are named, per rule.
_MOST_NAMED = 5
_RECORD = "record it with --design2a11y-update-known"


@dataclass(frozen=True, slots=True)
class RuleChange:
    """One rule on one page.

    Attributes:
        known: Failing elements that are accepted.
        found: Failing elements that there are.
        new: Those of them that the file does not know; more than `found - known` where accepted ones changed,
            and none where it does not tell which it accepts.
    """

    rule: str
    known: int
    found: int
    new: tuple[CheckedNode, ...] = ()

    def lines(self, page: str) -> Iterator[str]:
        """Tell what is new, with its elements."""
        number = self.found - self.known
        told = f"{page}: {self.rule} fails on {_beside(self)}: {number:,} new"
        if not self.new:
            yield f"{told}; the file does not tell which" if self.known else told
            return
        yield told if len(self.new) <= number else f"{told}, among these {len(self.new)}"
        for node in self.new[:_MOST_NAMED]:
            html = sanitize(node.html, limit=_WIDEST)
            yield f"  {sanitize(node.target, limit=_WIDEST)}  {html}"
        if len(self.new) > _MOST_NAMED:
            yield f"  and {len(self.new) - _MOST_NAMED} more"


@dataclass(frozen=True, slots=True)
class KnownComparison:
    """A page's failures beside the accepted ones.

    Attributes:
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
        page = sanitize(self.page, limit=_WIDEST)
        if not self.is_recorded:
            failures = counted(self.num_new, "failure") if self.num_new else "no failures"
            return [f"{page}: not yet recorded, {failures}; {_RECORD}"]
        lines = [line for change in self.new for line in change.lines(page)]
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
    accepted, found = known.pages.get(page, {}), failing_counts(audit)
    unknown = _unknown_elements(audit, known, page)
    changes = [
        RuleChange(rule, accepted.get(rule, 0), found.get(rule, 0), unknown.get(rule, ()))
        for rule in sorted({*accepted, *found})
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


def _unknown_elements(audit: Audit, known: KnownViolations, page: str) -> dict[str, tuple[CheckedNode, ...]]:
    """Return by rule the failing elements that the file does not know; no rules whose elements it lacks."""
    accepted, digests = known.pages.get(page, {}), known.elements.get(page, {})
    return {
        rule.rule: tuple(_not_among(rule.violations, digests.get(rule.rule, ())))
        for rule in audit.rules
        if rule.rule in digests or rule.rule not in accepted
    }


def _not_among(nodes: Iterable[CheckedNode], digests: Iterable[str]) -> Iterator[CheckedNode]:
    left = Counter(digests)
    for node in nodes:
        digest = element_digest(node)
        if left[digest]:
            left[digest] -= 1
        else:
            yield node


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
    elements = {page: element_digests(audit) for page, audit in audits.items()}
    return KnownUpdate(
        KnownViolations({**known.pages, **updated}, axe_version, chosen, {**known.elements, **elements}),
        tuple(changes),
    )


def _page_changes(page: str, before: Mapping[str, int] | None, after: Mapping[str, int]) -> list[str]:
    name = sanitize(page, limit=_WIDEST)
    if before is None:
        rules = ", ".join(f"{rule} {count}" for rule, count in sorted(after.items()))
        return [f"{name}: recorded, {f'accepting {rules}' if rules else 'without failures'}"]
    return [
        f"{name}: {rule} {before.get(rule, 0)} -> {after.get(rule, 0)}"
        for rule in sorted({*before, *after})
        if before.get(rule, 0) != after.get(rule, 0)
    ]


def _beside(change: RuleChange) -> str:
    return f"{change.found}, {change.known} accepted"

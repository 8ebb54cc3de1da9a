"""Accessibility failures accepted for now: comparison with new failures, and updates.

The key is page and rule with a count, not selectors, which differ between generations of a page. Digests of
the accepted elements' HTML have no influence on the result: they only help to name the new element. Accepted
failures still count in all rates.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from hashlib import sha256
from typing import Any, NamedTuple

from pytest_design2a11y.escaping import sanitize
from pytest_design2a11y.models.audit import Audit, AuditChoice, CheckedNode
from pytest_design2a11y.wording import counted, flag

_WIDEST = 160
#: Number of new elements that are named per rule.
_MOST_NAMED = 5

#: The default rules.
ALL_RULES = AuditChoice()

Counts = Mapping[str, int]


@dataclass(frozen=True, slots=True)
class KnownViolations:
    """The accepted failures."""

    # Failing elements by rule, by page; a page that is missing here has never been checked
    pages: Mapping[str, Counts] = field(default_factory=dict)
    axe_version: str = ""  # Version of axe-core that counted them; "" if unknown
    # The rules that ran: values of `AuditChoice` that differ from the defaults
    choice: Mapping[str, Any] = field(default_factory=dict)
    # Digests of the accepted elements by rule, by page, if known
    elements: Mapping[str, Mapping[str, Sequence[str]]] = field(default_factory=dict)


def _record() -> str:
    return f"record it with {flag('update_known')}"


def chosen_values(choice: AuditChoice) -> dict[str, Any]:
    """Return the values of a choice that are not defaults, in a form that the file can hold."""
    values = asdict(choice)
    return {
        name: sorted(value) if isinstance(value, tuple) else value for name, value in values.items() if value
    }


def _failing_counts(audit: Audit) -> dict[str, int]:
    return {rule.rule: rule.num_violations for rule in audit.rules if rule.num_violations}


def _digest(node: CheckedNode) -> str:
    """Return the key of an element: eight digits of the digest of its HTML."""
    return sha256(node.html.encode("utf-8", "replace")).hexdigest()[:8]


@dataclass(frozen=True, slots=True)
class RuleChange:
    """The failures of one rule on one page."""

    rule: str
    known: int  # Number of accepted failing elements
    found: int  # Number of failing elements found
    # The elements among them that the file does not know; more than `found - known` if accepted elements
    # changed, and empty if it does not record which elements it accepts
    new: tuple[CheckedNode, ...] = ()

    def lines(self, page: str) -> Iterator[str]:
        """Yield how many elements fail and how many of them are new, with the new elements."""
        number = self.found - self.known
        message = f"{page}: {self.rule} fails on {self.found}, {self.known} accepted"
        if number < 0:
            message += f": stale; {_record()}"
        elif number > 0:
            message += f": {number:,} new"
            if self.known and not self.new:
                message += "; the file does not record which"
            elif len(self.new) > number:
                message += f", among these {len(self.new)}"
        yield message
        for node in self.new[:_MOST_NAMED] if number > 0 else ():
            html = sanitize(node.html, limit=_WIDEST)
            yield f"  {sanitize(node.target, limit=_WIDEST)}  {html}"
        if number > 0 and len(self.new) > _MOST_NAMED:
            yield f"  and {len(self.new) - _MOST_NAMED} more"


@dataclass(frozen=True, slots=True)
class KnownComparison:
    """A page's failures compared with the accepted ones."""

    page: str
    is_recorded: bool  # Whether the page is in the file; if not, nothing is accepted
    # Rules with more failures than accepted; on a page that is not recorded, every failing rule
    new: tuple[RuleChange, ...] = ()
    accepted: tuple[RuleChange, ...] = ()  # Rules with accepted failures that still occur
    # Rules with fewer failures than accepted, fixed or by chance: the file should be tightened. Empty if
    # other rules ran than when it was written, as missing failures may just not have been checked for.
    stale: tuple[RuleChange, ...] = ()

    @property
    def is_failure(self) -> bool:
        """Return whether the page has failures that are not accepted; on one not recorded, all of them."""
        return bool(self.new)

    def lines(self) -> list[str]:
        """Return one line per rule, each saying what to do."""
        page = sanitize(self.page, limit=_WIDEST)
        if not self.is_recorded:
            num_new = sum(change.found for change in self.new)
            failures = counted(num_new, "failure") if num_new else "no failures"
            return [f"{page}: not yet recorded, {failures}; {_record()}"]
        unchanged = [change for change in self.accepted if change.known == change.found]
        return [line for change in (*self.new, *unchanged, *self.stale) for line in change.lines(page)]


def compare_known(
    known: KnownViolations, page: str, audit: Audit, *, choice: AuditChoice = ALL_RULES
) -> KnownComparison:
    """Compare a page's failures with the accepted ones; the page's id must be the same in every run."""
    accepted, digests = known.pages.get(page, {}), known.elements.get(page, {})
    found = _failing_counts(audit)
    unknown: dict[str, list[CheckedNode]] = {}
    for rule in audit.rules:
        left = Counter(digests.get(rule.rule, ()))
        for node in rule.violations if rule.rule in digests or rule.rule not in accepted else ():
            if left[digest := _digest(node)]:
                left[digest] -= 1
            else:
                unknown.setdefault(rule.rule, []).append(node)
    changes = [
        RuleChange(rule, accepted.get(rule, 0), found.get(rule, 0), tuple(unknown.get(rule, ())))
        for rule in sorted({*accepted, *found})
    ]
    is_same_choice = chosen_values(choice) == known.choice
    return KnownComparison(
        page=page,
        is_recorded=page in known.pages,
        new=tuple(change for change in changes if change.found > change.known),
        accepted=tuple(change for change in changes if min(change.found, change.known)),
        stale=tuple(change for change in changes if change.found < change.known and is_same_choice),
    )


class KnownUpdate(NamedTuple):
    """The result of updating accepted failures."""

    known: KnownViolations
    changes: tuple[str, ...]  # One line per changed fact; empty if nothing changed


def update_known(
    known: KnownViolations, audits: Mapping[str, Audit], *, choice: AuditChoice = ALL_RULES
) -> KnownUpdate:
    """Accept the present failures of a run's pages, by id; other pages keep theirs."""
    updated = {page: _failing_counts(audit) for page, audit in audits.items()}
    changes = []
    for page, after in sorted(updated.items()):
        name, before = sanitize(page, limit=_WIDEST), known.pages.get(page)
        if before is None:
            rules = ", ".join(f"{rule} {count}" for rule, count in sorted(after.items()))
            changes.append(f"{name}: recorded, {f'accepting {rules}' if rules else 'without failures'}")
            continue
        changes += [
            f"{name}: {rule} {before.get(rule, 0)} -> {after.get(rule, 0)}"
            for rule in sorted({*before, *after})
            if before.get(rule, 0) != after.get(rule, 0)
        ]
    versions = sorted({audit.version for audit in audits.values()})
    axe_version = ", ".join(versions) if versions else known.axe_version
    if known.axe_version and axe_version != known.axe_version:
        changes.append(f"axe-core {axe_version} instead of {known.axe_version}")
    chosen = chosen_values(choice)
    if known.pages and chosen != known.choice:
        changes.append("other rules than before were chosen")
    elements = {
        page: {rule.rule: sorted(map(_digest, rule.violations)) for rule in audit.rules if rule.violations}
        for page, audit in audits.items()
    }
    return KnownUpdate(
        KnownViolations({**known.pages, **updated}, axe_version, chosen, {**known.elements, **elements}),
        tuple(changes),
    )

"""Accepted differences: which of a page's differences are accepted, and which claims no difference fits."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from datetime import date

from pytest_design2a11y.escaping import sanitize
from pytest_design2a11y.limits.known_file import Claim, Claims
from pytest_design2a11y.models.visual import Difference, VisualScore
from pytest_design2a11y.models.words import in_words
from pytest_design2a11y.wording import flag

_WIDEST = 200


def claim_key(difference: Difference) -> str:
    """Return the name of a difference: equal while it is the same and its place looks the same."""
    digests = (side.get("digest", "-") for side in (difference.design, difference.made))
    return " ".join((difference.kind, difference.property or "-", *digests))


def claim_of(difference: Difference, note: str = "", until: date | None = None) -> Claim:
    """Return the claim that a difference is accepted."""
    return Claim(sanitize(in_words(difference), limit=_WIDEST), note, until)


def mark_accepted(visual: VisualScore, claims: Claims, day: date) -> VisualScore:
    """Return a score whose accepted differences are marked, and not counted in `blocking`."""
    held = {key: claim.note for key, claim in claims.items() if claim.holds(day)}
    marked = tuple(replace(found, accepted=held.get(claim_key(found))) for found in visual.differences)
    visual = replace(visual, differences=marked)
    return visual if visual.blocking is None else replace(visual, blocking=len(visual.blockers))


def unused_claims(differences: Iterable[Difference], claims: Claims) -> Claims:
    """Return the claims that fit no difference: it is gone, or its place has changed."""
    found = set(map(claim_key, differences))
    return {key: claim for key, claim in claims.items() if key not in found}


def accepted_lines(page: str, differences: Iterable[Difference], claims: Claims, day: date) -> Iterator[str]:
    """Yield a page's accepted differences, those accepted no longer, and claims that fit none."""
    name = sanitize(page, limit=_WIDEST)
    unused = unused_claims(differences, claims)
    for key, claim in claims.items():
        says = sanitize(claim.says, limit=_WIDEST)
        note = f" ({sanitize(claim.note, limit=_WIDEST)})" if claim.note else ""
        if key in unused:
            yield (
                f"{name}: accepted, but gone or changed since: {says}{note}; "
                f"drop it with {flag('update_known')}"
            )
        elif claim.holds(day):
            yield f"{name}: accepted{f' until {claim.until}' if claim.until else ''}: {says}{note}"
        else:
            yield f"{name}: accepted until {claim.until} only: {says}{note}"

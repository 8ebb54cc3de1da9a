"""Warnings about runs that were made a long time apart."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import UTC, datetime

#: After this many days, a model behind an address is assumed to have changed.
OLD_AFTER_DAYS = 14


def days_between(earlier: str, later: str) -> float | None:
    """Return the days between two ISO 8601 times, negative if reversed; None if either is invalid."""
    try:
        first, second = (datetime.fromisoformat(text) for text in (earlier, later))
    except ValueError:
        return None
    first, second = (time if time.tzinfo else time.replace(tzinfo=UTC) for time in (first, second))
    return (second - first).total_seconds() / 86_400


def age_warnings(old: str, new: str) -> Iterator[str]:
    """Yield warnings about a baseline that is old, or newer than the run compared with it."""
    days = days_between(old, new)
    if days is None:
        return
    if days >= OLD_AFTER_DAYS:
        yield (
            f"the old run was made {days:.0f} days before the new one; hosted models change in such a time: "
            "measure the baseline again beside the new run, and compare these two"
        )
    if days < 0:
        yield "the old run was made after the new one: they may be the wrong way round"


def span_warnings(created: Sequence[str]) -> Iterator[str]:
    """Yield a warning about runs that were made a long time apart; ISO 8601 times in any order."""
    days = days_between(min(created), max(created))
    if days is not None and days >= OLD_AFTER_DAYS:
        yield f"the runs were made up to {days:.0f} days apart; hosted models change in such a time"

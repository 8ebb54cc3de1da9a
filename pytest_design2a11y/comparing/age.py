"""How old a run is, as far as comparisons go: models behind an address change without a word."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import UTC, datetime

#: From so many days on, a model behind an address is taken to have changed in the meantime.
OLD_AFTER_DAYS = 14


def days_between(earlier: str, later: str) -> float | None:
    """Return days between two ISO 8601 times, negative if reversed; None if either is invalid."""
    try:
        first, second = (datetime.fromisoformat(text) for text in (earlier, later))
    except ValueError:
        return None
    first, second = (one if one.tzinfo else one.replace(tzinfo=UTC) for one in (first, second))
    return (second - first).total_seconds() / 86_400


def age_warnings(old: str, new: str) -> Iterator[str]:
    """Warn of a baseline that is old, or newer than what is compared with it.

    Args:
        old: ISO 8601 time of the baseline.
        new: Of the run in question.
    """
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
    """Warn of runs that were made a long time apart; ISO 8601 times in any order."""
    days = days_between(min(created), max(created))
    if days is not None and days >= OLD_AFTER_DAYS:
        yield f"the runs were made up to {days:.0f} days apart; hosted models change in such a time"

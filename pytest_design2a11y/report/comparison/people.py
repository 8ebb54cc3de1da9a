"""A difference in words: how often people agree with it, of two single pages."""

from __future__ import annotations

from collections.abc import Iterator

from pytest_design2a11y.comparing.comparison import TIE, Comparison
from pytest_design2a11y.models.preferences import NUM_DECISIONS, agreement

#: Below this share, decisions can hardly be told from a coin's; from the other one on there are few.
_COIN, _RARELY_OTHERWISE = 0.55, 0.95


def people_lines(comparison: Comparison) -> Iterator[str]:
    """Say of the change of visual similarity what a difference of its size means to people."""
    metric = comparison.metrics["visual"]
    if metric.state == "compared" and abs(metric.difference) > TIE:
        yield (
            f"to people, by {NUM_DECISIONS} published decisions: where two single pages differ by "
            f"{abs(metric.difference):.4f} in visual, the one with the higher score is preferred "
            f"{share_text(agreement('visual', metric.difference))}; a mean over many pages is another matter"
        )


def share_text(share: float) -> str:
    """Say how often people agree.

    Args:
        share: 0.5 to 1.
    """
    if share < _COIN:
        return "in hardly more than 5 of 10 cases, as a coin would have it"
    if share >= _RARELY_OTHERWISE:
        return "in more than 9 of 10 cases"
    return f"in about {10 * share:.0f} of 10 cases"

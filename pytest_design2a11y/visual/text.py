"""Component `text`: how alike the texts of the matched blocks are."""

from __future__ import annotations

from collections.abc import Sequence
from statistics import fmean

from pytest_design2a11y.models.visual import Match


def text(matches: Sequence[Match]) -> float:
    """Return the mean text ratio of the matches; 0 without matches."""
    return fmean(match.text for match in matches) if matches else 0.0

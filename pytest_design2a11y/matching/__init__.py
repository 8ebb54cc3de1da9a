"""Which block of the candidate stands for which block of the reference."""

from pytest_design2a11y.matching.matcher import match_blocks
from pytest_design2a11y.matching.published import match_as_published

__all__ = ["match_as_published", "match_blocks"]

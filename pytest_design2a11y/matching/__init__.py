"""Which block of the candidate stands for which block of the reference."""

from pytest_design2a11y.matching.matcher import match_blocks

__all__ = ["match_blocks"]

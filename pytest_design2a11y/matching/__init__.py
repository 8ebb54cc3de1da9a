"""Matching of the candidate's blocks with the reference's."""

from pytest_design2a11y.matching.matcher import match_as_published, match_blocks

__all__ = ["match_as_published", "match_blocks"]

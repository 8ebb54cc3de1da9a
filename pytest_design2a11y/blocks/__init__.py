"""Turn text runs and a screenshot into text blocks: pure functions of data."""

from pytest_design2a11y.blocks.finder import find_blocks, find_published_blocks, find_seen_text

__all__ = ["find_blocks", "find_published_blocks", "find_seen_text"]

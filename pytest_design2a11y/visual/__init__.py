"""The five components of visual similarity, and their mean."""

from pytest_design2a11y.visual.appearance import embedded_appearance
from pytest_design2a11y.visual.score import score_matching

__all__ = ["embedded_appearance", "score_matching"]

"""The five components of visual similarity and their mean; elements, typography, fidelity."""

from pytest_design2a11y.visual.appearance import embedded_appearance
from pytest_design2a11y.visual.elements import ElementMatching, match_elements
from pytest_design2a11y.visual.score import fidelity, score_matching
from pytest_design2a11y.visual.typography import TypographyMatching, match_paragraphs, paragraphs_of

__all__ = [
    "ElementMatching",
    "TypographyMatching",
    "embedded_appearance",
    "fidelity",
    "match_elements",
    "match_paragraphs",
    "paragraphs_of",
    "score_matching",
]

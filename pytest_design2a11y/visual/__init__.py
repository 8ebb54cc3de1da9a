"""The five components of visual similarity and their mean; elements, typography, figures, fidelity."""

from pytest_design2a11y.visual.appearance import embedded_appearance
from pytest_design2a11y.visual.elements import match_elements
from pytest_design2a11y.visual.figures import figures_of, match_figures
from pytest_design2a11y.visual.score import fidelity, score_matching
from pytest_design2a11y.visual.typography import match_paragraphs, paragraphs_of

__all__ = [
    "embedded_appearance",
    "fidelity",
    "figures_of",
    "match_elements",
    "match_figures",
    "match_paragraphs",
    "paragraphs_of",
    "score_matching",
]

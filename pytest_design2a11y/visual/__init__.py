"""The five components of visual similarity and their mean; elements, typography, figures, fidelity."""

from pytest_design2a11y.visual.appearance import embedded_appearance
from pytest_design2a11y.visual.elements import score_elements
from pytest_design2a11y.visual.figures import figures_of, match_figures
from pytest_design2a11y.visual.match import match_pages
from pytest_design2a11y.visual.score import fidelity, score_matching
from pytest_design2a11y.visual.typography import score_typography

__all__ = [
    "embedded_appearance",
    "fidelity",
    "figures_of",
    "match_figures",
    "match_pages",
    "score_elements",
    "score_matching",
    "score_typography",
]

"""Appearance as Design2Code published it: the cosine of CLIP image features of two pages without their text.

Nothing of torch, open_clip or OpenCV is imported before the backend is used.
"""

from pytest_design2a11y.visual.clip.backend import ClipBackend, EmbeddingCache, clip_appearance, require_clip
from pytest_design2a11y.visual.clip.choice import AppearanceChoice, parse_appearance
from pytest_design2a11y.visual.clip.inpainting import Picture
from pytest_design2a11y.visual.clip.libraries import clip_libraries
from pytest_design2a11y.visual.clip.model import Features
from pytest_design2a11y.visual.clip.weights import Weights, fetch_weights, find_weights

__all__ = [
    "AppearanceChoice",
    "ClipBackend",
    "EmbeddingCache",
    "Features",
    "Picture",
    "Weights",
    "clip_appearance",
    "clip_libraries",
    "fetch_weights",
    "find_weights",
    "parse_appearance",
    "require_clip",
]

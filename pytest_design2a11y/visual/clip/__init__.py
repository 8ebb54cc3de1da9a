"""Appearance as Design2Code published it: the cosine of CLIP image features of two pages without their text.

Nothing of torch, open_clip or OpenCV is imported before the backend is used.
"""

from pytest_design2a11y.visual.clip.backend import ClipBackend, TextlessPicture, clip_appearance, require_clip
from pytest_design2a11y.visual.clip.choice import clip_libraries, parse_appearance
from pytest_design2a11y.visual.clip.model import fetch_weights, find_weights

__all__ = [
    "ClipBackend",
    "TextlessPicture",
    "clip_appearance",
    "clip_libraries",
    "fetch_weights",
    "find_weights",
    "parse_appearance",
    "require_clip",
]

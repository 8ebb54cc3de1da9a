"""Visual similarity and accessibility rates of generated pages, in pytest.

Everything public is named here and loaded on first use, so that importing the package costs nothing heavy.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pytest_design2a11y.accessibility import rates_from_axe
    from pytest_design2a11y.assertions import (
        assert_accessible,
        assert_ir,
        assert_iwir,
        assert_visual_similarity,
        audit,
        visual_similarity,
    )
    from pytest_design2a11y.exceptions import Design2a11yError
    from pytest_design2a11y.fixtures import Render, page_pairs
    from pytest_design2a11y.models import AccessibilityRates, Block, Capture, VisualScore
    from pytest_design2a11y.pipeline import score_blocks

__all__ = [
    "AccessibilityRates",
    "Block",
    "Capture",
    "Design2a11yError",
    "Render",
    "VisualScore",
    "assert_accessible",
    "assert_ir",
    "assert_iwir",
    "assert_visual_similarity",
    "audit",
    "page_pairs",
    "rates_from_axe",
    "score_blocks",
    "visual_similarity",
]

_HOMES = {
    "AccessibilityRates": "models",
    "Block": "models",
    "Capture": "models",
    "Design2a11yError": "exceptions",
    "Render": "fixtures",
    "VisualScore": "models",
    "page_pairs": "fixtures",
    "rates_from_axe": "accessibility",
    "score_blocks": "pipeline",
}


def __getattr__(name: str) -> Any:
    if name == "__version__":
        from importlib.metadata import version

        return version("pytest-design2a11y")
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_HOMES.get(name, 'assertions')}"), name)


def __dir__() -> list[str]:
    return sorted([*globals(), *__all__, "__version__"])

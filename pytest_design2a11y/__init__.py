"""Visual similarity and accessibility rates of generated pages, in pytest.

Lists all public names, loaded on first use, so that importing the package is cheap.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pytest_design2a11y.accessibility import rates_from_axe
    from pytest_design2a11y.exceptions import (
        AppearanceUnavailable,
        AxeError,
        AxesDiffer,
        AxeTimeout,
        BlocksFileInvalid,
        BrowserLost,
        BrowserNotFound,
        CaptureError,
        ConfigurationError,
        Design2a11yError,
        EmptyDocument,
        FontsMissing,
        HtmlcsError,
        HtmlcsTimeout,
        InputTooLarge,
        MeasurementError,
        MeasurementTimeout,
        MemoryLimit,
        MissingAssets,
        NavigatedAway,
        NavigationFailed,
        NeverShown,
        NodeDiffers,
        NotComparable,
        NothingToCheck,
        NotHtml,
        NotText,
        NoVisibleText,
        OcrUnavailable,
        PageTooLarge,
        PictureTooLarge,
        PictureUnreadable,
        ProbeError,
        ProbeTimeout,
        RendererCrash,
        RenderTimeout,
        RunError,
        RunNotFound,
        RunUnreadable,
        SourceError,
        SourceNotFound,
        StepFailed,
        TooMuchText,
        UncomparedMeasurement,
        Unstable,
        WorkerCrashed,
    )
    from pytest_design2a11y.measuring.measures import score_blocks
    from pytest_design2a11y.measuring.reward import reward
    from pytest_design2a11y.models.audit import AccessibilityRates
    from pytest_design2a11y.models.metric import Finding, Measured, Metric
    from pytest_design2a11y.models.page import Answer, Capture
    from pytest_design2a11y.models.run import Evaluation
    from pytest_design2a11y.models.visual import Block, VisualScore
    from pytest_design2a11y.plugin.assertions import (
        assert_accessible,
        assert_fidelity,
        assert_ir,
        assert_iwir,
        assert_no_differences,
        assert_visual_similarity,
        audit,
        evaluate,
        visual_similarity,
    )
    from pytest_design2a11y.plugin.page_pairs import page_pairs
    from pytest_design2a11y.plugin.rendering import Render, RenderAsync
    from pytest_design2a11y.scorer import AsyncScorer, Scorer

__all__ = [
    "AccessibilityRates",
    "Answer",
    "AppearanceUnavailable",
    "AsyncScorer",
    "AxeError",
    "AxeTimeout",
    "AxesDiffer",
    "Block",
    "BlocksFileInvalid",
    "BrowserLost",
    "BrowserNotFound",
    "Capture",
    "CaptureError",
    "ConfigurationError",
    "Design2a11yError",
    "EmptyDocument",
    "Evaluation",
    "Finding",
    "FontsMissing",
    "HtmlcsError",
    "HtmlcsTimeout",
    "InputTooLarge",
    "Measured",
    "MeasurementError",
    "MeasurementTimeout",
    "MemoryLimit",
    "Metric",
    "MissingAssets",
    "NavigatedAway",
    "NavigationFailed",
    "NeverShown",
    "NoVisibleText",
    "NodeDiffers",
    "NotComparable",
    "NotHtml",
    "NotText",
    "NothingToCheck",
    "OcrUnavailable",
    "PageTooLarge",
    "PictureTooLarge",
    "PictureUnreadable",
    "ProbeError",
    "ProbeTimeout",
    "Render",
    "RenderAsync",
    "RenderTimeout",
    "RendererCrash",
    "RunError",
    "RunNotFound",
    "RunUnreadable",
    "Scorer",
    "SourceError",
    "SourceNotFound",
    "StepFailed",
    "TooMuchText",
    "UncomparedMeasurement",
    "Unstable",
    "VisualScore",
    "WorkerCrashed",
    "assert_accessible",
    "assert_fidelity",
    "assert_ir",
    "assert_iwir",
    "assert_no_differences",
    "assert_visual_similarity",
    "audit",
    "evaluate",
    "page_pairs",
    "rates_from_axe",
    "reward",
    "score_blocks",
    "visual_similarity",
]

#: Modules that define the names, except those of `plugin.assertions`.
_HOMES = {
    "accessibility": ("rates_from_axe",),
    "exceptions": (
        "AppearanceUnavailable",
        "AxeError",
        "AxeTimeout",
        "AxesDiffer",
        "BlocksFileInvalid",
        "BrowserLost",
        "BrowserNotFound",
        "CaptureError",
        "ConfigurationError",
        "Design2a11yError",
        "EmptyDocument",
        "FontsMissing",
        "HtmlcsError",
        "HtmlcsTimeout",
        "InputTooLarge",
        "MeasurementError",
        "MeasurementTimeout",
        "MemoryLimit",
        "MissingAssets",
        "NavigatedAway",
        "NavigationFailed",
        "NeverShown",
        "NoVisibleText",
        "NodeDiffers",
        "NotComparable",
        "NotHtml",
        "NotText",
        "NothingToCheck",
        "OcrUnavailable",
        "PageTooLarge",
        "PictureTooLarge",
        "PictureUnreadable",
        "ProbeError",
        "ProbeTimeout",
        "RenderTimeout",
        "RendererCrash",
        "RunError",
        "RunNotFound",
        "RunUnreadable",
        "SourceError",
        "SourceNotFound",
        "StepFailed",
        "TooMuchText",
        "UncomparedMeasurement",
        "Unstable",
        "WorkerCrashed",
    ),
    "measuring.measures": ("score_blocks",),
    "measuring.reward": ("reward",),
    "models.audit": ("AccessibilityRates",),
    "models.metric": ("Finding", "Measured", "Metric"),
    "models.page": ("Answer", "Capture"),
    "models.run": ("Evaluation",),
    "models.visual": ("Block", "VisualScore"),
    "plugin.page_pairs": ("page_pairs",),
    "plugin.rendering": ("Render", "RenderAsync"),
    "scorer": ("AsyncScorer", "Scorer"),
}


def __getattr__(name: str) -> Any:
    if name == "__version__":
        from importlib.metadata import version

        return version("pytest-design2a11y")
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    home = next((home for home, names in _HOMES.items() if name in names), "plugin.assertions")
    return getattr(import_module(f"{__name__}.{home}"), name)


def __dir__() -> list[str]:
    return sorted([*globals(), *__all__, "__version__"])

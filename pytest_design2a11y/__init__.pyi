"""The public names; `__init__.py` loads each on first use."""

from .accessibility import rates_from_axe as rates_from_axe
from .async_scorer import AsyncScorer as AsyncScorer
from .exceptions import (
    AppearanceUnavailable as AppearanceUnavailable,
    AxeError as AxeError,
    AxesDiffer as AxesDiffer,
    AxeTimeout as AxeTimeout,
    BrowserLost as BrowserLost,
    BrowserNotFound as BrowserNotFound,
    CaptureError as CaptureError,
    ConfigurationError as ConfigurationError,
    Design2a11yError as Design2a11yError,
    EmptyDocument as EmptyDocument,
    HtmlcsError as HtmlcsError,
    InputTooLarge as InputTooLarge,
    MeasurementError as MeasurementError,
    MeasurementTimeout as MeasurementTimeout,
    MemoryLimit as MemoryLimit,
    NavigatedAway as NavigatedAway,
    NavigationFailed as NavigationFailed,
    NotComparable as NotComparable,
    NothingToCheck as NothingToCheck,
    NotHtml as NotHtml,
    NoVisibleText as NoVisibleText,
    OcrUnavailable as OcrUnavailable,
    PageTooLarge as PageTooLarge,
    PictureTooLarge as PictureTooLarge,
    PictureUnreadable as PictureUnreadable,
    ProbeError as ProbeError,
    RendererCrash as RendererCrash,
    RenderTimeout as RenderTimeout,
    RunError as RunError,
    RunNotFound as RunNotFound,
    RunUnreadable as RunUnreadable,
    SourceError as SourceError,
    SourceNotFound as SourceNotFound,
    StepFailed as StepFailed,
    TooMuchText as TooMuchText,
    UncomparedMeasurement as UncomparedMeasurement,
    Unstable as Unstable,
    WorkerCrashed as WorkerCrashed,
)
from .measuring.measures import score_blocks as score_blocks
from .measuring.records import reward as reward
from .models.audit import AccessibilityRates as AccessibilityRates
from .models.metric import Measured as Measured, Metric as Metric
from .models.page import Answer as Answer, Capture as Capture
from .models.evaluation import Evaluation as Evaluation
from .models.visual import Block as Block, VisualScore as VisualScore
from .plugin.assertions import (
    assert_accessible as assert_accessible,
    assert_fidelity as assert_fidelity,
    assert_ir as assert_ir,
    assert_iwir as assert_iwir,
    assert_no_differences as assert_no_differences,
    assert_visual_similarity as assert_visual_similarity,
    audit as audit,
    evaluate as evaluate,
    visual_similarity as visual_similarity,
)
from .plugin.fixtures import page_pairs as page_pairs
from .plugin.rendering import Render as Render
from .runs import load_run as load_run
from .scorer import Scorer as Scorer

__version__: str
__all__: list[str]

"""Measure two captures, or one; pairs whose numbers would be meaningless are refused."""

from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from typing import Any, TypeVar

from pytest_design2a11y.blocks import find_published_blocks
from pytest_design2a11y.exceptions import (
    ConfigurationError,
    MeasurementTimeout,
    NoVisibleText,
    TimeLimit,
    TooMuchText,
)
from pytest_design2a11y.matching import match_as_published, match_blocks
from pytest_design2a11y.measuring.conditions import clip_backend, keep_score, known_score, pair_key, text_of
from pytest_design2a11y.measuring.pictures import comparable_part, require_same_layout
from pytest_design2a11y.measuring.whole_page import WHOLE_PAGE, with_whole_page
from pytest_design2a11y.models.elements import Screenshot
from pytest_design2a11y.models.evaluation import Evaluation
from pytest_design2a11y.models.masking import masked_like
from pytest_design2a11y.models.metrics import VISUAL_COMPONENTS
from pytest_design2a11y.models.option import TextRatio
from pytest_design2a11y.models.page import Capture, CaptureWarning
from pytest_design2a11y.models.run import is_page_fault
from pytest_design2a11y.models.visual import Block, VisualScore
from pytest_design2a11y.settings import Settings
from pytest_design2a11y.visual import embedded_appearance, score_matching
from pytest_design2a11y.visual.clip import TextlessPicture, clip_appearance
from pytest_design2a11y.visual.same_text import Reading, read_as_design
from pytest_design2a11y.wording import flag

#: Comparing two rendered pages gets the rest of the candidate's time, but at least this many seconds.
LEAST_MEASURING_SECONDS = 1.0


T = TypeVar("T")


@dataclass(frozen=True, eq=False)
class Work:
    """Pages, how they are measured, and the results or errors of finished steps."""

    candidate: Capture
    reference: Capture | None
    settings: Settings
    done: "dict[Callable[[Work], Any], Any]" = field(default_factory=dict)

    def __post_init__(self) -> None:
        """Mask a design's picture where the page has its masked elements."""
        if self.reference is not None:
            object.__setattr__(self, "reference", masked_like(self.reference, self.candidate))

    def once(self, step: "Callable[[Work], T]") -> T:
        """Return a step's result, computed once; if it raised an error, raise it again."""
        if step not in self.done:
            try:
                self.done[step] = step(self)
            except Exception as error:
                self.done[step] = error
        given = self.done[step]
        if isinstance(given, Exception):
            raise given
        return given  # type: ignore[no-any-return]

    def given(self, step: "Callable[[Work], T]") -> T | None:
        """Return a step's result; None if it failed, or nothing needed it."""
        given = self.done.get(step)
        return None if isinstance(given, Exception) else given


def score_blocks(
    reference_blocks: Sequence[Block], candidate_blocks: Sequence[Block], *, text_ratio: TextRatio = "indel"
) -> VisualScore:
    """Score how alike two pages are by their text blocks alone, without the fifth component.

    Args:
        reference_blocks: Text blocks of the design, in document order.
        candidate_blocks: Text blocks of the generated page, in document order.
        text_ratio: "indel", or "difflib" for comparison with published tables.

    Returns:
        The four components and their mean; all 0 where either side has no blocks.

    Raises:
        ConfigurationError: There is no such text ratio.
        TooMuchText: A page has more text than can be matched.

    Examples:
        >>> from pytest_design2a11y import Block, score_blocks
        >>> design = [Block("log in", (0.1, 0.1, 0.2, 0.05), (0, 0, 0))]
        >>> lower = [Block("log in", (0.1, 0.2, 0.2, 0.05), (0, 0, 0))]
        >>> round(score_blocks(design, lower).position, 3)
        0.9
        >>> score_blocks(design, design).score
        1.0

    References:
        Si et al., "Design2Code", NAACL 2025, arXiv 2403.03163.
    """
    return score_matching(match_blocks(reference_blocks, candidate_blocks, text_ratio=text_ratio))


def measure_visual(reference: Capture, candidate: Capture, *, settings: Settings) -> VisualScore:
    """Score how alike two rendered pages are."""
    return visual_score(Work(candidate, reference, settings))


def count_as_published(evaluation: Evaluation, reference: Capture | None, settings: Settings) -> Evaluation:
    """Score a candidate that failed by its own fault as the published code does: as a white page."""
    if settings.published is None or reference is None or not is_page_fault(evaluation):
        return evaluation
    import numpy

    viewport = reference.viewport
    width, height = size = reference.page_size if viewport is None else viewport.size
    white = Capture(
        label=evaluation.candidate,
        role="candidate",
        image=Screenshot.of_pixels(numpy.full((height, width, 3), 255, numpy.uint8)),
        page_size=size,
        text_runs=(),
        warnings=(),
        environment=reference.environment,
        viewport=viewport,
    )
    visual = measure_visual(reference, white, settings=settings)
    warning = CaptureWarning(
        "counted_as_white",
        f"The page could not be measured; its visual score is that of a white page, as {settings.published} "
        "counts such pages.",
    )
    return replace(evaluation, visual=visual, warnings=(*evaluation.warnings, warning))


def visual_score(work: Work) -> VisualScore:
    """Score how alike two pages are, text and the rest; NoVisibleText for a design without text."""
    candidate, reference, settings = work.candidate, work.reference, work.settings
    assert reference is not None
    require_same_layout(candidate, reference)
    require_unread(candidate, reference)
    key = None
    if settings.cache_folder is not None and candidate.digest is not None:
        how = (settings.text_ratio, settings.published, settings.appearance, settings.picture_crop)
        key = pair_key(reference, candidate, how)
        if (known := known_score(key)) is not None:
            return known
    time_limit = _time(settings, candidate)
    candidate = comparable_part(candidate, reference, crop=settings.picture_crop)
    score = _five_components(reference, candidate, settings, time_limit)
    reading = read_as_design(reference, candidate) if settings.published is None else None
    try:
        if reading is None:
            score = with_whole_page(score, reference, candidate, time_limit)
        else:
            score = _as_read(score, reference, reading, settings, time_limit)
    except (MeasurementTimeout, TooMuchText) as error:
        # The text has been scored, whatever the rest of a page takes that repeats itself.
        return replace(score, unmeasured=dict.fromkeys(WHOLE_PAGE, error.what))
    if key is not None:
        keep_score(key, score)
    return score


def _as_read(
    score: VisualScore, reference: Capture, reading: Reading, settings: Settings, time_limit: TimeLimit
) -> VisualScore:
    """Return a pair's score with all but its five components measured on the page as it reads."""
    read = _five_components(reference, reading.page, settings, time_limit)
    read = with_whole_page(read, reference, reading.page, time_limit)

    def placed(block: Block) -> Block:
        return replace(block, owners=reading.owners_of(block.owners))

    matches = tuple(replace(match, candidate=placed(match.candidate)) for match in read.matches)
    figures: dict[str, Any] = {name: getattr(score, name) for name in ("score", *VISUAL_COMPONENTS)}
    return replace(read, **figures, matches=matches, extra=tuple(map(placed, read.extra)))


def _five_components(
    reference: Capture, candidate: Capture, settings: Settings, time_limit: TimeLimit
) -> VisualScore:
    blocks = [_blocks(page, settings, time_limit) for page in (reference, candidate)]
    if not blocks[0] and settings.published is None:
        explained = [warning.message for warning in reference.warnings if warning.code == "nothing_shown"]
        raise NoVisibleText(
            f"The reference {reference.label.replace('<html>', 'given as HTML text')} shows no text.",
            advice=" ".join(explained) or "Visual similarity matches text; compare pages that show some.",
        )
    if settings.published is None:
        matching = match_blocks(*blocks, text_ratio=settings.text_ratio, time_limit=time_limit)
    else:
        matching = match_as_published(*blocks, published=settings.published, time_limit=time_limit)
    pictures: dict[str, Any] = {
        "reference": reference.screenshot,
        "candidate": candidate.screenshot,
        "reference_boxes": [block.box for block in blocks[0]],
        "candidate_boxes": [block.box for block in blocks[1]],
    }
    if settings.appearance == "embedded":
        appearance, backend = embedded_appearance(**pictures, time_limit=time_limit), "embedded"
    else:
        clip = clip_backend(settings.appearance, settings.clip_batch, settings.cache_folder)
        appearance, backend = clip_appearance(**pictures, backend=clip), clip.identity
    return score_matching(matching, appearance=appearance, appearance_backend=backend)


def require_unread(candidate: Capture, reference: Capture) -> None:
    """Refuse a page that got files of its design, which a page rendered after its design does not get."""
    from pytest_design2a11y.capture.assets import read_of_design

    if files := ", ".join(read_of_design(candidate, reference)):
        raise ConfigurationError(
            f"{candidate.label} loaded {files}, which belongs to its design {reference.label}.",
            advice="Render the design first, so that the page cannot load it; with design2a11y_render, also "
            "give reference=design.",
        )


def _blocks(capture: Capture, settings: Settings, time_limit: TimeLimit) -> tuple[Block, ...]:
    if settings.published is None:
        return text_of(capture, time_limit)[0]
    if capture.is_picture:
        raise ConfigurationError(
            f"{capture.label} is a picture, and no figures are published for pictures.",
            advice=f"Leave out {flag('published')}, or give the page itself.",
        )
    return find_published_blocks(
        text_runs=capture.text_runs, screenshot=capture.screenshot, time_limit=time_limit
    )


def embed_together(captures: Sequence[Capture], *, settings: Settings) -> None:
    """Embed the pictures of the pages to be scored next; scoring a page reports if that fails."""
    if settings.appearance == "embedded":
        return
    pictures: list[TextlessPicture] = []
    with suppress(Exception):
        for capture in captures:
            blocks = _blocks(capture, settings, _time(settings, capture))
            pictures.append(TextlessPicture(capture.screenshot, tuple(block.box for block in blocks)))
        clip_backend(settings.appearance, settings.clip_batch, settings.cache_folder).embed(pictures)


def _time(settings: Settings, candidate: Capture) -> TimeLimit:
    return TimeLimit(max(LEAST_MEASURING_SECONDS, settings.capture.timeout - candidate.seconds))

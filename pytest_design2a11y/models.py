"""The records that the stages hand on: frozen, free of behaviour, free of the browser."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any, Literal

if TYPE_CHECKING:
    import numpy
    from numpy.typing import NDArray

    from pytest_design2a11y.exceptions import MeasurementError
    from pytest_design2a11y.standards import Impact, Status, TextRatio

Box = tuple[float, float, float, float]
"""(x, y, width, height): page pixels in captures, fractions of the page in blocks."""

Color = tuple[int, int, int]
"""(red, green, blue), each 0..255, sRGB."""

CaseKey = tuple[str, str | None, str | None]
"""Case, prompt and model."""

Accepted = Mapping[str, Mapping[str, int]]
"""How many failing elements are accepted, by evaluation and rule."""

Role = Literal["reference", "candidate"]


@dataclass(frozen=True, slots=True)
class CaptureWarning:
    """Something about a page that did not stop its measurement.

    Attributes:
        code: A stable name, such as "markdown_fence_stripped".
        message: One sentence for the user.
        count: How many times, where that means something.
    """

    code: str
    message: str
    count: int = 1


@dataclass(frozen=True, slots=True)
class Document:
    """What is to be rendered, as the source stage understood it.

    Attributes:
        label: How reports name it: the path as given, the URL, or "<html>".
        html: The page's bytes, or None for a URL that the browser loads itself.
        url: The address of a URL source, else None.
        folder: The folder whose files the page may load, or None.
        warnings: What had to be done to the input.
    """

    label: str
    html: bytes | None
    url: str | None = None
    folder: str | None = None
    warnings: tuple[CaptureWarning, ...] = ()


@dataclass(frozen=True)
class Screenshot:
    """A full-page picture at scale 1."""

    png: bytes = field(repr=False)

    @cached_property
    def pixels(self) -> NDArray[numpy.uint8]:
        """The picture as (height, width, 3) sRGB, read-only."""
        import io

        import numpy
        from PIL import Image

        with Image.open(io.BytesIO(self.png)) as image:
            pixels = numpy.asarray(image if image.mode == "RGB" else image.convert("RGB"))
        pixels.flags.writeable = False
        return pixels


@dataclass(frozen=True, slots=True)
class TextRun:
    """Text that a person sees, as the browser laid it out.

    Attributes:
        text: As rendered: white space collapsed, text-transform applied.
        boxes: One box a line fragment, page pixels, clipped to what is visible.
        color: The computed text colour.
        owner: Number of the element that owns the text; runs with one owner form one block.
        alpha: How opaque the text is painted, 0..1: colour's alpha times every opacity around it;
            0 where a gradient or picture fills the text, so that its colours are not known.
    """

    text: str
    boxes: tuple[Box, ...]
    color: Color
    owner: int
    alpha: float = 1.0


@dataclass(frozen=True, slots=True)
class CheckedNode:
    """An element that failed a check, or that needs a person to judge.

    Attributes:
        target: Selector, frames and shadow roots joined by " >>> ".
        html: The element's start, shortened.
        impact: How bad it is; None where axe gives none.
        summary: What to do, in axe's words.
        box: Where it is, in page pixels; None where it has no box.
        data: Facts that the check gives, such as both colours and the ratio of a contrast failure.
    """

    target: str
    html: str
    impact: Impact | None
    summary: str
    box: Box | None = None
    data: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class RuleOutcome:
    """What one accessibility rule found on a page; the counts are of (rule, node) checks."""

    rule: str
    help: str
    help_url: str
    tags: tuple[str, ...]
    impact: Impact | None
    num_passes: int = 0
    num_violations: int = 0
    num_incomplete: int = 0
    violations_by_impact: Mapping[Impact, int] = field(default_factory=dict)
    violations: tuple[CheckedNode, ...] = ()
    incomplete: tuple[CheckedNode, ...] = ()


@dataclass(frozen=True, slots=True)
class Audit:
    """What axe-core found on a page: counts of everything, details of what failed.

    Attributes:
        axe_version: The version of the script that ran.
        rules: Every rule that applied, sorted by id.
        elements_checked: Distinct elements that any rule checked.
        elements_failed: Distinct elements with a violation.
    """

    axe_version: str
    rules: tuple[RuleOutcome, ...]
    elements_checked: int
    elements_failed: int


@dataclass(frozen=True, slots=True)
class AuditChoice:
    """Which accessibility rules run, and where; the default is all of axe's default rules on the whole page.

    Attributes:
        tags: Only rules with one of these tags; empty: axe's default set.
        rules_on: Rules that run whatever their tags.
        rules_off: Rules that do not run.
        include: Selectors of the parts to check; empty: the whole page.
        exclude: Selectors of parts to leave out.
        minimum_impact: Failures below this impact count as passed; None: all count.
    """

    tags: tuple[str, ...] = ()
    rules_on: tuple[str, ...] = ()
    rules_off: tuple[str, ...] = ()
    include: tuple[str, ...] = ()
    exclude: tuple[str, ...] = ()
    minimum_impact: Impact | None = None


@dataclass(frozen=True, slots=True)
class Environment:
    """What produced a result; results compare only where these agree.

    Attributes:
        chromium: Browser version.
        axe: axe-core version, None where no audit ran.
        package: Our version.
        playwright: Version of the driver.
        platform: Operating system and machine.
        sandbox: Whether Chromium's sandbox was on.
        javascript: Whether the page's scripts ran.
        allowed_hosts: Hosts that pages could load from.
    """

    chromium: str
    axe: str | None
    package: str
    playwright: str = ""
    platform: str = ""
    sandbox: bool = True
    javascript: bool = True
    allowed_hosts: tuple[str, ...] = ()


@dataclass(frozen=True, eq=False)
class Capture:
    """One page, rendered once; everything after it is a pure function of data.

    Attributes:
        label: How reports name the page.
        role: Which side of a comparison it is on.
        screenshot: The full page.
        page_size: Width and height of the screenshot in pixels.
        text_runs: Visible text in document order.
        audit: Accessibility findings; None where not asked for, or where it failed.
        warnings: In order of appearance.
        environment: What rendered it.
        audit_choice: Which accessibility rules ran, and where; None without an audit.
        audit_error: Why there are no findings, though they were asked for.
    """

    label: str
    role: Role
    screenshot: Screenshot = field(repr=False)
    page_size: tuple[int, int]
    text_runs: tuple[TextRun, ...] = field(repr=False)
    audit: Audit | None = field(repr=False)
    warnings: tuple[CaptureWarning, ...]
    environment: Environment
    audit_choice: AuditChoice | None = None
    audit_error: MeasurementError | None = None


@dataclass(frozen=True, slots=True)
class Block:
    """A text block: the unit that visual similarity counts.

    Attributes:
        text: Lower-cased text that one element owns.
        box: (x, y, width, height) of its ink as fractions of the page's width and height.
        color: Mean sRGB of its text, each 0..255.
    """

    text: str
    box: Box
    color: Color


@dataclass(frozen=True, slots=True)
class Matching:
    """Which block was taken for which, after merging.

    Attributes:
        reference: The reference's blocks as merged.
        candidate: The candidate's blocks as merged.
        pairs: (index in reference, index in candidate, text ratio), in the reference's order.
        text_ratio: Which text ratio was used.
    """

    reference: tuple[Block, ...]
    candidate: tuple[Block, ...]
    pairs: tuple[tuple[int, int, float], ...]
    text_ratio: TextRatio


@dataclass(frozen=True, slots=True)
class Match:
    """A reference block and the candidate block taken for it, with how alike they are (0..1 each)."""

    reference: Block
    candidate: Block
    text: float
    position: float
    color: float


@dataclass(frozen=True, slots=True)
class VisualScore:
    """Visual similarity of two pages, each number in [0, 1].

    Attributes:
        score: Mean of the components that were measured.
        block_match: Share of the block area that was matched.
        text: Mean text ratio of the matches.
        position: Mean nearness of the matches' centres.
        color: Mean colour similarity of the matches.
        appearance: Similarity of the pictures without their text; None where not measured.
        text_ratio: Which text ratio was used.
        appearance_backend: What computed `appearance`; None where not measured.
        matches: The pairs, in the reference's order.
        missing: Reference blocks without a match.
        extra: Candidate blocks without a match.
    """

    score: float
    block_match: float
    text: float
    position: float
    color: float
    appearance: float | None
    text_ratio: TextRatio
    appearance_backend: str | None = None
    matches: tuple[Match, ...] = field(default=(), repr=False)
    missing: tuple[Block, ...] = field(default=(), repr=False)
    extra: tuple[Block, ...] = field(default=(), repr=False)


@dataclass(frozen=True, slots=True)
class AccessibilityRates:
    """How inaccessible a page is, as far as automated rules can tell.

    Attributes:
        checked: Number of (rule, node) checks: failed + incomplete + passed.
        failed: Checks that failed.
        incomplete: Checks that need a person to judge.
        ir: failed / checked, 0..1.
        iwir: Mean severity of the failures, 0..1; 0 without failures.
        weighted_ir: ir x iwir, 0..1: falls whenever any failure is mended.
        elements_checked: Distinct elements checked.
        elements_failed: Distinct elements with a failure.
        ir_elements: elements_failed / elements_checked, 0..1.
        status: "green", "yellow" or "red".
        by_impact: Failed checks per impact, only impacts that occur.
    """

    checked: int
    failed: int
    incomplete: int
    ir: float
    iwir: float
    weighted_ir: float
    elements_checked: int
    elements_failed: int
    ir_elements: float
    status: Status
    by_impact: Mapping[Impact, int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Verdict:
    """One limit applied to one value.

    Attributes:
        metric: Metric id.
        operator: ">", ">=", "<" or "<=".
        limit: What was asked for.
        value: What was measured.
        is_passed: Whether the value keeps the limit.
        origin: Where the limit was set: "call", "marker", "command line" or "ini file".
    """

    metric: str
    operator: str
    limit: float
    value: float
    is_passed: bool
    origin: str


@dataclass(frozen=True, slots=True)
class CaseJudgement:
    """One limit applied to a case with several samples, by what they come to together.

    Attributes:
        case: Which case.
        prompt: Of which prompt, where known.
        model: Of which model, where known.
        metric: Metric id.
        operator: ">", ">=", "<" or "<=".
        limit: What was asked for.
        origin: Where the limit was set.
        is_passed: Whether the case keeps the limit.
        sentence: What the samples come to, for the user.
    """

    case: str
    prompt: str | None
    model: str | None
    metric: str
    operator: str
    limit: float
    origin: str
    is_passed: bool
    sentence: str

    @property
    def case_key(self) -> CaseKey:
        """The case, of one prompt and one model."""
        return self.case, self.prompt, self.model


@dataclass(frozen=True, slots=True)
class Subject:
    """What an evaluation is about, as in `Evaluation`; an empty case stands for the page's path."""

    id: str
    case: str
    sample: str = "1"
    prompt: str | None = None
    model: str | None = None


@dataclass(frozen=True, slots=True)
class Failure:
    """Why there is no measurement: the error's type name and its message."""

    type: str
    message: str


@dataclass(frozen=True, slots=True)
class Evaluation:
    """All that is known of one candidate: the record that is reported, saved and compared.

    Attributes:
        id: Unique in a run; the test's node id in pytest, the pair's id on the command line.
        case: The reference's name: results of several runs are paired by it.
        sample: Which generation for that case it is.
        reference: Label of the reference; None for an audit alone.
        candidate: Label of the candidate.
        visual: None where there is no reference, or an error.
        accessibility: Rates of the candidate; None where not measured.
        audit: Findings on the candidate.
        reference_accessibility: Rates of the reference, where asked for.
        verdicts: Limits applied.
        warnings: Of both pages.
        error: Why a measurement is missing; None where all were made.
        environment: What produced it; None where no page was rendered.
        settings: Choices that the numbers depend on.
        page_sizes: Pixels (width, height) of reference and candidate screenshots, by role.
        pictures: Paths of stored pictures by role, where a report was asked for.
        prompt: Name of the prompt, where known.
        model: Name of the model, where known.
        tries: Which try of its test it is, the last one; more than 1 where a plugin ran the test again.
    """

    id: str
    case: str
    candidate: str
    sample: str = "1"
    reference: str | None = None
    visual: VisualScore | None = None
    accessibility: AccessibilityRates | None = None
    audit: Audit | None = None
    reference_accessibility: AccessibilityRates | None = None
    verdicts: tuple[Verdict, ...] = ()
    warnings: tuple[CaptureWarning, ...] = ()
    error: Failure | None = None
    environment: Environment | None = None
    settings: Mapping[str, Any] = field(default_factory=dict)
    page_sizes: Mapping[str, tuple[int, int]] = field(default_factory=dict)
    pictures: Mapping[str, str] = field(default_factory=dict)
    prompt: str | None = None
    model: str | None = None
    tries: int = 1

    @property
    def case_key(self) -> CaseKey:
        """The case, of one prompt and one model: its samples share it."""
        return self.case, self.prompt, self.model


@dataclass(frozen=True, slots=True)
class Run:
    """All evaluations of one run.

    Attributes:
        name: As saved.
        created: ISO 8601 time, UTC.
        is_complete: False where the run ended early, or a crash took what a test had measured.
        evaluations: In order of case, sample and id.
    """

    name: str
    created: str
    is_complete: bool
    evaluations: tuple[Evaluation, ...]

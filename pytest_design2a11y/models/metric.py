"""A metric as one object, built in or from users; its arguments, and the result of measuring."""

import math
from collections.abc import Callable, Coroutine, Sequence
from dataclasses import dataclass, field
from importlib import import_module
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, TypedDict

from pytest_design2a11y.exceptions import ConfigurationError
from pytest_design2a11y.models.option import Impact, is_name

if TYPE_CHECKING:
    from pytest_design2a11y.models.page import Capture

ResultPart = Literal["visual", "accessibility", "delivered", "probes", "engines", "metrics", "warnings"]

#: Data that a metric is computed from: a condition that changes the data changes the metric.
Basis = Literal["design", "matching", "appearance", "audit", "engines", "probes"]

#: Where a metric is shown by default: "summary" is the table in the terminal, "wide" the same if there is
#: space, "report" the table of pages, "ranking" includes histories, "watched" is the list of changed cases.
ShownIn = Literal["summary", "wide", "report", "ranking", "watched"]


#: Default of `Metric.shown`.
SHOWN: tuple[ShownIn, ...] = ("summary", "report", "ranking")


class SavedMetric(TypedDict):
    """A metric in a saved run, for readers without the metric."""

    words: str
    is_higher_better: bool
    upper: float | None
    needs_design: bool
    version: str


class Pages(NamedTuple):
    """The pages that a metric measures."""

    candidate: "Capture"  # The generated page
    reference: "Capture | None"  # The design; None for a page audited without one


@dataclass(frozen=True, slots=True)
class Finding:
    """Something that a metric found, and where: shown in the report, on the picture of the page."""

    message: str  # One sentence for the user
    severity: Impact = "moderate"  # How bad it is
    # Left, top, width and height, CSS px of the page; None if it is not in one place
    box: tuple[float, float, float, float] | None = None
    role: Literal["reference", "candidate"] = "candidate"  # Which page it is on


@dataclass(frozen=True, slots=True)
class Measured:
    """The result of measuring if it is more than a number."""

    value: int | float | None  # From 0 to the metric's `upper`; None if the pages cannot be measured
    reason: str = ""  # Explanation of the value, or why it is None
    findings: Sequence[Finding] = ()  # Places that a person should look at
    warnings: Sequence[str] = ()  # Further remarks, one sentence each


#: Measures pages: returns a number, `Measured`, or None if they cannot be measured; may be a coroutine
#: function. If it raises, the value is null with a reason, for these pages only.
Measure = Callable[[Pages], "float | Measured | Coroutine[Any, Any, float | Measured | None] | None"]


@dataclass(frozen=True, slots=True)
class Computed:
    """Measures a built-in metric by a step of the pages' `Work`; metrics may share a step, run once."""

    step: str  # Module and function, imported on first use
    number: str = ""  # Which number of the step's result; "": the result is the number itself, or `Measured`

    def __call__(self, work: Any) -> Any:
        """Measure, or take the number from a step that has already run."""
        module, _, name = self.step.partition(":")
        given = work.once(getattr(import_module(f"pytest_design2a11y.{module}"), name))
        if given is None or isinstance(given, Measured) or not self.number:
            return given
        value, why = getattr(given, self.number), getattr(given, "unmeasured", {})
        return value if value is not None else Measured(None, why.get(self.number, ""))


@dataclass(frozen=True)
class Metric:
    """A number that users can set limits on, known by its name in limits, results and reports.

    Raises:
        ConfigurationError: A field is not valid.
    """

    name: str  # Lower-case letters, digits and _, such as "palette"
    words: str  # What it is, half a sentence, such as "share of the page in the design system's colors"
    is_higher_better: bool = True  # Whether higher values are better
    upper: float | None = None  # The largest possible value, or None. The smallest is 0.
    needs_design: bool = False  # Whether it compares a page with a design; without one it is not measured
    version: str = "1"  # Version of the method: values of different versions are not compared
    # Function or coroutine function that measures one or two pages. None: not installed here.
    measure: Measure | None = field(default=None, compare=False)
    keep: bool = False  # Whether values are cached in the cache folder, for pages with the same content
    timeout: float = 60.0  # Maximum seconds for measuring one page
    # For built-in metrics: part of a result that holds it; others are in `Evaluation.metrics`
    part: ResultPart = field(default="metrics", repr=False, kw_only=True)
    basis: tuple[Basis, ...] = field(default=(), repr=False, kw_only=True)  # Of built-in ones: the data used
    of: str = field(default="", repr=False, kw_only=True)  # Of built-in ones: whose component it is
    shown: tuple[ShownIn, ...] = field(default=SHOWN, repr=False, kw_only=True)  # Where it is shown
    # The file or module that provides it, for other processes
    source: str = field(default="", repr=False, compare=False, kw_only=True)

    def __post_init__(self) -> None:
        name = self.name
        if not is_name(name):
            raise ConfigurationError(
                f"{name!r} is not the name of a metric.", advice="Write lower-case letters, digits and _."
            )
        for field_name, is_valid, how in (
            ("words", isinstance(self.words, str) and self.words, "describe it in half a sentence"),
            ("is_higher_better", isinstance(self.is_higher_better, bool), "write True or False"),
            ("upper", self.upper is None or _is_above_zero(self.upper), "write a number above 0, or None"),
            ("needs_design", isinstance(self.needs_design, bool), "write True or False"),
            ("version", isinstance(self.version, str) and self.version, 'write a text, such as "1"'),
            ("measure", _takes_pages(self.measure), "give a function of one argument, the pages"),
            ("keep", isinstance(self.keep, bool), "write True or False"),
            ("timeout", _is_above_zero(self.timeout), "write seconds above 0"),
        ):
            if not is_valid:
                value = getattr(self, field_name)
                raise ConfigurationError(
                    f"{field_name}={value!r} of the metric {name!r} is not valid: {how}.",
                    advice="See docs/extending.md.",
                )
        object.__setattr__(self, "needs_design", self.needs_design or "design" in self.basis)
        if self.needs_design and not self.basis:
            object.__setattr__(self, "basis", ("design",))

    @property
    def is_own(self) -> bool:
        """Whether it came from outside this package."""
        return self.part == "metrics" and not isinstance(self.measure, Computed)

    @property
    def is_blind_to_missing(self) -> bool:
        """Whether it only counts failures, so that missing content goes unnoticed."""
        return "audit" in self.basis and "design" not in self.basis

    @property
    def is_of_engines(self) -> bool:
        """Whether it has values only in runs that other engines than axe-core audited."""
        return "engines" in self.basis

    @property
    def saved(self) -> dict[str, Any]:
        """Its fields in a saved run, as JSON values."""
        return {name: getattr(self, name) for name in SavedMetric.__annotations__}


def _takes_pages(measure: Any) -> bool:
    if measure is None or isinstance(measure, Computed):
        return True
    import inspect

    try:
        inspect.signature(measure).bind(None)
    except TypeError:
        return False
    except ValueError:  # Built-in functions may have no signature
        pass
    return True


def _is_above_zero(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and 0 < value < math.inf

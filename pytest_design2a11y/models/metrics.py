"""Tables: metrics with direction and bounds, impact weights, status limits."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar, Literal, NamedTuple, NoReturn

from pytest_design2a11y.exceptions import ConfigurationError
from pytest_design2a11y.models.choices import Impact

Status = Literal["green", "yellow", "red"]

SCHEMA_VERSION = 1

#: Severity of a failed check (IWIR's weights, after the empirical study that defined it).
IMPACT_WEIGHTS: dict[Impact, int] = {"minor": 1, "moderate": 3, "serious": 6, "critical": 10}
MAX_IMPACT_WEIGHT = 10


def severity_of(by_impact: Mapping[Impact, int]) -> int:
    """Sum the severities of failed checks, counted by impact."""
    return sum(IMPACT_WEIGHTS[impact] * count for impact, count in by_impact.items())


#: Status as in the study: red needs both rates above, green both at or below.
RED_IR, RED_IWIR = 0.25, 0.6
GREEN_IR, GREEN_IWIR = 0.10, 0.3


#: Said wherever a rate is told: no number of an automated check means that a page is accessible.
LIMITS_OF_CHECKS = "Automated checks find a part of the barriers only."


Part = Literal["visual", "accessibility", "delivered", "probes"]

#: What a metric is computed from: a condition that changes one of these changes the metric.
Basis = Literal["design", "matching", "appearance", "audit", "probes"]

#: Where a metric is shown without being asked for: "summary" is the table in the terminal, "wide" the
#: same where there is room, "report" the table of pages, "ranking" also histories, "watched" what is
#: told case by case.
Place = Literal["summary", "wide", "report", "ranking", "watched"]


class Metric(NamedTuple):
    """A number that users gate on. One name, its id, stands for it in limits, results and reports."""

    id: str  # Its name
    words: str  # What it is, half a sentence
    is_higher_better: bool  # The direction
    upper: float | None  # The largest possible value (the smallest is 0), or None where unbounded
    part: Part  # Which part of a result holds it; "delivered" and "probes": the evaluation itself
    basis: tuple[Basis, ...]  # What it is computed from
    of: str = ""  # The metric that it is a component of; "" where of none
    shown: tuple[Place, ...] = ()  # Where it is shown by default

    @property
    def label(self) -> str:
        """The heading in tables."""
        return self.id

    @property
    def is_blind_to_missing(self) -> bool:
        """Whether it counts what fails alone: what a page lacks cannot fail."""
        return self.basis == ("audit",)

    @property
    def needs_design(self) -> bool:
        """Whether it compares a page with a reference."""
        return "design" in self.basis


_ALWAYS: tuple[Place, ...] = ("summary", "report", "ranking")
_COMPONENT: tuple[Place, ...] = ("wide", "report")
_TEXT: tuple[Basis, ...] = ("design", "matching")


def _visual(
    id: str, words: str, basis: tuple[Basis, ...], of: str = "", shown: tuple[Place, ...] = ()
) -> Metric:
    return Metric(id, words, True, 1.0, "visual", basis, of, shown)


def _rate(id: str, words: str, shown: tuple[Place, ...] = (), upper: float | None = 1.0) -> Metric:
    return Metric(id, words, False, upper, "accessibility", ("audit",), shown=shown)


METRICS: dict[str, Metric] = {
    metric.id: metric
    for metric in (
        _visual(
            "fidelity", "(2 visual + 2 elements + typography) / 5: how alike the whole pages look",
            (*_TEXT, "appearance"), shown=(*_ALWAYS, "watched"),
        ),
        _visual(
            "visual", "mean of the five components of Design2Code",
            (*_TEXT, "appearance"), "fidelity", (*_ALWAYS, "watched"),
        ),
        _visual(
            "block_match", "share of the text's area that has a counterpart", _TEXT, "visual", _COMPONENT
        ),
        _visual("text", "how alike matched texts read", _TEXT, "visual", _COMPONENT),
        _visual("position", "how near matched texts are", _TEXT, "visual", _COMPONENT),
        _visual("color", "how alike matched texts are coloured", _TEXT, "visual", _COMPONENT),
        _visual(
            "appearance", "how alike the screenshots are, text boxes filled",
            ("design", "appearance"), "visual", _COMPONENT,
        ),
        _visual(
            "elements", "how alike everything is that is not text", ("design",), "fidelity", _COMPONENT
        ),
        _visual(
            "typography", "how alike sizes, families, weights and alignment of the text are",
            _TEXT, "fidelity", _COMPONENT,
        ),
        _visual("visual_preference", "the five components as people weigh them", (*_TEXT, "appearance")),
        _rate("ir", "share of checks that failed", _ALWAYS),
        _rate("iwir", "mean severity of what failed", _ALWAYS),
        _rate("weighted_ir", "how much failed, by severity: ir x iwir", ("ranking", "watched")),
        Metric(
            "delivered", "share of the design's text that reaches everyone",
            True, 1.0, "delivered", (*_TEXT, "audit"), shown=("wide", "report", "ranking"),
        ),
        _rate("ir_elements", "share of checked elements that have a failure"),
        _rate("failed", "number of failed checks", ("report",), upper=None),
        _rate("unaudited", "share of visible text that no rule looks at"),
        Metric(
            "probe_failures", "number of checks of probes that failed", False, None, "probes", ("probes",)
        ),
    )
}  # fmt: skip


#: A difference in matched text from which numbers that are blind to what is missing say it.
MISSING_CONTENT = 0.1


def severity_note(old: tuple[float, float], new: tuple[float, float], *, least: float = 0.0) -> str:
    """Explain an iwir that rises while weighted_ir falls, from the old pair of them to the new; else "".

    A change of either that is smaller than `least` is none.
    """
    rise, fall = new[0] - old[0], old[1] - new[1]
    if min(rise, fall) <= 0 or min(rise, fall) < least:
        return ""
    return (
        f"iwir rises ({old[0]:.4f} -> {new[0]:.4f}) while weighted_ir falls ({old[1]:.4f} -> {new[1]:.4f}): "
        "less fails, and what still fails is more severe on average; judge by weighted_ir"
    )


def components_of(metric: str) -> tuple[str, ...]:
    """Return the metrics that one is made of, in order."""
    return tuple(one.id for one in METRICS.values() if one.of == metric)


def shown_in(*places: Place) -> tuple[str, ...]:
    """Return the metrics that are shown by default, those of the first place first."""
    return tuple(one.id for place in places for one in METRICS.values() if place in one.shown)


VISUAL_COMPONENTS = components_of("visual")


class ManyNumbers:
    """A record that says which of its numbers to compare, where somebody compares it as a whole."""

    __slots__ = ()

    _comparing: ClassVar[str]

    def _refuse(self, other: object) -> NoReturn:
        __tracebackhide__ = True
        raise ConfigurationError(
            f"{type(self).__name__} holds several numbers and cannot be compared as a whole.",
            advice=self._comparing,
        )

    # One by one: of a chain, type checkers know the first alone.
    __lt__ = _refuse
    __le__ = _refuse
    __gt__ = _refuse
    __ge__ = _refuse

"""Evaluations, verdicts and runs."""

from __future__ import annotations

import gc
import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from typing import Annotated, Any, Literal, TypedDict

from pytest_design2a11y.models.audit import AccessibilityRates, Audit, EngineCounts, MergedCounts
from pytest_design2a11y.models.choices import AXE
from pytest_design2a11y.models.from_json import Count, Rule, Share, Unfit, from_json
from pytest_design2a11y.models.metrics import severity_note
from pytest_design2a11y.models.page import CaptureWarning, Environment
from pytest_design2a11y.models.probes import ProbeCounts, probe_failures
from pytest_design2a11y.models.serialization import to_dict
from pytest_design2a11y.models.summary import html, short_repr, summary
from pytest_design2a11y.models.visual import VisualScore

ReferenceKind = Literal["page", "picture"]

OPERATORS = (">", ">=", "<", "<=")
Operator = Annotated[
    str, Rule(lambda value: value in OPERATORS, f"one of {' '.join(OPERATORS)}", {"enum": list(OPERATORS)})
]

Axes = Mapping[str, str]
"""What a page varies in besides its case, such as {"model": "large", "prompt": "v2"}: name -> value."""

CaseKey = tuple[str, tuple[tuple[str, str], ...]]
"""A case along its axes, these in order of their names: what is compared only with its own kind."""

#: Axes that markers, pairs files and patterns name without `axes`.
USUAL_AXES = ("model", "prompt")

#: Axes of what one page was rendered in; a mean across them is always labelled.
RENDERING_AXES = ("viewport", "scheme", "locale", "timezone", "state", "part")

_AXIS_NAME = re.compile(r"\w[\w-]*")


def read_axes(values: Mapping[str, Any]) -> dict[str, str]:
    """Return the axes that a marker, a line of pairs or a saved line names: its `model`, `prompt` and `axes`.

    They come in order of their names, those without a value left out.
    """
    more = values.get("axes") or {}
    if not more and values.keys().isdisjoint(USUAL_AXES):
        return {}
    if not isinstance(more, Mapping):
        raise ValueError(f"axes are names with values, not {more!r}")
    axes: dict[str, str] = {}
    for name, value in (*((name, values.get(name)) for name in USUAL_AXES), *more.items()):
        if value is None or value == "":
            continue
        if not isinstance(name, str) or not _AXIS_NAME.fullmatch(name):
            raise ValueError(f"{name!r} is not the name of an axis: write letters, digits, - and _")
        if isinstance(value, bool) or not isinstance(value, str | int | float):
            raise ValueError(f"the axis {name!r} has the value {value!r}, which is not a text")
        if axes.setdefault(name, str(value)) != str(value):
            raise ValueError(f"the axis {name!r} is given twice: {axes[name]!r} and {value!r}")
    return dict(sorted(axes.items()))


def case_key(case: str, axes: Axes) -> CaseKey:
    """Return the key that the samples of a case along its axes share."""
    return case, tuple(sorted(axes.items()))


def case_name(key: CaseKey) -> str:
    """Name a case along its axes."""
    case, axes = key
    return " ".join([case, *(value for _name, value in axes)])


@dataclass(frozen=True, slots=True)
class Verdict:
    """One limit applied to one value."""

    metric: str  # Metric id
    operator: Operator  # ">", ">=", "<" or "<="
    limit: float  # What was asked for
    value: float  # What was measured
    is_passed: bool  # Whether the value keeps the limit
    origin: str  # Where the limit was set: "call", "marker", "command line" or "ini file"


@dataclass(frozen=True, slots=True)
class CaseJudgement:
    """One limit applied to a case with several samples, by what they come to together."""

    case: str  # Which case
    axes: Axes  # What its pages vary in besides
    metric: str  # Metric id
    operator: Operator  # ">", ">=", "<" or "<="
    limit: float  # What was asked for
    origin: str  # Where the limit was set
    is_passed: bool  # Whether the case keeps the limit
    sentence: str  # What the samples come to, for the user

    @property
    def case_key(self) -> CaseKey:
        """The case along its axes."""
        return case_key(self.case, self.axes)


@dataclass(frozen=True, slots=True)
class Subject:
    """What an evaluation is about, as in `Evaluation`; an empty case stands for the page's path."""

    id: str
    case: str
    sample: str = "1"
    axes: Axes = field(default_factory=dict)


def along(subject: Subject, axes: Axes) -> Subject:
    """Return a subject along these axes too."""
    return replace(subject, axes=dict(sorted({**subject.axes, **axes}.items()))) if axes else subject


def named_by(subject: Subject, own: Subject) -> Subject:
    """Return a subject with what is said of one page: its case and sample where not empty, and its axes."""
    return replace(
        along(subject, own.axes), case=own.case or subject.case, sample=own.sample or subject.sample
    )


@dataclass(frozen=True, slots=True)
class Failure:
    """Why there is no measurement."""

    type: str  # The error's type name
    message: str  # What happened, for the user
    role: str = ""  # Which side could not be rendered, "reference" or "candidate"; "" where that is not known


_PARTS = frozenset({"on_page", "unaudited", "failures", "others"})
DeliveredParts = Annotated[
    Mapping[str, Share],
    Rule(
        lambda parts: not parts or parts.keys() >= _PARTS,
        f"an object with {', '.join(sorted(_PARTS))}",
        {"required": sorted(_PARTS)},
    ),
]


@dataclass(frozen=True, slots=True, repr=False)
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
        audit: What axe-core found on the candidate.
        further_audits: What other engines found on it, by their names.
        merged: What all engines found, merged, where asked for.
        engines: What every engine counted on the candidate, by its name.
        probes: What probes came to on the candidate, by their names.
        probe_findings: What they found, by their names.
        reference_accessibility: Rates of the reference, where asked for.
        verdicts: Limits applied.
        warnings: Of both pages.
        error: Why a measurement is missing; None where all were made.
        environment: What produced it; None where no page was rendered.
        settings: The conditions that the numbers depend on, by name, as the captures recorded them; under
            "reference" those in which the reference's differ.
        page_sizes: Pixels (width, height) of reference and candidate screenshots, by role.
        pictures: Paths of stored pictures by role, where a report was asked for.
        axes: What the candidate varies in besides its case: its model, its prompt, the viewport ...
        tries: Which try of its test it is, the last one; more than 1 where a plugin ran the test again.
        candidate_digest: Equal for candidates that are the same byte for byte, with all that they load; None
            where that is not known.
        delivered: Share of the design's text that reaches everyone, 0..1; None where not measured.
        delivered_parts: What it comes from, 0..1 each: "on_page", less what "unaudited", "failures" and
            "others" take (see `accessibility.delivered`); empty where not measured.
    """

    id: str
    case: str
    candidate: str
    sample: str = "1"
    reference: str | None = None
    visual: VisualScore | None = None
    accessibility: AccessibilityRates | None = None
    audit: Audit | None = None
    further_audits: Mapping[str, Audit] = field(default_factory=dict)
    merged: MergedCounts | None = None
    engines: Mapping[str, EngineCounts] = field(default_factory=dict)
    probes: Mapping[str, ProbeCounts] = field(default_factory=dict)
    probe_findings: Mapping[str, Audit] = field(default_factory=dict)
    reference_accessibility: AccessibilityRates | None = None
    verdicts: tuple[Verdict, ...] = ()
    warnings: tuple[CaptureWarning, ...] = ()
    error: Failure | None = None
    environment: Environment | None = None
    settings: Mapping[str, Any] = field(default_factory=dict)
    page_sizes: Mapping[str, tuple[Count, Count]] = field(default_factory=dict)
    pictures: Mapping[str, str] = field(default_factory=dict)
    axes: Axes = field(default_factory=dict)
    tries: Count = 1
    candidate_digest: str | None = None
    delivered: Share | None = None
    delivered_parts: DeliveredParts = field(default_factory=dict)

    def __repr__(self) -> str:
        return short_repr(self)

    def summary(self) -> str:
        """Return what was compared and every metric that was measured, a line each, with warnings."""
        return summary(self)

    def to_dict(self, *, has_details: bool = False) -> dict[str, Any]:
        """Return the JSON object that `design2a11y score --json` prints, as Python values.

        Args:
            has_details: Whether blocks, elements and differences are told one by one.
        """
        return to_dict(self, has_details=has_details)

    def _repr_html_(self) -> str:
        return html(self)

    @property
    def reference_kind(self) -> ReferenceKind | None:
        """What the reference was; None where there was none."""
        if self.reference is None:
            return None
        own = self.settings.get("reference") or {}
        return "picture" if own.get("kind", self.settings.get("kind")) == "picture" else "page"

    @property
    def severity_note(self) -> str:
        """Explains an iwir above the design's with a weighted_ir below it; "" elsewhere."""
        design, page = self.reference_accessibility, self.accessibility
        if design is None or page is None:
            return ""
        return severity_note((design.iwir, design.weighted_ir), (page.iwir, page.weighted_ir))

    @property
    def audits(self) -> dict[str, Audit]:
        """What every engine found on the candidate, by its name, axe-core first."""
        own = {} if self.audit is None else {AXE: self.audit}
        return own | dict(self.further_audits)

    @property
    def told_warnings(self) -> tuple[CaptureWarning, ...]:
        """Its warnings, but for why there is no `delivered` where nobody could expect it."""
        is_expected = self.reference is not None and self.audit is not None
        return tuple(one for one in self.warnings if is_expected or one.code != "delivered_unmeasured")

    @property
    def probe_failures(self) -> int | None:
        """Failed checks of all probes; None where none ran, or one did not finish."""
        return probe_failures(self.probes)

    @property
    def case_key(self) -> CaseKey:
        """The case along its axes: its samples share it."""
        return case_key(self.case, self.axes)


def from_dict(record: Mapping[str, Any]) -> Evaluation:
    """Read what `to_dict` wrote; keys that this version does not know are passed over.

    The environment may be an `Environment` already, for records that share one.
    """
    told = {**record, "axes": read_axes(record), "further_audits": record.get("audits", {})}
    visual, audit = record.get("visual"), record.get("audit")
    if isinstance(visual, Mapping) and "appearance" in visual:
        try:
            appearance = from_json(_Appearance, visual["appearance"])
        except Unfit as error:
            raise error.within("visual.appearance") from None
        told["visual"] = {
            **visual, "appearance": appearance["value"], "appearance_backend": appearance["backend"]
        }  # fmt: skip
    if isinstance(audit, Mapping):  # The key's name in runs of 0.1.
        told["audit"] = {"version": audit.get("axe_version", ""), **audit}
    return from_json(Evaluation, told)


class _Appearance(TypedDict):
    """The fifth component of a visual score in a record."""

    value: Share | None
    backend: str | None


@dataclass(frozen=True, slots=True)
class Run:
    """All evaluations of one run."""

    name: str  # As saved
    created: str  # ISO 8601 time, UTC
    is_complete: bool  # False where the run ended early, or a crash took what a test had measured
    evaluations: tuple[Evaluation, ...]  # In order of case, sample and id
    labels: Mapping[str, str] = field(default_factory=dict)  # What its user says of it, by name
    # Of the user's repository, "-dirty" after it where files differed from it; "" where not known
    commit: str = ""
    # SHA-256 of the files that the pages were asked for with, in hexadecimal, by name
    prompts: Mapping[str, str] = field(default_factory=dict)


@contextmanager
def without_collecting() -> Iterator[None]:
    """Pause the collector of cycles: a run has none, and it would walk through all its records many times."""
    is_collecting = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if is_collecting:
            gc.enable()


def origin_text(commit: str, labels: Mapping[str, str], prompts: Mapping[str, str]) -> str:
    """Tell a run's commit, labels and prompt files; "" where it has none of them."""
    state = "-dirty" if commit.endswith("-dirty") else ""
    said = [f"commit {commit.removesuffix('-dirty')[:10]}{state}"] if commit else []
    said += [f"prompt file {prompts_text(prompts)}"] if prompts else []
    return ", ".join([*said, *(f"{name}={value}" for name, value in labels.items())])


def prompts_text(prompts: Mapping[str, str]) -> str:
    """Name prompt files with the beginning of their digests."""
    return " + ".join(f"{name} ({digest[:8]})" for name, digest in sorted(prompts.items()))

"""Evaluations, their summaries, verdicts and runs."""

from __future__ import annotations

import base64
import gc
import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from html import escape
from pathlib import Path
from typing import Any, TypedDict

from pytest_design2a11y.escaping import terminal_line
from pytest_design2a11y.models.evaluation import Axes, CaseKey, EvaluationRecord
from pytest_design2a11y.models.from_json import Share, Unfit, from_json
from pytest_design2a11y.models.metrics import METRICS, register_saved
from pytest_design2a11y.models.serialization import metric_values, to_dict
from pytest_design2a11y.models.verdict_words import sentence

#: Axes that markers, pairs files and patterns name without `axes`.
USUAL_AXES = ("model", "prompt")

#: Axes of what one page was rendered in; a mean across them is always labelled.
RENDERING_AXES = ("viewport", "scheme", "locale", "timezone", "state", "part")

_AXIS_NAME = re.compile(r"\w[\w-]*")


def read_axes(values: Mapping[str, Any]) -> dict[str, str]:
    """Return the axes that a marker, a line of pairs or a saved line names: its `model`, `prompt` and `axes`.

    They come in order of their names, those without a value left out; ValueError if malformed.
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


def case_name(key: CaseKey) -> str:
    """Name a case along its axes."""
    case, axes = key
    return " ".join([case, *(value for _name, value in axes)])


@dataclass(frozen=True, slots=True)
class Subject:
    """The subject of an evaluation, as in `Evaluation`; an empty case means the page's path."""

    id: str
    case: str
    sample: str = "1"
    axes: Axes = field(default_factory=dict)


def along(subject: Subject, axes: Axes) -> Subject:
    """Return a subject along these axes too."""
    return replace(subject, axes=dict(sorted({**subject.axes, **axes}.items()))) if axes else subject


def named_by(subject: Subject, own: Subject) -> Subject:
    """Return a subject updated by one page's own: its case and sample if not empty, and its axes."""
    return replace(
        along(subject, own.axes), case=own.case or subject.case, sample=own.sample or subject.sample
    )


@dataclass(frozen=True, slots=True, repr=False)
class Evaluation(EvaluationRecord):
    """All that is known of one candidate: the record that is reported, saved and compared.

    Its fields are those of `EvaluationRecord`.
    """

    def __repr__(self) -> str:
        return short_repr(self)

    def summary(self) -> str:
        """Return what was compared and every metric that was measured, a line each, with warnings."""
        return summary(self)

    def to_dict(self, *, has_details: bool = False) -> dict[str, Any]:
        """Return the JSON object that `design2a11y score --json` prints, as Python values.

        Args:
            has_details: Whether to list blocks, elements and differences.
        """
        return to_dict(self, has_details=has_details)

    def _repr_html_(self) -> str:
        return html(self)


def from_dict(record: Mapping[str, Any]) -> Evaluation:
    """Read what `to_dict` wrote; keys that this version does not know are ignored.

    The environment may be an `Environment` already, for records that share one.

    Raises:
        Unfit: A value is not valid; it has the value's place.
    """
    values = {**record, "axes": read_axes(record), "further_audits": record.get("audits", {})}
    visual, audit = record.get("visual"), record.get("audit")
    if record.get("metrics"):
        register_saved(record["settings"].get("metrics"))
    if isinstance(visual, Mapping) and "appearance" in visual:
        try:
            appearance = from_json(_Appearance, visual["appearance"])
        except Unfit as error:
            raise error.within("visual.appearance") from None
        values["visual"] = {
            **visual, "appearance": appearance["value"], "appearance_backend": appearance["backend"]
        }  # fmt: skip
    if isinstance(audit, Mapping):  # The key's name in runs of 0.1.
        values["audit"] = {"version": audit.get("axe_version", ""), **audit}
    return from_json(Evaluation, values)


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
    labels: Mapping[str, str] = field(default_factory=dict)  # Given by its user
    # Of the user's repository, "-dirty" after it where files differed from it; "" where not known
    commit: str = ""
    # SHA-256 of the prompt files, in hexadecimal, by name
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
    """Return a run's commit, labels and prompt files in words, or ""."""
    state = "-dirty" if commit.endswith("-dirty") else ""
    parts = [f"commit {commit.removesuffix('-dirty')[:10]}{state}"] if commit else []
    parts += [f"prompt file {prompts_text(prompts)}"] if prompts else []
    return ", ".join([*parts, *(f"{name}={value}" for name, value in labels.items())])


def prompts_text(prompts: Mapping[str, str]) -> str:
    """Name prompt files with the beginning of their digests."""
    return " + ".join(f"{name} ({digest[:8]})" for name, digest in sorted(prompts.items()))


_LONGEST = 160
_IMAGE = (
    '<td><img alt="{role}" style="max-width: 420px; max-height: 420px" src="data:image/{kind};base64,{data}">'
    "</td>"
)


def short_repr(evaluation: EvaluationRecord) -> str:
    """Return one line: what was compared, its first metrics, verdict and error."""
    shown = (one for one in _measured(evaluation) if "summary" in METRICS[one[0]].shown)
    values = [f"{name}={value:.4g}" for name, value in shown]
    error = [] if evaluation.error is None else [f"error={evaluation.error.type}"]
    pages = [
        repr(page if len(page) <= _LONGEST else f"...{page[-_LONGEST:]}")
        for page in (evaluation.reference, evaluation.candidate)
        if page is not None
    ]
    return f"<Evaluation {' -> '.join(pages)}: {', '.join([*values, *error]) or 'nothing measured'}>"


def summary(evaluation: EvaluationRecord) -> str:
    """Return what was compared, what was measured, verdicts, warnings, the error: a line each."""
    against = "" if evaluation.reference is None else f" against {evaluation.reference}"
    lines = [f"{evaluation.candidate}{against}"]
    for name, value in _measured(evaluation):
        lines.append(f"  {name:<18}{value:.4f}" if isinstance(value, float) else f"  {name:<18}{value}")
    for verdict in evaluation.verdicts:
        lines.append(f"{'keeps' if verdict.is_passed else 'BREAKS'} its limit: {sentence(verdict)}")
    lines += [f"warning: {warning.code}: {warning.message}" for warning in evaluation.warnings]
    if evaluation.error is not None:
        lines.append(f"error: {evaluation.error}")
    return "\n".join(map(terminal_line, lines))


def html(evaluation: EvaluationRecord) -> str:
    """Return the same as HTML, with the stored screenshots side by side."""
    pictures = "".join(_image(role, Path(path)) for role, path in evaluation.pictures.items())
    heading, *lines = summary(evaluation).splitlines()
    return (
        f"<b>{escape(heading)}</b><table><tr>{pictures}</tr></table><pre>{escape(chr(10).join(lines))}</pre>"
    )


def _image(role: str, path: Path) -> str:
    try:
        data = base64.b64encode(path.read_bytes()).decode()
    except OSError:
        return ""
    return _IMAGE.format(role=escape(role), kind=path.suffix.removeprefix("."), data=data)


def _measured(evaluation: EvaluationRecord) -> Iterator[tuple[str, float]]:
    values = zip(METRICS, metric_values(evaluation), strict=True)
    return ((name, value) for name, value in values if value is not None)

"""An evaluation in a few lines, for programs and notebooks."""

from __future__ import annotations

import base64
from collections.abc import Iterator
from html import escape
from pathlib import Path

from pytest_design2a11y.escaping import terminal_line
from pytest_design2a11y.models.evaluation import EvaluationRecord
from pytest_design2a11y.models.metrics import METRICS
from pytest_design2a11y.models.serialization import metric_values
from pytest_design2a11y.models.verdict_words import sentence

_LONGEST = 160
_IMAGE = (
    '<td><img alt="{role}" style="max-width: 420px; max-height: 420px" src="data:image/{kind};base64,{data}">'
    "</td>"
)


def short_repr(evaluation: EvaluationRecord) -> str:
    """Return one line: what was compared, its first metrics, verdict and error."""
    told = (one for one in _measured(evaluation) if "summary" in METRICS[one[0]].shown)
    values = [f"{name}={value:.4g}" for name, value in told]
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
        lines.append(f"error: {evaluation.error.type}: {evaluation.error.message}")
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

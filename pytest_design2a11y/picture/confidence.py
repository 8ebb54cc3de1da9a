"""How sure what read a picture is of each of its text runs."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from pytest_design2a11y.models.geometry import Box
from pytest_design2a11y.models.page import TextRun
from pytest_design2a11y.picture.lines import Line


def with_confidence(runs: Iterable[TextRun], lines: Sequence[Line]) -> tuple[TextRun, ...]:
    """Return each run the least confidence of the lines that it was made of."""
    return tuple(replace(run, confidence=_least(run, lines)) for run in runs)


def _least(run: TextRun, lines: Sequence[Line]) -> float | None:
    own = (line.confidence for line in lines if any(_is_inside(box, line.box) for box in run.boxes))
    return min(own, default=None)


def _is_inside(box: Box, line: Box) -> bool:
    across, down = box[0] + box[2] / 2, box[1] + box[3] / 2
    return line[0] <= across <= line[0] + line[2] and line[1] <= down <= line[1] + line[3]

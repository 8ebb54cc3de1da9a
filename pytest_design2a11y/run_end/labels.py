"""Axes that a saved run is given afterwards, such as the prompt of a run that was saved without naming it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path

from pytest_design2a11y.exceptions import ConfigurationError
from pytest_design2a11y.models.run import RENDERING_AXES, Run, read_axes
from pytest_design2a11y.runs.run_file import write_run
from pytest_design2a11y.runs.store import find_run, load_run, save_details, with_details

_FIXED = frozenset({*RENDERING_AXES, "case", "sample"})


def label_saved_run(name: str, labels: Iterable[tuple[str, str]]) -> tuple[Run, Path]:
    """Give all pages of a saved run an axis with its value, and the run a label; write it in its place.

    Raises:
        ConfigurationError: A name is not that of an axis, or pages have another value of it already.
    """
    path, said = find_run(name), dict(labels)
    try:
        axes = read_axes({"axes": said})
    except ValueError as error:
        raise ConfigurationError(f"{name} cannot be labelled: {error}.", advice="Write KEY=VALUE.") from None
    if fixed := sorted(_FIXED & axes.keys()):
        raise ConfigurationError(
            f"{fixed[0]!r} is what pages were measured as, and no label.", advice="Choose another name."
        )
    if path.is_dir():
        raise ConfigurationError(
            f"{name} is a folder that --out fills.",
            advice='Name axes in the lines of --pairs: {"axes": {...}}, and score them again.',
        )
    run = load_run(path)
    for axis, value in axes.items():
        others = sorted({one.axes[axis] for one in run.evaluations if axis in one.axes} - {value})
        if others:
            raise ConfigurationError(
                f"Pages of {name} have {axis}={', '.join(others)} already.", advice="Choose another name."
            )
    folder = path.parent.parent
    detailed = with_details(run, folder=folder)
    pages = tuple(replace(one, axes={**one.axes, **axes}) for one in detailed.evaluations)
    labelled = replace(run, labels={**run.labels, **axes}, evaluations=pages)
    write_run(labelled, path)
    if detailed is not run:
        save_details(labelled, folder=folder)
    return labelled, path

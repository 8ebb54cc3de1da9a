"""Folders of pages as parameters of a test."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from pytest_design2a11y.exceptions import ConfigurationError

if TYPE_CHECKING:
    from pytest_design2a11y.models.viewport import Step


def page_pairs(
    reference_dir: str | Path,
    candidates: str | Path,
    *,
    states: Mapping[str, Step | Sequence[Step]] | None = None,
) -> list[Any]:
    """Pair every design with the pages generated for it, for `pytest.mark.parametrize`.

    ::

        pairs = page_pairs("designs", "generated")

        @pytest.mark.parametrize(("reference", "candidate"), pairs, indirect=True)
        def test_page(reference, candidate):
            assert_fidelity(reference, candidate) > 0.4

    With `indirect=True` the test gets both pages rendered, otherwise their paths. Relative paths are relative
    to the calling file's folder if both exist there, else to the working directory. A missing page fails only
    its own test, as a page that could not be measured.

    Args:
        reference_dir: Folder with one page per case.
        candidates: A folder with `<case>.html` or, for several samples, `<case>/<sample>.html`; or a pattern
            with {case} and optionally {sample}, {prompt} and {model}.
        states: Steps by state: a design such as `signup~error.html` is compared with `signup.html` after the
            steps of "error". For states without steps, candidates are files of the same name.

    Returns:
        A `pytest.param(reference, candidate)` for each pair, marked with its case: the design's path from
        pytest's root, without its suffix. If it is one of several samples of a case, it is marked as such,
        and judged with its case at the end of the run.

    Raises:
        ConfigurationError: A folder is missing, there are no designs, or a page has no design; the message
            names it.
    """
    __tracebackhide__ = True
    from pytest_design2a11y.runs.cases import file_pairs

    beside = Path(sys._getframe(1).f_globals.get("__file__", "")).parent
    # Only the first part of a pattern is sure to be a folder's name.
    are_beside = all((beside / Path(path).parts[0]).exists() for path in (reference_dir, candidates))
    base = beside if are_beside else Path.cwd()
    try:
        pairs = file_pairs(base / reference_dir, base / candidates, states=states or ())
    except ConfigurationError as error:
        raise error.with_traceback(None) from None
    num_samples = Counter(pair.case_key for pair in pairs)
    parameters = []
    for pair in pairs:
        sample = pair.sample if num_samples[pair.case_key] > 1 else None
        steps = {"steps": (states or {})[pair.axes["state"]]} if pair.is_reached else {}
        marker = pytest.mark.design2a11y(case=pair.reference, sample=sample, axes=dict(pair.axes), **steps)
        name = "-".join(part for part in (*pair.axes.values(), pair.case, sample) if part)
        parameters.append(pytest.param(pair.reference, pair.candidate, id=name, marks=marker))
    return parameters

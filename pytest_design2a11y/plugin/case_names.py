"""Names of the cases of `page_pairs`: the design's file name, or its path where file names repeat."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from pathlib import PurePath
from typing import Any

import pytest

_repeated_key: pytest.StashKey[frozenset[str]] = pytest.StashKey()


def note_repeated(config: pytest.Config, cases: Iterable[Any]) -> None:
    """Remember which file names several designs share, of all tests that were collected.

    Args:
        config: Of the run.
        cases: What markers say of cases; designs are paths.
    """
    paths = {case for case in cases if isinstance(case, PurePath)}
    if not paths:
        return
    from pytest_design2a11y.runs.case_files import case_of_design

    # A design and those of its states lie side by side.
    counts = Counter(case for _folder, case in {(path.parent, case_of_design(path)) for path in paths})
    config.stash[_repeated_key] = frozenset(name for name, count in counts.items() if count > 1)


def case_named(case: Any, config: pytest.Config) -> str:
    """Name a case: by its text, or by the file name of its design, or by the path from pytest's root."""
    if not isinstance(case, PurePath):
        return str(case)
    from pytest_design2a11y.measuring.records import case_of
    from pytest_design2a11y.runs.case_files import case_of_design

    name = case_of_design(case)
    if name not in config.stash.get(_repeated_key, frozenset()):
        return name
    root = config.rootpath.resolve()
    path = root.joinpath(case).resolve()
    return case_of((path.relative_to(root) if path.is_relative_to(root) else path).as_posix())

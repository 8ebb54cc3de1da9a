"""Runs that are parts of one run: what may differ, and how a difference is told."""

from __future__ import annotations

from dataclasses import replace

import pytest

from pytest_design2a11y.exceptions import ConfigurationError
from pytest_design2a11y.run_end.merging import merge_runs
from tests.factories import make_evaluation, make_run

ONE, OTHER = make_run(make_evaluation("a", 0.5)), make_run(make_evaluation("b", 0.5))


def test_a_run_without_a_commit_is_no_part_of_one_with_a_commit() -> None:
    told = r"commit, labels or prompt files: commit abc, seed=7 in first, none in second"
    with pytest.raises(ConfigurationError, match=told):
        merge_runs({"first": replace(ONE, commit="abc", labels={"seed": "7"}), "second": OTHER}, "whole")


def test_what_all_parts_are_labeled_with_stays() -> None:
    parts = {name: replace(run, labels={"seed": "7"}) for name, run in (("one", ONE), ("other", OTHER))}

    whole = merge_runs(parts, "whole")

    assert (whole.name, whole.labels) == ("whole", {"seed": "7"})
    assert [page.case for page in whole.evaluations] == ["a", "b"]

"""Benchmarks name what they measure as it is called today."""

from __future__ import annotations

from benchmarks.stage_cost import AHEAD, STAGES


def test_each_stage_that_is_timed_is_there() -> None:
    named = [*((owner, name) for owner, name, _ in STAGES), *AHEAD]
    assert [name for owner, name in named if not hasattr(owner, name)] == []

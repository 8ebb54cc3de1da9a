"""Benchmarks name what they measure as it is called today, and `make bench` runs all of them."""

from __future__ import annotations

from benchmarks.__main__ import ROOT, commands
from benchmarks.stage_cost import AHEAD, STAGES


def test_each_stage_that_is_timed_is_there() -> None:
    named = [*((owner, name) for owner, name, _ in STAGES), *AHEAD]
    assert [name for owner, name in named if not hasattr(owner, name)] == []


def test_each_benchmark_runs_with_the_others() -> None:
    files = ROOT.joinpath("benchmarks").glob("*.py")
    programs = {path.stem for path in files if "\ndef main(" in path.read_text(encoding="utf-8")}

    assert programs - {"__main__"} == {script for script, *_ in commands(None, "")}

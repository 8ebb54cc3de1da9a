"""Whether a run is the whole of what its limits are set for."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from pytest_design2a11y.plugin.running_test import Selection

ROOT = Path("/project")
KINDS = pytest.Config.ArgsSource


def selection(
    *arguments: str, source: Any = KINDS.INVOCATION_DIR, folder: Path = ROOT, **options: Any
) -> Selection:
    config: Any = SimpleNamespace(
        getoption=lambda name, default: options.get(name, default),
        args_source=source,
        rootpath=ROOT,
        invocation_params=SimpleNamespace(args=arguments, dir=folder),
    )
    return Selection(config)


def skipped() -> Any:
    return SimpleNamespace(skipped=True)


@pytest.mark.parametrize(
    ("run", "has_everything"),
    [
        (selection(), True),
        (selection(source=KINDS.TESTPATHS), True),
        (selection(folder=ROOT / "unit"), False),
        (selection("test_unit.py", source=KINDS.ARGS), False),
        (selection("test_page.py", "--max-iwir=0.3", source=KINDS.ARGS), True),
        (selection("test_page.py", "--max-iwir", "0.3", source=KINDS.ARGS), True),
        (selection("test_page.py", "--design2a11y-require=ir<=0.3", source=KINDS.ARGS), True),
        (selection(lf=True), False),
        (selection(ignore=["visual"]), False),
        (selection("--max-iwir=0.3", ignore_glob=["visual/*"]), False),
    ],
)
def test_a_run_is_whole_by_what_its_user_chose(run: Selection, has_everything: bool) -> None:
    assert run.has_everything() is has_everything


@pytest.mark.parametrize("hook", ["pytest_collectreport", "pytest_runtest_logreport"])
def test_what_was_skipped_is_missing(hook: str) -> None:
    run = selection()

    getattr(run, hook)(skipped())

    assert not run.has_everything()


def test_what_was_deselected_is_missing() -> None:
    run, untouched = selection(), selection()

    run.pytest_deselected([SimpleNamespace()])  # type: ignore[list-item]
    untouched.pytest_deselected([])

    assert not run.has_everything()
    assert untouched.has_everything()


def test_a_worker_tells_the_controller_what_it_left_out() -> None:
    worker, controller, other = selection(), selection(), selection()
    worker.config.workeroutput = {}  # type: ignore[attr-defined]
    worker.pytest_deselected([SimpleNamespace()])  # type: ignore[list-item]
    worker.pytest_sessionfinish()

    controller.pytest_testnodedown(SimpleNamespace(workeroutput=worker.config.workeroutput))  # type: ignore[attr-defined]
    other.pytest_testnodedown(SimpleNamespace())

    assert not controller.has_everything()
    assert not other.has_everything()

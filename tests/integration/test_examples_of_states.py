"""The example projects of viewports and states run as their files say, and their pages lie on the axes."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from pytest_design2a11y.runs import load_run

if TYPE_CHECKING:
    from tests.integration.conftest import Project

EXAMPLES = Path(__file__).parents[2] / "examples"


@pytest.mark.slow
def test_the_examples_of_viewports_and_states(project: Project) -> None:
    for name in ("responsive", "states"):
        shutil.copytree(EXAMPLES / name, project.path / name)

    result = project.run("responsive", "states", "--design2a11y-save=all")

    result.assert_outcomes(passed=7)
    saved = load_run("all", folder=project.path / ".design2a11y" / "runs").evaluations
    assert sorted((one.case, *one.axes.values()) for one in saved) == [
        ("responsive/designs/shop", "1280x720"),
        ("responsive/designs/shop", "375x812@3+mobile"),
        ("responsive/designs/shop", "768x1024@2"),
        ("states/designs/signup",),
        ("states/designs/signup", "done"),
        ("states/designs/signup", "error"),
        ("states/designs/signup", "hover"),
    ]
    assert all(one.settings["mask"] == [".advert"] for one in saved if one.case.endswith("signup"))

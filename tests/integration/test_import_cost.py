"""What a pytest run that does not use us has to pay for us."""

from __future__ import annotations

import json
import subprocess
import sys
from functools import cache
from importlib.metadata import version
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

HEAVY = {
    "PIL",
    "axe_playwright_python",
    "cv2",
    "jinja2",
    "numpy",
    "open_clip",
    "playwright",
    "rapidfuzz",
    "scipy",
    "torch",
}

NOTING_CONFTEST = """
import json, pathlib, sys

def pytest_unconfigure(config):
    pathlib.Path("modules.json").write_text(json.dumps(sorted(sys.modules)))
"""


@cache
def modules_after_a_run(*arguments: str) -> set[str]:
    """Run a suite of one test that has nothing to do with us; give the modules that were imported."""
    with TemporaryDirectory() as folder:
        return _modules(Path(folder), arguments)


def _modules(folder: Path, arguments: tuple[str, ...]) -> set[str]:
    (folder / "conftest.py").write_text(NOTING_CONFTEST)
    (folder / "test_nothing.py").write_text("def test_nothing():\n    assert True\n")
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "--rootdir=.", *arguments]
    finished = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=300, check=False)
    assert finished.returncode == 0, finished.stdout + finished.stderr
    return set(json.loads((folder / "modules.json").read_text()))


def packages(modules: set[str]) -> set[str]:
    return {module.partition(".")[0] for module in modules}


@pytest.mark.parametrize(
    "others",
    [
        pytest.param((), id="all plugins"),
        pytest.param(("-p", "no:playwright"), id="no pytest-playwright", marks=pytest.mark.slow),
    ],
)
def test_a_run_that_does_not_use_us_imports_nothing_heavy_for_us(
    others: tuple[str, ...],
) -> None:
    """Other plugins import heavy things by themselves, so that it is compared with a run without us."""
    with_us = modules_after_a_run(*others)
    without_us = modules_after_a_run("-p", "no:design2a11y", *others)
    added = with_us - without_us

    assert "pytest_design2a11y.plugin.hooks" in added
    assert packages(added) & {*HEAVY, "msgspec", "sysconfig"} == set()


def test_the_command_answers_without_what_renders_and_measures() -> None:
    program = (
        "import json, sys\nfrom pytest_design2a11y.command.shell import run\n"
        "try: run(['--version'])\nfinally: print(json.dumps(sorted(sys.modules)))"
    )
    finished = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)

    assert packages(set(json.loads(finished.stdout.splitlines()[1]))) & {*HEAVY, "bs4", "psutil"} == set()


def test_a_missing_page_is_reported_without_what_renders(tmp_path: Path) -> None:
    (tmp_path / "design.html").write_text("<p>Log in</p>")
    program = (
        "import json, sys\nfrom pytest_design2a11y.command.main import main\n"
        "code = main(['score', 'design.html', 'nope.html'])\nprint(json.dumps([code, sorted(sys.modules)]))"
    )
    finished = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True, cwd=tmp_path
    )

    *told, answer = finished.stdout.splitlines()
    code, modules = json.loads(answer)
    assert "There is no file 'nope.html'" in told[1]
    assert (code, packages(set(modules)) & {"asyncio", "playwright", "psutil"}) == (3, set())


def test_what_scores_pairs_is_loaded_without_packages_that_take_long_to_import() -> None:
    """SciPy's parts take most of a second; the one that is used is loaded while the browser starts."""
    program = (
        "import json, sys\nimport pytest_design2a11y.measuring.pipeline, "
        "pytest_design2a11y.capture.renderer\n"
        "print(json.dumps(sorted(sys.modules)))"
    )
    finished = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)

    modules = json.loads(finished.stdout)
    assert set(modules) & {"scipy.optimize", "scipy.ndimage", "scipy.sparse", "scipy.linalg", "bs4"} == set()


def test_runs_are_compared_without_scipy_pillow_and_what_compares_texts() -> None:
    program = (
        "import json, sys\nimport pytest_design2a11y.command.compare, "
        "pytest_design2a11y.comparing.planning\nimport numpy\n"
        "from pytest_design2a11y.comparing.resampling import resample_means\n"
        "assert 0 < resample_means(numpy.eye(20)[:, :1]).half_width(0, 0.025) < 0.2\n"
        "print(json.dumps(sorted(sys.modules)))"
    )
    finished = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)

    modules = json.loads(finished.stdout)
    assert "numpy" in modules
    assert packages(set(modules)) & {"scipy", "rapidfuzz", "PIL"} == set()
    assert {*modules} & {"numpy.ma", "pytest_design2a11y.blocks"} == set()


def test_the_version_is_told_without_the_commands() -> None:
    program = (
        "import json, sys\nfrom pytest_design2a11y.command.main import main\n"
        "code = main(['--version'])\nprint(json.dumps([code, sorted(sys.modules)]))"
    )
    finished = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)

    told, answer = finished.stdout.splitlines()
    code, modules = json.loads(answer)
    assert (told, code) == (version("pytest-design2a11y"), 0)
    assert "pytest_design2a11y.command.shell" not in modules


def test_a_run_that_does_not_use_us_loads_a_handful_of_our_modules() -> None:
    """No stage and no record: the hooks, and the options that they declare."""
    modules = modules_after_a_run()
    ours = {module.partition(".")[2] for module in modules if packages({module}) == {"pytest_design2a11y"}}

    assert ours <= {
        "",
        "plugin",
        "plugin.hooks",
        "plugin.fixtures",
        "plugin.beside_playwright",
        "plugin.without_playwright",
        "plugin.running_test",
        "plugin.marker",
        "plugin.failures",
        "extending",
        "models.metric",
        "models.readers",
        "settings",
        "settings.configuration",
        "settings.options",
        "settings.run_options",
        "settings.variants",
        "capture",
        "capture.limits",
        "models",
        "files",
        "models.option",
        "exceptions",
        "wording",
    }

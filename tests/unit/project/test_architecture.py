"""The promises of the layout that the import linter does not check."""

from __future__ import annotations

import ast
import importlib
import pkgutil
import re
import runpy
import subprocess
import sys
from collections import Counter
from functools import cache
from pathlib import Path

import pytest

import pytest_design2a11y
from pytest_design2a11y import exceptions

PACKAGE = Path(pytest_design2a11y.__file__).parent
HEAVY = {
    "PIL",
    "axe_playwright_python",
    "cv2",
    "jinja2",
    "numpy",
    "open_clip",
    "playwright",
    "scipy",
    "torch",
}
LIGHT_MODULES = [
    "__init__",
    "plugin/hooks",
    "plugin/fixtures",
    "plugin/assertions",
    "plugin/measurement",
    "plugin/ledger",
    "settings/options",
    "settings/__init__",
    "capture/limits",
    "models/option",
]
MAY_IMPORT_PYTEST = {"plugin", "settings"}


@cache
def imports_of(path: Path, *, module_level_only: bool) -> set[str]:
    """Return the top-level packages that a module imports, type-checking blocks left out."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    names: set[str] = set()
    pending: list[ast.AST] = list(tree.body)
    while pending:
        node = pending.pop()
        if isinstance(node, ast.If) and "TYPE_CHECKING" in ast.unparse(node.test):
            pending.extend(node.orelse)
            continue
        if module_level_only and isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda):
            continue
        if isinstance(node, ast.Import):
            names |= {alias.name.partition(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.level == 0 and node.module:
            names.add(node.module.partition(".")[0])
        pending.extend(ast.iter_child_nodes(node))
    return names


def modules() -> list[Path]:
    return sorted(PACKAGE.rglob("*.py"))


def name_of(path: Path) -> str:
    return ".".join(path.relative_to(PACKAGE).with_suffix("").parts)


@pytest.mark.parametrize("name", LIGHT_MODULES)
def test_modules_that_every_pytest_run_loads_import_nothing_heavy(name: str) -> None:
    assert imports_of(PACKAGE / f"{name}.py", module_level_only=True) & HEAVY == set()


@pytest.mark.parametrize("name", ["pytest_design2a11y", "pytest_design2a11y.plugin.hooks"])
def test_nothing_heavy_comes_in_through_others_either(name: str) -> None:
    program = f"import {name}, sys; print(*{{m.partition('.')[0] for m in sys.modules}})"
    finished = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)

    assert set(finished.stdout.split()) & HEAVY == set()


def importers(package: str, *, allowed: set[str]) -> list[str]:
    """Return the modules outside of the allowed rooms that import a package anywhere."""
    return [
        name_of(path)
        for path in modules()
        if path.relative_to(PACKAGE).parts[0] not in allowed
        and package in imports_of(path, module_level_only=False)
    ]


def test_the_browser_is_imported_in_capture_only() -> None:
    assert importers("playwright", allowed={"capture"}) == []
    assert importers("playwright", allowed=set()) != []


def test_pytest_is_imported_by_the_plugin_layer_only() -> None:
    assert importers("pytest", allowed=MAY_IMPORT_PYTEST) == []
    assert importers("pytest", allowed=set()) != []


def test_tests_and_studies_share_trials_and_nothing_else() -> None:
    root = PACKAGE.parent
    line = re.compile(r"^\s*(?:from|import) (tests|studies(?!\.trials))\b", re.MULTILINE)
    refused = {"tests": {"studies"}, "studies": {"tests"}, "studies/trials": {"tests", "studies"}}
    for folder, others in refused.items():
        own = [path for path in (root / folder).rglob("*.py") if "apps" not in path.parts]
        imports = {str(path): line.findall(path.read_text(encoding="utf-8")) for path in own}
        assert own
        assert {path for path, found in imports.items() if others & set(found)} == set()


def test_pure_tests_need_no_extra() -> None:
    extras = {"cv2", "open_clip", "safetensors", "torch"}
    tests = [*(PACKAGE.parent / "tests" / "unit").rglob("*.py")]

    assert len(tests) > 100
    assert {path.stem for path in tests if imports_of(path, module_level_only=False) & extras} == set()


def test_all_names_what_is_importable() -> None:
    missing = [name for name in pytest_design2a11y.__all__ if not hasattr(pytest_design2a11y, name)]

    assert missing == []


def test_all_is_sorted_and_without_doubles() -> None:
    assert sorted(set(pytest_design2a11y.__all__)) == list(pytest_design2a11y.__all__)


def test_the_names_of_the_interface_are_public() -> None:
    promised = {
        "AsyncScorer",
        "Scorer",
        "assert_accessible",
        "assert_ir",
        "assert_iwir",
        "assert_visual_similarity",
        "audit",
        "page_pairs",
        "rates_from_axe",
        "score_blocks",
        "visual_similarity",
    }

    assert promised <= set(pytest_design2a11y.__all__)
    assert promised <= set(dir(pytest_design2a11y))


def test_an_unknown_name_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="No pytest_design2a11y attribute assert_beautiful"):
        _ = pytest_design2a11y.assert_beautiful  # type: ignore[attr-defined]


def test_the_version_is_the_installed_one() -> None:
    from importlib.metadata import version

    assert pytest_design2a11y.__version__ == version("pytest-design2a11y")


def test_every_module_can_be_imported_by_itself() -> None:
    names = [
        module.name
        for module in pkgutil.walk_packages([str(PACKAGE)], "pytest_design2a11y.")
        if not module.name.endswith("__main__")
    ]

    assert [importlib.import_module(name).__name__ for name in names] == names


def test_the_package_is_typed() -> None:
    assert (PACKAGE / "py.typed").is_file()


def test_every_error_is_imported_from_the_package_s_top() -> None:
    errors = {
        name
        for name, one in vars(exceptions).items()
        if isinstance(one, type) and issubclass(one, Exception) and one.__module__ == exceptions.__name__
    }

    assert errors <= set(pytest_design2a11y.__all__)
    assert pytest_design2a11y.MeasurementError is exceptions.MeasurementError


def test_no_modules_import_each_other_not_even_for_types() -> None:
    house = runpy.run_path(str(PACKAGE.parent / "scripts" / "house.py"))
    graph = house["imports"]()

    # A name that begins as another one does is not inside of it.
    assert f"{PACKAGE.name}.models.metric" in graph[f"{PACKAGE.name}.models.metrics"]
    assert house["circles"](graph) == []
    assert house["arrows_up"](graph) == []


def test_no_two_classes_have_one_name() -> None:
    trees = (ast.parse(path.read_text(encoding="utf-8")) for path in modules())
    names = [node.name for tree in trees for node in ast.walk(tree) if isinstance(node, ast.ClassDef)]

    assert [name for name, number in Counter(names).items() if number > 1] == []

"""What is missing or broken in the installation is said by name."""

from __future__ import annotations

import importlib
import sys
from collections.abc import Callable, Iterator
from types import ModuleType, SimpleNamespace
from typing import Any

import pytest

from pytest_design2a11y.exceptions import AppearanceUnavailable
from pytest_design2a11y.visual.clip import choice

_NMS = RuntimeError("operator torchvision::nms does not exist")


@pytest.fixture
def fake_import(monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[[dict[str, Any]], None]]:
    """Let imports of some names give a value or raise an error."""
    real = importlib.import_module

    def install(answers: dict[str, Any]) -> None:
        def fake(name: str, package: str | None = None) -> Any:
            answer = answers.get(name)
            if isinstance(answer, Exception):
                raise answer
            return real(name, package) if answer is None else answer

        monkeypatch.setattr(importlib, "import_module", fake)
        choice.clip_libraries.cache_clear()
        choice.opencv.cache_clear()

    loaded = {name: module for name, module in sys.modules.items() if _is_of_torchvision(name)}
    yield install
    for name in filter(_is_of_torchvision, [*sys.modules]):
        del sys.modules[name]
    sys.modules.update(loaded)
    choice.clip_libraries.cache_clear()
    choice.opencv.cache_clear()


def _is_of_torchvision(name: str) -> bool:
    return name.partition(".")[0] == "torchvision"


def _torch(cuda: str | None, defined: list[str]) -> SimpleNamespace:
    library = SimpleNamespace(define=defined.append)
    return SimpleNamespace(
        version=SimpleNamespace(cuda=cuda),
        library=SimpleNamespace(Library=lambda name, kind: library),
    )


@pytest.mark.parametrize(
    ("name", "package"),
    [("torch", "torch"), ("open_clip", "open_clip_torch"), ("cv2", "opencv-python-headless")],
)
def test_a_missing_package_is_named_with_the_extra(
    fake_import: Callable[[dict[str, Any]], None], name: str, package: str
) -> None:
    there = {"torch": _torch("13.0", []), "torchvision": ModuleType("t"), "open_clip": 1, "cv2": 1}
    fake_import({**there, name: ModuleNotFoundError(f"No module named '{name}'", name=name)})

    with pytest.raises(AppearanceUnavailable) as caught:
        choice.clip_libraries()

    assert f"needs the package {package}, which is not installed" in str(caught.value)
    assert 'pip install "pytest-design2a11y[clip]"' in str(caught.value)


def test_a_package_of_a_package_is_named_itself(fake_import: Callable[[dict[str, Any]], None]) -> None:
    fake_import({"cv2": ModuleNotFoundError("No module named 'numpy'", name="numpy")})

    with pytest.raises(AppearanceUnavailable, match="needs the package numpy, which is not installed"):
        choice.opencv()


def test_a_broken_package_is_named_with_its_error(fake_import: Callable[[dict[str, Any]], None]) -> None:
    fake_import({"cv2": ImportError("libGL.so.1: cannot open shared object file")})

    with pytest.raises(AppearanceUnavailable, match=r"opencv-python-headless, .* cannot be imported: libGL"):
        choice.opencv()


def test_torchvision_is_fixed_beside_a_cpu_build_of_torch(
    fake_import: Callable[[dict[str, Any]], None],
) -> None:
    defined: list[str] = []
    sys.modules["torchvision.half_imported"] = ModuleType("torchvision.half_imported")
    fake_import({"torch": _torch(None, defined), "torchvision": _NMS, "open_clip": "o", "cv2": "c"})

    assert choice.clip_libraries().open_clip == "o"
    assert [schema.split("(")[0] for schema in defined] == ["nms", "qnms"]
    assert "torchvision.half_imported" not in sys.modules


@pytest.mark.parametrize(
    ("cuda", "error"), [("13.0", _NMS), (None, RuntimeError("Couldn't load custom C++ ops"))]
)
def test_torchvision_is_not_fixed_where_something_else_is_wrong(
    fake_import: Callable[[dict[str, Any]], None], cuda: str | None, error: Exception
) -> None:
    defined: list[str] = []
    fake_import({"torch": _torch(cuda, defined), "torchvision": error})

    with pytest.raises(AppearanceUnavailable, match="torchvision, which open_clip needs, cannot be imported"):
        choice.clip_libraries()
    assert defined == []


def test_a_torchvision_that_imports_is_left_alone(fake_import: Callable[[dict[str, Any]], None]) -> None:
    defined: list[str] = []
    fake_import({"torch": _torch(None, defined), "torchvision": 1, "open_clip": "o", "cv2": "c"})

    choice.clip_libraries()

    assert defined == []

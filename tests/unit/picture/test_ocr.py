"""What reads text from pictures: the models that were measured, without a network, or one clear error."""

from __future__ import annotations

import importlib.util
import socket
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from pytest_design2a11y.exceptions import OcrUnavailable
from pytest_design2a11y.picture import ocr


@pytest.fixture(autouse=True)
def _anew() -> Iterator[None]:
    ocr.engine_identity.cache_clear()
    yield
    ocr.engine_identity.cache_clear()


@pytest.mark.parametrize("missing", ["rapidocr", "onnxruntime"])
def test_without_the_extra_one_error_names_the_command(missing: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ocr, "find_spec", lambda name: None if name == missing else object())

    with pytest.raises(OcrUnavailable) as caught:
        ocr.engine_identity()

    assert f"needs the package {missing}, which is not installed" in caught.value.what
    assert 'pip install "pytest-design2a11y[picture]"' in caught.value.advice


def test_another_model_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    spec = SimpleNamespace(origin=str(tmp_path / "__init__.py"))
    monkeypatch.setattr(ocr, "find_spec", lambda name: spec)
    (tmp_path / "models").mkdir()
    for name in ocr.MODELS:
        (tmp_path / "models" / name).write_bytes(b"another one")

    with pytest.raises(
        OcrUnavailable, match=r"brings another PP-OCRv6_det_small\.onnx than the one.*--force-rein"
    ):
        ocr.engine_identity()


@pytest.mark.skipif(importlib.util.find_spec("rapidocr") is None, reason="needs the extra `picture`")
def test_reading_asks_no_network(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: Any) -> None:
        raise AssertionError("the network was asked")

    for name in ("connect", "connect_ex", "sendto"):
        monkeypatch.setattr(socket.socket, name, refuse)
    monkeypatch.setattr(socket, "getaddrinfo", refuse)
    ocr._engine.cache_clear()

    assert ocr.read_lines(np.full((64, 64, 3), 255, dtype=np.uint8)) == ()

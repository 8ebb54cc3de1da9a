"""A design that is a picture is read once, and serves many candidates and runs."""

from __future__ import annotations

import io
from dataclasses import fields
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from PIL import Image, ImageDraw

from pytest_design2a11y.measuring.pictures import captured_picture
from pytest_design2a11y.models.page import Capture, Document
from pytest_design2a11y.picture import capture_picture as module
from pytest_design2a11y.picture import ocr
from pytest_design2a11y.picture.ink import TextLine

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


def picture(text: str) -> bytes:
    image = Image.new("RGB", (1280, 200), "white")
    ImageDraw.Draw(image).text((40, 40), text, fill="black")
    file = io.BytesIO()
    image.save(file, "PNG")
    return file.getvalue()


def parts(capture: Capture) -> dict[str, Any]:
    """All of a capture but its picture, by name."""
    return {field.name: getattr(capture, field.name) for field in fields(capture) if field.name != "image"}


@pytest.fixture
def readings(monkeypatch: pytest.MonkeyPatch) -> list[tuple[int, ...]]:
    """The sizes of the pictures that were read."""
    found: list[tuple[int, ...]] = []

    def read(pixels: NDArray[np.uint8]) -> tuple[TextLine, ...]:
        found.append(pixels.shape)
        return (TextLine("Sign up", (38.0, 38.0, 44.0, 15.0), 0.93, (41.0, 44.0, 50.0, 56.0, 68.0, 75.0)),)

    monkeypatch.setattr(ocr, "read_lines", read)
    for each in (module, ocr):
        monkeypatch.setattr(each, "engine_identity", lambda: "a reader")
    return found


def test_a_known_picture_gives_the_same_capture_without_being_read(
    readings: list[tuple[int, ...]], tmp_path: Path
) -> None:
    document = Document(label="design.png", html=None, picture=picture("Sign up"))

    first = captured_picture(document, role="reference", cache_folder=tmp_path)
    (lines,) = (tmp_path / "lines").iterdir()
    lines.unlink()
    second = captured_picture(document, role="reference", cache_folder=tmp_path)

    assert second.screenshot.png == first.screenshot.png
    assert parts(second) == parts(first)
    assert second.text_runs[0].confidence == 0.93
    assert len(readings) == 1


@pytest.mark.parametrize(
    ("changed", "scale"),
    [
        (Document(label="design.png", html=None, picture=picture("Log in")), None),
        (Document(label="design@2x.png", html=None, picture=picture("Sign up")), None),
        (Document(label="design.png", html=None, picture=picture("Sign up")), 2.0),
    ],
    ids=["content", "name", "scale"],
)
def test_what_changes_the_capture_has_it_read_anew(
    readings: list[tuple[int, ...]], tmp_path: Path, changed: Document, scale: float | None
) -> None:
    captured_picture(
        Document(label="design.png", html=None, picture=picture("Sign up")),
        role="reference",
        cache_folder=tmp_path,
    )

    captured_picture(changed, role="reference", scale=scale, cache_folder=tmp_path)

    assert len(readings) == 2


def test_a_candidate_is_no_reference(readings: list[tuple[int, ...]], tmp_path: Path) -> None:
    """It has a warning, and its own blocks file does not count."""
    document = Document(label="design.png", html=None, picture=picture("Sign up"))
    captured_picture(document, role="reference", cache_folder=tmp_path)

    candidate = captured_picture(document, role="candidate", cache_folder=tmp_path)

    assert candidate.role == "candidate"
    assert "picture_not_audited" in {warning.code for warning in candidate.warnings}
    assert len(readings) == 1


@pytest.mark.parametrize(
    "content",
    [
        '[{"text": 5, "box": [1, 1, 9, 9], "confidence": 1, "middles": []}]',
        '[{"text": "a", "box": [1e999, 1, 9, 9], "confidence": 1, "middles": []}]',
        '[{"text": "a", "box": [1, 1, 9, 9], "confidence": "x", "middles": ["y"]}]',
        "[" * 100_000,
        "{}[]",
    ],
    ids=["text", "infinite", "texts", "deep", "rest"],
)
def test_lines_that_somebody_made_up_are_read_again(
    content: str, readings: list[tuple[int, ...]], tmp_path: Path
) -> None:
    document = Document(label="design.png", html=None, picture=picture("Sign up"))
    first = captured_picture(document, role="reference", cache_folder=tmp_path)
    (lines,) = (tmp_path / "lines").iterdir()
    lines.write_text(content)
    for entry in tmp_path.glob("*/*.capture"):
        entry.unlink()

    again = captured_picture(document, role="candidate", cache_folder=tmp_path)

    assert again.text_runs == first.text_runs
    assert len(readings) == 2

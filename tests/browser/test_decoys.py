"""What the browser tells of things that could be taken for a text, and of what no script is shown."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import pytest

from pytest_design2a11y.capture import read_page as reading
from pytest_design2a11y.capture.text.doubts import Decoys, FoundRun, doubtful
from pytest_design2a11y.models.page import Document

if TYPE_CHECKING:
    from pytest_design2a11y.capture.renderer import Renderer

PICTURE = "data:image/svg+xml,<svg xmlns='http://www.w3.org/2000/svg' width='9' height='9'/>"
SPECK = "<i style='position: absolute; left: 30px; top: {}px; width: 1px; height: 1px; {}'></i>"


@pytest.mark.parametrize(
    ("style", "more", "is_doubtful"),
    [
        pytest.param("background: url(missing.png)", "", False, id="a missing picture"),
        pytest.param("background: url(missing.svg#part)", "", False, id="a part of a missing picture"),
        pytest.param(f'background: url("{PICTURE}")', "", True, id="a picture"),
        pytest.param(f'background: url(missing.png), url("{PICTURE}")', "", True, id="one of two is missing"),
        pytest.param("background: url(missing.png), linear-gradient(red, tan)", "", True, id="a gradient"),
        pytest.param("border: 1px dashed; padding: 9px", "", False, id="thin dashes around"),
        pytest.param("border: 30px dashed; padding: 9px", "", True, id="wide dashes"),
        pytest.param(
            "border: 3px dashed; padding: 9px; scale: 9; transform-origin: 0 0",
            "",
            True,
            id="dashes, enlarged",
        ),
        pytest.param("border: 3px dashed; border-radius: 9px", "", True, id="dashes in a curve"),
        pytest.param("columns: 2; column-rule: 9px dotted", "", True, id="a line between columns"),
        pytest.param("", SPECK.format(20, "box-shadow: 0 0 0 1px"), True, id="the shadow of a speck"),
        pytest.param("", SPECK.format(20, ""), False, id="a speck"),
    ],
)
def test_what_could_be_taken_for_a_text_is_found(
    renderer: Renderer, monkeypatch: pytest.MonkeyPatch, style: str, more: str, is_doubtful: bool
) -> None:
    told: list[list[int]] = []

    def painted(page: Any, found: Sequence[FoundRun], others: Decoys, **_: Any) -> tuple[FoundRun, ...]:
        told.append(doubtful(found, others))
        return tuple(found)

    monkeypatch.setattr(reading, "painted_runs", painted)
    html = f"<!doctype html><style>body {{ margin: 0 }} p {{ {style} }}</style><p>A few words here</p>{more}"
    renderer.capture(Document(label="x", html=html.encode()), role="candidate", audit=None)

    assert bool(told[0]) is is_doubtful


@pytest.mark.parametrize(
    "html",
    [
        pytest.param("<div><template shadowrootmode=closed><p>Words".encode("utf-16"), id="utf-16"),
        pytest.param(b"<iframe srcdoc='<div><template shado&#119;rootmode=closed><p>Words'>", id="srcdoc"),
        pytest.param(b"<div><template ShadowRootMode=closed><p>Words", id="plain"),
    ],
)
def test_closed_shadow_roots_are_read_however_they_are_written(renderer: Renderer, html: bytes) -> None:
    capture = renderer.capture(Document(label="x", html=html), role="candidate", audit=None)

    assert [run.text for run in capture.text_runs] == ["Words"]

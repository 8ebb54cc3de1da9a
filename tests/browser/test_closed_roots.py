"""What no script of a page is shown is read all the same."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from pytest_design2a11y.models.page import Document

if TYPE_CHECKING:
    from pytest_design2a11y.capture.renderer import Renderer


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

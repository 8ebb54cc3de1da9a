"""Text is drawn with fonts: none at all is an error, what was used is recorded, boxes are told."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from pytest_design2a11y.exceptions import FontsMissing
from pytest_design2a11y.models.page import Document

if TYPE_CHECKING:
    from pytest_design2a11y.capture.renderer import Renderer

NO_FONTS = '<?xml version="1.0"?><fontconfig><cachedir prefix="cwd">cache</cachedir></fontconfig>'


def test_a_machine_without_fonts_is_an_error_that_says_so(
    make_renderer: Callable[..., Renderer], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    configuration = tmp_path / "fonts.conf"
    configuration.write_text(NO_FONTS)
    monkeypatch.setenv("FONTCONFIG_FILE", str(configuration))
    document = Document(label="page", html=b"<!doctype html><p>Text</p>")

    with pytest.raises(FontsMissing, match=r"no fonts on this machine.*apt-get install fonts-liberation"):
        make_renderer().capture(document, role="reference", audit=None)

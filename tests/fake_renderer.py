"""Stands for the browser where a test asks what happens around it."""

from __future__ import annotations

import io
from typing import Any

from PIL import Image

from pytest_design2a11y.models.elements import Font, Screenshot
from pytest_design2a11y.models.page import Capture, Document, Environment, TextRun
from tests.factories import AUDIT

FONT = Font(10, 400, False, (0.5,) * 8)


def screenshot() -> Screenshot:
    stream = io.BytesIO()
    picture = Image.new("RGB", (40, 30), "white")
    picture.paste("black", (2, 2, 20, 8))
    picture.save(stream, "PNG")
    return Screenshot(stream.getvalue())


class FakeRenderer:
    """Renders every page to the same picture."""

    def capture(self, document: Document, *, role: Any, **_: Any) -> Capture:
        return Capture(
            label=document.label,
            role=role,
            image=screenshot(),
            page_size=(40, 30),
            text_runs=(TextRun("Soup", ((1.0, 1.0, 30.0, 10.0),), (0, 0, 0), 0, font=FONT),),
            elements=(),
            ground=(255, 255, 255),
            audits={"axe": AUDIT},
            warnings=(),
            environment=Environment("156", "4", "0.1"),
        )

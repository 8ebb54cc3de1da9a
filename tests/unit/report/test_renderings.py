"""The report tells what a page was rendered in, and what is masked is shown."""

from __future__ import annotations

import io
from dataclasses import replace
from pathlib import Path

import numpy as np
from PIL import Image

from pytest_design2a11y.models.elements import Screenshot
from pytest_design2a11y.models.page import Capture
from pytest_design2a11y.report.notes import producer_facts
from pytest_design2a11y.runs.pictures import load_picture, store_pictures
from tests.factories import ENVIRONMENT, make_evaluation

PAGE = make_evaluation("a", 0.9)


def test_the_report_tells_what_a_page_was_rendered_in() -> None:
    settings = {
        "viewport": "390x664",
        "scale": 3.0,
        "device": "iPhone 13",
        "mobile": True,
        "touch": True,
        "scheme": "dark",
        "media": "screen",
        "locale": "de-DE",
        "timezone": "UTC",
        "steps": 2,
        "wait_for": "#done",
        "mask": [".advert"],
    }

    facts = dict(producer_facts(replace(PAGE, settings=settings)))

    assert facts["Viewport"] == "390x664 px, scale 3, iPhone 13, touch, mobile, dark, de-DE"
    assert facts["Steps"] == "2 before it was read"
    assert facts["Waited for"] == "#done"
    assert facts["Masked"] == ".advert (hatched in the pictures; neither text nor pixels count)"


def test_what_is_masked_is_hatched_in_the_pictures_of_the_report(tmp_path: Path) -> None:
    file = io.BytesIO()
    Image.new("RGB", (200, 100), "white").save(file, "PNG")
    capture = Capture("a.html", "candidate", Screenshot(file.getvalue()), (200, 100), (), (), ENVIRONMENT)

    plain = store_pictures([capture], tmp_path)
    masked = store_pictures([replace(capture, mask_boxes=((100.0, 0.0, 100.0, 100.0),))], tmp_path)

    assert plain != masked
    picture = load_picture(replace(PAGE, pictures=masked), "candidate", tmp_path)
    assert picture is not None
    pixels = np.asarray(Image.open(io.BytesIO(picture.full)).convert("L"))
    assert pixels[:, :95].min() > 245
    assert pixels[:, 105:].mean() < 235

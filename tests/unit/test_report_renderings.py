"""A page's viewports and states stand side by side in the report, and what is masked is shown."""

from __future__ import annotations

import io
import json
import re
from dataclasses import replace
from pathlib import Path

import numpy as np
from PIL import Image

from pytest_design2a11y.models.page import Capture, Screenshot
from pytest_design2a11y.report.html.islands import producer_facts
from pytest_design2a11y.report.html.page import render_report
from pytest_design2a11y.report.html.renderings import renderings_of
from pytest_design2a11y.report.pictures import load_picture, store_pictures
from tests.factories import ENVIRONMENT, make_evaluation, make_run

PAGES = [
    replace(make_evaluation("a", 0.9), id="a-wide", axes={"model": "x", "viewport": "1280x720"}),
    replace(make_evaluation("a", 0.5), id="a-phone", axes={"model": "x", "viewport": "375x812@3"}),
    replace(make_evaluation("a", 0.7), id="a-other", axes={"model": "y", "viewport": "1280x720"}),
    replace(make_evaluation("b"), id="b", axes={}),
    replace(make_evaluation("b"), id="b-open", axes={"state": "open"}),
]


def test_renderings_of_one_page_are_those_that_differ_in_nothing_else() -> None:
    found = renderings_of(PAGES)

    assert {number: [one["label"] for one in group] for number, group in found.items()} == {
        0: ["1280x720", "375x812@3"],
        1: ["1280x720", "375x812@3"],
        3: ["as usual", "open"],
        4: ["as usual", "open"],
    }
    assert [one["id"] for one in found[0]] == ["case-0", "case-1"]
    assert [one["visual"] for one in found[0]] == [0.9, 0.5]


def test_every_case_of_the_report_has_its_renderings(tmp_path: Path) -> None:
    report = "".join(render_report(make_run(*PAGES), picture_folder=tmp_path))

    islands = re.findall(r'id="case-(\d)"[^>]*>(.*?)</script>', report)
    assert {number: len(json.loads(text)["renderings"]) for number, text in islands} == {
        "0": 2, "1": 2, "2": 0, "3": 2, "4": 2,
    }  # fmt: skip


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

    facts = dict(producer_facts(replace(PAGES[0], settings=settings)))

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
    picture = load_picture(replace(PAGES[0], pictures=masked), "candidate", tmp_path)
    assert picture is not None
    pixels = np.asarray(Image.open(io.BytesIO(picture.full)).convert("L"))
    assert pixels[:, :95].min() > 245
    assert pixels[:, 105:].mean() < 235

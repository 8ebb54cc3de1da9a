"""A picture with a blocks file is the design for the marker and for `page_pairs`."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from PIL import Image

if TYPE_CHECKING:
    from tests.integration.conftest import Project


def test_marker_and_pairs_take_a_picture_as_the_design(project: Project) -> None:
    texts = {
        "Sign in to your account": (40, 60, 380, 30),
        "Welcome back. Please enter your details": (40, 120, 300, 14),
    }
    design, blocks = Image.new("RGB", (2560, 1440), "white"), []
    for text, (left, top, width, height) in texts.items():
        design.paste("#222222", (2 * left, 2 * top, 2 * (left + width), 2 * (top + height)))
        box = [left - 4, top - 4, width + 8, height + 8]
        blocks.append({"text": text, "boxes": [box], "color": "#222222"})
    folder = project.path / "pictures"
    folder.mkdir()
    design.save(folder / "login@2x.png")
    project.write(
        "pictures/login.blocks.json", json.dumps({"schema": 1, "size": [1280, 720], "blocks": blocks})
    )
    project.test_file(
        """
        @pytest.mark.design2a11y(reference="pictures/login@2x.png", candidate="generated/login.html")
        def test_marked(reference, candidate):
            assert_visual_similarity(reference, candidate) < 0.5

        @pytest.mark.parametrize(
            ("reference", "candidate"), page_pairs("pictures", "generated"), indirect=True
        )
        def test_pair(reference, candidate):
            assert_visual_similarity(reference, candidate).text > 0.8
        """
    )

    result = project.run("--design2a11y-save=run")

    result.assert_outcomes(passed=1, failed=1)
    result.stdout.fnmatch_lines(["*generated/login.html against pictures/login@2x.png*"])
    _, *lines = (project.path / ".design2a11y/runs/run.jsonl").read_text().splitlines()
    records = [json.loads(line) for line in lines]
    assert {record["case"] for record in records} == {"pictures/login"}


def _scored(project: Project, *options: str) -> dict[str, Any]:
    finished = project.command(
        "score", "advert@1x.png", "page.html", "--json", "--details", "--no-audit", *options
    )
    record: dict[str, Any] = json.loads(finished.stdout)
    assert "error" not in record, record
    return record


def test_what_lies_under_a_masked_element_is_left_out_of_a_picture(project: Project) -> None:
    design = Image.new("RGB", (800, 600), "white")
    design.paste("#cc0000", (44, 24, 340, 60))
    design.paste("#222222", (44, 204, 100, 220))
    design.save(project.path / "advert@1x.png")
    blocks = [
        {"text": "Buy now", "boxes": [[40, 20, 304, 44]], "color": "#cc0000"},
        {"text": "Menu", "boxes": [[40, 200, 64, 24]], "color": "#222222"},
    ]
    project.write("advert.blocks.json", json.dumps({"schema": 1, "size": [800, 600], "blocks": blocks}))
    project.write(
        "page.html",
        "<!doctype html><html lang=en><title>Menu</title><body style='margin:0'>"
        "<div style='height:90px;background:#0000cc'></div>"
        "<p style='position:absolute;left:40px;top:200px;margin:0;font:24px/1 sans-serif'>Menu</p>",
    )

    whole = _scored(project)
    masked = _scored(project, "--mask", "div")
    by_none = _scored(project, "--mask", ".nope")

    differs = "area of 800 x 90 px at 0, 0"
    assert any(one["message"].startswith(differs) for one in whole["visual"]["differences"])
    assert not any(each["message"].startswith(differs) for each in masked["visual"]["differences"])
    assert any(each["message"].startswith(differs) for each in by_none["visual"]["differences"])
    told = "Nothing on the page fits what is to be masked: .nope."
    assert told in {each["message"] for each in by_none["warnings"]}
    assert whole["visual"]["appearance"]["value"] < 0.95 < masked["visual"]["appearance"]["value"]


def test_a_mask_on_a_page_that_is_a_picture_is_refused(project: Project) -> None:
    Image.new("RGB", (800, 600), "white").save(project.path / "plain@1x.png")

    finished = project.command("score", "generated/login.html", "plain@1x.png", "--mask", ".advert")

    assert "it has no elements to mask" in finished.stdout + finished.stderr

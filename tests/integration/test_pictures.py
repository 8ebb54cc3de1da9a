"""A picture with a blocks file is the design for the marker and for `page_pairs`."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

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

"""A blocks file tells a design's texts: checked at the border, used for references alone."""

from __future__ import annotations

import io
import json
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from PIL import Image

import pytest_design2a11y
from pytest_design2a11y.exceptions import NoVisibleText, SourceError, SourceNotFound
from pytest_design2a11y.measuring.measures import measure_visual
from pytest_design2a11y.measuring.pictures import design_warnings
from pytest_design2a11y.models.elements import DesignBlocks, DesignText
from pytest_design2a11y.models.page import Document
from pytest_design2a11y.picture.capture_picture import capture_picture
from pytest_design2a11y.settings import Settings
from pytest_design2a11y.source.picture import page_of_svg, parse_blocks, write_blocks
from pytest_design2a11y.source.read_document import read_document

SCHEMA = json.loads((Path(pytest_design2a11y.__file__).parent / "source" / "blocks.schema.json").read_text())
BLOCK = {"text": "Sign in", "boxes": [[10, 20, 60, 16]], "color": "#1c2333"}
GRADIENT = {"text": "New", "boxes": [[80, 20, 15, 16], [10, 40, 20, 16]], "color": None, "opacity": 0.5}
RECORD = {"schema": 1, "size": [100, 80], "blocks": [BLOCK, GRADIENT]}


def record(**changes: Any) -> dict[str, Any]:
    return RECORD | changes


def with_block(**changes: Any) -> dict[str, Any]:
    return record(blocks=[BLOCK, BLOCK | changes])


def parse(content: Any) -> DesignBlocks:
    return parse_blocks(json.dumps(content).encode(), label="login.blocks.json")


def picture(size: tuple[int, int] = (100, 80)) -> bytes:
    image, file = Image.new("RGB", size, "white"), io.BytesIO()
    scale = size[0] // 100
    image.paste("#1c2333", (12 * scale, 22 * scale, 66 * scale, 33 * scale))
    image.save(file, "PNG")
    return file.getvalue()


def test_texts_boxes_and_colours_are_read() -> None:
    blocks = parse(RECORD)

    assert blocks.size == (100, 80)
    assert blocks.texts == (
        DesignText("Sign in", ((10, 20, 60, 16),), (28, 35, 51)),
        DesignText("New", ((80, 20, 15, 16), (10, 40, 20, 16)), None, 0.5),
    )
    assert len(blocks.digest) == 64
    jsonschema.validate(RECORD, SCHEMA)


def test_what_is_written_is_read_as_it_was() -> None:
    blocks = DesignBlocks((100, 80), parse(RECORD).texts, source="a kit")
    written = write_blocks(blocks)
    read = parse_blocks(written.encode(), label="written")

    assert (read.size, read.texts, read.source) == (blocks.size, blocks.texts, "a kit")
    jsonschema.validate(json.loads(written), SCHEMA)


@pytest.mark.parametrize(
    ("content", "problem"),
    [
        ([], "Expected `object`, got `array`."),
        ({"schema": 1, "size": [1, 1]}, "Object missing required field `blocks`"),
        (record(schema=2), "schema is 2; this version reads 1"),
        (record(size=[100, 80.5]), "Expected `int`, got `float` - at `$.size[1]`"),
        (record(size=[100, 0]), "Expected `int` >= 1 - at `$.size[1]`"),
        (record(size=[True, 80]), "Expected `int`, got `bool` - at `$.size[0]`"),
        (record(blocks={}), "Expected `array`, got `object` - at `$.blocks`"),
        (record(blocks=["Sign in"]), "Expected `object`, got `str` - at `$.blocks[0]`"),
        (record(colour=1), "Object contains unknown field `colour`."),
        (record(blocks=[{"text": "a"}]), "Object missing required field `boxes` - at `$.blocks[0]`"),
        (with_block(text=" \n"), r"Expected `str` matching regex '\\S' - at `$.blocks[1].text`"),
        (with_block(text=7), "Expected `str`, got `int` - at `$.blocks[1].text`"),
        (with_block(boxes=[]), "Expected `array` of length >= 1 - at `$.blocks[1].boxes`"),
        (with_block(boxes=[10, 20, 60, 16]), "Expected `array`, got `int` - at `$.blocks[1].boxes[0]`"),
        (with_block(boxes=[[1, 2, 3]]), "Expected `array` of length 4 - at `$.blocks[1].boxes[0]`"),
        (
            with_block(boxes=[[0, 0, 1e300, 1]]),
            "Expected `float` <= 9007199254740992.0 - at `$.blocks[1].boxes[0][2]`",
        ),
        (with_block(boxes=[[200, 0, 5, 5]]), "blocks[1].boxes[0] is [200, 0, 5, 5], which shows nothing"),
        (with_block(boxes=[[0, 0, 5, -5]]), "blocks[1].boxes[0] is [0, 0, 5, -5], which shows nothing"),
        (
            with_block(color="red"),
            "Expected `str` matching regex '^#[0-9a-fA-F]{6}$' - at `$.blocks[1].color`",
        ),
        (with_block(color=[0, 0, 0]), "Expected `str | null`, got `array` - at `$.blocks[1].color`"),
        (with_block(opacity=0), "Expected `float` > 0.0 - at `$.blocks[1].opacity`"),
        (with_block(opacity="1"), "Expected `float`, got `str` - at `$.blocks[1].opacity`"),
        (with_block(family="Inter"), "Object contains unknown field `family` - at `$.blocks[1]`"),
        (with_block(font="Inter"), "Expected `object | null`, got `str` - at `$.blocks[1].font`"),
        (with_block(font={"size": 0}), "Expected `float` > 0.0 - at `$.blocks[1].font.size`"),
        (
            with_block(font={"size": 9, "weight": 0}),
            "Expected `float` >= 1.0 - at `$.blocks[1].font.weight`",
        ),
        (
            with_block(font={"size": 9, "italic": 1}),
            "Expected `bool`, got `int` - at `$.blocks[1].font.italic`",
        ),
        (record(elements={}), "Expected `array | null`, got `object` - at `$.elements`"),
        (record(elements=[{"kind": "box"}]), "Object missing required field `name` - at `$.elements[0]`"),
        (
            record(elements=[{"kind": "x", "name": "", "box": [0, 0, 9, 9]}]),
            "Invalid enum value 'x' - at `$.elements[0].kind`",
        ),
        (
            record(elements=[{"kind": "box", "name": "", "box": [0, 0, 9, 9], "line": -1}]),
            "Expected `int` >= 0 - at `$.elements[0].line`",
        ),
    ],
)
def test_what_is_wrong_is_said_with_its_place(content: Any, problem: str) -> None:
    with pytest.raises(SourceError) as caught:
        parse(content)

    assert f"The blocks file login.blocks.json is not valid: {problem}" in str(caught.value)
    assert "docs/sources.md" in caught.value.advice


@pytest.mark.parametrize("content", [b"", b"{", b"\xff\xfe", b'{"size": NaN}', b"[" * 100_000])
def test_what_is_no_json_is_said(content: bytes) -> None:
    with pytest.raises(SourceError, match=r"The blocks file kit is not valid: .+"):
        parse_blocks(content, label="kit")


def test_boxes_are_cut_at_the_designs_edge() -> None:
    (text,) = parse(record(blocks=[BLOCK | {"boxes": [[-5, 70, 20, 20]]}])).texts

    assert text.boxes == ((0, 70, 15, 10),)


@pytest.mark.parametrize("blocks_name", ["login.blocks.json", "login@2x.blocks.json"])
def test_the_file_beside_a_picture_replaces_reading(tmp_path: Path, blocks_name: str) -> None:
    (tmp_path / "login@2x.png").write_bytes(picture((200, 160)))
    (tmp_path / blocks_name).write_text(json.dumps(record(blocks=[BLOCK])))
    capture = capture_picture(read(tmp_path / "login@2x.png"), role="reference")

    assert [(run.text, run.boxes, run.color) for run in capture.text_runs] == [
        ("Sign in", ((10, 20, 60, 16),), (28, 35, 51))
    ]
    assert (capture.page_size, capture.conditions["picture_scale"]) == ((100, 80), 2.0)
    digest = parse_blocks((tmp_path / blocks_name).read_bytes(), label="").digest
    assert capture.conditions["reader"] == f"blocks file {digest[:12]}"


def read(path: Path) -> Document:
    return read_document(path, max_bytes=1_000_000)


def test_a_blocks_file_that_is_wrong_names_itself(tmp_path: Path) -> None:
    (tmp_path / "login.png").write_bytes(picture())
    (tmp_path / "login.blocks.json").write_text("{}")

    with pytest.raises(
        SourceError,
        match=rf"{tmp_path}/login\.blocks\.json is not valid: Object missing required field `schema`",
    ):
        read(tmp_path / "login.png")


def test_the_blocks_file_of_another_picture_is_refused() -> None:
    document = Document("login.png", html=None, picture=picture((100, 120)), blocks=parse(RECORD))

    with pytest.raises(
        SourceError, match=r"login\.png is for a design of 100x80 px, and the picture shows 100x120 px"
    ):
        capture_picture(document, role="reference")


def test_a_text_that_nobody_sees_does_not_count() -> None:
    unseen = BLOCK | {"text": "Ghost", "boxes": [[10, 60, 60, 16]]}
    document = Document("x.png", html=None, picture=picture(), blocks=parse(record(blocks=[BLOCK, unseen])))
    capture = capture_picture(document, role="reference")

    (warning,) = design_warnings(capture, capture, Settings(), is_scored=True)
    assert (warning.code, warning.count) == ("blocks_not_seen", 1)
    assert "1 of 2 texts of the blocks file are not seen in the picture" in warning.message
    assert not list(design_warnings(None, capture, Settings(), is_scored=True))


def test_what_lies_beside_a_candidate_is_not_believed(monkeypatch: pytest.MonkeyPatch) -> None:
    from pytest_design2a11y.picture import capture_picture as module

    monkeypatch.setattr(module, "engine_identity", lambda: "reader of the test")
    monkeypatch.setattr(module, "lines_of", lambda pixels, folder: ())
    document = Document("x.png", html=None, picture=picture(), blocks=parse(RECORD))
    capture = capture_picture(document, role="candidate")

    assert (capture.text_runs, capture.conditions["reader"]) == ((), "reader of the test")


@pytest.mark.parametrize("suffix", ["#page=2", "#top", "?v=2"])
def test_a_picture_has_no_parts_to_name(tmp_path: Path, suffix: str) -> None:
    (tmp_path / "login.png").write_bytes(picture())

    with pytest.raises(SourceNotFound, match="names nothing in it"):
        read_document(f"{tmp_path}/login.png{suffix}", max_bytes=1_000_000)


@pytest.mark.parametrize(
    ("label", "named"), [("x.png", r"x\.png"), ("<html>", "given as HTML text")], ids=["file", "text"]
)
def test_a_design_without_text_has_no_score(label: str, named: str) -> None:
    document = Document(label, html=None, picture=picture(), blocks=parse(record(blocks=[])))
    capture = capture_picture(document, role="reference")

    with pytest.raises(NoVisibleText, match=f"The reference {named} shows no text"):
        measure_visual(capture, capture, settings=Settings())


@pytest.mark.parametrize(
    ("attributes", "window"),
    [
        ('width="40" height="30"', (40, 30)),
        ('width="40" height="30" viewBox="0 0 400 300"', (40, 30)),
        ('viewBox="0 0 400 300"', (400, 300)),
        ('width="40" viewBox="0 0 400 300"', (400, 300)),
        ('width="0" height="30"', None),
        ("", None),
    ],
)
def test_a_drawing_has_the_size_that_it_names_or_its_views(
    attributes: str, window: tuple[int, int] | None
) -> None:
    drawn = page_of_svg(Path("a.svg"), f'<svg {attributes}><rect width="9" height="9"/></svg>'.encode())

    assert drawn.size == window

"""Figma's answer becomes a blocks file: what a person sees of a frame, and no more."""

from __future__ import annotations

import copy
import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import jsonschema
import pytest

import pytest_design2a11y
from pytest_design2a11y.command.main import main
from pytest_design2a11y.exceptions import ConfigurationError
from pytest_design2a11y.models.elements import DesignText
from pytest_design2a11y.models.geometry import hex_color
from pytest_design2a11y.source.figma import Imported, import_figma
from pytest_design2a11y.source.figma_nodes import Paint, paint_of, texts_by_paint
from pytest_design2a11y.source.picture import parse_blocks

FILE = Path(__file__).parents[2] / "data" / "figma-nodes.json"
ANSWER: dict[str, Any] = json.loads(FILE.read_bytes())
BLACK: dict[str, float] = {"r": 0, "g": 0, "b": 0, "a": 1}
WHITE: dict[str, float] = {"r": 1, "g": 1, "b": 1, "a": 1}


def imported(answer: Any = ANSWER, node: str | None = None) -> Imported:
    return import_figma(json.dumps(answer).encode(), label="nodes.json", node=node)


def text(start: str) -> DesignText:
    (found,) = [one for one in imported().blocks.texts if one.text.startswith(start)]
    return found


def solid(color: Mapping[str, float], **more: Any) -> dict[str, Any]:
    return {"type": "SOLID", "blendMode": "NORMAL", "color": color, **more}


def test_the_texts_of_a_frame_that_a_person_sees_in_order() -> None:
    result = imported()

    assert [one.text for one in result.blocks.texts] == [
        "Harbour library", "Catalogue", "Opening hours", "Read the , and our privacy notes or 🙂 today",
        "terms terms", "Half opaque", "Summer reading", "Blended", "Filled with a picture",
        "Turned by a quarter", "SIGN IN", "Seen", "A long line that does not fit in its place",
        "Runs over its box",
    ]  # fmt: skip
    assert (result.name, result.blocks.size) == ("Sign in / phone", (390, 844))
    assert result.blocks.source == ("Figma: Harbour kit, Sign in / phone (1:2), version 2201345678901234567")


def test_what_else_a_frame_may_show_is_told_in_order_with_what_lies_in_it() -> None:
    shapes = imported().blocks.shapes or ()

    assert [(one.kind, one.name, one.inside) for one in shapes] == [
        ("box", "Background", 0), ("box", "Header", 0), ("box", "Button", 0),
        ("picture", "Badge", 0), ("box", "Window", 0),
    ]  # fmt: skip


@pytest.mark.parametrize(("clips", "width"), [(True, 100), (False, 150)])
def test_a_shape_is_cut_off_by_what_clips_and_by_nothing_else(clips: bool, width: int) -> None:
    def box(name: str, left: int, wide: int, **more: Any) -> dict[str, Any]:
        place = {"x": left, "y": 0, "width": wide, "height": 40}
        made = {"id": name, "name": name, "type": "FRAME", "absoluteBoundingBox": place}
        return {**made, "fills": [solid(BLACK)], **more}

    card = box("Card", 0, 100, clipsContent=clips, children=[box("Ribbon", 0, 150)])
    whole = box("Page", 0, 390, children=[card])

    shapes = imported({"nodes": {"1:2": {"document": whole}}}).blocks.shapes or ()

    assert [one.box[2] for one in shapes if one.name == "Ribbon"] == [width]


def test_strokes_shadows_and_corners_are_places_to_look_at() -> None:
    color = {"type": "SOLID", "color": BLACK}
    bounds = {"x": 10, "y": 20, "width": 100, "height": 40}
    card = {
        "id": "9:1",
        "name": "Card",
        "type": "RECTANGLE",
        "absoluteBoundingBox": bounds,
        "strokes": [color],
        "strokeWeight": 2,
        "strokeAlign": "OUTSIDE",
        "cornerRadius": 8,
        "effects": [{"type": "DROP_SHADOW", "radius": 12}, {"type": "LAYER_BLUR", "radius": 40}],
    }
    hidden = {**card, "visible": False}
    rule = {**card, "type": "LINE", "absoluteBoundingBox": {**bounds, "height": 0}, "effects": []}
    photo = {**card, "fills": [{"type": "IMAGE"}], "strokes": [], "effects": []}
    icon = {"id": "9:2", "name": "Icon", "type": "FRAME", "absoluteBoundingBox": bounds, "children": [
        {**card, "type": "VECTOR"}, {**card, "type": "ELLIPSE"},
    ]}  # fmt: skip
    frame = {"type": "FRAME", "id": "9:0", "name": "All", "absoluteBoundingBox": {**bounds, "x": 0, "y": 0},
             "children": [card, hidden, rule, photo, icon]}  # fmt: skip
    frame["absoluteBoundingBox"] = {"x": 0, "y": 0, "width": 300, "height": 200}

    shapes = imported({"nodes": {"9:0": {"document": frame}}}).blocks.shapes or ()

    assert [(one.kind, one.box, one.line, one.shadow, one.radius) for one in shapes] == [
        ("box", (8, 18, 104, 44), 2, 12, 8),
        ("box", (8, 18, 104, 4), 0, 0, 8),
        ("picture", (10, 20, 100, 40), 0, 0, 8),
        ("picture", (10, 20, 100, 40), 0, 0, 0),
    ]


def test_what_is_left_out_is_counted() -> None:
    assert imported().left_out == {"hidden": 8, "outside": 3, "shortened": 1}


def test_places_are_those_in_the_frame_not_on_the_canvas() -> None:
    assert text("Harbour").boxes == ((24, 20, 120, 24),)


def test_a_frame_that_clips_cuts_texts_off() -> None:
    assert text("Catalogue").boxes == ((341, 24, 49, 16),)


def test_a_text_that_runs_over_its_box_is_where_it_is_drawn() -> None:
    assert text("Runs over").boxes == ((25, 644, 130.5, 15.25),)


def test_words_of_another_colour_are_a_text_of_their_own_and_bold_ones_are_not() -> None:
    own, links = text("Read the"), text("terms terms")

    assert own.color is not None
    assert links.color is not None
    assert (hex_color(own.color), hex_color(links.color)) == ("#1c2333", "#0645ad")
    assert own.boxes == links.boxes


def test_opacities_multiply() -> None:
    assert (text("Half").color, text("Half").opacity) == ((0, 0, 0), 0.4)


@pytest.mark.parametrize("start", ["Summer", "Filled"])
def test_gradients_and_pictures_have_no_single_colour(start: str) -> None:
    assert text(start).color is None


@pytest.mark.parametrize(
    ("fills", "paint"),
    [
        ([], None),
        ([solid(BLACK, visible=False)], None),
        ([solid(BLACK, opacity=0)], None),
        ([solid({**BLACK, "a": 0})], None),
        ([solid(BLACK)], Paint((0, 0, 0), 1)),
        ([solid({**BLACK, "a": 0.5}, opacity=0.5)], Paint((0, 0, 0), 0.25)),
        ([solid(BLACK), solid(WHITE, opacity=0.5)], Paint((128, 128, 128), 1)),
        ([solid(BLACK, opacity=0.5), solid(WHITE, opacity=0.5)], Paint((170, 170, 170), 0.75)),
        ([{"type": "GRADIENT_LINEAR", "gradientStops": [{"color": {**BLACK, "a": 0}}]}], None),
        ([{"type": "GRADIENT_RADIAL", "gradientStops": [{"color": BLACK}]}], Paint(None, 1)),
        ([{"type": "IMAGE", "imageRef": "1f"}, solid(WHITE)], Paint((255, 255, 255), 1)),
        ([{"type": "IMAGE", "imageRef": "1f"}, solid(WHITE, opacity=0.5)], Paint(None, 1)),
    ],
)
def test_fills_lie_on_each_other(fills: list[dict[str, Any]], paint: Paint | None) -> None:
    found = paint_of(fills)

    assert (found and found.color, found and found.opacity) == (
        paint and paint.color,
        paint and paint.opacity,
    )


def test_styles_count_characters_as_javascript_does() -> None:
    link = {"fills": [solid(WHITE)]}
    node = {"characters": "🙂 x", "fills": [solid(BLACK)], "characterStyleOverrides": [0, 0, 0, 5],
            "styleOverrideTable": {"5": link}}  # fmt: skip

    assert [words for words, _ in texts_by_paint(node)] == ["🙂", "x"]


@pytest.mark.parametrize("node", [None, "1:2", "1-2"])
def test_the_frame_is_named_as_in_the_answer_or_in_an_address(node: str | None) -> None:
    assert imported(node=node).blocks == imported().blocks


def test_a_node_inside_can_be_the_frame() -> None:
    header = next(one for one in frame(ANSWER)["children"] if one["name"] == "Header")

    assert [one.text for one in imported(node=header["id"]).blocks.texts] == ["Harbour library", "Catalogue"]


def test_a_whole_file_is_searched() -> None:
    whole = {"name": "Kit", "document": {"id": "0:0", "type": "DOCUMENT", "children": [frame(ANSWER)]}}

    assert imported(whole, node="1:2").blocks.texts == imported().blocks.texts


def test_a_whole_file_with_one_frame_needs_no_name_and_with_several_lists_them() -> None:
    def whole(*pages: dict[str, Any]) -> dict[str, Any]:
        return {"name": "Kit", "document": {"id": "0:0", "type": "DOCUMENT", "children": list(pages)}}

    def page(*children: dict[str, Any], type: str = "CANVAS") -> dict[str, Any]:
        return {"id": "0:1", "name": "Page", "type": type, "children": list(children)}

    login, note = frame(ANSWER), {"id": "4:4", "name": "a note", "type": "TEXT"}
    signup = {**login, "id": "7:1", "name": "Sign up"}

    assert imported(whole(page(note, login))).blocks.texts == imported().blocks.texts
    with pytest.raises(ConfigurationError) as several:
        imported(whole(page(note, page(login, type="SECTION")), page(signup)))
    assert (
        "it has 2 frames (1:2 'Sign in / phone', 7:1 'Sign up'): name one with --node" in several.value.what
    )


def frame(answer: dict[str, Any]) -> dict[str, Any]:
    found: dict[str, Any] = answer["nodes"]["1:2"]["document"]
    return found


def change(edit: Callable[[dict[str, Any]], Any]) -> dict[str, Any]:
    answer = copy.deepcopy(ANSWER)
    edit(answer)
    return answer


def of_title(**values: Any) -> Callable[[dict[str, Any]], Any]:
    def edit(answer: dict[str, Any]) -> None:
        title = next(one for one in frame(answer)["children"] if one["name"] == "Title")
        title.update(values)
        for name in [key for key, value in values.items() if value is ...]:
            del title[name]

    return edit


@pytest.mark.parametrize(
    ("answer", "problem"),
    [
        ([], "it is not an object"),
        ({"status": 403, "err": "Invalid token"}, "Figma answered 403: Invalid token"),
        ({"a": 1}, "it has neither 'nodes' nor 'document'"),
        ({"nodes": {"1:2": None}}, "it has 0 frames ()"),
        (change(lambda one: one["nodes"].update({"1:3": one["nodes"]["1:2"]})), "it has 2 frames (1:2"),
        ({"document": {"id": "0:1", "name": "Page", "type": "CANVAS"}}, "it has 0 frames"),
        (change(of_title(characters=...)), "(Title) lacks 'characters'"),
        (change(of_title(characters=7)), "(Title) is not valid"),
        (change(of_title(fills=["red"])), "(Title) is not valid"),
        (change(of_title(opacity="half")), "(Title) is not valid: could not convert"),
        (change(of_title(absoluteRenderBounds={"x": 1})), "(Title) lacks 'y'"),
        (change(of_title(type=...)), "(Title) lacks 'type'"),
    ],
)  # fmt: skip
def test_what_is_no_answer_of_figma_is_said(answer: Any, problem: str) -> None:
    with pytest.raises(ConfigurationError) as caught:
        imported(answer)

    assert "nodes.json has no frame to import: " in caught.value.what
    assert problem in caught.value.what
    assert "GET https://api.figma.com/v1/files/KEY/nodes?ids=ID" in caught.value.advice


def test_a_node_that_is_not_there_is_said() -> None:
    with pytest.raises(ConfigurationError, match=r"it has no node '9:9', but 1:2 'Sign in / phone'\."):
        imported(node="9:9")


@pytest.mark.parametrize("content", [b"", b"<html>", b'{"a":' * 50_000, b"\xff"])
def test_what_is_no_json_is_said(content: bytes) -> None:
    with pytest.raises(ConfigurationError, match=r"nodes\.json has no frame to import"):
        import_figma(content, label="nodes.json")


def test_a_tree_of_any_depth_ends() -> None:
    with pytest.raises(ConfigurationError, match="nested too deep"):
        import_figma(deep(20_000), label="nodes.json")


def deep(levels: int) -> bytes:
    opening = '{"id": "1", "type": "GROUP", "children": ['
    return f'{{"document": {opening * levels}{"]}" * levels}}}'.encode()


def test_the_command_writes_a_file_that_is_read(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    output = tmp_path / "login.blocks.json"

    assert main(["assets", "figma", str(FILE), "--node", "1:2", "-o", str(output)]) == 0

    out = capsys.readouterr().out
    assert f"wrote {output}: 14 texts of Sign in / phone (390x844 px)\n" in out
    assert "3 left out: outside of the frame, or cut off" in out
    schema = Path(pytest_design2a11y.__file__).parent / "source" / "blocks.schema.json"
    jsonschema.validate(json.loads(output.read_bytes()), json.loads(schema.read_bytes()))
    assert parse_blocks(output.read_bytes(), label="").texts == imported().blocks.texts


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ([str(FILE), "-o", "login.json"], "login.json would not be found beside a picture. Name it like"),
        (["missing.json", "-o", "login.blocks.json"], "No such file"),
        ([str(FILE), "--node", "9:9", "-o", "login.blocks.json"], "it has no node '9:9'"),
    ],
)  # fmt: skip
def test_the_command_says_what_is_wrong(
    arguments: list[str], message: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:  # fmt: skip
    monkeypatch.chdir(tmp_path)
    with pytest.raises(SystemExit, match="2"):
        main(["assets", "figma", *arguments])

    assert message in capsys.readouterr().err
    assert not (tmp_path / "login.blocks.json").exists()

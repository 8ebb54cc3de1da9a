"""Labels far apart in one line of one element are two texts, for all but the blocks of `visual`."""

from __future__ import annotations

import pytest

from pytest_design2a11y.capture.renderer import Renderer
from pytest_design2a11y.exceptions import TimeLimit
from pytest_design2a11y.measuring.conditions import text_of
from pytest_design2a11y.measuring.measures import measure_visual
from pytest_design2a11y.models.page import Capture, Document
from pytest_design2a11y.models.words import in_words
from pytest_design2a11y.settings import Settings
from pytest_design2a11y.visual import figures_of
from pytest_design2a11y.visual.scene.units import units_of

HEAD = "<!doctype html><title>x</title><body style='margin: 20px; font: 16px sans-serif'>"
REST = "<p>All orders of this week wait here until somebody has looked at them.</p>"
GAP = "<div><u>Orders \U0001f4e6 43</u> <u style='margin-left: 400px'>Returns 12</u></div>"


def capture(renderer: Renderer, body: str) -> Capture:
    document = Document(label="page", html=(HEAD + body + REST).encode())
    return renderer.capture(document, role="candidate", audit=None)


@pytest.mark.parametrize(
    "body",
    [
        GAP,
        GAP.replace(" <u", "<u"),
        GAP.replace("u>", "span>").replace("<u ", "<span "),
        "<div style='display: flex; justify-content: space-between; width: 700px'>"
        "<span>Orders \U0001f4e6 43</span><span>Returns 12</span></div>",
        "<div><b style='display: inline-flex; justify-content: space-between; width: 700px'>"
        "<span>Orders \U0001f4e6 43</span><span>Returns 12</span></b></div>",
    ],
)
def test_labels_far_apart_are_two_texts(renderer: Renderer, body: str) -> None:
    page = capture(renderer, body)
    _, seen = text_of(page, TimeLimit())

    assert [one.text.lower() for one in units_of(seen)][:2] == ["orders \U0001f4e6 43", "returns 12"]
    boxes = {one.text: one.box for one in figures_of(seen)}
    assert boxes["43"][0] + boxes["43"][2] < 300 < boxes["12"][0]


@pytest.mark.parametrize("space", [" ", ""])
def test_so_are_those_read_from_right_to_left(renderer: Renderer, space: str) -> None:
    labels = f"<bdi>Orders 43</bdi>{space}<bdi style='margin-right: 400px'>Returns 12</bdi>"

    _, seen = text_of(capture(renderer, f"<div dir=rtl>{labels}</div>"), TimeLimit())

    assert [one.text for one in units_of(seen)][:2] == ["Orders 43", "Returns 12"]


@pytest.mark.parametrize("space", [" ", ""])
def test_of_two_labels_the_one_that_is_gone_is_reported(renderer: Renderer, space: str) -> None:
    design = capture(renderer, GAP.replace(" <u", f"{space}<u"))
    made = capture(renderer, "<div><u>Orders \U0001f4e6 43</u></div>")
    score = measure_visual(design, made, settings=Settings())

    said = [in_words(one) for one in score.differences]
    assert 'text "Returns 12" at 51' in said[0]
    assert said[0].endswith("is missing")
    assert not [one for one in said if "reads" in one]
    # The blocks of Design2Code stay one, as ever.
    assert len(score.matches) == 2
    assert score.matches[0].reference.text == f"orders \U0001f4e6 43{space}returns 12"


def test_words_of_a_sentence_stay_one_text(renderer: Renderer) -> None:
    page = capture(renderer, "<p>Of <b>43 late orders</b> <i style='margin-left: 12px'>two</i> wait.</p>")

    assert next(one.text for one in units_of(page.text_runs)) == "Of 43 late orders two wait."


@pytest.mark.parametrize(
    "row",
    [
        pytest.param("<p>{}</p><p>New boats arrive</p>", id="above it"),
        pytest.param("<p><span>{}</span> New boats arrive</p>", id="in one line with it"),
        pytest.param(
            "<p style='display: flex; gap: 20px'><span>{}</span>New boats arrive</p>", id="beside it"
        ),
    ],
)
def test_a_word_is_missing_before_a_text_that_begins_with_it(renderer: Renderer, row: str) -> None:
    design, page = (capture(renderer, row.format(word)) for word in ("New", ""))

    score = measure_visual(design, page, settings=Settings())

    assert [in_words(one) for one in score.differences if one.severity == "serious"] == [
        f'text "New" at {", ".join(str(round(at)) for at in design.text_runs[0].boxes[0][:2])} is missing'
    ]

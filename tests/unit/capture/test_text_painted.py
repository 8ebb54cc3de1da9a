"""Whether what is seen of texts is their own painting."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from pytest_design2a11y.blocks import ink_of
from pytest_design2a11y.capture.browser.channel import Deadline
from pytest_design2a11y.capture.see_page import unaudited_share
from pytest_design2a11y.capture.text.candidates import FoundRun
from pytest_design2a11y.capture.text.painted import MAX_LAYERS, Views, has_own_ink, in_layers, others_within
from pytest_design2a11y.exceptions import MeasurementTimeout, RenderTimeout, TimeLimit
from pytest_design2a11y.models.geometry import Box
from pytest_design2a11y.models.page import TextRun

ANY_TIME = Deadline(float("inf"))

TEXT: Box = (100, 100, 200, 20)
Pixels = NDArray[np.uint8]


def run(*boxes: Box, owner: int = 0, text: str = "text", unaudited: int = 0) -> TextRun:
    return TextRun(text=text, boxes=boxes, color=(0, 0, 0), owner=owner, unaudited=unaudited)


def test_bullets_are_not_letters_of_a_text() -> None:
    marked = FoundRun(run(TEXT, (90, 100, 8, 8)), 0, 0, marks=frozenset({(90, 100, 8, 8)}))
    alone = FoundRun(run((90, 100, 8, 8)), 0, 0, marks=frozenset({(90, 100, 8, 8)}))

    assert marked.letters == run(TEXT)
    assert alone.letters == alone.run


def test_what_other_texts_paint_is_not_a_text_s_own() -> None:
    whole = Views(strokes(0), strokes(0), GROUND, (0, 0))

    assert has_own_ink(RUN, whole, ANY_TIME, others=[(0, 0, 9, 9)])
    assert not has_own_ink(RUN, whole, ANY_TIME, others=[(0, 0, 500, 500)])


def test_other_texts_are_found_where_they_reach_into_a_text() -> None:
    runs = [run(TEXT), run((290, 110, 50, 20), (400, 110, 9, 9)), run((0, 0, 9, 9))]

    assert list(others_within(runs, [0, 2], ANY_TIME)) == [[(290, 110, 50, 20)], []]
    with pytest.raises(RenderTimeout, match="did not finish within 0 seconds"):
        list(others_within(runs, [0], Deadline(0)))


def test_texts_on_each_other_lie_in_different_layers() -> None:
    runs = [run(TEXT, owner=0), run(TEXT, owner=1), run((100, 300, 200, 20), owner=2)]

    assert in_layers(runs, [0, 1, 2], ANY_TIME) == [[0, 2], [1]]


def test_of_a_pile_of_texts_the_first_layers_are_looked_at() -> None:
    pile = [run(TEXT, owner=number) for number in range(20)]

    assert in_layers(pile, range(20), ANY_TIME) == [[number] for number in range(MAX_LAYERS)]


GROUND = np.full((30, 220, 3), 255, dtype=np.uint8)
RUN = run((5, 5, 200, 20))


def strokes(level: int, *, start: int = 8, ground: Pixels = GROUND) -> Pixels:
    pixels = ground.copy()
    for left in range(start, 200, 12):
        pixels[9:21, left : left + 3] = level
    return pixels


@pytest.mark.parametrize(
    ("whole", "bare", "is_own"),
    [
        pytest.param(strokes(0), GROUND, True, id="on a flat ground"),
        pytest.param(strokes(240), GROUND, True, id="faint, on a flat ground"),
        pytest.param(strokes(0), strokes(0), False, id="only in a picture"),
        pytest.param(strokes(240, start=14, ground=strokes(0)), strokes(0), False, id="lost in a picture"),
        pytest.param(strokes(0), strokes(90), False, id="the same in a picture"),
        pytest.param(strokes(0, start=14, ground=strokes(120)), strokes(120), True, id="beside a picture's"),
        pytest.param(
            strokes(100, start=10, ground=strokes(0)),
            strokes(0),
            False,
            id="a_fainter_copy aside of a picture's",
        ),
        pytest.param(strokes(0, start=190), GROUND, False, id="all but covered"),
    ],
)
def test_ink_is_a_text_s_own_where_the_page_without_it_looks_otherwise(
    whole: Pixels, bare: Pixels, is_own: bool
) -> None:
    assert has_own_ink(RUN, Views(whole, whole, bare, (0, 0)), ANY_TIME) is is_own


def test_a_part_of_a_page_has_its_own_origin() -> None:
    far = run((1005, 2005, 200, 20))

    assert has_own_ink(far, Views(strokes(0), strokes(0), GROUND, (1000, 2000)), ANY_TIME)


def test_text_shown_alone_must_be_seen_among_the_others_too() -> None:
    assert not has_own_ink(
        RUN, Views(whole=strokes(0), shown=strokes(240), bare=GROUND, origin=(0, 0)), ANY_TIME
    )


@pytest.mark.parametrize(("rows", "is_seen"), [(3, False), (9, True)])
def test_a_line_is_no_ink_of_words(rows: int, is_seen: bool) -> None:
    pixels = GROUND.copy()
    pixels[6 : 6 + rows, 5:205] = 0

    assert (ink_of(RUN, pixels) is not None) is is_seen
    assert ink_of(run((5, 5, 200, 20), text="___"), pixels) is not None


def test_the_unaudited_share_is_that_of_characters() -> None:
    found = [
        FoundRun(run(TEXT, text="six is", unaudited=5), 0, 0),
        FoundRun(run(TEXT, text="fifteen letters"), 0, 1),
    ]

    assert unaudited_share(found) == 5 / 19
    assert unaudited_share([]) is None


def test_a_text_in_very_many_places_does_not_outlast_the_page() -> None:
    """Each character of an SVG text may have a place of its own."""
    whole = Views(strokes(0), strokes(0), GROUND, (0, 0))
    with pytest.raises(RenderTimeout, match="did not finish within 0 seconds"):
        has_own_ink(RUN, whole, Deadline(0))
    with pytest.raises(MeasurementTimeout, match=r"within 0 s\. \(stage: blocks\)"):
        ink_of(RUN, GROUND, TimeLimit(0))
    with pytest.raises(RenderTimeout, match="did not finish within 0 seconds"):
        in_layers([RUN, RUN], [0, 1], Deadline(0))

"""Which texts something could stand in for, and whether what is seen is their own painting."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from pytest_design2a11y.blocks.ink import ink_of
from pytest_design2a11y.capture.page.frame_context import Deadline
from pytest_design2a11y.capture.read_page import unaudited_share
from pytest_design2a11y.capture.text.doubts import FoundRun, decoys_of, doubtful, largest_picture
from pytest_design2a11y.capture.text.overlaps import MAX_LAYERS, in_layers, others_within
from pytest_design2a11y.capture.text.own_ink import Views, has_own_ink
from pytest_design2a11y.exceptions import MeasurementTimeout, RenderTimeout
from pytest_design2a11y.models.geometry import Box
from pytest_design2a11y.models.page import TextRun
from pytest_design2a11y.models.time_limit import TimeLimit

PICTURE, PAINT, FRAME, PLAIN, LID = range(5)
# First element in what paints it, and the one after the last: the text is the third.
AROUND, BESIDE = (0, 9), (3, 9)
TEXT: Box = (100, 100, 200, 20)
Pixels = NDArray[np.uint8]


def run(*boxes: Box, owner: int = 0, text: str = "text", unaudited: int = 0) -> TextRun:
    return TextRun(text=text, boxes=boxes, color=(0, 0, 0), owner=owner, unaudited=unaudited)


def answer(*found: tuple[float, ...], is_anywhere: bool = False) -> dict[str, Any]:
    return {"decoys": [(*one, *AROUND[len(one) - 5 :]) for one in found], "isAnywhere": is_anywhere}


@pytest.mark.parametrize(
    ("decoy", "is_doubtful"),
    [
        pytest.param((PICTURE, 0, 0, 500, 500), True, id="a picture behind"),
        pytest.param((PAINT, 290, 90, 50, 50), True, id="a gradient at the end"),
        pytest.param((PICTURE, 300.5, 100, 50, 20), False, id="a picture beside"),
        pytest.param((PLAIN, 0, 0, 500, 500), False, id="a plain ground"),
        pytest.param((PLAIN, 100, 101, 200, 18), False, id="a plain ground that is less high by a rim"),
        pytest.param((PLAIN, 150, 105, 8, 10), True, id="a bar"),
        pytest.param((PLAIN, 0, 0, 500, 500, *BESIDE), True, id="a plain box that may lie on it"),
        pytest.param((PLAIN, 0, 0, 500, 101, *BESIDE), False, id="a plain box that hardly touches it"),
        pytest.param((LID, 0, 0, 500, 500, *BESIDE), True, id="the marker of another"),
        pytest.param((LID, 150, 105, 8, 10), False, id="its own marker"),
        pytest.param((PLAIN, 0, 0, 200, 500), True, id="a ground that ends in the text"),
        pytest.param((FRAME, 0, 0, 500, 500), True, id="a frame behind"),
    ],
)
def test_texts_that_something_could_stand_in_for_are_doubtful(
    decoy: tuple[float, ...], is_doubtful: bool
) -> None:
    others = decoys_of([answer(decoy)], [(0.0, 0.0)])

    assert doubtful([FoundRun(run(TEXT), 0, 0, span=(2, 2))], others) == [0] * is_doubtful


def test_a_text_that_is_not_painted_plainly_is_doubtful_by_itself() -> None:
    found = [FoundRun(run(TEXT), 0, 0), FoundRun(run(TEXT), 0, 1, is_plain=False)]

    assert doubtful(found, decoys_of([answer()], [(0.0, 0.0)])) == [1]


def test_bullets_are_not_letters_of_a_text() -> None:
    marked = FoundRun(run(TEXT, (90, 100, 8, 8)), 0, 0, marks=frozenset({(90, 100, 8, 8)}))
    alone = FoundRun(run((90, 100, 8, 8)), 0, 0, marks=frozenset({(90, 100, 8, 8)}))

    assert marked.letters == run(TEXT)
    assert alone.letters == alone.run


def test_what_other_texts_paint_is_not_a_text_s_own() -> None:
    whole = Views(strokes(0), strokes(0), GROUND, (0, 0))

    assert has_own_ink(RUN, whole, others=[(0, 0, 9, 9)])
    assert not has_own_ink(RUN, whole, others=[(0, 0, 500, 500)])


def test_other_texts_are_found_where_they_reach_into_a_text() -> None:
    runs = [run(TEXT), run((290, 110, 50, 20), (400, 110, 9, 9)), run((0, 0, 9, 9))]

    assert list(others_within(runs, [0, 2])) == [[(290, 110, 50, 20)], []]
    with pytest.raises(RenderTimeout, match="did not finish within 0 seconds"):
        list(others_within(runs, [0], Deadline(0)))


def test_a_frame_is_no_doubt_about_the_text_in_it_but_what_lies_on_it_is() -> None:
    inner = FoundRun(run(TEXT), world=1, number=0)

    def doubts(*around: tuple[float, ...]) -> list[int]:
        return doubtful([inner], decoys_of([answer(*around), answer()], [(0.0, 0.0), (50.0, 50.0)]))

    assert doubts((FRAME, 50, 50, 400, 400)) == []
    assert doubts((FRAME, 50, 50, 400, 400), (PICTURE, 0, 0, 500, 500)) == [0]


def test_boxes_of_frames_are_moved_to_where_the_frame_lies() -> None:
    moved = decoys_of([answer(), answer((PICTURE, 60, 70, 10, 10))], [(0.0, 0.0), (50.0, 40.0)])

    assert doubtful([FoundRun(run(TEXT), 0, 0)], moved) == [0]


def test_what_paints_anywhere_makes_all_texts_doubtful() -> None:
    others = decoys_of([answer(is_anywhere=True)], [(0.0, 0.0)])

    assert doubtful([FoundRun(run(TEXT), 0, 0), FoundRun(run((0, 0, 9, 9)), 0, 1)], others) == [0, 1]


def test_looking_for_doubts_ends_with_the_page_s_time() -> None:
    others = decoys_of([answer((PLAIN, 0, 0, 9, 9))], [(0.0, 0.0)])

    with pytest.raises(RenderTimeout, match="did not finish within 0 seconds"):
        doubtful([FoundRun(run(TEXT), 0, 0)], others, Deadline(0))


def test_the_largest_picture_is_told_as_a_share_of_the_page() -> None:
    found = [(PICTURE, -100, 0, 600, 500), (PAINT, 0, 0, 1000, 1000), (PICTURE, 0, 0, 10, 10)]

    assert largest_picture(decoys_of([answer(*found)], [(0.0, 0.0)]), (1000, 1000)) == 0.25
    assert largest_picture(decoys_of([answer()], [(0.0, 0.0)]), (1000, 1000)) == 0.0


def test_texts_on_each_other_lie_in_different_layers() -> None:
    runs = [run(TEXT, owner=0), run(TEXT, owner=1), run((100, 300, 200, 20), owner=2)]

    assert in_layers(runs, [0, 1, 2]) == [[0, 2], [1]]


def test_of_a_pile_of_texts_the_first_layers_are_looked_at() -> None:
    pile = [run(TEXT, owner=number) for number in range(20)]

    assert in_layers(pile, range(20)) == [[number] for number in range(MAX_LAYERS)]


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
    assert has_own_ink(RUN, Views(whole, whole, bare, (0, 0))) is is_own


def test_a_part_of_a_page_has_its_own_origin() -> None:
    far = run((1005, 2005, 200, 20))

    assert has_own_ink(far, Views(strokes(0), strokes(0), GROUND, (1000, 2000)))


def test_text_shown_alone_must_be_seen_among_the_others_too() -> None:
    assert not has_own_ink(RUN, Views(whole=strokes(0), shown=strokes(240), bare=GROUND, origin=(0, 0)))


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
    with pytest.raises(MeasurementTimeout, match=r"within 0 seconds\. \(stage: blocks\)"):
        ink_of(RUN, GROUND, TimeLimit(0))
    with pytest.raises(RenderTimeout, match="did not finish within 0 seconds"):
        in_layers([RUN, RUN], [0, 1], Deadline(0))

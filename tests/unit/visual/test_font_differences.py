"""Fonts and letters of texts that differ, on both sides of each limit."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest

from pytest_design2a11y.matching import match_blocks
from pytest_design2a11y.models.elements import Font, Trouble
from pytest_design2a11y.models.page import TextRun
from pytest_design2a11y.models.visual import Difference
from pytest_design2a11y.visual import match_pages, score_matching
from pytest_design2a11y.visual.differences import Compared
from pytest_design2a11y.visual.differences.fonts import font_differences, line_differences
from pytest_design2a11y.visual.differences.texts import text_differences
from tests.pages_by_hand import BLACK, BLUE, SANS, SERIF, WHITE, box, page, text

RED = (200, 0, 0)
ITALIC, BOLD = replace(SANS, is_italic=True), replace(SANS, weight=700)
Change = tuple[str | None, Any, Any]


def compared(design: Sequence[TextRun], made: Sequence[TextRun]) -> Compared:
    pages = [page(runs, height=400) for runs in (design, made)]
    return Compared(match_pages(pages[0], pages[1]), score_matching(match_blocks([], [])))


def sized(size: float) -> Font:
    return replace(SANS, size=size)


def other(by: float, *, lacking: int = 0) -> Font:
    """Make a typeface whose letters are wider by a part of an em, of which some are of another font."""
    return replace(SANS, advances=(*(one + by for one in SANS.advances[lacking:]), *((0.0,) * lacking)))


def fonts(
    design: Sequence[tuple[str, Font]], made: Sequence[tuple[str, Font]], shift: int = 40
) -> list[Difference]:
    """Return the differences of texts, one below the other, that moved."""
    sides = [
        [text(words, 100 + x, 40 + 60 * at, font=font) for at, (words, font) in enumerate(side)]
        for x, side in ((0, design), (shift, made))
    ]
    return [*font_differences(compared(*sides))]


def changes(found: Sequence[Difference]) -> list[Change]:
    assert {(one.kind, one.what) for one in found} <= {("font", "text")}
    assert all(one.design["text"] == one.made["text"] for one in found)
    return [(one.property, one.expected, one.actual) for one in found]


@pytest.mark.parametrize(
    ("design", "made", "found"),
    [
        (SANS, SANS, []),
        (SANS, sized(20), [("font_size", 14, 20)]),
        (sized(20), SANS, [("font_size", 20, 14)]),
        (SANS, sized(14.28), [("font_size", 14, 14.3)]),
        (SANS, sized(14.27), []),
        (SANS, replace(SANS, weight=600), [("weight", 400, 700)]),
        (SANS, replace(SANS, weight=599), []),
        (BOLD, SANS, [("weight", 700, 400)]),
        (SANS, ITALIC, [("style", None, "italic")]),
        (ITALIC, SANS, [("style", "italic", None)]),
        (SANS, replace(SERIF, is_italic=True), [("style", None, "italic")]),
        (SANS, SERIF, [("family", "sans-serif", "serif")]),
        (SERIF, SANS, [("family", "serif", "sans-serif")]),
        (SANS, replace(SERIF, size=20), [("font_size", 14, 20), ("family", "sans-serif", "serif")]),
        (SANS, replace(other(0.02), weight=700), [("weight", 400, 700)]),
        (SANS, other(0.02), [("typeface", None, "wider")]),
        (SANS, other(-0.02), [("typeface", None, "narrower")]),
        # Of 0.61 em on the average, 0.0123 is a fiftieth, and of 0.08, 0.012 is 0.15.
        (SANS, other(0.0122), [("typeface", None, None)]),
        (SANS, other(0.0124), [("typeface", None, "wider")]),
        (SANS, other(0.0119), []),
        (SANS, replace(SANS, advances=()), []),
        (SANS, other(0.0, lacking=1), [("typeface", None, None)]),
    ],
)
def test_fonts_are_told(design: Font, made: Font, found: list[Change]) -> None:
    assert changes(fonts([("Soup of today", design)], [("Soup of today", made)])) == found
    assert changes(fonts([("Soup of today", design)], [("Bread, water", made)])) == []


def test_fonts_that_nobody_sees_are_not_told() -> None:
    assert changes(fonts([("Soup of today", SANS)], [("Soup of today", ITALIC)], shift=0)) == []


@pytest.mark.parametrize(
    ("sizes", "sizes_now", "found"),
    [
        ((10, 20), (11, 22), [("scale", 1.0, 1.1)]),
        ((10, 20), (11, 22.03), [("scale", 1.0, 1.1)]),
        ((10, 20), (11, 23), [("font_size", 10, 11), ("font_size", 20, 23)]),
        ((10, 10), (11, 11), [("font_size", 10, 11)]),
        ((10, 10), (10.1, 10.1), [("scale", 1.0, 1.01)]),
        ((10, 10), (10.05, 10.05), []),
        ((10, 10), (10.2, 10.2), [("font_size", 10, 10.2)]),
    ],
)
def test_sizes_that_grew_alike_are_one_scale(
    sizes: Sequence[float], sizes_now: Sequence[float], found: list[Change]
) -> None:
    words = "Soup of today", "Bread, water"
    design, made = (
        [(word, sized(size)) for word, size in zip(words, side, strict=True)] for side in (sizes, sizes_now)
    )

    assert changes(fonts(design, made)) == found


def test_texts_in_the_same_other_font_are_one_difference() -> None:
    """Letters without spaces: 11 of soup, 10 of bread, 12 of salad."""
    words = "Soup of today", "Bread and so", "Salad of beets"
    now = [(word, font) for word, font in zip(words, (SERIF, SERIF, SANS), strict=True)]
    (one,) = fonts([(word, SANS) for word in words], now)

    assert [member.design["text"] for member in one.members] == ["Soup of today", "Bread and so"]
    assert (one.design["is_all"], one.design["is_whole"]) == (True, False)
    (all_of,) = fonts([(word, SANS) for word in words], [(word, SERIF) for word in words])
    assert (all_of.design["is_all"], all_of.design["is_whole"]) == (True, True)
    few = [*words, "Menu of the whole week, day by day"]
    (some,) = fonts(
        [(word, SANS) for word in few],
        [*((word, SERIF) for word in words[:2]), *((word, SANS) for word in few[2:])],
    )
    assert (some.design["is_all"], some.design["is_whole"]) == (False, False)


def runs(*parts: tuple[str, Font], x: int = 100, **facts: Any) -> list[TextRun]:
    """Make one line of parts."""
    starts = [x + 8 * sum(len(word) + 1 for word, _ in parts[:at]) for at in range(len(parts))]
    return [
        replace(text(word, left, 100, font=font), paragraph=1, **facts)
        for (word, font), left in zip(parts, starts, strict=True)
    ]


@pytest.mark.parametrize(
    ("font", "change"),
    [
        (sized(28), ("font_size", 14, 28)),
        (BOLD, ("weight", 400, 700)),
        (ITALIC, ("style", None, "italic")),
    ],
)
def test_of_a_text_the_part_that_changed_is_named(font: Font, change: Change) -> None:
    for parts, named in (((SANS, font), "today"), ((font, SANS), "Soup"), ((font, font), None)):
        design = runs(("Soup", SANS), ("today", SANS))
        made = runs(("Soup", parts[0]), ("today", parts[1]), x=140)
        (found,) = font_differences(compared(design, made))
        assert (found.property, found.expected, found.actual) == change
        assert (found.design.get("part"), found.made.get("part")) == (named, named)
        (back,) = font_differences(compared(made, design))
        assert (back.property, back.expected, back.actual) == (change[0], *change[:0:-1])


def test_a_weight_of_a_few_letters_is_not_told() -> None:
    """From a quarter of them."""
    for words, is_told in ((("Sou", "ps of beets"), True), (("So", "ups of beets"), False)):
        sides = (runs((words[0], font), (words[1], SANS), x=x) for font, x in ((SANS, 100), (BOLD, 140)))
        assert bool([*font_differences(compared(*sides))]) == is_told


def spaced(width: float, spacing: float, **changes: Any) -> list[TextRun]:
    font = replace(SANS, letter_spacing=spacing)
    return [replace(text("Soup of today", 100, 100, font=font), boxes=((100, 100, width, 20),), **changes)]


@pytest.mark.parametrize(
    ("width", "spacing", "found"),
    [
        # Of 13 letters of 14 px, one hundredth is 1.82 px.
        (106, 0.2, [("letter_spacing", None, "wider")]),
        (102, -0.2, [("letter_spacing", None, "narrower")]),
        (105.8, 0.2, []),
        (105.4, 0.2, []),
        (106, 0.0, []),
    ],
)
def test_letter_spacing_is_told_by_the_width_of_a_line(
    width: float, spacing: float, found: list[Change]
) -> None:
    design, made = spaced(104, 0.0), [replace(run, color=RED) for run in spaced(width, spacing)]
    assert changes([*font_differences(compared(design, made))]) == found


def test_letters_with_a_gradient_are_told() -> None:
    plain, graded = text("Soup of today", 100, 100), text("Soup of today", 140, 100)
    graded = replace(graded, fills=(RED, BLUE))

    def letters(*sides: TextRun) -> list[Change]:
        found = text_differences(compared(sides[:1], sides[1:]))
        return [(one.property, one.expected, one.actual) for one in found if one.kind == "restyled"]

    assert letters(plain, graded) == [("letters", "#000000", "a gradient from #c80000 to #143cc8")]
    assert letters(graded, plain) == [("letters", "a gradient from #c80000 to #143cc8", "#000000")]
    assert letters(graded, replace(graded, boxes=plain.boxes)) == []
    no_color = replace(plain, color=None, fills=(WHITE, BLACK))
    assert letters(no_color, graded) == [
        ("letters", "a gradient from #ffffff to #000000", "a gradient from #c80000 to #143cc8")
    ]


def paragraph(step: float, *, y: float = 40, words: str = "Soup of today") -> list[TextRun]:
    """Make a paragraph of three lines."""
    lines = (text(words, 100, y + at * step) for at in range(3))
    return [replace(line, paragraph=int(y)) for line in lines]


@pytest.mark.parametrize(
    ("steps", "found"),
    [
        ((28, 35), [("line_height", 2.0, 2.5)]),
        ((35, 28), [("line_height", 2.5, 2.0)]),
        ((28, 28.9), []),  # Less than a pixel.
        ((42, 43), []),  # Less than three in a hundred.
        ((42, 43.4), [("line_height", 3.0, 3.1)]),
        ((28, 9), []),  # The second line is the first.
    ],
)
def test_line_heights_are_told(steps: tuple[float, float], found: list[Change]) -> None:
    design, made = (paragraph(step) for step in steps)
    assert changes([*line_differences(compared(design, made))]) == found


def test_lines_that_are_as_far_apart_are_one_difference() -> None:
    long = "Bread and water of the whole week"

    def both(*steps: float) -> list[TextRun]:
        return [*paragraph(steps[0], y=40), *paragraph(steps[1], y=200, words=long)]

    (every,) = line_differences(compared(both(28, 28), both(35, 35)))
    assert [len(every.members), *(every.design[name] for name in ("is_all", "is_whole", "is_most"))] == [
        *(2, True, True, True)
    ]
    first, second = line_differences(compared(both(28, 28), both(35, 42)))
    shares = [
        (one.design["is_all"], one.design["is_whole"], one.design["is_most"]) for one in (first, second)
    ]
    assert sorted(shares) == [(False, False, False), (False, False, True)]
    assert first.members == second.members == ()


@pytest.mark.parametrize(
    ("left", "is_told"), [((None, None), True), ((150, None), False), ((None, 150), False), ((203, 90), True)]
)
def test_a_color_across_the_edge_of_a_box_is_not_told(left: Sequence[int | None], is_told: bool) -> None:
    """The text goes from 100 to 204 px; a tenth of it beyond an edge is its margin."""
    pages = [
        page(
            [text("Soup of today", 100, 100, color)],
            [] if x is None else [box(x, 90, 300, 40, fill=WHITE)],
            height=200,
        )
        for x, color in zip(left, (BLACK, BLUE), strict=True)
    ]
    found = text_differences(Compared(match_pages(pages[0], pages[1]), score_matching(match_blocks([], []))))
    recolored = [one for one in found if one.kind == "recolored"]

    assert len(recolored) == is_told
    for one in recolored:
        assert (one.expected, one.actual) == ("#000000", "#143cc8")
        # CIEDE2000 tells black and this blue apart by 36.7.
        assert one.made["color_difference"] == 36.7


@pytest.mark.parametrize(
    ("shown", "clip", "is_cut"),
    [
        ("Soup of the w", (100, 100, 104, 20), True),
        ("Soup of the w", (400, 100, 104, 20), False),
        ("Soup the week", (100, 100, 104, 20), False),
        ("Soup week", (100, 100, 72, 20), False),
        ("Soups of the", (100, 100, 96, 20), False),
    ],
)
def test_a_text_of_which_the_end_is_cut_off_is_not_reworded(shown: str, clip: Any, is_cut: bool) -> None:
    design, made = (
        page([text("Soup of the week", 100, 100)], height=200),
        page([text(shown, 100, 100)], height=200),
    )
    made = replace(made, overlaps=(Trouble("clipped", clip, shown),))
    (found,) = text_differences(Compared(match_pages(design, made), score_matching(match_blocks([], []))))

    told = ("overflowing", "cut") if is_cut else ("reworded", "text")
    assert (found.kind, found.property) == told
    assert (found.expected, found.actual) == ("Soup of the week", shown)


def test_the_typeface_of_a_text_is_that_of_most_of_its_letters() -> None:
    wide = replace(other(0.05), weight=700)
    start, rest = text("Terms:", 100, 40, font=wide), text("pay within thirty days", 148, 40)
    rest = replace(rest, paragraph=start.paragraph)
    whole = text("Terms: pay within thirty days", 100, 80)
    found = font_differences(compared([whole], [start, rest]))
    assert "typeface" not in {one.property for one in found}

"""Each row of the table of severities in docs/differences.md, on both sides of its limits."""

from __future__ import annotations

from functools import cache
from typing import Any

import pytest

from pytest_design2a11y.matching import match_blocks
from pytest_design2a11y.models.geometry import Box, color_of_hex
from pytest_design2a11y.models.visual import Difference
from pytest_design2a11y.visual import match_pages, score_matching
from pytest_design2a11y.visual.differences import Compared
from pytest_design2a11y.visual.differences.compared import claim
from pytest_design2a11y.visual.differences.severity import graded
from tests.pages_by_hand import box, page

#: By area in px: a bit less than, and 0.3 %, 5 %, 10 % and 20 % of a screen of 1000 x 800.
SMALL, DETAIL, PART, LARGE, AREA = (100, 23), (100, 24), (200, 200), (400, 200), (400, 400)


@cache
def nothing() -> Compared:
    return Compared(match_pages(page([]), page([])), score_matching(match_blocks([], [])))


def markers(number: int, *kinds: str | None) -> Difference:
    return of(
        "restyled", "text", "marker", *kinds, members=(of("restyled", "text", "marker", *kinds),) * number
    )


def of(
    *facts: Any,
    size: tuple[int, int] = SMALL,
    size_now: tuple[int, int] | None = None,
    by: tuple[int, int] = (0, 0),
    members: tuple[Difference, ...] = (),
    **design: Any,
) -> Difference:
    """Make a difference of a thing of that size, which moved `by` px; the page's facts begin with `made_`."""
    own = {name.removeprefix("made_"): value for name, value in design.items() if name.startswith("made_")}
    wanted = {name: value for name, value in design.items() if not name.startswith("made_")}
    wanted |= {"box": [100, 100, *size]}
    own |= {"box": [100 + by[0], 100 + by[1], *(size_now or size)]}
    before, after = (None if facts[0] == "extra" else wanted), (None if facts[0] == "missing" else own)
    if facts[0] == "extra":
        after = wanted
    kind, what, *rest = facts
    property, expected, actual = [*rest, None, None, None][:3]
    return claim(kind, what, property, expected, actual, before, after, members)


TEXT, LINE, PANEL = of("missing", "text"), of("missing", "line"), of("missing", "panel")
BUTTON: dict[str, Any] = {"tag": "button", "role": "button"}
FIELD: dict[str, Any] = {"tag": "input", "name": "text field"}
# DEL {"tag": "button", "role": "button"}, {"tag": "input", "name": "text field"}
GREEN, RED, LIGHT_GREEN = "#008000", "#c80000", "#00a000"
GRAY, NEAR, LIGHT, DARK = "#808080", "#868686", "#a0a0a0", "#404040"
TABLE: dict[str, list[Difference]] = {
    "critical": [
        *(of("restyled", "page", one) for one in ("style", "theme")),
        of("reworded", "page", "content"),
        of("missing", "picture", size=PART),
        of("missing", "text", "section", size=LARGE, members=(TEXT,)),
        of("reworded", "text", "encoding", is_all=True),
        of("blank", "picture", size=PART),
        of("resized", "page", "height", 1000, 3000),
        of("resized", "page", "height", 3000, 1000),
    ],
    "serious": [
        markers(4, "number"),
        markers(4, "letter", "square"),
        of("missing", "text"),
        of("extra", "text"),
        of("missing", "control", **BUTTON),
        of("missing", "control", label="Sold out"),
        of("missing", "control", texts=1),
        of("missing", "picture", size=DETAIL),
        of("missing", "picture", label="Harbour", name="picture"),
        of("missing", "picture", is_lone=True, **BUTTON),
        of("missing", "picture", members=(TEXT,) * 4),
        of("missing", "text", "column", members=(TEXT,)),
        of("extra", "text", "section", size=LARGE, members=(TEXT,)),
        of("icon", "picture", is_lone=True, **BUTTON),
        of("icon", "picture", members=(TEXT,) * 4),
        of("icon", "picture", "picture", GREEN, RED),
        of("restyled", "control", "kind"),
        of("resized", "panel", "size", size=(300, 14), size_now=(290, 14), gauge=0.61, made_gauge=0.55),
        of("reworded", "text", "text"),
        of("reworded", "text", "encoding"),
        of("overflowing", "text", "cut", "abcdefgh", "abcde"),
        of("overflowing", "text", "cut", "abcdef 8", "abcdef"),
        of("overflowing", "text", "cut", None, 0.5),
        of("covered", "text", "cover"),
        of("extra", "panel", num_covered=1),
        of("unreadable", "text", "contrast"),
        of("exchanged", "panel"),
        of("exchanged", "panel", is_whole=True, size=LARGE),
        of(
            "exchanged", "text", is_whole=True, members=(of("moved", "panel", by=(90, 2), name="table cell"),)
        ),
        of("exchanged", "text", "color", members=(of("recolored", "text", "color", DARK, GRAY),)),
        of("exchanged", "control", "color", members=(of("recolored", "control", "fill", GRAY, LIGHT),)),
        of("moved", "text", "place", by=(250, 0), members=(of("moved", "text", by=(250, 0)),) * 4),
        of("moved", "text", "place", by=(0, 500), members=(of("moved", "text", by=(0, 500)),) * 4),
        of("blank", "picture", size=DETAIL),
        of("distorted", "picture", size=DETAIL),
        of("restyled", "picture", "kind", size=DETAIL),
        of("state", "control", "checked", **FIELD),
        of("state", "control", "value", "a", "b", **FIELD),
        of("state", "control", "value", 1, 2, name="slider"),
        of("icon", "picture", is_name=True),
        of("missing", "picture", is_name=True),
        of("icon", "picture", "picture", GREEN, GRAY),
        of("moved", "picture", "part", reach=0.1, size=(60, 18), by=(60, 0)),
        of("recolored", "picture", "fill", GREEN, RED, reach=0.1),
        of("font", "text", "font_size", 11, 5.5),
        *(of("moved", "panel", one) for one in ("columns", "rows")),
        of("mirrored", "page", "mirrored"),
        of("moved", "text", "alignment", members=(of("moved", "text", by=(40, 0)),)),
        of("moved", "page", "width", by=(40, 0)),
        of("overflowing", "page", "cut"),
        of("moved", "panel", "place", by=(40, 0)),
        of("moved", "text", "place", by=(40, 0), made_leaves=True),
        of("resized", "picture", "size", size=(100, 100), size_now=(160, 100)),
        of("resized", "picture", "size", size=(200, 200), size_now=(250, 200)),
        of("resized", "picture", "size", size=(100, 100), size_now=(100, 160), tag="img"),
        of("resized", "panel", "size", size=(400, 250), size_now=(400, 400)),
        of("recolored", "text", "color", DARK, LIGHT, contrast=7.0, made_contrast=2.9),
        of("recolored", "panel", "fill", DARK, GRAY, size=AREA),
        of(
            "recolored",
            "panel",
            "fill",
            size=AREA,
            fills=[DARK, LIGHT, LIGHT],
            made_fills=[GRAY, LIGHT, LIGHT],
        ),
        of(
            "recolored",
            "panel",
            "fill",
            size=AREA,
            fills=[LIGHT, LIGHT, DARK],
            made_fills=[LIGHT, LIGHT, GRAY],
        ),
        of("recolored", "panel", "fill", DARK, GRAY, members=(PANEL,) * 4),
        of("recolored", "text", "color", GREEN, RED, text="Paid in full today"),
        of("recolored", "panel", "fill", GREEN, RED, label="Paid in full today"),
        of("recolored", "panel", "fill", GREEN, RED, size=(16, 16)),
        of("recolored", "picture", "picture", size=DETAIL),
        of("ground", "page", "fill", GRAY, LIGHT),
        of("resized", "page", "size", size_now=(112, 23)),
        *(of("resized", "page", "height", *sides) for sides in ((1000, 1500), (1500, 1000))),
        of("missing", "picture", "part", reach=0.25),
        of("missing", "picture", "part", reach=0.1, name="bar", number=[1, 6]),
        of("missing", "control", "section", members=(of("missing", "control", size=(16, 17)),)),
        of("missing", "control", "section", members=(of("missing", "control", size=(9, 9), label="On"),)),
        of("exchanged", "picture", "color", reach=0.1),
        of("recolored", "picture", "fill", DARK, LIGHT, reach=0.25),
        of("mirrored", "picture", "pose"),
        of("turned", "picture", "pose", reach=0.25),
        of("turned", "picture", "pose", size=DETAIL),
        of("mirrored", "picture"),
        of("restyled", "control", "border", GRAY, DARK.replace("4040", "c800"), **FIELD),
        of("restyled", "panel", "border", GRAY, None, border_width=3.0, made_border_width=3.0),
        of("restyled", "control", "marks", **FIELD),
        of("restyled", "panel", "marks", has_fill=True, fill="#eeeede"),
        of("restyled", "control", "marks", has_fill=True, fill="#eeeede"),
        of("recolored", "panel", "fill", "#ffe7aa", LIGHT),
        of("restyled", "panel", "border", GREEN, LIGHT, border=f"1 px {GREEN}"),
        of("font", "text", "font_size", 20, 22, is_all=True),
        of("font", "text", "font_size", 16, 24, members=(TEXT,) * 4),
        *(of("font", "text", one, is_all=True) for one in ("family", "typeface")),
        of("font", "text", "indent", 4, 0, members=(TEXT,) * 4),
        of("exchanged", "text", is_whole=True, is_reordered=True),
        of("font", "text", "style", None, "struck through"),
        of("font", "text", "direction"),
        of("unexplained", "page", made_striking=0.02),
    ],
    "moderate": [
        markers(3, "number"),
        markers(4, "number", "letter"),
        markers(4, None, "disc"),
        of("icon", "picture", "picture", GRAY, LIGHT),
        of("restyled", "picture", "stroke", reach=1.0),
        of("moved", "picture", "part", reach=0.1, size=(60, 18), by=(59, 0)),
        of("moved", "picture", "part", reach=0.1, size=(30, 18), by=(39, 0)),
        of("recolored", "picture", "fill", GREEN, DARK, reach=0.1),
        of("font", "text", "font_size", 8.5, 7),
        of("state", "control", "value", 1, 2, name="progress bar"),
        of("resized", "panel", "size", size=(300, 14), size_now=(200, 14), gauge=0.6, made_gauge=0.56),
        of("missing", "control"),
        of("extra", "control", label="Sold out"),
        of("missing", "picture"),
        of("extra", "picture", label="Harbour", name="picture"),
        of("missing", "picture", members=(TEXT,) * 3),
        of("missing", "panel", size=DETAIL),
        of("missing", "panel", "row", size=DETAIL, members=(PANEL, LINE)),
        of("icon", "picture", **BUTTON),
        of("icon", "picture", is_lone=True),
        of("icon", "picture", members=(TEXT,) * 3),
        of("overflowing", "text", "cut", "abcdefgh", "abcdef"),
        of("overflowing", "text", "cut", "12 abcde", "12 abc"),
        of("exchanged", "panel", is_whole=True),
        of("exchanged", "text", is_whole=True, members=(of("moved", "panel", by=(90, 2), name="card"),)),
        of("exchanged", "text", is_whole=True, members=(of("moved", "panel", by=(2, 3), name="table cell"),)),
        of("exchanged", "panel", "border", members=(of("restyled", "panel", "border", GRAY, LIGHT),)),
        of("exchanged", "text", "color", members=(of("recolored", "text", "color", GRAY, LIGHT),)),
        of("moved", "text", "place", by=(0, 500), members=(of("moved", "text", by=(0, 500)),) * 3),
        of("moved", "text", "place", by=(0, 500), members=(of("moved", "text", by=(0, 499)),) * 4),
        of("moved", "line", "place", by=(0, 500), members=(of("moved", "line", by=(0, 500)),) * 4),
        of("blank", "picture"),
        of("distorted", "picture"),
        of("restyled", "picture", "kind"),
        of("state", "control", "value", "a", **FIELD),
        of("state", "control", "placeholder", "a", "b", **FIELD),
        of("moved", "text", "alignment", members=(of("moved", "text", by=(39, 0)),)),
        of("moved", "page", "width", by=(39, 0)),
        of("moved", "page", "room", by=(12, 0)),
        of("moved", "panel", "place", by=(39, 0)),
        of("moved", "panel", "place", by=(12, 0)),
        of("moved", "text", "place", by=(40, 0)),
        of("moved", "panel", "place", by=(0, 40)),
        of("moved", "panel", "place", by=(40, 0), name="icon"),
        of("moved", "panel", "gap", None, 12),
        of("moved", "panel", "gap", None, 10, members=(TEXT,) * 4),
        of("resized", "picture", "size", size=(100, 100), size_now=(159, 100)),
        of("resized", "picture", "size", size=(100, 100), size_now=(110, 100)),
        of("resized", "picture", "size", size=(200, 200), size_now=(249, 200)),
        of("resized", "picture", "size", size=(100, 100), size_now=(100, 160)),
        of("resized", "panel", "size", size=(100, 100), size_now=(100, 125)),
        of("resized", "panel", "size", size=(400, 251), size_now=(400, 400)),
        of("recolored", "text", "color", DARK, GRAY, contrast=7.0, made_contrast=3.0),
        of("recolored", "panel", "fill", GRAY, LIGHT, size=AREA),
        of("recolored", "panel", "fill", GRAY, "#8e8e8e", size=PART),
        of("recolored", "panel", "fill", DARK, GRAY, members=(PANEL,) * 3),
        of("recolored", "text", "color", GREEN, RED, text="Paid in full until today"),
        of("recolored", "text", "color", GREEN, RED, text="Paid", label="Paid in full until today"),
        of("recolored", "panel", "fill", GREEN, RED, size=(17, 16)),
        of("recolored", "panel", "fill", GREEN, LIGHT_GREEN, size=(16, 16)),
        of("recolored", "picture", "picture"),
        of("ground", "page", "fill", GRAY, NEAR),
        of("missing", "picture", "part", reach=0.24),
        of("missing", "control", "section", members=(of("missing", "control", size=(16, 16)),)),
        of("recolored", "picture", "fill", GRAY, LIGHT, reach=1.0),
        of("turned", "picture", "pose", reach=0.24),
        of("turned", "picture", "pose"),
        of("turned", "panel", "angle", size=DETAIL),
        of("restyled", "panel", "border", GRAY, DARK),
        of("restyled", "panel", "border", GRAY, None, border_width=2.0, made_border_width=3.0),
        *(of("restyled", "text", one) for one in ("opacity", "letters")),
        of("restyled", "picture", "corner", size=DETAIL),
        of("restyled", "control", "marks", size=DETAIL, made_has_border=True, **FIELD),
        of("restyled", "panel", "marks", size=DETAIL),
        of("restyled", "panel", "marks", size=DETAIL, has_fill=True, fill="#1d3557", tag="th"),
        of(
            "restyled",
            "panel",
            "border",
            GREEN,
            LIGHT,
            border=f"1 px {LIGHT} at the top and {GREEN} at the left",
        ),
        of("restyled", "panel", "border", "#a08070", LIGHT, border="1 px #a08070"),
        *(
            of("font", "text", one, *sides)
            for one in ("font_size", "line_height")
            for sides in ((20, 22), (22, 20))
        ),
        *(of("font", "text", one) for one in ("indent", "lines", "family", "typeface")),
        of("font", "text", "indent", 4, 0, members=(TEXT,) * 3),
        of("font", "text", "weight"),
        of("font", "text", "style", None, "italic", is_all=True),
        of("unexplained", "page", made_striking=0.003),
    ],
    "minor": [
        markers(3, "disc"),
        of("restyled", "text", "marker", None, "number"),
        of("restyled", "picture", "dashes", "dashed", "dashed otherwise", reach=1.0),
        of("missing", "line", size=AREA),
        of("recolored", "picture", "fill", GRAY, NEAR, reach=1.0),
        of("missing", "panel"),
        of("missing", "panel", "row", members=(PANEL, LINE)),
        of("reworded", "text", "case"),
        of("moved", "page", "width", by=(11, 0)),
        of("moved", "panel", "place", by=(11, 39)),
        of("moved", "panel", "gap", None, -11),
        of("moved", "panel", "gap", None, 10, members=(TEXT,) * 3),
        of("resized", "picture", "size", size=(100, 100), size_now=(109, 109)),
        of("resized", "panel", "size", size=(100, 100), size_now=(124, 124)),
        of("resized", "picture", "size", size=(100, 100), size_now=(190, 100), made_axes=(1,)),
        of("resized", "line", "size", size=(100, 1), size_now=(900, 1)),
        of("recolored", "panel", "fill", GRAY, NEAR, size=AREA),
        of("recolored", "panel", "fill", GRAY, "#8d8d8d", size=PART),
        of("recolored", "panel", "fill", GRAY, "#8e8e8e", size=(199, 200)),
        of("recolored", "panel", "fill", size=AREA, fills=[DARK, LIGHT, DARK], made_fills=[DARK, DARK, DARK]),
        of("recolored", "text", "color", GRAY, LIGHT),
        of("recolored", "text", "color", GRAY, LIGHT, contrast=3.5, made_contrast=2.7),
        of("font", "text", "font_size"),
        of("resized", "page", "size", size_now=(111, 23)),
        of("resized", "page", "height", 1000, 1499),
        of("restyled", "panel", "border", GRAY, NEAR),
        of("restyled", "panel", "edge", size=DETAIL),
        of("restyled", "picture", "corner"),
        of("restyled", "picture", "edge", None, "around"),
        of("restyled", "control", "offset", 0.0, 4.0, **FIELD),
        of("restyled", "panel", "marks"),
        of("restyled", "panel", "marks", has_fill=True, fill="#eeeedf"),
        of("restyled", "control", "marks", has_fill=True, fill="#ffff00", tag="mark"),
        of("restyled", "panel", "marks", has_fill=True, fill="#eeeede", size=(100, 15)),
        of("recolored", "panel", "fill", "#f4f0e8", "#f4f4f4"),
        of("restyled", "control", "marks", made_has_fill=True, **FIELD),
        *(of("font", "text", one, 100, 109) for one in ("font_size", "line_height")),
        of("font", "text", "style", None, "italic"),
        of("unexplained", "page", made_striking=0.0029),
    ],
}


@pytest.mark.parametrize("severity", TABLE)
def test_each_row_of_the_table_holds(severity: str) -> None:
    found = {
        f"{at} {one.kind} {one.what} {one.property}": graded(one, nothing()).severity
        for at, one in enumerate(TABLE[severity])
    }

    assert {name: other for name, other in found.items() if other != severity} == {}


@pytest.mark.parametrize(
    ("kept", "color", "severity"),
    [
        ((150, 100, 30, 30), GREEN, "serious"),
        ((150, 102, 30, 32), GREEN, "serious"),
        ((150, 103, 30, 30), GREEN, "moderate"),  # Not in its row
        ((150, 100, 33, 30), GREEN, "moderate"),  # Not as large
        ((150, 100, 30, 30), GRAY, "moderate"),  # Not of its color
        ((100, 100, 30, 30), GREEN, "moderate"),  # Itself
    ],
)
def test_one_of_several_things_alike_that_lost_its_hue_is_a_value(
    kept: Box, color: str, severity: str
) -> None:
    fill = color_of_hex(color)
    assert fill is not None
    pages = page([], [box(*kept, fill=fill)]), page([], [box(*kept, fill=fill)])
    shown = Compared(match_pages(*pages), score_matching(match_blocks([], [])))
    for old, new, told in ((GREEN, GRAY, severity), (GREEN, RED, "moderate"), (DARK, GRAY, "moderate")):
        lost = of("recolored", "picture", "fill", old, new, size=(30, 30), name="icon", tag="svg")
        assert graded(lost, shown).severity == told

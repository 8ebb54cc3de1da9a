"""Which SVG pictures move by themselves, and which of them can be made to stand still."""

from __future__ import annotations

import pytest

from pytest_design2a11y.capture.isolation.request_router import mentions_moving, stilled

SVG = "<svg xmlns='http://www.w3.org/2000/svg'>{}<rect width='9' height='9'/></svg>"
RULE = "@keyframes go { to { opacity: 0 } } rect { animation: go 1s infinite }"

STILL = {
    "plain": SVG.format(""),
    "sheet": SVG.format("<style>rect { fill: red }</style>"),
    "smil": SVG.format("<animate attributeName='x' to='9' dur='1s'/>"),
    "entities": "<!DOCTYPE svg [<!ENTITY ns 'http://www.w3.org/2000/svg'>]><svg xmlns='&ns;'>&#160;</svg>",
    "bitmap": SVG.format("<image href='data:image/png;base64,AAAA'/>"),
    "broken": "<svg><style>@keyframes",
}
MOVING = {
    "rule": SVG.format(f"<style>{RULE}</style>"),
    "starting_style": SVG.format("<style>@starting-style { rect { x: 1px } }</style>"),
    "in_pieces": SVG.format(f"<style>{RULE.replace('keyf', 'key<!-- -->f')}</style>"),
    "character": SVG.format(f"<style>{RULE.replace('@', '&#64;')}</style>"),
    "entity": "<!DOCTYPE svg [<!ENTITY k '@key'>]>"
    + SVG.format(f"<style>{RULE.replace('@key', '&k;')}</style>"),
}
BEYOND = {
    "important": SVG.format(f"<style>{RULE.replace('infinite', 'infinite !important')}</style>"),
    "important_on_element": SVG.format(f"<style>{RULE}</style><g style='animation: go 1s ! important'/>"),
    "escape": SVG.format(f"<style>{RULE.replace('keyframes', 'k&#92;65 yframes')}</style>"),
    "imported": SVG.format("<style>@import 'data:text/css,x'</style>"),
    "within": SVG.format("<image href='data:image/svg+xml;base64,AAAA'/>"),
    "sheet_before": f"<?xml-stylesheet href='data:,x'?>{SVG.format('')}",
    "nothing_after_the_end": f"{SVG.format(f'<style>{RULE}</style>')}<!-- end -->",
}


@pytest.mark.parametrize("name", STILL)
def test_a_still_picture_is_left_as_it_is(name: str) -> None:
    assert stilled(STILL[name].encode()) == STILL[name].encode()


@pytest.mark.parametrize("name", MOVING)
def test_a_moving_picture_is_stilled_at_its_end(name: str) -> None:
    svg = stilled(MOVING[name].encode())

    assert svg is not None
    assert svg.startswith(MOVING[name].encode().removesuffix(b"</svg>"))
    assert svg.endswith(b"transition: none !important }</style></svg>")


@pytest.mark.parametrize("name", BEYOND)
def test_what_cannot_be_stilled_is_told(name: str) -> None:
    assert stilled(BEYOND[name].encode()) is None


def test_another_encoding_is_read() -> None:
    moving = f'<?xml version="1.0" encoding="UTF-16"?>{MOVING["rule"]}'.encode("utf-16")

    assert stilled(moving) is None


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        (b"@keyframes go {} url(data:image/png;base64,AA)", False),
        (b"url(data:image/svg+xml,%3Csvg/%3E)", False),
        (b"url(data:image/svg+xml,%40key%66rames)", True),
        (b"url(data:image/svg+xml;base64,AAAA)", True),
    ],
)
def test_a_page_may_hold_a_moving_picture(content: bytes, expected: bool) -> None:
    assert mentions_moving(content) is expected

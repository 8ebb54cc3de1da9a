"""When a picture is taken twice, and when a page is named unstable."""

from __future__ import annotations

import base64
from collections.abc import Iterator, Sequence
from typing import Any, cast

import pytest

from pytest_design2a11y.capture.browser.channel import Channel
from pytest_design2a11y.capture.limits import CaptureLimits
from pytest_design2a11y.capture.page.frames import FrozenPage
from pytest_design2a11y.capture.page.screenshot import ATTEMPTS, captured_extent, take_stable
from pytest_design2a11y.capture.warning_log import WarningLog
from pytest_design2a11y.exceptions import BrowserLost, RenderTimeout, Unstable
from pytest_design2a11y.models.geometry import Box
from pytest_design2a11y.models.viewport import STANDARD_VIEWPORT

UNPAINTED = BrowserLost("The browser could not paint the page.", stage="screenshot")


class FakePage:
    """A frozen page that shows one picture after the other, and its own channel."""

    page_size = whole = (1280, 720)
    area = (0.0, 0.0, 1280.0, 720.0)
    viewport = STANDARD_VIEWPORT
    restless: frozenset[str] = frozenset()

    def __init__(self, pictures: Sequence[bytes | BrowserLost], *, has_ended: bool = False) -> None:
        self.left: Iterator[bytes | BrowserLost] = iter(pictures)
        self.num_taken = 0
        self.has_ended = has_ended

    def in_scroll_area(self, box: Box) -> Box:
        return box

    @property
    def channel(self) -> FakePage:
        return self

    def ask(self, method: str, params: dict[str, Any], *, seconds: float) -> dict[str, Any] | None:
        assert method == "Page.captureScreenshot"
        self.num_taken += 1
        picture = next(self.left, None)
        if isinstance(picture, BrowserLost):
            raise picture
        return None if picture is None else {"data": base64.b64encode(picture).decode()}

    def explain(self) -> BrowserLost | None:
        return BrowserLost("The browser ended.") if self.has_ended else None


def taken(page: FakePage, restless: Sequence[str] = ()) -> bytes:
    page.restless = frozenset(restless)
    return take_stable(cast(FrozenPage, page), seconds=9.0)


def test_a_page_without_restless_content_is_taken_once() -> None:
    page = FakePage([b"a", b"b"])

    assert taken(page) == b"a"
    assert page.num_taken == 1


def test_two_equal_pictures_in_a_row_are_wanted() -> None:
    page = FakePage([b"a", b"b", b"b", b"c"])

    assert taken(page, ["canvas"]) == b"b"
    assert page.num_taken == 3


def test_a_page_that_does_not_settle_is_named_with_what_moves() -> None:
    page = FakePage([bytes([number]) for number in range(20)])

    with pytest.raises(Unstable, match=r"keeps changing: it has canvas, video\. \(stage: screenshot\)"):
        taken(page, ["video", "canvas"])
    assert page.num_taken == 1 + ATTEMPTS


def test_a_page_whose_painting_does_not_end_is_named() -> None:
    with pytest.raises(RenderTimeout, match=r"could not be painted within 9 seconds\. \(stage: screenshot\)"):
        taken(FakePage([]))


def test_a_page_that_could_not_be_painted_once_is_painted_again() -> None:
    page = FakePage([UNPAINTED, b"a"])

    assert taken(page) == b"a"


@pytest.mark.parametrize(
    ("restless", "has_ended", "pictures"),
    [
        (["canvas"], False, [UNPAINTED, b"a", b"a"]),
        ([], True, [UNPAINTED, b"a"]),
        ([], False, [UNPAINTED, UNPAINTED]),
    ],
)
def test_it_is_not_where_a_canvas_may_be_lost_or_the_browser_is(
    restless: list[str], has_ended: bool, pictures: list[bytes | BrowserLost]
) -> None:
    with pytest.raises(BrowserLost, match=r"could not paint the page\. \(stage: screenshot\)"):
        taken(FakePage(pictures, has_ended=has_ended), restless)


class FakeChannel:
    def __init__(self, width: float, height: float, start: float = 0) -> None:
        self.size = {"width": width, "height": height}
        self.start = start

    def send(self, method: str) -> dict[str, Any]:
        assert method == "Page.getLayoutMetrics"
        window, seen = {"pageX": self.start, "pageY": 7}, {"pageX": 0, "pageY": 7}
        return {"cssContentSize": self.size, "cssLayoutViewport": window, "cssVisualViewport": seen}


@pytest.mark.parametrize(
    ("own", "expected", "words"),
    [
        ((1280, 900), (1280, 900), ""),
        ((800, 0), (1280, 1), ""),
        ((2000, 900), (2000, 900), ""),
        ((4000, 16_000), (4000, 16_000), ""),
        ((4001, 900), (1280, 900), "4001 px wide, captured 1280 (-o design2a11y_max_width)"),
        ((1280, 16_001), (1280, 16_000), "16001 px high, captured 16000 (-o design2a11y_max_height)"),
    ],
)
def test_the_limits_cut_a_page_and_say_by_which_option(
    own: tuple[int, int], expected: tuple[int, int], words: str
) -> None:
    log = WarningLog()

    extent = captured_extent(cast(Channel, FakeChannel(*own)), 1280, CaptureLimits(), log)

    assert (extent.size, extent.origin, extent.start) == (expected, (0, 0), (0, 0))
    assert [words in warning.message for warning in log.warnings()] == [True] * bool(words)


@pytest.mark.parametrize(
    ("width", "origin", "start"),
    [
        pytest.param(1700, (-420, 0), (0, 0), id="from its left edge on"),
        pytest.param(9999, (0, 0), (8719, 0), id="cut to its window"),
    ],
)
def test_a_page_from_right_to_left_begins_where_it_can_be_scrolled_to(
    width: int, origin: tuple[int, int], start: tuple[int, int]
) -> None:
    channel = cast(Channel, FakeChannel(width, 900, start=width - 1280))

    extent = captured_extent(channel, 1280, CaptureLimits(), WarningLog())

    assert (extent.origin, extent.start) == (origin, start)

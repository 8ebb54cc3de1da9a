"""What a failed command to the browser means."""

from __future__ import annotations

import asyncio
from typing import Any, cast

import pytest
from playwright.sync_api import CDPSession
from playwright.sync_api import Error as PlaywrightError

from pytest_design2a11y.capture.browser.channel import Channel, Deadline
from pytest_design2a11y.capture.page.frames import FrameContext
from pytest_design2a11y.exceptions import BrowserLost, CaptureError, PageTooLarge, Unstable


class Failing:
    def __init__(self, error: BaseException) -> None:
        self.error = error
        self.asked: list[Any] = []

    def send(self, *asked: Any, **_: Any) -> dict[str, Any]:
        self.asked.append(asked)
        raise self.error


def channel(error: BaseException) -> Channel:
    return Channel(cast(CDPSession, Failing(error)), Deadline(1.0))


def test_a_frame_that_is_loaded_anew_is_not_stable() -> None:
    gone = PlaywrightError("Protocol error (Runtime.callFunctionOn): Cannot find context with specified id")
    with pytest.raises(Unstable, match=r"frame of the page was loaded anew.*Remove what reloads the frame"):
        channel(gone).send("Runtime.callFunctionOn")


def test_a_browser_that_paints_no_more_is_lost() -> None:
    refused = PlaywrightError("Protocol error (Page.captureScreenshot): Unable to capture screenshot")
    with pytest.raises(BrowserLost, match="The browser could not paint the page"):
        channel(refused).send("Page.captureScreenshot")


def test_any_other_refusal_is_named() -> None:
    with pytest.raises(CaptureError, match=r"refused Page\.enable: No such thing"):
        channel(PlaywrightError("No such thing")).send("Page.enable")


def test_a_command_that_nobody_waits_for_never_fails() -> None:
    for error in (PlaywrightError("Closed"), asyncio.CancelledError()):
        failing = Failing(error)
        Channel(cast(CDPSession, failing), Deadline(1.0)).post("Runtime.terminateExecution")

        assert [command for command, *_ in failing.asked] == ["Runtime.terminateExecution"]


def test_elements_nested_too_deeply_for_our_scripts_are_named() -> None:
    class Deep(Failing):
        def send(self, *_: Any, **__: Any) -> dict[str, Any]:
            thrown = {
                "description": "RangeError: Maximum call stack size exceeded\n    at walk (<anonymous>:1)"
            }
            return {"result": {}, "exceptionDetails": {"exception": thrown}}

    deep = Channel(cast(CDPSession, Deep(ValueError())), Deadline(1.0))
    frame = FrameContext("1", True, (0.0, 0.0), None, 1, deep)
    with pytest.raises(PageTooLarge, match="nested too deeply to be read: some thousand within each other"):
        frame.call("() => 1")

"""What read_text does with the answers of the page, which are written here."""

from __future__ import annotations

import time
import unicodedata
from typing import Any, cast

import pytest

from pytest_design2a11y.capture.browser.channel import Channel, Deadline
from pytest_design2a11y.capture.page.frames import FrameContext
from pytest_design2a11y.capture.page.snapshot import count_elements, read_layout
from pytest_design2a11y.capture.text import seen_text
from pytest_design2a11y.capture.text.painted import overlapping
from pytest_design2a11y.exceptions import RenderTimeout
from pytest_design2a11y.models.geometry import Box
from pytest_design2a11y.models.page import TextRun

ANY_TIME = Deadline(float("inf"))


class FakeWorld:
    """A world that gives prepared answers, and remembers what was sent."""

    frame_id = "main"
    is_main = True
    context_id = 7

    def __init__(self, **answers: Any) -> None:
        self.answers = answers
        self.sent: list[tuple[str, dict[str, Any]]] = []

    @property
    def channel(self) -> FakeWorld:
        """A channel gives the same answers."""
        return self

    def send_together(self, commands: list[tuple[str, dict[str, Any]]]) -> list[Any]:
        return [self.send(*command) for command in commands]

    def send(self, method: str, params: dict[str, Any] | None = None) -> Any:
        self.sent.append((method, params or {}))
        return self.answers[method.split(".")[1]]


def run(owner: int, *boxes: Box) -> TextRun:
    return TextRun(text="text", boxes=boxes, color=(0, 0, 0), owner=owner)


@pytest.mark.parametrize(
    ("source", "seen"),
    [
        pytest.param("  several \n\t spaces ", "several spaces", id="white space"),
        pytest.param("non\u00a0breaking", "non breaking", id="non-breaking space"),
        pytest.param("soft\u00adhyphen", "softhyphen", id="soft hyphen"),
        pytest.param("zero\u200bwidth\ufeff", "zerowidth", id="zero width"),
        pytest.param("Cafe\u0301", "Caf\u00e9", id="composed"),
        pytest.param("\u202eturned\u202c", "turned", id="direction marks"),
        pytest.param("lone \ud83d surrogate", "lone ? surrogate", id="lone surrogate"),
        pytest.param("control\x07\x82", "control", id="controls"),
        pytest.param("\u200b \u2060", "", id="nothing to see"),
    ],
)
def test_seen_text_is_what_a_person_reads(source: str, seen: str) -> None:
    assert seen_text(source) == seen


@pytest.mark.parametrize(
    ("runs", "doubtful"),
    [
        pytest.param([run(0, (0, 0, 50, 20)), run(1, (0, 30, 50, 20))], [], id="apart"),
        pytest.param([run(0, (0, 0, 50, 20)), run(1, (5, 5, 40, 10))], [0, 1], id="one on the other"),
        pytest.param([run(0, (0, 0, 50, 20)), run(0, (5, 5, 40, 10))], [0, 1], id="one owner"),
        pytest.param([run(0, (0, 0, 50, 20)), run(1, (40, 15, 50, 20))], [], id="corners touch"),
        pytest.param(
            [run(0, (0, 200, 50, 20)), run(1, (0, 0, 9, 9)), run(2, (0, 201, 50, 20))], [0, 2], id="unsorted"
        ),
    ],
)
def test_runs_on_each_other_are_doubtful(runs: list[TextRun], doubtful: list[int]) -> None:
    assert overlapping(runs, ANY_TIME) == doubtful


@pytest.mark.slow
def test_thousands_of_texts_on_each_other_are_found_in_seconds() -> None:
    """8,000 of them took 25 seconds here, pair by pair."""
    start = time.process_time()
    on_each_other = [run(at, (10, 10, 50, 20)) for at in range(8_000)]
    beside_each_other = [run(at, (at, 10, 1, 20)) for at in range(8_000)]

    assert overlapping(on_each_other, ANY_TIME) == list(range(8_000))
    assert overlapping(beside_each_other, ANY_TIME) == []
    assert time.process_time() - start < 8


def test_looking_for_texts_on_each_other_ends_with_the_page_s_time() -> None:
    with pytest.raises(RenderTimeout, match="did not finish within 0 seconds"):
        overlapping([run(0, (0, 0, 50, 20)), run(1, (5, 5, 40, 10))], Deadline(0))


def test_marks_without_end_are_composed_in_linear_time() -> None:
    """120,000 marks on one letter are sorted by their number squared."""
    start = time.process_time()

    seen = seen_text("a" + "\u0301\u0323" * 60_000)

    assert time.process_time() - start < 2
    assert seen.startswith("\u1ea1\u0323")
    assert len(seen) == 120_000


def test_as_many_marks_as_writing_has_are_composed_as_ever() -> None:
    text = "e" + "\u0323\u0301" * 15

    assert seen_text(text) == unicodedata.normalize("NFC", text)


SNAPSHOT: dict[str, Any] = {
    "strings": [
        "main",
        "P",
        "DIV",
        "::before",
        "::after",
        "before",
        "after",
        "Note: ",
        "!",
        "3",
        "#document",
    ],
    "documents": [
        {
            "frameId": 0,
            "nodes": {
                "parentIndex": [-1, 0, 1, 0, 3, 3],
                "nodeName": [10, 1, 3, 2, 3, 4],
                "pseudoType": {"index": [2, 4, 5], "value": [5, 5, 6]},
                "shadowRootType": {"index": [], "value": []},
            },
            "layout": {
                "nodeIndex": [0, 1, 2, 2, 3, 5, 5],
                "text": [-1, -1, -1, 7, -1, 8, 9],
                "bounds": [
                    [0, 0, 99, 99],
                    [0, 0, 99, 20],
                    [1, 2, 34, 12],
                    [1, 2, 30, 10],
                    *[[5, 40, 8, 10]] * 3,
                ],
            },
            "textBoxes": {
                "layoutIndex": [3, 5, 6],
                "bounds": [[1, 2, 30, 10], [5, 40, 4, 10], [9, 40, 4, 10]],
            },
        }
    ],
}


def test_generated_text_and_boxes_are_read_from_the_layout() -> None:
    """The DIV's ::before has no box; its ::after has two texts, such as a string and a counter."""
    layout = read_layout(cast("FrameContext", FakeWorld(captureSnapshot=SNAPSHOT)))

    assert layout.num_closed == 0
    assert [part["kind"] + " " + part["tag"] for part in layout.generated] == ["before p", "after div"]
    assert [part["bounds"] for part in layout.generated] == [[1, 2, 34, 12], [5, 40, 8, 10]]
    assert [part["text"] for part in layout.generated] == [
        {"text": "Note: ", "boxes": [[1, 2, 30, 10]]},
        {"text": "!3", "boxes": [[5, 40, 4, 10], [9, 40, 4, 10]]},
    ]


def test_generated_text_of_a_frame_that_is_gone_has_no_place() -> None:
    world = FakeWorld(captureSnapshot=SNAPSHOT)
    world.frame_id = "other"

    assert read_layout(cast("FrameContext", world)).generated == ()


def test_one_child_of_each_parent_in_a_closed_root_is_shown_to_the_world_of_its_frame() -> None:
    """The DIV's root has the first P, which holds the second, and the open root of a third is no secret."""
    strings = [*SNAPSHOT["strings"], "closed", "open"]
    nodes = {
        "parentIndex": [-1, 0, 1, 2, 2, 0, 5],
        "nodeName": [10, 2, 1, 1, 1, 2, 1],
        "backendNodeId": [100, 101, 102, 103, 104, 105, 106],
        "pseudoType": {"index": [], "value": []},
        "shadowRootType": {"index": [2, 3, 4, 6], "value": [11, 11, 11, 12]},
    }
    layout: dict[str, Any] = {"nodeIndex": [], "text": [], "bounds": []}
    document = {
        "frameId": 0,
        "nodes": nodes,
        "layout": layout,
        "textBoxes": {"layoutIndex": [], "bounds": []},
    }
    world = FakeWorld(
        captureSnapshot={"strings": strings, "documents": [document]},
        resolveNode={"object": {"objectId": "node"}},
        callFunctionOn={"result": {"value": 1}},
    )

    assert read_layout(cast("FrameContext", world)).num_closed == 1

    resolved = [params for method, params in world.sent if method == "DOM.resolveNode"]
    assert resolved == [
        {"backendNodeId": 102, "executionContextId": 7},
        {"backendNodeId": 103, "executionContextId": 7},
    ]


def test_elements_are_counted_but_for_those_that_style_sheets_make() -> None:
    nodes = {"nodeType": [9, 1, 1, 1, 3], "pseudoType": {"index": [3], "value": [5]}}
    snapshot = {"strings": [], "documents": [{"nodes": nodes}, {"nodes": nodes}]}
    channel = cast("Channel", FakeWorld(captureSnapshot=snapshot, getDOMCounters={"nodes": 11}))

    assert count_elements(channel, above=10) == 4
    assert count_elements(channel, above=11) == 0

"""What read_text does with the answers of the page, which are written here."""

from __future__ import annotations

import time
import unicodedata
from typing import Any, cast

import pytest

from pytest_design2a11y.capture.browser.channel import Channel, Deadline
from pytest_design2a11y.capture.page.frames import FrameContext, flat_tree, open_closed_roots
from pytest_design2a11y.capture.text.generated import laid_out, matches
from pytest_design2a11y.capture.text.painted import overlapping
from pytest_design2a11y.capture.text.read_text import seen_text
from pytest_design2a11y.exceptions import RenderTimeout
from pytest_design2a11y.models.geometry import Box
from pytest_design2a11y.models.page import TextRun


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

    def send(self, method: str, params: dict[str, Any]) -> Any:
        self.sent.append((method, params))
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
    assert overlapping(runs) == doubtful


@pytest.mark.slow
def test_thousands_of_texts_on_each_other_are_found_in_seconds() -> None:
    """8,000 of them took 25 seconds here, pair by pair."""
    start = time.process_time()
    on_each_other = [run(at, (10, 10, 50, 20)) for at in range(8_000)]
    beside_each_other = [run(at, (at, 10, 1, 20)) for at in range(8_000)]

    assert overlapping(on_each_other) == list(range(8_000))
    assert overlapping(beside_each_other) == []
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


SNAPSHOT = {
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


def test_generated_text_is_aligned_by_kind_and_tag() -> None:
    """The DIV's ::before has no box; its ::after has two texts, such as a string and a counter."""
    world = cast("FrameContext", FakeWorld(captureSnapshot=SNAPSHOT))

    generated = [one for one in laid_out(world) if one.text is not None]
    found = matches(
        generated,
        [{"kind": "before", "tag": "p"}, {"kind": "after", "tag": "div"}, {"kind": "after", "tag": "p"}],
    )

    assert [one and one.text for one in found] == [
        ("Note: ", [[1, 2, 30, 10]]),
        ("!3", [[5, 40, 4, 10], [9, 40, 4, 10]]),
        None,
    ]


def test_generated_text_of_a_frame_that_is_gone_has_no_place() -> None:
    world = FakeWorld(captureSnapshot=SNAPSHOT)
    world.frame_id = "other"

    assert list(laid_out(cast("FrameContext", world))) == []


def node(number: int, parent: int | None, **more: Any) -> dict[str, Any]:
    return {"nodeId": number, "parentId": parent, "nodeType": 1, **more}


def shadow(number: int, kind: str) -> dict[str, Any]:
    return {"nodeId": number, "backendNodeId": 100 + number, "shadowRootType": kind}


def flat(*nodes: dict[str, Any]) -> dict[str, Any]:
    """What the protocol tells of nodes given from the outside in."""
    return {"nodes": [*reversed(nodes), {"nodeId": 1, "nodeType": 9}]}


def test_closed_roots_are_made_known_in_the_world_of_their_frame() -> None:
    document = {"nodeId": 7, "nodeType": 9}
    nodes = flat(
        node(2, 1, shadowRoots=[shadow(3, "closed")]),
        node(4, 3, shadowRoots=[shadow(5, "closed")]),
        node(6, 5, contentDocument=document, frameId="other"),
        node(8, 7, shadowRoots=[shadow(9, "closed")]),
    )
    world = FakeWorld(
        getDocument={},
        getFlattenedDocument=nodes,
        resolveNode={"object": {"objectId": "root"}},
        callFunctionOn={"result": {}},
    )

    assert open_closed_roots(cast("FrameContext", world)) == 2

    resolved = [params for method, params in world.sent if method == "DOM.resolveNode"]
    assert resolved == [
        {"backendNodeId": 103, "executionContextId": 7},
        {"backendNodeId": 105, "executionContextId": 7},
    ]
    assert flat_tree(cast("Channel", world))[0] == {"": [103, 105], "other": [109]}


def test_elements_are_counted_but_for_the_parts_of_the_browser() -> None:
    roots = [shadow(3, "closed"), shadow(4, "user-agent")]
    nodes = flat(node(2, 1, shadowRoots=roots), node(5, 3), node(6, 4), node(7, 6), node(8, 5, nodeType=3))

    assert flat_tree(cast("Channel", FakeWorld(getDocument={}, getFlattenedDocument=nodes)))[1] == 2


def test_open_roots_and_those_of_the_browser_itself_are_left_alone() -> None:
    nodes = flat(node(2, 1, shadowRoots=[shadow(3, "open"), shadow(4, "user-agent")]))
    world = FakeWorld(getDocument={}, getFlattenedDocument=nodes)

    assert open_closed_roots(cast("FrameContext", world)) == 0
    assert [method for method, _ in world.sent] == ["DOM.getDocument", "DOM.getFlattenedDocument"]

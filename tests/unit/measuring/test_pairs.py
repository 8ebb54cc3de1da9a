"""Lines of pairs, as they are read."""

from __future__ import annotations

import hashlib
import json
import tracemalloc
from pathlib import Path
from typing import Any

import pytest

from pytest_design2a11y.exceptions import ConfigurationError
from pytest_design2a11y.files import MAX_LINE_BYTES
from pytest_design2a11y.measuring.pair_files import open_pairs
from pytest_design2a11y.measuring.pairs import Pair, file_digest, require_states
from pytest_design2a11y.models.page import Answer
from pytest_design2a11y.models.verdicts import Subject
from tests.posix import make_pipe


def read(folder: Path, **line: Any) -> Pair:
    path = folder / "pairs.jsonl"
    path.write_text(json.dumps({"id": "1", "reference": "a.html", **line}))
    (pair,) = open_pairs(str(path), None).pairs
    return pair


def test_a_line_may_name_the_root_of_its_site(tmp_path: Path) -> None:
    assert read(tmp_path, candidate="dist/index.html", root="dist").choices == {"root": "dist"}
    assert read(tmp_path, candidate="dist/index.html").choices == {}


def test_a_line_may_hold_the_answer_itself(tmp_path: Path) -> None:
    pair = read(tmp_path, candidate_html="a.html")

    assert pair.candidate == "a.html"
    assert isinstance(pair.candidate, Answer)
    assert not isinstance(read(tmp_path, candidate="a.html").candidate, Answer)


def test_an_answer_that_is_not_text_is_a_problem(tmp_path: Path) -> None:
    assert "candidate_html is not text" in str(read(tmp_path, candidate_html=3).problem)
    assert "it lacks 'candidate'" in str(read(tmp_path).problem)


def read_bytes(folder: Path, data: bytes) -> list[Pair]:
    path = folder / "pairs.jsonl"
    path.write_bytes(data)
    return list(open_pairs(str(path), None).pairs)


GOOD = b'{"id": "good", "reference": "a.html", "candidate": "b.html"}\n'
OTHER = GOOD.replace(b"good", b"other")


@pytest.mark.parametrize(
    ("line", "problem"),
    [
        (b"[" * 100_000, "maximum recursion depth exceeded"),
        (b'{"id": ' + b"1" * 5_000 + b"}", "Exceeds the limit"),
        (b'{"id": "\xff"}', "'utf-8' codec can't decode byte 0xff"),
        (b'"text"', "it is not an object. Write "),
        (b"null", "it is not an object. Write "),
        (b'{"id": "a", "ref": "a.html", "candidate": "b"}', "it lacks 'reference'. Write "),
        (b"{", "Expecting property name"),
        (b"\0", "Expecting value"),
        (b"[" * (MAX_LINE_BYTES + 1), "it is longer than 40 MB"),
    ],
    ids=["nested", "number", "bytes", "text", "null", "lacking", "cut", "nul", "long"],
)
def test_a_line_that_is_not_a_pair_takes_no_other_with_it(line: bytes, problem: str, tmp_path: Path) -> None:
    first, bad, last = read_bytes(tmp_path, GOOD + line + b"\n" + OTHER)

    assert (first.subject.id, last.subject.id) == ("good", "other")
    assert f"Line 2 of {tmp_path}/pairs.jsonl is not a pair: {problem}" in str(bad.problem)
    assert bad.subject.id == ("a" if line.startswith(b'{"id": "a"') else "line 2")


@pytest.mark.parametrize("separator", ["\u2028", "\u2029", "\x85", "\x0b", "\x1c"])
def test_only_a_line_feed_ends_a_line(separator: str, tmp_path: Path) -> None:
    """JSON may hold other line ends as they are; `splitlines` took them for ends of lines."""
    line = json.dumps({"id": "a", "reference": "a.html", "candidate": "b"}).replace('"a"', f'"a{separator}b"')

    pairs = read_bytes(tmp_path, line.encode() + b"\r\n" + GOOD)

    is_control = separator < " "
    assert [pair.subject.id for pair in pairs] == ["line 1" if is_control else f"a{separator}b", "good"]


def test_a_byte_order_mark_is_read_over(tmp_path: Path) -> None:
    (pair,) = read_bytes(tmp_path, b"\xef\xbb\xbf" + GOOD)

    assert pair.subject.id == "good"
    with pytest.raises(ConfigurationError, match="it is UTF-16"):
        read_bytes(tmp_path, GOOD.decode().encode("utf-16"))


@pytest.mark.skipif(not Path("/dev/zero").is_char_device(), reason="has no such device")
def test_a_device_is_not_a_file_of_pairs() -> None:
    with pytest.raises(ConfigurationError, match="Cannot read the pairs in /dev/zero: it is a device"):
        open_pairs("/dev/zero", None)


def test_what_is_not_a_file_has_no_digest_and_is_not_waited_for(tmp_path: Path) -> None:
    make_pipe(tmp_path / "page.html")
    pair = Pair(Subject(id="a", case=""), None, "page.html", tmp_path)

    assert file_digest(pair, "page.html") is None
    assert file_digest(pair, "/dev/zero") is None


def test_a_file_is_digested_without_being_held(tmp_path: Path) -> None:
    """Files of videos and pictures may stand in a corpus, one beside each page."""
    large = tmp_path / "page.html"
    with large.open("wb") as file:
        file.truncate(60_000_000)
    pair = Pair(Subject(id="a", case=""), None, "page.html", tmp_path)

    tracemalloc.start()
    try:
        digest = file_digest(pair, "page.html")
        most = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()

    assert digest == hashlib.sha256(bytes(60_000_000)).hexdigest()
    assert most < 5_000_000


def test_a_file_beyond_all_limits_has_no_digest(tmp_path: Path) -> None:
    with (tmp_path / "page.html").open("wb") as file:
        file.truncate(200_000_001)

    assert file_digest(Pair(Subject(id="a", case=""), None, "page.html", tmp_path), "page.html") is None


def test_steps_to_a_state_that_no_design_is_in_are_refused() -> None:
    pairs = [Pair(Subject(name, ""), name, "page.html", Path()) for name in ("a.html", "a~error.html")]
    steps = {"": (), "error": (), "eror": ()}

    told = (
        r"--steps leads to the state 'eror', which no design is in\. Did you mean 'error'\? "
        r"Name the design of a state as in login~eror\.html\."
    )
    with pytest.raises(ConfigurationError, match=told):
        require_states(pairs, steps)
    require_states(pairs, {"": (), "error": ()})

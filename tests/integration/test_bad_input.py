"""Input that is not a page: each kind has its error, and none takes the other pairs with it.

`-s` prints the table that the documentation shows.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from tests.integration.conftest import Project

PAGE = (
    "<!DOCTYPE html><html lang='en'><head><title>Menu</title>{head}</head><body><h1>Soup</h1></body></html>"
)


@dataclass(frozen=True)
class BadInput:
    """A file's content (None: there is no file), and what is said about it."""

    data: bytes | None
    error: str
    message: str


BAD_INPUTS: dict[str, BadInput] = {
    "missing": BadInput(None, "SourceNotFound", "There is no file"),
    "empty": BadInput(b"", "EmptyDocument", "is empty"),
    "white-space": BadInput(b"\xef\xbb\xbf \n", "EmptyDocument", "is empty"),
    "refusal": BadInput(b"I'm sorry, but I can't help with that.", "NotHtml", "reads like a model's refusal"),
    "plain-text": BadInput(b"Soup of the day: tomato\n", "NotHtml", "is plain text"),
    "json": BadInput(json.dumps({"title": "Menu"}).encode(), "NotHtml", "is JSON"),
    "escaped": BadInput(PAGE.replace("<", "&lt;").encode(), "NotHtml", "markup escaped"),
    "picture": BadInput(b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR", "NotHtml", "is a PNG picture"),
    "binary": BadInput(bytes(range(256)) * 4, "NotHtml", "is binary data"),
    "unclosed-style": BadInput(
        PAGE.format(head="<style>h1 {").encode(), "EmptyDocument", "an unclosed <style> swallows the rest"
    ),
    "self-closed-script": BadInput(
        PAGE.format(head="<script/>").encode(), "EmptyDocument", "self-closed <script/>"
    ),
    "too-large": BadInput(PAGE.encode().ljust(200_001), "InputTooLarge", "the limit is 200,000"),
}


@pytest.fixture
def pairs(project: Project) -> Project:
    """The bad inputs as candidates in a pairs file, between two good pages."""
    lines = []
    for name in ["first", *BAD_INPUTS, "last"]:
        bad = BAD_INPUTS.get(name, BadInput(PAGE.format(head="").encode(), "", ""))
        if bad.data is not None:
            (project.path / f"{name}.html").write_bytes(bad.data)
        lines.append(json.dumps({"id": name, "reference": "designs/login.html", "candidate": f"{name}.html"}))
    project.write("pairs.jsonl", "\n".join(lines))
    return project


def test_each_bad_input_is_an_error_of_its_kind_and_the_rest_is_scored(pairs: Project) -> None:
    command = ["score", "--pairs", "pairs.jsonl", "--json", "--set", "max_bytes=200000"]
    finished = pairs.command(*command)
    records: dict[str, dict[str, Any]] = {
        record["id"]: record for record in map(json.loads, finished.stdout.splitlines())
    }

    assert finished.returncode == 3
    assert list(records) == ["first", *BAD_INPUTS, "last"]
    for name in ("first", "last"):
        assert "error" not in records[name]
        assert 0 < records[name]["visual"]["score"] < 1
    for name, bad in BAD_INPUTS.items():
        error = records[name]["error"]
        print(f"{name:20} {error['type']:15} {error['message']}")
        assert error["type"] == bad.error
        assert bad.message in error["message"]
        assert f"{name}.html" in error["message"]
        assert not records[name].get("visual")
        assert not records[name].get("accessibility")


def test_in_a_test_the_error_ends_the_test_and_stands_in_its_report(project: Project) -> None:
    (project.path / "refusal.html").write_bytes(BAD_INPUTS["refusal"].data or b"")
    project.test_file(
        """
        @pytest.mark.parametrize("name", ["refusal", "missing"])
        def test_bad(render, name):
            assert_iwir(render(f"{name}.html")) < 1

        def test_next(render):
            assert_iwir(render("generated/login.html")) < 1
        """
    )

    result = project.run()

    result.assert_outcomes(failed=2, passed=1)
    for bad in (BAD_INPUTS["refusal"], BAD_INPUTS["missing"]):
        result.stdout.fnmatch_lines([f"*{bad.error}: *{bad.message}*"])

"""The line of a failing element is that of its tag in the file, or none."""

from __future__ import annotations

from pathlib import Path

import pytest

from pytest_design2a11y.models.audit import CheckedNode
from pytest_design2a11y.report.rules import line_of

PAGE = """<!doctype html>
<html><body>
<ul>
  <li><a href="/a" class="icon  link"></a>
  <li><a href="/b"></a>
  <li><IMG SRC="x.png"
       width=4>
</ul>
<p>One</p><p>Two</p>
"""


@pytest.mark.parametrize(
    ("target", "html", "expected"),
    [
        ("li:nth-child(1) > a", '<a href="/a" class="icon  link"></a>', 4),
        ('a[href$="b"]', '<a href="/b"></a>', 5),
        ("img", '<img src="x.png" width="4">', 6),
        ("p:nth-child(2)", "<p>One</p>", 9),
        ("html", "<html>", 2),
        # Made by a script: the file has no such element, or has it with other attributes.
        ("#made", '<b id="made">', None),
        ("li:nth-child(1) > a", '<a href="/a" class="open">', None),
        # The selector fits what scripts made of the page; its element is the only one like it.
        ("main > ul > a", '<a href="/b">', 5),
        ("main > p", "<p>", None),
        ("iframe >>> p", "<p>One</p>", None),
        ("p:unknown-pseudo(", '<a href="/b">', 5),
    ],
)
def test_an_element_is_found_by_its_selector_and_only_if_it_is_the_same(
    tmp_path: Path, target: str, html: str, expected: int | None
) -> None:
    page = tmp_path / "page.html"
    page.write_text(PAGE)

    assert line_of(str(page), CheckedNode(target, html, "serious", "")) == expected


@pytest.mark.parametrize("page", ["https://example.com/a.html", "<html>", "nowhere.html", ""])
def test_what_is_not_a_file_has_no_lines(page: str) -> None:
    assert line_of(page, CheckedNode("p", "<p>", "serious", "")) is None


def test_a_file_that_changed_is_read_again(tmp_path: Path) -> None:
    page, node = tmp_path / "page.html", CheckedNode("b", "<b>", "serious", "")
    page.write_text("<b>")
    assert line_of(str(page), node) == 1
    page.write_text("\n\n<b> more")

    assert line_of(str(page), node) == 3

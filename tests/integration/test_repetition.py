"""Pages of a model that repeats itself: ten shapes of 2 MB, each ends with what could be measured."""

from __future__ import annotations

import json
import time
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from tests.integration.conftest import Project

SIZE = 2_000_000
HEAD = "<!doctype html><html lang=en><title>t</title><main><h1>Hello 12</h1>"


def filled(unit: str) -> str:
    return unit * (SIZE // len(unit))


SHAPES = {
    "words": f"<p>{filled('lorem ipsum dolor ')}</p>",
    "numbers": f"<p>{' '.join(str(number * 7 % 9973) for number in range(SIZE // 5))}</p>",
    "list items": f"<ul>{filled('<li>an item</li>')}</ul>",
    "nested boxes": "<div>" * 20_000 + "deep",
    "links": filled('<a href="#">link</a> '),
    "table cells": f"<table><tr>{filled('<td>cell</td>')}</table>",
    "code": f"<pre>{filled('for (i = 0; i < n; i++) {' + chr(10))}</pre>",
    "emoji": f"<p>{'😀' * (SIZE // 4)}</p>",
    "one long word": f"<p>{filled('a')}</p>",
    "alternating": filled("<h2>Title</h2><p>Text 12</p>"),
}


@pytest.mark.alike(4, is_long=True)
@pytest.mark.slow
@pytest.mark.parametrize("shape", SHAPES)
def test_a_page_that_repeats_itself_ends_within_its_time(project: Project, shape: str) -> None:
    """One long word took 70 s and more: a pattern was made of all its letters."""
    project.write("design.html", f"{HEAD}<p>{'lorem ipsum 42 ' * 30}</p></main></html>")
    project.write("page.html", f"{HEAD}{SHAPES[shape]}</main></html>")

    began = time.monotonic()
    finished = project.command("score", "design.html", "page.html", "--timeout", "10", "--json")
    seconds = time.monotonic() - began

    record = json.loads(finished.stdout)
    assert seconds < 45
    assert record.get("error") or record["visual"]["score"] is not None
    assert (finished.returncode == 3) is ("error" in record)

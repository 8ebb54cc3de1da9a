"""Group F: input that is not a page, or only nearly one, from the bytes to the picture."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from pytest_design2a11y.exceptions import EmptyDocument, NotHtml, SourceError
from pytest_design2a11y.source.read_document import read_document

PAGE = "<!doctype html><html lang=en><title>Case</title><body><h1>Shown</h1></body></html>"

# Name: the file's bytes, the error, and words of its message.
REFUSED: dict[str, tuple[bytes, type[SourceError], str]] = {
    "empty": (b"", EmptyDocument, "is empty"),
    "whitespace": (b" \n\t\r\n", EmptyDocument, "is empty"),
    "bom_only": (b"\xef\xbb\xbf", EmptyDocument, "is empty"),
    "refusal": (b"I'm sorry, I can't help with that.", NotHtml, "refusal"),
    "json_wrapped": (json.dumps({"title": "Menu"}).encode(), NotHtml, "JSON"),
    "escaped_html": (PAGE.replace("<", "&lt;").replace(">", "&gt;").encode(), NotHtml, "escaped"),
    "binary": (bytes(range(256)) * 8, NotHtml, "binary"),
}

# Name: the file's bytes, the warnings, and what it shows.
SCORED: dict[str, tuple[bytes, tuple[str, ...], str]] = {
    "markdown_fence": (
        f"Here it is:\n```html\n{PAGE}\n```\nEnjoy!".encode(),
        ("markdown_fence_stripped",),
        "Shown",
    ),
    "two_fences": (
        f"A part:\n```html\n<p>small</p>\n```\nAll of it:\n```html\n{PAGE}\n```".encode(),
        ("markdown_fence_stripped", "several_code_blocks"),
        "Shown",
    ),
    "utf16_bom": (PAGE.replace("Shown", "Größe").encode("utf-16"), (), "Größe"),
    "latin1_bytes": (PAGE.replace("Shown", "Größe").encode("latin-1"), ("encoding",), "Größe"),
    "meta_wrong_charset": (
        PAGE.replace("<title>", "<meta charset=iso-8859-1><title>").replace("Shown", "Größe").encode(),
        (),
        "Größe",
    ),
    "nul_bytes": (PAGE.replace("Shown", "Sh\0own").encode(), (), "Shown"),
    "vertical_tab": (PAGE.replace("Shown", "\x0b\x0c\r\nShown\r\n").encode(), (), "Shown"),
    "long_line": (PAGE.replace("Shown", "Shown" + " " * 1_000_000).encode(), (), "Shown"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_what_is_no_page_is_refused_before_a_browser_sees_it(
    tmp_path: Path, record: Callable[[str, object], None], name: str
) -> None:
    data, error, words = REFUSED[name]
    file = tmp_path / "page.html"
    file.write_bytes(data)

    with pytest.raises(error, match=words) as caught:
        read_document(file, max_bytes=10_000_000)

    record("outcome", type(caught.value).__name__)


@pytest.mark.alike(4, is_long=True)
@pytest.mark.parametrize("name", SCORED)
def test_what_holds_a_page_is_scored(trial: Any, tmp_path: Path, name: str) -> None:
    data, codes, shows = SCORED[name]
    file = tmp_path / "page.html"
    file.write_bytes(data)

    capture = trial.scored(read_document(file, max_bytes=10_000_000), *codes, shows=shows)

    assert "```" not in " ".join(run.text for run in capture.text_runs)


def test_lone_surrogate(trial: Any) -> None:
    """A character that cannot be encoded reaches nobody."""
    capture = trial.scored("<script>document.body.append('half: \\ud800')</script>")

    "".join(run.text for run in capture.text_runs).encode("utf-8")

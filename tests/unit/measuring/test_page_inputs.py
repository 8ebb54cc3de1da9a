"""What `audit` may name: patterns, folders and lists give the pages that are meant."""

from __future__ import annotations

from pathlib import Path

import pytest

from pytest_design2a11y.exceptions import ConfigurationError
from pytest_design2a11y.measuring.page_inputs import list_pages


@pytest.fixture(autouse=True)
def site(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    monkeypatch.chdir(tmp_path)
    folder = tmp_path / "site"
    (folder / "sub").mkdir(parents=True)
    for name in ("b.html", "a.html", "sub/c.htm", "style.css"):
        (folder / name).write_text("<p>page</p>")
    return folder


@pytest.mark.parametrize(
    ("named", "expected"),
    [
        (["site/b.html", "nowhere.html"], ["site/b.html", "nowhere.html"]),
        (["http://localhost/", "<p>Hello</p>" * 999], ["http://localhost/", "<p>Hello</p>" * 999]),
        (["site/a.html?tab=2#top"], ["site/a.html?tab=2#top"]),
        (["site/*.html"], ["site/a.html", "site/b.html"]),
        (["site/**/*.htm*"], ["site/a.html", "site/b.html", "site/sub/c.htm"]),
        (["site"], ["site/a.html", "site/b.html", "site/sub/c.htm"]),
        (["site/b.html", "site/*.html"], ["site/b.html", "site/a.html"]),
    ],
)
def test_what_is_named_is_found_once_and_in_order(named: list[str], expected: list[str]) -> None:
    assert list_pages(named) == expected


def test_a_list_has_a_page_a_line_relative_to_its_folder(site: Path) -> None:
    (site / "pages.txt").write_text("# ours\n\nhttps://example.com/login\na.html\n  sub/c.htm\n")

    assert list_pages(["site/pages.txt"]) == ["https://example.com/login", "site/a.html", "site/sub/c.htm"]


def test_a_text_file_that_lists_no_pages_is_a_page_itself(site: Path) -> None:
    (site / "answer.txt").write_text("Here is the page:\n```html\n<p>Hello</p>\n```")

    assert list_pages(["site/answer.txt"]) == ["site/answer.txt"]


def test_a_pattern_that_names_nothing_is_refused() -> None:
    with pytest.raises(ConfigurationError) as caught:
        list_pages(["site/*.xhtml"])

    assert str(caught.value) == "site/*.xhtml names no page. Name pages, such as 'site/**/*.html'."


def test_a_list_that_is_too_large_is_refused(site: Path) -> None:
    with (site / "pages.txt").open("wb") as file:
        file.truncate(50_000_001)

    with pytest.raises(ConfigurationError, match=r"site/pages\.txt cannot be read: "):
        list_pages(["site/pages.txt"])

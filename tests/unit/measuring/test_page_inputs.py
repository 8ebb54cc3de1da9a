"""What `audit` may name: patterns, folders, lists and sitemaps give the pages that are meant."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import pytest

from pytest_design2a11y.exceptions import ConfigurationError
from pytest_design2a11y.measuring.page_inputs import list_pages
from pytest_design2a11y.measuring.pair_files import open_pairs

STORIES = {
    "v": 5,
    "entries": {
        "example-button--docs": {"type": "docs", "id": "example-button--docs", "title": "Example/Button"},
        "example-button--primary": {"type": "story", "id": "example-button--primary", "name": "Primary"},
        "example-form--error": {"type": "story", "id": "example-form--error", "name": "Error"},
    },
}
SITEMAP = """<?xml version="1.0" encoding="UTF-8"?>
<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
<url><loc> http://localhost/a </loc><priority>1</priority></url>
<url><loc>http://localhost/b</loc></url></urlset>
"""
INDEX = """<sitemapindex xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
<sitemap><loc>site/sitemap.xml</loc></sitemap><sitemap><loc>site/other.xml.gz</loc></sitemap></sitemapindex>
"""


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


def test_a_sitemap_names_its_pages_and_an_index_those_of_its_sitemaps(site: Path) -> None:
    (site / "sitemap.xml").write_text(SITEMAP)
    (site / "other.xml.gz").write_bytes(gzip.compress(SITEMAP.replace("localhost", "other").encode()))
    (site / "index.xml").write_text(INDEX)

    assert list_pages(["site/sitemap.xml"]) == ["http://localhost/a", "http://localhost/b"]
    assert list_pages(["site/index.xml"])[1:3] == ["http://localhost/b", "http://other/a"]


@pytest.fixture
def storybook(site: Path) -> Path:
    folder = site.parent / "storybook-static"
    folder.mkdir()
    (folder / "index.json").write_text(json.dumps(STORIES))
    for name in ("iframe.html", "index.html"):
        (folder / name).write_text("<div id=storybook-root></div>")
    return folder


def test_a_storybook_names_a_page_for_each_story_and_none_for_its_documentation(storybook: Path) -> None:
    pages = [
        "storybook-static/iframe.html?id=example-button--primary&viewMode=story",
        "storybook-static/iframe.html?id=example-form--error&viewMode=story",
    ]

    assert list_pages(["storybook-static"]) == pages
    assert list_pages(["storybook-static/index.json"]) == pages


def test_an_older_storybook_lists_its_stories_by_another_name(storybook: Path) -> None:
    old = {"v": 3, "stories": {"button--primary": {"id": "button--primary"}}}
    (storybook / "index.json").write_text(json.dumps(old))

    assert list_pages(["storybook-static"]) == [
        "storybook-static/iframe.html?id=button--primary&viewMode=story"
    ]


def test_designs_are_paired_with_the_stories_that_they_are_named_after(storybook: Path) -> None:
    designs = storybook.parent / "designs"
    designs.mkdir()
    (designs / "example-form--error.png").write_bytes(b"")

    (pair,) = open_pairs("storybook-static", "designs").pairs

    assert (pair.reference, pair.subject.case) == ("designs/example-form--error.png", "example-form--error")
    assert pair.candidate == "storybook-static/iframe.html?id=example-form--error&viewMode=story"

    (designs / "example-buton--primary.png").write_bytes(b"")
    with pytest.raises(ConfigurationError) as caught:
        open_pairs("storybook-static", "designs")
    assert str(caught.value) == (
        "storybook-static has no story 'example-buton--primary' for designs/example-buton--primary.png. "
        "Did you mean 'example-button--primary'? Name each design as its story: example-button--primary, "
        "example-form--error."
    )


def test_a_folder_whose_index_is_none_of_a_storybook_is_refused(storybook: Path) -> None:
    (storybook / "index.json").write_text("[]")

    with pytest.raises(
        ConfigurationError, match=r"storybook-static/index\.json is not the index of a Storybook"
    ):
        list_pages(["storybook-static"])


@pytest.mark.parametrize(
    ("named", "message"),
    [
        ("site/*.xhtml", "site/*.xhtml names no page. Name pages, such as 'site/**/*.html'."),
        ("site/broken.xml", "site/broken.xml is not a sitemap: "),
        ("http://127.0.0.1:9/sitemap.xml", "http://127.0.0.1:9/sitemap.xml cannot be read: 127.0.0.1 ("),
    ],
)
def test_what_names_nothing_is_refused(site: Path, named: str, message: str) -> None:
    (site / "broken.xml").write_text("<urlset><url>")

    with pytest.raises(ConfigurationError) as caught:
        list_pages([named])

    assert str(caught.value).startswith(message)

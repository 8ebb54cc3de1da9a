"""Where a site's root is, and which address a page has in it."""

from __future__ import annotations

import os
import sys
import time
from pathlib import Path

import pytest

from pytest_design2a11y.exceptions import ConfigurationError, NotHtml, SourceNotFound
from pytest_design2a11y.models.page import Answer, Document
from pytest_design2a11y.source.read_document import read_document
from pytest_design2a11y.source.site import SiteChoice, choose_site, local_references

APPS = Path(__file__).parents[2] / "apps"


def page(*links: str, head: str = "") -> str:
    tags = "".join(f'<link rel="stylesheet" href="{link}">' for link in links)
    return f"<!doctype html><html><head>{head}{tags}</head><body><h1>Shown</h1></body></html>"


def make(folder: Path, **files: str) -> None:
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)


def read(source: str, base: Path, **choice: object) -> Document:
    site = SiteChoice(**{"ceiling": base, **choice})  # type: ignore[arg-type]
    return read_document(source, max_bytes=10**6, folders=() if base is None else (base,), site=site)


def root_and_address(document: Document, base: Path) -> tuple[str, str]:
    assert document.site is not None
    assert document.site.root is not None
    return Path(document.site.root).relative_to(base).as_posix(), document.site.address


@pytest.mark.parametrize(
    ("markup", "references"),
    [
        ('<script src="/a.js"></script><link href=b.css>', ("/a.js", "b.css")),
        ('<a href="/page">x</a><link rel="canonical" href="/">', ()),
        ('<img src="https://cdn.example/a.png"><img src="//cdn.example/b.png">', ()),
        ('<img src="data:image/png;base64,AA"><use href="#icon">', ()),
        ('<img srcset="/s.png 1x, /l.png 2x">', ("/s.png", "/l.png")),
        ('<style>body { background: url("/b.png") }</style>', ("/b.png",)),
        ('<script type="module">import a from "/a.js"; import("./b.js")</script>', ("/a.js", "./b.js")),
        ('<img src="/with%20space.png?v=1#x">', ("/with space.png",)),
        ('<base href="/app/"><script src="main.js"></script>', ("/app/main.js",)),
        ('<base href="https://far.example/"><script src="main.js"></script>', ()),
        ('<img src="/a&amp;b.png">', ("/a&b.png",)),
        ("<img src='http://[bad'>", ()),
        ('<img src=""><img src="/a\u200e.png"><img src="/b.png">', ("/b.png",)),
    ],
)
def test_local_references(markup: str, references: tuple[str, ...]) -> None:
    assert local_references(markup.encode()) == references


@pytest.mark.parametrize("part", [b"<link href=", b"url(", b"<base ", b"import    ", b"<img src=' "])
def test_unfinished_markup_takes_no_time(part: bytes) -> None:
    began = time.process_time()

    local_references(part * (2_000_000 // len(part)))

    assert time.process_time() - began < 5


def test_a_page_that_asks_for_nothing_above_itself_has_its_folder_as_root(tmp_path: Path) -> None:
    make(tmp_path, **{"site/about.html": page("style.css"), "site/style.css": "", "style.css": ""})

    assert root_and_address(read("site/about.html", tmp_path), tmp_path) == ("site", "/about.html")


def test_a_vite_build_is_its_own_root() -> None:
    document = read("vue-fetch/site/index.html", APPS)

    assert root_and_address(document, APPS) == ("vue-fetch/site", "/")


def test_the_root_is_the_nearest_ancestor_that_has_the_files(tmp_path: Path) -> None:
    make(
        tmp_path,
        **{
            "out/docs/intro/index.html": page("/_next/a.css", "/_next/b.css"),
            "out/_next/a.css": "",
            "out/_next/b.css": "",
            "_next/a.css": "",
        },
    )

    found = root_and_address(read("out/docs/intro/index.html", tmp_path), tmp_path)

    assert found == ("out", "/docs/intro/")


def test_no_root_is_looked_for_above_the_ceiling(tmp_path: Path) -> None:
    make(tmp_path, **{"project/out/page.html": page("/a.css"), "a.css": ""})

    document = read("out/page.html", tmp_path / "project")

    assert root_and_address(document, tmp_path) == ("project/out", "/page.html")


def test_paths_that_go_up_stay_in_the_root(tmp_path: Path) -> None:
    make(tmp_path, **{"pages/a/page.html": page("../../shared/style.css"), "shared/style.css": ""})

    document = read("pages/a/page.html", tmp_path)

    assert root_and_address(document, tmp_path) == (".", "/pages/a/page.html")


def test_a_site_that_was_built_for_a_path_of_its_own(tmp_path: Path) -> None:
    make(tmp_path, **{"dist/index.html": page("/my-project/assets/a.css"), "dist/assets/a.css": ""})

    document = read("dist/index.html", tmp_path)

    assert root_and_address(document, tmp_path) == ("dist", "/my-project/")
    assert document.site is not None
    assert document.site.base == "/my-project/"


def test_a_given_root_holds_for_the_pages_in_it(tmp_path: Path) -> None:
    make(tmp_path, **{"site/sub/page.html": page(), "other/page.html": page()})
    roots = (tmp_path, tmp_path / "site")

    inside = read("site/sub/page.html", tmp_path, roots=roots)
    outside = read("other/page.html", tmp_path, roots=roots[1:])

    assert root_and_address(inside, tmp_path) == ("site", "/sub/page.html")
    assert inside.site is not None
    assert inside.site.is_root_given
    assert root_and_address(outside, tmp_path) == ("other", "/page.html")


@pytest.mark.parametrize("suffix", ["?id=button--primary&viewMode=story", "#/settings", "?a=1#b"])
def test_query_and_fragment_are_part_of_the_address(tmp_path: Path, suffix: str) -> None:
    make(tmp_path, **{"iframe.html": page()})

    document = read(f"iframe.html{suffix}", tmp_path)

    assert root_and_address(document, tmp_path) == (".", f"/iframe.html{suffix}")
    assert document.label == f"iframe.html{suffix}"


def test_a_file_whose_name_has_such_signs_comes_first(tmp_path: Path) -> None:
    make(tmp_path, **{"a#b.html": page(), "a": page()})

    assert root_and_address(read("a#b.html", tmp_path), tmp_path) == (".", "/a%23b.html")


def test_clean_urls_are_understood_on_request(tmp_path: Path) -> None:
    make(tmp_path, **{"site/about.html": page(), "site/team/index.html": page()})

    about = read("site/about", tmp_path, clean_urls=True)
    team = read("site/team", tmp_path, clean_urls=True)

    assert root_and_address(about, tmp_path) == ("site", "/about")
    assert root_and_address(team, tmp_path) == ("site/team", "/")
    with pytest.raises(SourceNotFound, match="There is no file 'site/about'"):
        read("site/about", tmp_path)


def test_a_route_of_a_single_page_app_is_understood_on_request(tmp_path: Path) -> None:
    make(tmp_path, **{"dist/index.html": page("/assets/a.css"), "dist/assets/a.css": ""})

    document = read("dist/settings/profile?tab=2", tmp_path, single_page=True)

    assert root_and_address(document, tmp_path) == ("dist", "/settings/profile?tab=2")
    with pytest.raises(SourceNotFound, match="There is no file"):
        read("dist/settings/profile", tmp_path)


def test_a_root_is_looked_for_beside_the_test_first_and_must_be_there(tmp_path: Path) -> None:
    (tmp_path / "tests" / "site").mkdir(parents=True)
    folders = (tmp_path / "tests", tmp_path)

    choice = choose_site([Path("site")], folders, clean_urls=False, single_page=True)

    assert choice == SiteChoice((tmp_path.resolve() / "tests" / "site",), tmp_path, single_page=True)
    with pytest.raises(ConfigurationError, match=r"The root 'nowhere' is not a folder.*-o design2a11y_root"):
        choose_site([Path("nowhere")], folders, clean_urls=False, single_page=False)


def test_an_answer_is_never_a_path(tmp_path: Path) -> None:
    make(tmp_path, **{"design.html": page()})

    with pytest.raises(NotHtml, match="The answer is plain text, not a page"):
        read_document(Answer("design.html"), max_bytes=10**6, folders=(tmp_path,))
    document = read_document(
        Answer(page()), max_bytes=10**6, folders=(tmp_path,), site=SiteChoice(), references=("design.html",)
    )
    assert (document.label, document.folder) == ("<html>", None)


def test_a_page_may_not_read_its_reference_unless_it_is_the_reference(tmp_path: Path) -> None:
    make(tmp_path, **{"design.html": page(), "page.html": page()})

    def references(source: str, *of: object) -> tuple[str, ...]:
        document = read_document(
            source, max_bytes=10**6, folders=(tmp_path,), site=SiteChoice(), references=of
        )
        return document.site.references if document.site else ()

    assert references("page.html", "design.html") == (str(tmp_path.resolve() / "design.html"),)
    assert references("page.html", tmp_path / "design.html#x") == (str(tmp_path.resolve() / "design.html"),)
    assert references("design.html", "design.html") == ()
    assert references("page.html", page(), "https://far.example/", object()) == ()


@pytest.mark.skipif(sys.platform != "linux", reason="Names of files are Unicode elsewhere.")
def test_a_page_whose_name_is_not_utf8_has_an_address(tmp_path: Path) -> None:
    name = os.fsdecode(b"caf\xe9.html")
    make(tmp_path, **{name: page()})

    assert root_and_address(read(name, tmp_path), tmp_path)[1] == "/caf%E9.html"

"""Which files of its site a page gets, and which it never gets."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

from pytest_design2a11y.capture.isolation.site_files import Absence, Content, SiteFiles
from pytest_design2a11y.files import read_regular
from pytest_design2a11y.models.page import Document, Site
from tests.posix import make_pipe

MISSING, REFUSED = Absence.MISSING, Absence.REFUSED


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A project: designs, generated pages, a secret beside each."""
    files = {
        "designs/login.html": "the design",
        "designs/login.png": "its picture",
        "designs/logo.svg": "a logo",
        "generated/login.html": "the page",
        "generated/login/hero.png": "hero",
        "generated/other.html": "another page",
        "generated/other/hero.png": "another hero",
        "generated/other_files/a.css": "",
        "generated/shared/style.css": "style",
        "generated/.env": "SECRET",
        "generated/.git/config": "SECRET",
        "site.js": "script",
        "notes.html": "notes",
        "settings.toml": "SECRET",
    }
    for name, text in files.items():
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return tmp_path


def files(folder: Path, name: str = "generated/login.html", **site: object) -> SiteFiles:
    path = folder / name
    shown = {"root": str(path.parent), "address": f"/{path.name}", **site}
    return SiteFiles(
        Document(name, path.read_bytes(), folder=str(path.parent), site=Site(**shown))  # type: ignore[arg-type]
    )


def found(files: SiteFiles, path: str, **how: bool) -> str | Absence:
    content = files.find(path, **how)
    return content.body.decode() if isinstance(content, Content) else content


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        ("/login.html", "the page"),
        ("/other.html", "another page"),
        ("/login/hero.png", "hero"),
        ("/shared/style.css", "style"),
        ("/shared/%73tyle.css", "style"),
        ("//shared//style.css", "style"),
        ("/nothing.css", MISSING),
        ("/shared", MISSING),
        ("/shared/style.css/x", MISSING),
        ("/" + "x" * 5000, MISSING),
        ("/other/hero.png", REFUSED),
        ("/other_files/a.css", REFUSED),
        ("/.env", REFUSED),
        ("/%2eenv", REFUSED),
        ("/.git/config", REFUSED),
        ("/shared/../.env", REFUSED),
        ("/..%2fsettings.toml", REFUSED),
        ("/%2e%2e/settings.toml", REFUSED),
        ("/..%5csettings.toml", REFUSED),
        ("/a%00.css", REFUSED),
    ],
)
def test_what_a_page_gets_of_its_folder(folder: Path, path: str, expected: str | Absence) -> None:
    assert found(files(folder), path) == expected


def test_links_do_not_lead_out_or_to_hidden_files(folder: Path) -> None:
    for name, target in {
        "out.css": "../settings.toml",
        "env.css": ".env",
        "in.css": "shared/style.css",
    }.items():
        (folder / "generated" / name).symlink_to(target)

    served = files(folder)

    assert found(served, "/out.css") is REFUSED
    assert found(served, "/env.css") is REFUSED
    assert found(served, "/in.css") == "style"


def test_a_page_without_a_folder_gets_nothing() -> None:
    assert found(SiteFiles(Document("<html>", b"<p>x")), "/a.css") is MISSING


def test_a_found_root_gives_what_pages_are_made_of_and_no_other_pages(folder: Path) -> None:
    served = files(folder, root=str(folder), address="/generated/login.html")

    assert found(served, "/site.js") == "script"
    assert found(served, "/generated/other.html") == "another page"
    assert found(served, "/notes.html") is REFUSED
    assert found(served, "/settings.toml") is REFUSED
    assert found(files(folder, root=str(folder), is_root_given=True), "/notes.html") == "notes"


def test_the_reference_and_its_folder_are_never_served(folder: Path) -> None:
    reference = str(folder / "designs" / "login.html")
    served = files(folder, root=str(folder), is_root_given=True, references=(reference,))

    assert found(served, "/designs/login.html") is REFUSED
    assert found(served, "/designs/login.png") is REFUSED
    assert found(served, "/designs/logo.svg") is REFUSED
    assert found(served, "/site.js") == "script"


def test_a_reference_in_the_same_folder_is_refused_with_its_pictures_and_copies(folder: Path) -> None:
    generated = folder / "generated"
    (generated / "design.html").write_text("the design")
    (generated / "design.png").write_text("picture")
    (generated / "design.blocks.json").write_text("its texts")
    (generated / "design.css").write_text("rules")
    (generated / "copy.txt").write_text("the design")
    os.link(generated / "design.html", generated / "hard.html")
    (generated / "soft.html").symlink_to("design.html")
    served = files(folder, references=(str(generated / "design.html"),))

    for name in ("design.html", "design.png", "design.blocks.json", "copy.txt", "hard.html", "soft.html"):
        assert found(served, f"/{name}") is REFUSED, name
    assert found(served, "/design.css") == "rules"
    assert found(served, "/shared/style.css") == "style"


def test_a_page_below_the_folder_of_its_reference_keeps_its_own_files(folder: Path) -> None:
    inner = folder / "designs" / "generated"
    inner.mkdir()
    (inner / "login.html").write_text("inner")
    (inner / "own.css").write_text("own")
    served = files(
        folder, "designs/generated/login.html", references=(str(folder / "designs" / "login.html"),)
    )

    assert found(served, "/own.css") == "own"


def test_a_site_below_the_folder_of_its_reference_has_its_own_files(tmp_path: Path) -> None:
    site = tmp_path / "site"
    (site / "docs" / "api").mkdir(parents=True)
    (site / "assets").mkdir()
    (site / "docs" / "api" / "index.html").write_text("the page")
    (site / "assets" / "i.js").write_text("script")
    (site / "assets" / "copy.png").write_text("the design")
    (tmp_path / "ref.html").write_text("the design")
    own = files(
        site,
        "docs/api/index.html",
        root=str(site),
        address="/docs/api/",
        references=(str(tmp_path / "ref.html"),),
    )

    assert found(own, "/assets/i.js") == "script"
    assert found(own, "/assets/copy.png") is REFUSED
    assert found(own, "/ref.html") is MISSING


def test_routes_and_clean_urls_only_on_request(folder: Path) -> None:
    (folder / "generated" / "index.html").write_text("index")

    assert found(files(folder), "/other") is MISSING
    assert found(files(folder, clean_urls=True), "/other") == "another page"
    assert found(files(folder), "/some/route", is_navigation=True) is MISSING
    assert found(files(folder, single_page=True), "/some/route", is_navigation=True) == "index"
    assert found(files(folder, single_page=True), "/some/data.json") is MISSING
    assert found(files(folder), "/") == "index"


def test_a_base_is_taken_off(folder: Path) -> None:
    served = files(folder, base="/app/", address="/app/login.html")

    assert found(served, "/app/shared/style.css") == "style"
    assert found(served, "/app/login.html") == "the page"
    assert found(served, "/shared/style.css") is MISSING


def test_files_of_the_answer_come_first(folder: Path) -> None:
    served = files(folder, files=(("shared/style.css", b"of the answer"),))

    assert found(served, "/shared/style.css") == "of the answer"


def test_a_huge_file_is_not_read(folder: Path) -> None:
    with (folder / "generated" / "huge.bin").open("wb") as huge:
        huge.truncate(50_000_001)

    assert found(files(folder), "/huge.bin") is Absence.TOO_LARGE


def test_only_regular_files_are_read_and_none_is_waited_for(folder: Path) -> None:
    make_pipe(folder / "generated/pipe.css")
    make_pipe(folder / "generated/later.css")

    assert found(files(folder), "/pipe.css") is MISSING
    with pytest.raises(OSError, match="not a regular file"):
        read_regular(folder / "generated/later.css", 10)


def test_a_file_is_read_once(folder: Path) -> None:
    site = files(folder)
    first = found(site, "/shared/style.css")
    (folder / "generated/shared/style.css").write_text("changed")

    assert found(site, "/shared/style.css") == first == "style"


@pytest.mark.skipif(sys.platform != "linux", reason="Names of files are Unicode elsewhere.")
def test_names_that_are_not_utf8_are_served(folder: Path) -> None:
    (folder / "generated" / os.fsdecode(b"caf\xe9.css")).write_text("style of a caf\xe9")

    assert found(files(folder), "/caf%E9.css") == "style of a caf\xe9"
    assert found(files(folder), "/caf%FF.css") is Absence.MISSING


def test_a_design_that_is_gone_is_not_read_for_the_others(folder: Path) -> None:
    """A file as large as one design was missing where another design could not be read."""
    designs = tuple(str(folder / "designs" / name) for name in ("login.html", "gone.html"))
    (folder / "generated" / "menu.html").write_text("the dishes")

    assert found(files(folder, references=designs), "/menu.html") == "the dishes"

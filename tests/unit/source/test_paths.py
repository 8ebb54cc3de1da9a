"""Paths as other systems write them."""

from __future__ import annotations

from pathlib import Path
from zoneinfo import ZoneInfoNotFoundError

import pytest

from pytest_design2a11y.capture.isolation import Asset
from pytest_design2a11y.capture.isolation.recordings import Recordings
from pytest_design2a11y.exceptions import SourceNotFound
from pytest_design2a11y.files import label_of_path
from pytest_design2a11y.models.readers import read_timezone
from pytest_design2a11y.settings.run_options import named_digest
from pytest_design2a11y.source.files import is_page, kind_of, path_of_file_url
from pytest_design2a11y.source.read_document import read_document
from pytest_design2a11y.source.site import SiteChoice


@pytest.mark.parametrize(
    ("address", "path"),
    [
        ("file:///C:/designs/log%20in.html", "C:/designs/log in.html"),
        ("file:///c:/page.html?open#top", "c:/page.html"),
        ("file://C:/designs/login.html", "C:/designs/login.html"),
        ("file://localhost/C:/login.html", "C:/login.html"),
        ("file://server/share/login.html", "//server/share/login.html"),
        ("file:///share/login.html", "/share/login.html"),
        (r"C:\designs\login.html", None),
    ],
)
def test_addresses_of_files_have_drives_and_servers_on_windows(address: str, path: str | None) -> None:
    assert path_of_file_url(address, is_windows=True) == path


def test_elsewhere_a_drive_is_a_folder() -> None:
    assert path_of_file_url("file:///C:/login.html", is_windows=False) == "/C:/login.html"


def test_labels_have_slashes_everywhere() -> None:
    assert label_of_path(r"designs\login.html", separator="\\") == "designs/login.html"
    assert label_of_path(r"odd\name.html", separator="/") == r"odd\name.html"


@pytest.mark.parametrize(
    "source",
    [
        r"C:\x.html",
        "C:/designs/login.html",
        r"\\server\share\login.html",
        "c:login.html",
        r"D:\All our designs\the login page, second try.html",
        r"C:\Users\Jo Bloggs\site of the shop\dist",
        "/home/jo/site of the shop/dist",
    ],
)
def test_a_drive_is_no_scheme_and_a_path_with_blanks_no_prose(source: str) -> None:
    assert kind_of(source) == "path"


def test_recorded_assets_have_names_that_every_system_allows(tmp_path: Path) -> None:
    recordings = Recordings(tmp_path)
    addresses = [
        "https://con/a.css",
        "https://aux.:8000/A.css",
        "https://cdn.example./Theme.css",
        "https://cdn.example./theme.css",
        "https://cdn.example./nul",
        "https://cdn.example./what%3F.css?v=%2A",
    ]
    for address in addresses:
        assert recordings.keep(address, Asset(200, "text/css", address.encode(), False, address))

    names = [path.relative_to(tmp_path) for path in tmp_path.rglob("*.asset.json")]
    assert len({str(name).lower() for name in names}) == len(addresses)
    for name in names:
        assert not any(part.endswith((".", " ")) or set(part) & set('<>:"|?*') for part in name.parts)
        assert not {part.partition(".")[0].lower() for part in name.parts} & {"con", "aux", "nul", "prn"}
    assert {recordings.find(address).body for address in addresses} == {one.encode() for one in addresses}  # type: ignore[union-attr]


def test_a_page_lies_as_deep_as_the_system_lets_it(tmp_path: Path) -> None:
    """Beyond the 260 characters that programs on Windows once had."""
    folder = tmp_path.joinpath(*["a folder that a build made, with its hash 0123456789abcdef"] * 8)
    folder.mkdir(parents=True)
    (folder / "page.html").write_text("<title>x</title><h1>Deep</h1>")
    address = f"https://cdn.example/{'folder/' * 60}{'name' * 60}.css?{'query' * 60}"
    recordings = Recordings(folder / "assets")

    assert len(str(folder)) > 400
    assert b"Deep" in (read_document(folder / "page.html", max_bytes=1_000).html or b"")
    assert recordings.keep(address, Asset(200, "text/css", b"p {}", False, address))
    assert recordings.find(address).body == b"p {}"  # type: ignore[union-attr]
    (path,) = (folder / "assets").rglob("*.asset.json")
    assert len(str(path.relative_to(folder / "assets"))) < 120


def test_a_path_that_no_system_has_is_a_page_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(SourceNotFound, match="There is no file"):
        read_document(tmp_path / "page" / ("x" * 300) / "page.html", max_bytes=1_000)


def test_without_a_database_the_browser_judges_time_zones(monkeypatch: pytest.MonkeyPatch) -> None:
    """Windows has none, and no package `tzdata` need be there."""
    with pytest.raises(ValueError, match="no such time zone"):
        read_timezone("Europe/Berlyn")
    monkeypatch.setattr("zoneinfo.ZoneInfo", unknown_zone)

    assert read_timezone("Europe/Berlyn") == "Europe/Berlyn"


def unknown_zone(name: str) -> None:
    raise ZoneInfoNotFoundError(f"No time zone found with key {name}")


def test_a_prompt_has_one_digest_whatever_ends_its_lines(tmp_path: Path) -> None:
    (tmp_path / "unix.md").write_bytes(b"Build the page.\nWith care.\n")
    (tmp_path / "windows.md").write_bytes(b"Build the page.\r\nWith care.\r\n")

    digests = {named_digest(str(tmp_path / name))[1] for name in ("unix.md", "windows.md")}
    assert len(digests) == 1


@pytest.mark.parametrize("path", ["a\0b.html", "a" * 5000 + ".html", "missing.html"])
def test_a_path_that_no_file_can_have_leads_to_no_page(path: str, tmp_path: Path) -> None:
    assert not is_page(path, tmp_path, SiteChoice())

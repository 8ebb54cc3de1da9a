"""Paths as other systems write them."""

from __future__ import annotations

import pytest

from pytest_design2a11y.models.paths import label_of_path
from pytest_design2a11y.source.kinds import path_of_file_url


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

"""Addresses of CDNs and of Google's fonts as files of packages of npm."""

from __future__ import annotations

import json
import shutil
from typing import Any

import pytest

from pytest_design2a11y.capture.isolation import Asset, NoAsset, npm
from pytest_design2a11y.capture.isolation.npm import NpmPackages
from pytest_design2a11y.capture.isolation.packages import NoPackage, Package, WebFont, fonts_of, style_sheet
from pytest_design2a11y.exceptions import ConfigurationError


def package(name: str, version: str, about: dict[str, Any], *files: str) -> Package:
    contents = {file: _content(name, file) for file in files}
    return Package(name, version, {"package.json": json.dumps(about).encode(), **contents})


def _content(name: str, file: str) -> bytes:
    return f"{'export {};' if file.endswith('.mjs') else ''}{name} {file}".encode()


# As these packages are laid out on npm.
PACKAGES = {
    one.name: one
    for one in (
        package(
            "lucide",
            "1.2.3",
            {"unpkg": "dist/umd/lucide.min.js", "main": "dist/cjs/lucide.js"},
            "dist/umd/lucide.min.js",
            "dist/cjs/lucide.js",
        ),
        package(
            "@tailwindcss/browser", "4.1.0", {"browser": "./dist/index.global.js"}, "dist/index.global.js"
        ),
        package(
            "bootstrap",
            "5.3.3",
            {"main": "dist/js/bootstrap.js"},
            "dist/css/bootstrap.min.css",
            "js/dist/x.js",
            "dist/js/bootstrap.js",
        ),
        package("font-awesome", "4.7.0", {}, "css/font-awesome.css"),
        package(
            "@fortawesome/fontawesome-free", "6.5.1", {}, "css/all.min.css", "webfonts/fa-solid-900.woff2"
        ),
        package("chart.js", "4.4.1", {}, "dist/chart.umd.js"),
        package("moment", "2.29.4", {}, "min/moment.min.js", "moment.js"),
        package("jquery", "3.7.1", {}, "dist/jquery.slim.min.js"),
        package(
            "preact",
            "10.1.0",
            {
                "exports": {
                    ".": {"import": "./dist/preact.mjs"},
                    "./hooks": {"browser": "./hooks/dist/hooks.mjs"},
                }
            },
            "dist/preact.mjs",
            "hooks/dist/hooks.mjs",
            "style.css",
        ),
        package("react", "18.3.1", {"main": "index.js", "exports": {".": "./index.js"}}, "index.js"),
        package("three", "0.128.0", {}, "build/three.min.js"),
        package("@fontsource/inter", "5.0.0", {}, "files/inter-latin-400-normal.woff2"),
    )
}


@pytest.fixture
def packages(monkeypatch: pytest.MonkeyPatch) -> NpmPackages:
    asked: list[tuple[str, str]] = []

    def download(name: str, version: str) -> Package:
        assert (name, version) not in asked, "each once"
        asked.append((name, version))
        if name not in PACKAGES:
            raise NoPackage(f"npm has no {name}@{version}: E404")
        return PACKAGES[name]

    monkeypatch.setattr(npm, "download", download)
    monkeypatch.setattr(shutil, "which", lambda name: name)
    return NpmPackages()


@pytest.mark.parametrize(
    ("address", "file", "pinned"),
    [
        (
            "unpkg.com/lucide@latest",
            "lucide dist/umd/lucide.min.js",
            "unpkg.com/lucide@1.2.3/dist/umd/lucide.min.js",
        ),
        (
            "unpkg.com/lucide",
            "lucide dist/umd/lucide.min.js",
            "unpkg.com/lucide@1.2.3/dist/umd/lucide.min.js",
        ),
        (
            "cdn.jsdelivr.net/npm/@tailwindcss/browser@4",
            "@tailwindcss/browser dist/index.global.js",
            "cdn.jsdelivr.net/npm/@tailwindcss/browser@4.1.0/dist/index.global.js",
        ),
        (
            "cdn.jsdelivr.net/npm/bootstrap@5.3.3/dist/css/bootstrap.min.css",
            "bootstrap dist/css/bootstrap.min.css",
            "cdn.jsdelivr.net/npm/bootstrap@5.3.3/dist/css/bootstrap.min.css",
        ),
        ("cdn.jsdelivr.net/npm/chart.js@4/dist/chart.umd.min.js", "chart.js dist/chart.umd.js", None),
        (
            "cdnjs.cloudflare.com/ajax/libs/twitter-bootstrap/5.3.3/css/bootstrap.min.css",
            "bootstrap dist/css/bootstrap.min.css",
            None,
        ),
        (
            "maxcdn.bootstrapcdn.com/bootstrap/5.3.3/css/bootstrap.min.css",
            "bootstrap dist/css/bootstrap.min.css",
            None,
        ),
        (
            "cdnjs.cloudflare.com/ajax/libs/font-awesome/4.7.0/css/font-awesome.min.css",
            "font-awesome css/font-awesome.css",
            None,
        ),
        (
            "cdnjs.cloudflare.com/ajax/libs/font-awesome/6.5.1/css/all.min.css",
            "@fortawesome/fontawesome-free css/all.min.css",
            None,
        ),
        (
            "use.fontawesome.com/releases/v6.5.1/css/all.min.css",
            "@fortawesome/fontawesome-free css/all.min.css",
            None,
        ),
        ("cdnjs.cloudflare.com/ajax/libs/Chart.js/4.4.1/chart.umd.js", "chart.js dist/chart.umd.js", None),
        ("cdnjs.cloudflare.com/ajax/libs/moment.js/2.29.4/moment.min.js", "moment min/moment.min.js", None),
        ("code.jquery.com/jquery-3.7.1.slim.min.js", "jquery dist/jquery.slim.min.js", None),
        (
            "ajax.googleapis.com/ajax/libs/jquery/3.7.1/jquery.slim.min.js",
            "jquery dist/jquery.slim.min.js",
            None,
        ),
        ("cdnjs.cloudflare.com/ajax/libs/three.js/r128/three.min.js", "three build/three.min.js", None),
        (
            "fonts.gstatic.com/fontsource/@fontsource/inter@5.0.0/files/inter-latin-400-normal.woff2",
            "@fontsource/inter files/inter-latin-400-normal.woff2",
            None,
        ),
    ],
)
def test_an_address_is_a_file_of_a_package_in_a_version(
    packages: NpmPackages, address: str, file: str, pinned: str | None
) -> None:
    url = f"https://{address}"

    answer = packages.fetch(url, method="GET")

    assert packages.allows(url)
    assert isinstance(answer, Asset)
    assert (answer.status, answer.body.decode(), answer.has_cors) == (200, file, True)
    assert pinned is None or answer.final_url == f"https://{pinned}"
    assert packages.fetch(url, method="GET") == answer


@pytest.mark.parametrize(
    ("address", "why"),
    [
        ("unpkg.com/no-such-package", "npm has no no-such-package@latest: E404"),
        ("cdn.jsdelivr.net/npm/bootstrap@5.3.3/nothing.css", "bootstrap@5.3.3 of npm has no nothing.css"),
        ("cdn.jsdelivr.net/gh/user/project@1/file.js", "no package of npm has it"),
        ("unpkg.com/--help@1/a.js", "no package of npm has it"),
        ("fonts.googleapis.com/css2?family=Nope", "npm has no @fontsource/nope@latest: E404"),
        ("fonts.googleapis.com/css2?family=Inter:wght@950", "@fontsource/inter@5.0.0 of npm has no 950.css"),
    ],
)
def test_what_has_no_package_says_so(packages: NpmPackages, address: str, why: str) -> None:
    url = f"https://{address}"

    assert packages.fetch(url, method="GET") == NoAsset("unreachable_hosts", f"{url} ({why})")


def test_other_hosts_and_methods_are_not_answered(packages: NpmPackages) -> None:
    assert not packages.allows("https://cdn.tailwindcss.com/")
    posted = packages.fetch("https://unpkg.com/lucide", method="POST")
    assert posted == NoAsset("blocked_requests", "POST https://unpkg.com/lucide")


def test_without_npm_it_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shutil, "which", lambda name: None)

    with pytest.raises(ConfigurationError, match=r"npm is not installed\. Install Node\.js"):
        NpmPackages()


# Addresses as Google documents them.
@pytest.mark.parametrize(
    ("query", "fonts"),
    [
        ("css2?family=Inter", [WebFont("Inter", ((400, False),))]),
        (
            "css2?family=Crimson+Pro:wght@450&family=Inter:wght@400;600&display=swap",
            [WebFont("Crimson Pro", ((450, False),)), WebFont("Inter", ((400, False), (600, False)))],
        ),
        ("css2?family=Lora:ital,wght@0,400;1,700", [WebFont("Lora", ((400, False), (700, True)))]),
        ("css2?family=Lora:ital@0;1", [WebFont("Lora", ((400, False), (400, True)))]),
        ("css2?family=Inter:wght@300..500", [WebFont("Inter", ((300, False), (400, False), (500, False)))]),
        (
            "css?family=Open+Sans:400,700italic|Lato:b",
            [WebFont("Open Sans", ((400, False), (700, True))), WebFont("Lato", ((700, False),))],
        ),
    ],
)
def test_fonts_are_read_from_googles_addresses(query: str, fonts: list[WebFont]) -> None:
    assert list(fonts_of(f"https://fonts.googleapis.com/{query}")) == fonts


def test_a_style_sheet_holds_the_weights_that_there_are_and_the_class_of_icons() -> None:
    face = b"@font-face { font-family: 'Material Icons'; src: url(./files/m-400.woff2) }"
    icons = Package("@fontsource/material-icons", "5.0.1", {"400.css": face})

    sheet = style_sheet(WebFont("Material Icons", ((400, False), (700, False))), icons)

    assert (
        "url(https://fonts.gstatic.com/fontsource/@fontsource/material-icons@5.0.1/files/m-400.woff2)"
        in sheet
    )
    assert ".material-icons {" in sheet
    assert "font-feature-settings: 'liga'" in sheet

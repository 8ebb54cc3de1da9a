"""CHANGELOG.md says what a user can do, release by release, and stays short enough to be read."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

ROOT = Path(__file__).parents[3]
TEXT = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
MOST_LINES, LONGEST_LINE = 60, 160


def test_each_release_is_short() -> None:
    releases = re.split(r"^## ", TEXT, flags=re.MULTILINE)[1:]

    assert releases
    assert {one.splitlines()[0]: n for one in releases if (n := len(one.splitlines())) > MOST_LINES} == {}
    assert [line for line in TEXT.splitlines() if len(line) > LONGEST_LINE] == []


def test_the_newest_release_is_the_version_of_the_package_and_of_its_citation() -> None:
    version = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["version"]
    newest = re.search(r"^## (\S+)", TEXT, re.MULTILINE)
    cited = re.search(r"^version: (\S+)$", (ROOT / "CITATION.cff").read_text(encoding="utf-8"), re.MULTILINE)

    assert (newest and newest[1], cited and cited[1]) == (version, version)


def test_examples_of_the_documentation_name_this_release() -> None:
    version = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["version"]
    pages = [*ROOT.glob("docs/*.md"), ROOT / "gitlab.yml"]
    named = {
        (page.name, found)
        for page in pages
        for found in re.findall(r"pytest-design2a11y[@/]v([\d.]+\d)", page.read_text(encoding="utf-8"))
    }

    assert {name for name, _ in named} >= {"ci.md", "tutorial.md", "gitlab.yml"}
    assert {found for _, found in named} == {version}

"""`locale`, and the language of axe-core's findings."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from pytest_design2a11y.capture.audit.axe_script import axe_locale, read_axe_script
from pytest_design2a11y.exceptions import AxeError

if TYPE_CHECKING:
    from pathlib import Path

    from tests.integration.conftest import Project

# As axe-core's package has them, in locales/de.json.
GERMAN = {
    "lang": "de",
    "rules": {"image-alt": {"help": "Abbildungen müssen einen Alternativtext besitzen."}},
    "checks": {
        "has-alt": {
            "pass": "Das Element besitzt ein alt-Attribut.",
            "fail": "Das Element besitzt kein alt-Attribut.",
        }
    },
}


def test_findings_are_in_the_pages_language_where_axe_has_it_and_say_so_where_not(project: Project) -> None:
    project.write("axe-core/axe.min.js", read_axe_script(None))
    project.write("axe-core/locales/de.json", json.dumps(GERMAN))
    audit = ("audit", "worse/login.html", "--set", "locale=de-AT")

    german = project.command(*audit, "--axe-script", "axe-core/axe.min.js").stdout
    bundled = project.command(*audit).stdout
    english = project.command("audit", "worse/login.html").stdout

    assert "Abbildungen müssen einen Alternativtext besitzen." in german
    assert "Das Element besitzt kein alt-Attribut." in german
    assert "axe_in_english" not in german
    assert "axe-core's findings are in English: beside its script are no texts in de-AT." in bundled
    assert "(--axe-script)" in bundled
    assert "axe_in_english" not in english


def test_a_language_is_found_by_its_region_then_alone_then_in_another_region(tmp_path: Path) -> None:
    folder = tmp_path / "locales"
    folder.mkdir()
    for name in ("de", "pt_BR", "pt_PT"):
        (folder / f"{name}.json").write_text(f'"{name}"')

    found = {name: axe_locale(tmp_path / "axe.js", name) for name in ("de-CH", "pt-PT", "pt", "sv", "d")}

    assert found == {"de-CH": "de", "pt-PT": "pt_PT", "pt": "pt_BR", "sv": None, "d": None}
    assert axe_locale(None, "de") is None


def test_texts_that_are_no_json_are_refused(tmp_path: Path) -> None:
    (tmp_path / "locales").mkdir()
    (tmp_path / "locales" / "de.json").write_text("{")

    with pytest.raises(
        AxeError, match=r"axe-core's texts .*de.json cannot be read: .* Take it from axe-core's"
    ):
        axe_locale(tmp_path / "axe.js", "de")

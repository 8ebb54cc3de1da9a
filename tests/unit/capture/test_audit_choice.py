"""What a user chooses of an audit, as options for axe; and the script that it runs with."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from pytest_design2a11y.capture.audit.axe_script import PRESETS, axe_options, read_axe_script
from pytest_design2a11y.exceptions import AxeError, ConfigurationError
from pytest_design2a11y.models.audit import AuditChoice

RULES = {
    "image-alt": ["cat.text-alternatives", "wcag2a", "wcag111"],
    "color-contrast": ["cat.color", "wcag2aa", "wcag143"],
    "target-size": ["cat.sensory-and-visual-cues", "wcag22aa", "wcag258"],
    "autocomplete-valid": ["cat.forms", "wcag21aa", "wcag135"],
    "region": ["cat.keyboard", "best-practice"],
    "css-orientation-lock": ["cat.structure", "wcag21aa", "experimental"],
}


def test_without_a_choice_axes_own_defaults_run() -> None:
    assert axe_options(AuditChoice(), RULES) == {"preload": False}
    assert not AuditChoice(include=("main",), minimum_impact="serious").has_names


@pytest.mark.parametrize(
    ("preset", "levels"),
    [
        ("wcag2a", {"wcag2a"}),
        ("wcag2aa", {"wcag2a", "wcag2aa"}),
        ("wcag21aa", {"wcag2a", "wcag2aa", "wcag21a", "wcag21aa"}),
        ("wcag22aa", {"wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22a", "wcag22aa"}),
        ("best-practice", {"best-practice"}),
    ],
)
def test_a_preset_includes_all_that_lies_below_it(preset: str, levels: set[str]) -> None:
    options = axe_options(AuditChoice(tags=(preset,)), RULES)

    assert options["runOnly"]["type"] == "tag"
    assert set(options["runOnly"]["values"]) == levels == set(PRESETS[preset])


def test_presets_and_plain_tags_add_up_without_repeats() -> None:
    options = axe_options(AuditChoice(tags=("wcag2aa", "wcag2a", "cat.color")), RULES)

    assert options["runOnly"]["values"] == ["wcag2a", "wcag2aa", "cat.color"]


def test_rules_are_switched_on_and_off() -> None:
    options = axe_options(AuditChoice(rules_on=("target-size",), rules_off=("region",)), RULES)

    assert options["rules"] == {"target-size": {"enabled": True}, "region": {"enabled": False}}


@pytest.mark.parametrize(
    "choice", [AuditChoice(rules_on=("css-orientation-lock",)), AuditChoice(tags=("experimental",))]
)
def test_style_sheets_are_preloaded_for_the_rule_that_reads_them(choice: AuditChoice) -> None:
    assert axe_options(choice, RULES)["preload"] == {"assets": ["cssom"]}


@pytest.mark.parametrize(
    ("choice", "message"),
    [
        (
            AuditChoice(rules_on=("colour-contrast",)),
            "no rule 'colour-contrast'. Did you mean color-contrast?",
        ),
        (AuditChoice(rules_off=("image-alts",)), "no rule 'image-alts'. Did you mean image-alt?"),
        (AuditChoice(tags=("wcag22a a",)), "no tag 'wcag22a a'. Did you mean wcag22a"),
        (AuditChoice(tags=("zzz",)), "no tag 'zzz'. It has: best-practice, cat.color,"),
        (AuditChoice(rules_on=("region",), rules_off=("region",)), "region is to run and not to run"),
    ],
)
def test_what_the_script_does_not_have_is_a_usage_error(choice: AuditChoice, message: str) -> None:
    with pytest.raises(ConfigurationError) as caught:
        axe_options(choice, RULES)

    assert message in str(caught.value)


def test_the_shipped_script_is_axe() -> None:
    assert "axe.version" in read_axe_script(None)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"alert('hello')", "is not axe-core"),
        (b"", "is not axe-core"),
        (b"\x89PNG\xff\xfe", "cannot be read"),
        (b'axe.version="4.2.4";', "is axe-core 4.2, which is too old"),
        (b'axe.version="3.5.6";', "is axe-core 3.5, which is too old"),
    ],
)
def test_a_file_that_is_not_axe_is_refused(tmp_path: Path, content: bytes, message: str) -> None:
    script = tmp_path / "axe.min.js"
    script.write_bytes(content)

    with pytest.raises(AxeError, match=message) as caught:
        read_axe_script(script)

    assert str(script) in str(caught.value)
    assert "Give axe.min.js or axe.js of the npm package axe-core" in str(caught.value)


def test_a_script_that_does_not_exist_is_refused(tmp_path: Path) -> None:
    with pytest.raises(AxeError, match="cannot be read"):
        read_axe_script(tmp_path / "none.js")


def test_a_script_with_the_versions_own_spelling_is_taken(tmp_path: Path) -> None:
    script = tmp_path / "axe.js"
    script.write_text("axe.version = '4.10.3';\naxe.run = () => {};\n")

    assert read_axe_script(script) == script.read_text()


def test_other_characters_than_ascii_are_escaped(tmp_path: Path) -> None:
    script = tmp_path / "axe.js"
    script.write_text("/* © */ axe.version = '4.10.3'; axe.dots = '…😀\\u2026';", encoding="utf-8")

    assert read_axe_script(script) == (
        r"/* \u00a9 */ axe.version = '4.10.3'; axe.dots = '\u2026\ud83d\ude00\u2026';"
    )


def test_a_script_that_changes_is_read_again(tmp_path: Path) -> None:
    script = tmp_path / "axe.js"
    script.write_text("axe.version = '4.10.3';")
    first = read_axe_script(script)
    script.write_text("axe.version = '4.11.0';")
    os.utime(script, ns=(1, 1))

    assert (first, read_axe_script(script)) == ("axe.version = '4.10.3';", "axe.version = '4.11.0';")

"""Which accessibility rules run: by option, ini file, marker and call."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING

import pytest

from pytest_design2a11y.capture.audit.axe_script import read_axe_script

if TYPE_CHECKING:
    from tests.integration.conftest import Project

TESTS = """
def test_options(render):
    page = render("worse/login.html")
    print("RULES", sorted(rule.rule for rule in page.audit.rules if rule.num_violations))

@pytest.mark.design2a11y(rules_off=["image-alt", "label"])
def test_marker(render):
    page = render("worse/login.html")
    print("RULES", sorted(rule.rule for rule in page.audit.rules if rule.num_violations))

def test_call(render):
    page = render("worse/login.html", include="form", axe_tags=["wcag2a"])
    print("RULES", sorted(rule.rule for rule in page.audit.rules if rule.num_violations))
"""


@pytest.mark.slow
def test_the_choice_narrows_what_is_checked(project: Project) -> None:
    project.write("pytest.ini", "[pytest]\ndesign2a11y_rules_off =\n    button-name\n")
    project.test_file(TESTS)

    result = project.run("-s", "-o", "design2a11y_axe_tags=wcag2a")

    result.assert_outcomes(passed=3)
    assert [line.partition("RULES ")[2] for line in result.outlines if "RULES " in line] == [
        "['html-has-lang', 'image-alt', 'label']",
        "['button-name', 'html-has-lang']",
        "['label']",
    ]


def test_milder_failures_can_pass(project: Project) -> None:
    audited = project.command("audit", "worse/login.html", "--json", "--set", "minimum_impact=critical")

    assert set(json.loads(audited.stdout)["accessibility"]["by_impact"]) == {"critical"}


def test_an_unknown_rule_is_an_error_that_names_the_nearest(project: Project) -> None:
    project.test_file(TESTS)

    result = project.run_here("-o", "design2a11y_rules_off=image-at", "-k", "options")

    assert result.ret == pytest.ExitCode.USAGE_ERROR
    result.stderr.fnmatch_lines(["*image-at*image-alt*"])


SCRIPT_TESTS = """
@pytest.mark.design2a11y(axe_script="marker.js")
def test_marker(render):
    print("AXE", render("generated/login.html").audit.version)

def test_call(render):
    print("AXE", render("generated/login.html", axe_script="call.js").audit.version)

def test_option(render):
    print("AXE", render("generated/login.html").audit.version)
"""


@pytest.mark.slow
def test_the_script_too_is_chosen_by_option_ini_marker_and_call(project: Project) -> None:
    """Scripts that say of themselves to be other versions."""
    shipped = read_axe_script(None)
    for number, name in enumerate(("ini", "option", "marker", "call")):
        project.write(f"{name}.js", re.sub(r'axe\.version="[^"]+"', f'axe.version="4.9{number}.0"', shipped))
    project.write("pytest.ini", "[pytest]\ndesign2a11y_axe_script = ini.js\n")
    project.test_file(SCRIPT_TESTS)

    by_ini = project.run("-s", "-k", "option")
    by_option = project.run("-s", "-o", "design2a11y_axe_script=option.js")

    assert versions(by_ini) == ["4.90.0"]
    assert versions(by_option) == ["4.92.0", "4.93.0", "4.91.0"]


def versions(result: pytest.RunResult) -> list[str]:
    return [line.partition("AXE ")[2] for line in result.outlines if "AXE " in line]


def test_a_script_that_is_not_there_is_a_usage_error(project: Project) -> None:
    result = project.run_here("-o", "design2a11y_axe_script=nowhere.js")

    assert result.ret == pytest.ExitCode.USAGE_ERROR
    result.stderr.fnmatch_lines(
        ["*-o design2a11y_axe_script does not take 'nowhere.js': there is no such file.*"]
    )

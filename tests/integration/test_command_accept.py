"""`design2a11y accept`: differences that are wanted, in the file of what is known."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from tests.integration.conftest import DESIGN

if TYPE_CHECKING:
    from tests.integration.conftest import Project

#: Another word on the button, which is a serious difference, and a paragraph less.
CHANGED = DESIGN.replace("Continue", "Go on now")

TESTS = """
from pytest_design2a11y import assert_no_differences

def test_page(render):
    assert_no_differences(render("designs/login.html", role="reference"), render("generated/login.html"))
"""


@pytest.fixture
def changed(project: Project) -> Project:
    """The project with a saved run of a page that has one serious difference."""
    project.write("generated/login.html", CHANGED)
    project.command("score", "designs/login.html", "generated/login.html", "--save", "first")
    return project


def blocking(project: Project) -> int:
    return project.command(
        "score", "designs/login.html", "generated/login.html", "--known", "known.toml", "--max-blocking", "0"
    ).returncode


def test_what_is_accepted_is_listed_recorded_and_told_again_when_its_place_changes(changed: Project) -> None:
    listed = changed.command("accept", "first")
    accepted = changed.command("accept", "first", "--all", "--note", "the new word")
    same = blocking(changed)
    changed.write("generated/login.html", CHANGED.replace("Create one", "Make one"))
    elsewhere = changed.command(
        "score", "designs/login.html", "generated/login.html", "--known", "known.toml", "--json", "--details"
    )
    changed.write("generated/login.html", CHANGED.replace("Go on now", "Go on then"))
    again = blocking(changed)

    assert listed.returncode == 0
    assert '1. text "Continue" reads "Go on now" (serious)' in listed.stdout
    assert "Accept one: design2a11y accept first --case CASE --difference N" in listed.stdout
    assert 'generated/login.html: accepted: text "Continue" reads "Go on now"' in accepted.stdout
    assert 'note = "the new word"' in (changed.path / "known.toml").read_text()
    assert same == 0
    assert '"accepted": "the new word"' in elsewhere.stdout
    assert "Make one for free" in elsewhere.stdout
    assert json.loads(elsewhere.stdout)["visual"]["blocking"] == 1
    assert again == 1


def test_a_test_passes_with_it_and_tells_what_it_accepts(changed: Project) -> None:
    changed.test_file(TESTS)
    changed.command("accept", "first", "--all", "--known", "accepted.toml", "--until", "2999-12-31")

    plain = changed.run()
    known = changed.run("--design2a11y-known=accepted.toml", "--max-blocking=0")
    updated = changed.run("--design2a11y-known=accepted.toml", "--design2a11y-update-known")
    changed.write("generated/login.html", DESIGN)
    changed.run("--design2a11y-known=accepted.toml", "--design2a11y-update-known")

    plain.assert_outcomes(failed=1)
    known.assert_outcomes(passed=1)
    known.stdout.fnmatch_lines(["generated/login.html: accepted until 2999-12-31: text *Go on now*"])
    updated.assert_outcomes(passed=1)
    assert "differences" not in (changed.path / "accepted.toml").read_text().replace('# "differences"', "")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--difference", "99"), "There is no difference 99 of generated/login.html: it has "),
        (("--difference", "0"), "'0': "),
        (("--case", "lodin", "--all"), "first has no case 'lodin'."),
        (("--all", "--difference", "1"), "--difference: not allowed with argument --all"),
        (("--all", "--until", "2020-01-01"), "'2020-01-01': that day is over"),
        (("--all", "--until", "soon"), "'soon': Invalid isoformat string"),
    ],
)
def test_what_cannot_be_meant_is_a_usage_error(
    changed: Project, arguments: tuple[str, ...], message: str
) -> None:
    result = changed.command("accept", "first", *arguments)

    assert result.returncode == 2
    assert message in result.stderr
    assert not (changed.path / "known.toml").exists()


def test_a_number_is_of_one_page(changed: Project) -> None:
    pages = ("--pairs", "generated/{case}.html", "--save", "both")
    changed.write("designs/other.html", DESIGN)
    changed.write("generated/other.html", CHANGED)
    changed.command("score", "designs", *pages)

    result = changed.command("accept", "both", "--difference", "1")
    one = changed.command("accept", "both", "--case", "other", "--difference", "1")

    assert result.returncode == 2
    assert "--difference numbers the differences of one page, and there are 2: " in result.stderr
    assert "generated/other.html: accepted: " in one.stdout

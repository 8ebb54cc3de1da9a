"""Which accessibility rules run: by option, ini file, marker and call."""

from __future__ import annotations

from typing import TYPE_CHECKING

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


def test_the_choice_narrows_what_is_checked(project: Project) -> None:
    project.write("pytest.ini", "[pytest]\ndesign2a11y_rules_off =\n    button-name\n")
    project.test_file(TESTS)

    result = project.run("-s", "--design2a11y-axe-tags=wcag2a")

    result.assert_outcomes(passed=3)
    assert [line.partition("RULES ")[2] for line in result.outlines if "RULES " in line] == [
        "['html-has-lang', 'image-alt', 'label']",
        "['button-name', 'html-has-lang']",
        "['label']",
    ]


def test_milder_failures_can_pass(project: Project) -> None:
    project.test_file(
        """
        def test_critical_only(render):
            assert set(audit(render("worse/login.html")).by_impact) == {"critical"}
        """
    )

    project.run("--design2a11y-minimum-impact=critical").assert_outcomes(passed=1)


def test_an_unknown_rule_is_an_error_that_names_the_nearest(project: Project) -> None:
    project.test_file(TESTS)

    result = project.run("--design2a11y-rules-off=image-at", "-k", "options")

    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(["*image-at*image-alt*"])

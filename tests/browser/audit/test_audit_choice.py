"""Rules, tags, parts of the page and impact, chosen."""

from __future__ import annotations

from typing import Any

import pytest

from pytest_design2a11y.accessibility import rates
from pytest_design2a11y.exceptions import ConfigurationError, NothingToCheck
from pytest_design2a11y.models.audit import Audit

PAGE = """<!DOCTYPE html><html><head><title>Choice</title></head><body>
<p id="stray">In no landmark</p>
<main><h1>Choice</h1>
<div id="kept"><img id="first" src="data:,"><p id="pale" style="color: #999; background: #fff">Pale</p></div>
<div id="left"><img id="second" src="data:,"></div>
</main></body></html>"""


def failing(audit: Audit) -> dict[str, list[str]]:
    return {
        rule.rule: [node.target for node in rule.violations] for rule in audit.rules if rule.num_violations
    }


def test_by_default_all_of_axes_default_rules_run(audit: Any) -> None:
    found, _ = audit(PAGE)

    assert failing(found) == {
        "color-contrast": ["#pale"],
        "html-has-lang": ["html"],
        "image-alt": ["#first", "#second"],
        "region": ["#stray"],
    }


@pytest.mark.parametrize(
    ("tags", "rules"),
    [
        (("wcag2aa",), ["color-contrast", "html-has-lang", "image-alt"]),
        (("cat.color",), ["color-contrast"]),
        (("wcag2a", "best-practice"), ["html-has-lang", "image-alt", "region"]),
    ],
)
def test_only_rules_with_the_tags_run(audit: Any, tags: tuple[str, ...], rules: list[str]) -> None:
    found, _ = audit(PAGE, tags=tags)

    assert sorted(failing(found)) == rules


def test_a_rule_that_is_off_is_not_in_the_result(audit: Any) -> None:
    found, _ = audit(PAGE, rules_off=("image-alt", "region"))

    assert sorted(failing(found)) == ["color-contrast", "html-has-lang"]
    assert not {"image-alt", "region"} & {rule.rule for rule in found.rules}


def test_a_rule_that_axe_leaves_out_runs_when_it_is_on(audit: Any) -> None:
    html = PAGE.replace("#999", "#767676")  # 4.54:1: enough for level AA, not for the 7:1 of AAA
    found, _ = audit(html, tags=("cat.color",), rules_on=("color-contrast-enhanced",))

    assert failing(found) == {"color-contrast-enhanced": ["#pale"]}


def test_the_preset_of_wcag_22_and_its_own_name_have_small_targets_checked(audit: Any) -> None:
    small = "<button style='width: 9px; height: 9px; padding: 0'>x</button>" * 2
    page = PAGE.replace("</main>", f"{small}</main>")

    assert len(failing(audit(page, tags=("wcag22aa",))[0])["target-size"]) == 2
    assert "target-size" not in failing(audit(page, tags=("wcag21aa",))[0])


def test_an_experimental_rule_that_needs_style_sheets_reads_them(audit: Any) -> None:
    style = "<style>@media (orientation: landscape) { html { transform: rotate(90deg); } }</style>"
    found, _ = audit(PAGE.replace("</head>", style + "</head>"), rules_on=("css-orientation-lock",))

    assert failing(found)["css-orientation-lock"] == ["html"]


def test_only_included_parts_are_checked(audit: Any) -> None:
    found, _ = audit(PAGE, include=("#kept",))

    assert failing(found) == {"color-contrast": ["#pale"], "image-alt": ["#first"]}


def test_excluded_parts_are_not_checked(audit: Any) -> None:
    found, _ = audit(PAGE, exclude=("#kept", "#stray"))

    assert failing(found) == {"html-has-lang": ["html"], "image-alt": ["#second"]}


def test_an_exclusion_that_matches_nothing_is_told(audit: Any) -> None:
    found, warnings = audit(PAGE, exclude=("#nope", "#kept", ".gone"))

    assert failing(found) == failing(audit(PAGE, exclude=("#kept",))[0])
    assert [(warning.code, warning.message, warning.count) for warning in warnings] == [
        ("exclude_missing", "Nothing on the page fits what is to be excluded: #nope, .gone.", 2)
    ]


def test_exclusions_that_match_are_not_warned_of(audit: Any) -> None:
    assert audit(PAGE, exclude=("#kept",))[1] == ()


def test_an_included_frame_is_checked_as_a_whole(audit: Any) -> None:
    frame = (
        '<iframe id="inner" title="Inner" srcdoc="<html lang=en><img id=deep src=data:,></html>"></iframe>'
    )
    found, _ = audit(PAGE.replace("</main>", frame + "</main>"), include=("#inner",), rules_off=("region",))

    assert failing(found)["image-alt"] == ["#inner >>> #deep"]


def test_failures_below_the_minimum_impact_count_as_passed(audit: Any) -> None:
    all_found, _ = audit(PAGE)
    found, _ = audit(PAGE, minimum_impact="critical")

    assert failing(found) == {"image-alt": ["#first", "#second"]}
    everything, critical = rates(all_found), rates(found)
    assert (critical.checked, critical.failed) == (everything.checked, 2)
    assert (everything.failed, everything.elements_failed, critical.elements_failed) == (5, 5, 2)
    assert critical.by_impact == {"critical": 2}
    assert all(rule.impact == "critical" for rule in found.rules if rule.num_violations)
    assert next(rule for rule in found.rules if rule.rule == "region").impact is None


@pytest.mark.parametrize(
    ("choice", "message"),
    [
        ({"rules_on": ("image-al",)}, "This axe-core script has no rule 'image-al'. Did you mean image-alt"),
        ({"tags": ("wcag2aaaa",)}, "This axe-core script has no tag 'wcag2aaaa'. Did you mean wcag2aaa"),
        ({"tags": ("WCAG21AA",)}, "This axe-core script has no tag 'WCAG21AA'. Did you mean wcag21aa"),
        ({"include": ("#a[",)}, "'#a[' is not a CSS selector."),
        ({"exclude": ("p:nonsense",)}, "'p:nonsense' is not a CSS selector."),
    ],
)
def test_what_cannot_be_meant_is_a_usage_error(audit: Any, choice: dict[str, Any], message: str) -> None:
    with pytest.raises(ConfigurationError) as caught:
        audit(PAGE, **choice)

    assert message in str(caught.value)


def test_a_part_that_is_not_on_the_page_leaves_nothing_to_check(audit: Any) -> None:
    with pytest.raises(NothingToCheck, match=r"Nothing on the page matches #gone, \.lost\.") as caught:
        audit(PAGE, include=("#gone", ".lost"))

    assert "-o design2a11y_include" in str(caught.value)


def test_one_of_several_included_parts_may_be_missing(audit: Any) -> None:
    found, _ = audit(PAGE, include=("#gone", "#left"))

    assert failing(found) == {"image-alt": ["#second"]}

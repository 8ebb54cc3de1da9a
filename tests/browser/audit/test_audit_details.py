"""What is told of each failing element."""

from __future__ import annotations

from typing import Any

import pytest

from pytest_design2a11y.models.audit import Audit, CheckedNode, RuleOutcome


def page(body: str) -> str:
    return (
        '<!DOCTYPE html><html lang="en"><head><title>Details</title></head><body style="margin: 0">'
        f"<main><h1>Details</h1>{body}</main></body></html>"
    )


def outcome(audit: Audit, rule: str) -> RuleOutcome:
    return next(outcome for outcome in audit.rules if outcome.rule == rule)


def only_failure(audit: Audit, rule: str) -> CheckedNode:
    (node,) = outcome(audit, rule).violations
    return node


def test_a_rule_carries_its_help_and_tags(audit: Any) -> None:
    found, _ = audit(page("<img src='data:,'>"))
    rule = outcome(found, "image-alt")

    assert rule.help == "Images must have alternative text"
    assert rule.help_url.startswith("https://dequeuniversity.com/rules/axe/")
    assert {"wcag2a", "wcag111"} <= set(rule.tags)
    assert (rule.impact, rule.violations_by_impact) == ("critical", {"critical": 1})


def test_a_contrast_failure_carries_both_colours_and_the_ratio(audit: Any) -> None:
    found, _ = audit(page('<p id="pale" style="color: #777777; background: #ffffff">Pale</p>'))
    node = only_failure(found, "color-contrast")

    assert node.target == "#pale"
    assert node.html == '<p id="pale" style="color: #777777; background: #ffffff">Pale</p>'
    assert (node.data["fgColor"], node.data["bgColor"]) == ("#777777", "#ffffff")
    assert node.data["contrastRatio"] == pytest.approx(4.478, abs=0.01)
    assert node.data["expectedContrastRatio"] == "4.5:1"
    assert "foreground color: #777777, background color: #ffffff" in node.summary


def test_what_needs_a_person_says_why(audit: Any) -> None:
    gradient = '<p id="sky" style="background: linear-gradient(#fff, #eee)">On a gradient</p>'
    found, _ = audit(page(gradient))
    (node,) = outcome(found, "color-contrast").incomplete

    assert node.target == "#sky"
    assert "background gradient" in node.summary


def test_boxes_are_in_page_pixels(audit: Any) -> None:
    place = "position: absolute; left: 40px; top: 3000px; width: 30px; height: 20px"
    far = f'<img id="far" src="data:," style="{place}">'
    gone = '<img id="gone" src="data:," style="position: absolute; width: 0; height: 0">'
    found, _ = audit(page(far + gone))

    boxes = {node.target: node.box for node in outcome(found, "image-alt").violations}
    assert boxes == {"#far": (40, 3000, 30, 20), "#gone": None}


def test_boxes_inside_of_frames_are_in_page_pixels_too(audit: Any) -> None:
    inner = (
        "<!DOCTYPE html><html lang='en'><title>Inner</title><body><main><img id='deep' src='data:,'"
        " style='position: absolute; left: 7px; top: 9px; width: 30px; height: 20px'></main></body></html>"
    )
    frame = (
        f'<iframe title="Inner" id="frame" srcdoc="{inner}"'
        ' style="position: absolute; left: 100px; top: 2000px; border: 5px solid"></iframe>'
    )
    found, _ = audit(page(frame))

    assert only_failure(found, "image-alt").target == "#frame >>> #deep"
    assert only_failure(found, "image-alt").box == (112, 2014, 30, 20)


def test_an_element_that_holds_the_page_is_told_by_its_start_tag(audit: Any) -> None:
    html = page("<p>A long text.</p>" * 100).replace('lang="en"', 'class="a &amp; &quot;b&quot;"')
    found, _ = audit(html)

    assert only_failure(found, "html-has-lang").html == '<html class="a &amp; &quot;b&quot;">'


def test_huge_attributes_are_cut(audit: Any) -> None:
    found, _ = audit(page(f'<img id="{"i" * 5000}" src="data:,{"x" * 100_000}">'))
    node = only_failure(found, "image-alt")

    assert len(node.target) == 1000
    assert len(node.html) == 300
    assert node.target.endswith("…")
    assert node.html.endswith("…")


def test_halves_of_surrogate_pairs_become_characters_that_can_be_written(audit: Any) -> None:
    script = "<script>document.querySelector('img').className = 'a\\ud800b'</script>"
    found, _ = audit(page(f"<img src='data:,'>{script}"))

    assert only_failure(found, "image-alt").html.encode("utf-8")


def test_all_failures_count_where_only_the_first_are_described(audit: Any) -> None:
    images = "".join(f'<img id="n{number}" src="data:,">' for number in range(250))
    found, _ = audit(page(images), max_details=100)
    rule = outcome(found, "image-alt")

    assert (rule.num_violations, rule.violations_by_impact) == (250, {"critical": 250})
    assert [node.target for node in rule.violations] == [f"#n{number}" for number in range(100)]
    assert found.elements_failed == 250


def test_an_element_that_several_rules_check_counts_once(audit: Any) -> None:
    found, _ = audit(page('<a id="link" href="#x" role="made-up" aria-nonsense="1"></a>'))

    failing = {rule.rule for rule in found.rules if rule.num_violations}
    assert {"aria-roles", "aria-valid-attr", "link-name"} <= failing
    assert found.elements_failed == 1
    # html, body, main, h1 and a, each of which several rules look at.
    assert found.elements_checked == 5


@pytest.mark.alike(1)
@pytest.mark.parametrize("num_texts", [500, 10_000])
def test_of_a_large_page_all_is_counted_and_a_bounded_part_told(audit: Any, num_texts: int) -> None:
    """The larger page has 20,000 elements and a few."""
    texts = "".join(f"<p><span>{number}</span></p>" for number in range(num_texts))
    pictures = "<img src='data:,'>" * 90
    found, _ = audit(page(texts + pictures), max_details=20, seconds=600)

    # The heading is a text, too.
    assert outcome(found, "color-contrast").num_passes == num_texts + 1
    assert outcome(found, "image-alt").num_violations == 90
    assert len(outcome(found, "image-alt").violations) == 20
    assert found.elements_failed == 90

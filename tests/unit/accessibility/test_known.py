"""Accepted accessibility failures: what is new beside them, and updates."""

from __future__ import annotations

from typing import Any

from pytest_design2a11y.accessibility.known import (
    KnownViolations,
    RuleChange,
    chosen_values,
    compare_known,
    update_known,
)
from pytest_design2a11y.models.audit import Audit, AuditChoice, CheckedNode, RuleOutcome

KNOWN = KnownViolations(
    pages={"pages/login.html": {"region": 1, "color-contrast": 3}, "pages/start.html": {}},
    axe_version="4.12.1",
)


def _audit(axe_version: str = "4.12.1", **failures: int) -> Audit:
    rules = [
        RuleOutcome(rule.replace("_", "-"), "", "", (), "minor", num_passes=5, num_violations=count)
        for rule, count in failures.items()
    ]
    return Audit(axe_version, tuple(rules), 10, sum(failures.values()))


def test_failures_up_to_the_accepted_count_are_accepted() -> None:
    comparison = compare_known(KNOWN, "pages/login.html", _audit(region=1, color_contrast=3))

    assert (comparison.new, comparison.stale) == ((), ())
    assert comparison.accepted == (RuleChange("color-contrast", 3, 3), RuleChange("region", 1, 1))
    assert not comparison.is_failure
    assert comparison.lines() == [
        "pages/login.html: color-contrast fails on 3, 3 accepted",
        "pages/login.html: region fails on 1, 1 accepted",
    ]


def _contrast(*texts: str) -> Audit:
    nodes = tuple(CheckedNode(f"#{text}", f"<p id={text}>", "serious", "") for text in texts)
    rule = RuleOutcome("color-contrast", "", "", (), "serious", num_violations=len(nodes), violations=nodes)
    return Audit("4.12.1", (rule,), 10, len(nodes))


def test_the_new_element_is_named_and_the_accepted_ones_are_not() -> None:
    known = update_known(KnownViolations(), {"a.html": _contrast("one", "two")}).known

    assert compare_known(known, "a.html", _contrast("one", "new", "two")).lines() == [
        "a.html: color-contrast fails on 3, 2 accepted: 1 new",
        "  #new  <p id=new>",
    ]


def test_where_accepted_elements_changed_all_that_may_be_new_are_named() -> None:
    known = update_known(KnownViolations(), {"a.html": _contrast("one", "two")}).known

    assert compare_known(known, "a.html", _contrast("one", "new", "other")).lines() == [
        "a.html: color-contrast fails on 3, 2 accepted: 1 new, among these 2",
        "  #new  <p id=new>",
        "  #other  <p id=other>",
    ]


def test_a_failure_beyond_the_accepted_count_is_new() -> None:
    comparison = compare_known(KNOWN, "pages/login.html", _audit(region=1, color_contrast=5, image_alt=1))

    assert comparison.new == (RuleChange("color-contrast", 3, 5), RuleChange("image-alt", 0, 1))
    assert comparison.is_failure
    assert comparison.lines() == [
        "pages/login.html: color-contrast fails on 5, 3 accepted: 2 new; the file does not record which",
        "pages/login.html: image-alt fails on 1, 0 accepted: 1 new",
        "pages/login.html: region fails on 1, 1 accepted",
    ]


def test_a_fixed_failure_is_stale_and_does_not_fail() -> None:
    comparison = compare_known(KNOWN, "pages/login.html", _audit(color_contrast=2))

    assert comparison.stale == (RuleChange("color-contrast", 3, 2), RuleChange("region", 1, 0))
    assert not comparison.is_failure
    assert comparison.lines()[0] == (
        "pages/login.html: color-contrast fails on 2, 3 accepted: stale;"
        " record it with --design2a11y-update-known"
    )


def test_a_recorded_page_without_failures_is_clean_until_one_comes() -> None:
    assert compare_known(KNOWN, "pages/start.html", _audit()).lines() == []
    assert compare_known(KNOWN, "pages/start.html", _audit(region=1)).is_failure


def test_a_page_that_was_never_seen_is_not_clean() -> None:
    comparison = compare_known(KNOWN, "pages/new.html", _audit())

    assert not comparison.is_recorded
    assert not comparison.is_failure
    assert comparison.lines() == [
        "pages/new.html: not yet recorded, no failures; record it with --design2a11y-update-known"
    ]


def test_all_failures_of_a_page_that_was_never_seen_are_new() -> None:
    comparison = compare_known(KNOWN, "pages/new.html", _audit(region=2))

    assert comparison.is_failure
    assert "not yet recorded, 2 failures" in comparison.lines()[0]


def test_with_other_rules_nothing_is_called_stale() -> None:
    audit = _audit(color_contrast=4)
    comparison = compare_known(KNOWN, "pages/login.html", audit, choice=AuditChoice(tags=("cat.color",)))

    assert comparison.stale == ()
    assert comparison.new == (RuleChange("color-contrast", 3, 4),)


def test_with_the_rules_of_the_file_stale_failures_are_named() -> None:
    choice = AuditChoice(tags=("wcag2a", "best-practice"))
    known = KnownViolations({"a": {"region": 1}}, "", chosen_values(choice))
    same_rules = AuditChoice(tags=("best-practice", "wcag2a"))

    assert compare_known(known, "a", _audit(), choice=same_rules).stale


def test_an_update_takes_the_runs_pages_and_leaves_the_others() -> None:
    update = update_known(KNOWN, {"pages/start.html": _audit(list=2), "pages/new.html": _audit(region=1)})

    assert update.known.pages == {
        "pages/login.html": {"region": 1, "color-contrast": 3},
        "pages/start.html": {"list": 2},
        "pages/new.html": {"region": 1},
    }
    assert update.changes == (
        "pages/new.html: recorded, accepting region 1",
        "pages/start.html: list 0 -> 2",
    )


def test_an_update_says_what_was_fixed_and_what_came() -> None:
    update = update_known(KNOWN, {"pages/login.html": _audit(color_contrast=1, image_alt=2)})

    assert update.changes == (
        "pages/login.html: color-contrast 3 -> 1",
        "pages/login.html: image-alt 0 -> 2",
        "pages/login.html: region 1 -> 0",
    )


def test_an_update_without_change_changes_nothing() -> None:
    audits = {"pages/login.html": _audit(region=1, color_contrast=3), "pages/start.html": _audit()}
    update = update_known(KNOWN, audits)

    assert update.changes == ()
    assert update.known.pages == KNOWN.pages


def test_the_first_update_records_every_page() -> None:
    update = update_known(KnownViolations(), {"b": _audit(region=1), "a": _audit()})

    assert update.changes == ("a: recorded, without failures", "b: recorded, accepting region 1")
    assert (update.known.axe_version, update.known.choice) == ("4.12.1", {})


def test_an_update_says_that_axe_or_the_rules_are_others() -> None:
    audit = _audit("4.13.0", region=1, color_contrast=3)
    update = update_known(KNOWN, {"pages/login.html": audit}, choice=AuditChoice(rules_off=("list",)))

    assert update.changes == ("axe-core 4.13.0 instead of 4.12.1", "other rules than before were chosen")
    assert update.known.choice == {"rules_off": ["list"]}


def test_lines_cannot_act_on_the_terminal() -> None:
    audit = _audit(region=1)
    evil: Any = "page\x1b[2J\n"

    assert update_known(KNOWN, {evil: audit}).changes[0].startswith(r"page\x1b[2J: recorded")
    assert compare_known(KNOWN, evil, audit).lines()[0].startswith(r"page\x1b[2J: not yet recorded")

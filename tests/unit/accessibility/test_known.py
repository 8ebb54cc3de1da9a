"""Accepted accessibility failures: the file, what is new beside it, and its updates."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from pytest_design2a11y.accessibility.known import (
    KnownViolations,
    RuleChange,
    chosen_values,
    compare_known,
    format_known,
    load_known,
    parse_known,
    update_known,
)
from pytest_design2a11y.exceptions import ConfigurationError
from pytest_design2a11y.models.audit import Audit, AuditChoice, CheckedNode, RuleOutcome

KNOWN = KnownViolations(
    pages={"pages/login.html": {"region": 1, "color-contrast": 3}, "pages/start.html": {}},
    axe_version="4.12.1",
)

TEXT = """\
# Accessibility failures that are accepted for now: page, rule = number of elements.
# Written by pytest-design2a11y (update-known). They still count in IR and IWIR; what is beyond them fails.
# "elements" are digests of the accepted elements: they show which of several is new, and may be missing.
schema = 1
made-with.axe = "4.12.1"
pages."pages/login.html".color-contrast = 3
pages."pages/login.html".region = 1
pages."pages/start.html" = {}
"""


def _audit(axe_version: str = "4.12.1", **failures: int) -> Audit:
    rules = [
        RuleOutcome(rule.replace("_", "-"), "", "", (), "minor", num_passes=5, num_violations=count)
        for rule, count in failures.items()
    ]
    return Audit(axe_version, tuple(rules), 10, sum(failures.values()))


def test_the_file_is_sorted_and_has_one_line_a_fact() -> None:
    assert format_known(KNOWN) == TEXT


def test_what_is_written_is_read_back(tmp_path: Path) -> None:
    path = tmp_path / "known.toml"
    path.write_text(format_known(KNOWN))

    assert load_known(path) == KNOWN


def test_the_choice_of_rules_is_part_of_the_file() -> None:
    choice = AuditChoice(tags=("wcag2aa", "wcag2a"), minimum_impact="serious")
    known = KnownViolations({}, "4.10.3", chosen_values(choice))
    text = format_known(known)

    assert 'made-with.minimum_impact = "serious"\nmade-with.tags = ["wcag2a", "wcag2aa"]\n' in text
    assert parse_known(text) == known


_NAMES = st.text(st.characters(exclude_categories=()), min_size=1, max_size=30)
_COUNTS = st.dictionaries(
    st.from_regex(r"[a-z][a-z-]{0,20}", fullmatch=True), st.integers(1, 10**6), max_size=4
)


# A busy machine is no reason to fail.
@settings(max_examples=40, suppress_health_check=[HealthCheck.too_slow], deadline=None)
@given(pages=st.dictionaries(_NAMES, _COUNTS, max_size=5))
def test_any_page_id_survives_the_file(pages: dict[str, dict[str, int]]) -> None:
    writable = {page.encode("utf-8", "replace").decode(): counts for page, counts in pages.items()}
    text = format_known(KnownViolations(writable))

    assert parse_known(text).pages == writable
    assert tomllib.loads(text)["schema"] == 1
    assert "\n\n" not in text


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("not toml at all", "is not a list of known violations: "),
        ("", "is not a list of known violations of schema 1"),
        ("schema = 2", "is not a list of known violations of schema 1"),
        ("schema = 1\npages = 3", '"pages" and "elements" must be tables'),
        ("schema = 1\nmade-with = 3", '"made-with", "pages" and "elements" must be tables'),
        ('schema = 1\npages."a" = 3', "the page 'a' has no counts by rule"),
        ('schema = 1\npages."a".region = 0', "region of 'a' is 0, which is not a number of elements"),
        ('schema = 1\npages."a".region = "1"', "region of 'a' is '1', which is not a number of elements"),
        ('schema = 1\npages."a".region = true', "region of 'a' is True, which is not a number of elements"),
        (
            'schema = 1\npages."a".region = 1\npages."a".region = 2',
            "is not a list of known violations: Cannot",
        ),
    ],
)
def test_a_file_that_cannot_be_meant_is_a_usage_error(tmp_path: Path, text: str, message: str) -> None:
    path = tmp_path / "known.toml"
    path.write_text(text)

    with pytest.raises(ConfigurationError) as caught:
        load_known(path)

    assert str(caught.value).startswith(str(path))
    assert message in str(caught.value)
    assert "--design2a11y-update-known" in str(caught.value)


def test_a_file_that_is_far_too_large_is_not_read(tmp_path: Path) -> None:
    path = tmp_path / "known.toml"
    with path.open("wb") as file:
        file.truncate(10_000_000_000)

    with pytest.raises(ConfigurationError, match=r"cannot be read: .* has more than 10,000,000 bytes"):
        load_known(path)


def test_a_file_that_is_not_there_says_how_to_make_it(tmp_path: Path) -> None:
    with pytest.raises(ConfigurationError, match=r"does not exist\. Make it with --design2a11y-update-known"):
        load_known(tmp_path / "known.toml")


def test_facts_merged_in_any_order_are_the_same_facts() -> None:
    lines = TEXT.splitlines()
    merged = "\n".join([*lines[:4], *reversed(lines[4:]), 'pages."pages/new.html".list = 2'])

    assert parse_known(merged).pages == {**KNOWN.pages, "pages/new.html": {"list": 2}}


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
    read = parse_known(format_known(known))

    assert read == known
    assert compare_known(read, "a.html", _contrast("one", "new", "two")).lines() == [
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

    assert compare_known(parse_known(format_known(known)), "a", _audit(), choice=same_rules).stale


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
    assert format_known(update.known) == TEXT


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

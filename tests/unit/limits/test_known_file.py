"""The file of what is known: accepted failures and differences."""

from __future__ import annotations

import tomllib
from datetime import date
from pathlib import Path

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from pytest_design2a11y.accessibility.known import KnownViolations, chosen_values
from pytest_design2a11y.exceptions import ConfigurationError
from pytest_design2a11y.limits.known_file import Claim, Known, format_known, load_known, parse_known
from pytest_design2a11y.models.audit import AuditChoice

KNOWN = Known(
    KnownViolations(
        pages={"pages/login.html": {"region": 1, "color-contrast": 3}, "pages/start.html": {}},
        axe_version="4.12.1",
    ),
    {
        "pages/login.html": {"font - 1 2": Claim('"a" is 9 px', "brand", date(2027, 1, 31))},
        "/login [test_a.py::test_it]": {"missing - 3f2a9c01 -": Claim("the logo is missing")},
    },
)

TEXT = """\
# What is accepted for now, written by pytest-design2a11y.
# "pages": accessibility failures, page.rule = number of elements (update-known). They still count in IR and
# IWIR; what is beyond them fails. "elements" are their digests: they show which is new, and may be missing.
# "differences" from the design (design2a11y accept): each counts again when its place looks otherwise.
schema = 1
made-with.axe = "4.12.1"
pages."pages/login.html".color-contrast = 3
pages."pages/login.html".region = 1
pages."pages/start.html" = {}
differences."/login [test_a.py::test_it]"."missing - 3f2a9c01 -" = { says = "the logo is missing" }
differences."pages/login.html"."font - 1 2" = { says = "\\"a\\" is 9 px", note = "brand", until = 2027-01-31 }
"""


def test_the_file_is_sorted_and_has_one_line_a_fact() -> None:
    assert format_known(KNOWN) == TEXT


def test_what_is_written_is_read_back(tmp_path: Path) -> None:
    path = tmp_path / "known.toml"
    path.write_text(format_known(KNOWN))

    assert load_known(path) == KNOWN


def test_the_choice_of_rules_is_part_of_the_file() -> None:
    choice = AuditChoice(tags=("wcag2aa", "wcag2a"), minimum_impact="serious")
    known = Known(KnownViolations({}, "4.10.3", chosen_values(choice)))
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
@example(pages={"a\x7fb": {"image-alt": 1}})
def test_any_page_id_survives_the_file(pages: dict[str, dict[str, int]]) -> None:
    writable = {page.encode("utf-8", "replace").decode(): counts for page, counts in pages.items()}
    text = format_known(Known(KnownViolations(writable)))

    assert parse_known(text).violations.pages == writable
    assert tomllib.loads(text)["schema"] == 1
    assert "\n\n" not in text


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("not toml at all", "is not a list of what is known: "),
        ("", "is not a list of what is known of schema 1"),
        ("schema = 2", "is not a list of what is known of schema 1"),
        ("schema = 1\npages = 3", "'pages', 'elements', 'differences' must be tables"),
        ("schema = 1\nmade-with = 3", "'made-with', 'pages', 'elements', 'differences' must be tables"),
        ("schema = 1\ndifferences = 3", "'made-with', 'pages', 'elements', 'differences' must be tables"),
        (
            "schema = 1\ndifferences.a = 3",
            "the accepted difference 'it' of 'a' is 3, not says, note and until",
        ),
        ("schema = 1\ndifferences.a.k = {note = 'x'}", "difference 'k' of 'a' is {'note': 'x'}, not says"),
        ("schema = 1\ndifferences.a.k = {says = 3}", "says and note of 'k' of 'a' must be texts"),
        (
            "schema = 1\ndifferences.a.k = {says = 'x', until = '2027'}",
            "until of 'k' of 'a' must be a date, such as 2027-01-31",
        ),
        ('schema = 1\npages."a" = 3', "the page 'a' has no counts by rule"),
        ('schema = 1\npages."a".region = 0', "region of 'a' is 0, which is not a number of elements"),
        ('schema = 1\npages."a".region = "1"', "region of 'a' is '1', which is not a number of elements"),
        ('schema = 1\npages."a".region = true', "region of 'a' is True, which is not a number of elements"),
        (
            'schema = 1\npages."a".region = 1\npages."a".region = 2',
            "is not a list of what is known: Cannot",
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

    assert parse_known(merged).violations.pages == {**KNOWN.violations.pages, "pages/new.html": {"list": 2}}


def test_a_difference_is_accepted_until_its_last_day_or_without_end() -> None:
    last = date(2027, 1, 31)

    assert Claim("the logo is missing").holds(last)
    assert Claim("the logo is missing", until=last).holds(last)
    assert not Claim("the logo is missing", until=last).holds(date(2027, 2, 1))

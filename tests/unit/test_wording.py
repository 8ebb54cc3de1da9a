"""Numbers and lists in sentences, and the sentences that once went wrong."""

from __future__ import annotations

import shlex

import pytest

from pytest_design2a11y.exceptions import ConfigurationError
from pytest_design2a11y.limits import parse_limit
from pytest_design2a11y.wording import counted, listed, shell_quoted


def test_a_number_has_its_noun() -> None:
    assert [counted(number, "page") for number in (0, 1, 2, 1200)] == [
        "0 pages", "1 page", "2 pages", "1,200 pages",
    ]  # fmt: skip
    assert [counted(number, "check needs", "checks need") for number in (1, 2)] == [
        "1 check needs", "2 checks need",
    ]  # fmt: skip


def test_a_long_list_says_how_many_more_there_are() -> None:
    assert listed(["a", "b"], most=2) == "a, b"
    assert listed(["a", "b", "c", "d"], most=2) == "a, b and 2 more"


@pytest.mark.parametrize(
    ("limit", "advice"),
    [
        ("position<1.1", "Give a bound that some values keep and others break."),
        ("position>=80", "Write 0.8 for 80 %."),
        ("position>=2", "Write 0.02 for 2 %."),
    ],
)
def test_only_what_can_be_a_percentage_is_taken_for_one(limit: str, advice: str) -> None:
    with pytest.raises(ConfigurationError) as caught:
        parse_limit(limit, origin="call")

    assert str(caught.value).endswith(f"position goes from 0 to 1. {advice}")


@pytest.mark.parametrize(
    ("text", "quoted"),
    [
        ("a/login.html", "a/login.html"),
        ("tests/test_a.py::test[two words]", '"tests/test_a.py::test[two words]"'),
        ("it's", '"it\'s"'),
        ('say "a"', "'say \"a\"'"),
        ("$HOME", "'$HOME'"),
        ("100% b", "'100% b'"),
    ],
)
def test_an_argument_is_quoted_as_every_shell_reads_it_where_it_can_be(text: str, quoted: str) -> None:
    assert shell_quoted(text) == quoted
    assert shlex.split(quoted) == [text]

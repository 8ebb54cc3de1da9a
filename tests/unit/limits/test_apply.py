"""One judge says which limits a page breaks, and which could not be judged."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import pytest

import pytest_design2a11y
from pytest_design2a11y.capture.warning_log import MESSAGES
from pytest_design2a11y.exceptions import ConfigurationError
from pytest_design2a11y.limits.apply import idle_limits, judge
from pytest_design2a11y.limits.thresholds import Limit, named_limits, parse_limit
from pytest_design2a11y.models.page import CaptureWarning
from pytest_design2a11y.models.verdict_words import sentence
from pytest_design2a11y.models.warning_codes import WARNING_CODES
from tests.factories import ENVIRONMENT, make_audited, make_evaluation

PAGE = make_audited("login", 0.75)  # ir 0.2, iwir 0.6
CLIPPED = CaptureWarning("page_clipped", "The page is larger than what is captured.")


def test_every_limit_is_kept_or_broken_or_could_not_be_judged() -> None:
    limits = [parse_limit(text, origin="command line") for text in ("visual>=0.7", "ir<=0.1", "figures>=0.5")]

    judgement = judge(PAGE, limits)

    assert [(one.metric, one.is_passed) for one in judgement.evaluation.verdicts] == [
        ("visual", True),
        ("ir", False),
    ]
    assert [one.metric for one in judgement.broken] == ["ir"]
    assert [str(one) for one in judgement.unmeasured] == ["figures>=0.5"]


def test_what_a_test_compared_itself_takes_the_place_of_a_limit() -> None:
    own = Limit("visual", ">", 0.9, "call").verdict(0.75)
    limits = [parse_limit(text, origin="marker") for text in ("visual>=0.8", "visual<=0.9")]

    judgement = judge(PAGE, limits, compared=[own])

    assert judgement.evaluation.verdicts[0] == own
    assert [str(one.operator) for one in judgement.evaluation.verdicts[1:]] == ["<="]
    assert judgement.broken == ()


def test_without_a_design_what_compares_with_one_is_not_asked_for() -> None:
    alone = replace(PAGE, visual=None, reference=None)
    limit = parse_limit("visual>=0.8", origin="ini file")

    assert judge(alone, [limit]).unmeasured == ()
    assert judge(alone, [limit], is_paired=True).unmeasured == (limit,)
    assert idle_limits([alone], [limit]) == (limit,)


def test_a_warning_is_counted_and_limited() -> None:
    page = replace(make_evaluation(), warnings=(CLIPPED, CLIPPED), environment=ENVIRONMENT)
    limits = named_limits({"fail_on_warnings": ["page_clipped", "js_errors"]}, origin="configuration file")

    judgement = judge(page, limits)

    assert [sentence(one) for one in judgement.broken] == [
        "warnings.page_clipped is 2, required: at most 0 (configuration file)"
    ]
    assert len(judgement.evaluation.verdicts) == 2
    assert parse_limit("warnings.page_clipped<=0", origin="call").metric == "warnings.page_clipped"


def test_the_warnings_of_a_page_that_was_not_rendered_are_not_known() -> None:
    lost = replace(make_evaluation(), environment=None)
    limit = parse_limit("warnings.js_errors<=0", origin="call")

    assert judge(lost, [limit]).unmeasured == (limit,)


def test_a_warning_that_does_not_exist_names_the_nearest() -> None:
    with pytest.raises(
        ConfigurationError, match=r"There is no warning 'warnings\.page_cliped' .*Did you mean .*page_clipped"
    ):
        parse_limit("warnings.page_cliped<=0", origin="command line")


def test_every_warning_that_the_package_gives_can_be_limited() -> None:
    folder = Path(pytest_design2a11y.__file__).parent
    given = set(MESSAGES)
    for path in folder.rglob("*.py"):
        text = path.read_text(encoding="utf-8")
        given |= set(re.findall(r'(?:CaptureWarning|\bwarn)\(\s*"(\w+)"', text))

    assert {code for code in given if not code.endswith("_unmeasured")} == set(WARNING_CODES)

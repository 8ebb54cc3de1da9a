"""Limits on one page, and those that judged nothing in a whole run."""

from __future__ import annotations

from pytest_design2a11y.limits import Limit, idle_limits, judge
from pytest_design2a11y.limits.cases import judge_case, parse_policy, sampled_cases
from pytest_design2a11y.models.evaluation import Evaluation
from pytest_design2a11y.models.page import CaptureWarning
from pytest_design2a11y.models.verdicts import Failure, Verdict
from tests.factories import make_evaluation

VISUAL = Limit("visual", ">=", 0.8, "command line")
IR = Limit("ir", "<=", 0.2, "command line")


def test_a_limit_becomes_a_verdict_on_what_was_measured() -> None:
    found = judge(make_evaluation(visual=0.7, ir=0.1, reference="a.html"), [VISUAL, IR])

    kept = Verdict("ir", "<=", 0.2, 0.1, True, "command line")
    broken = Verdict("visual", ">=", 0.8, 0.7, False, "command line")
    assert set(found.evaluation.verdicts) == {kept, broken}
    assert found.broken == (broken,)
    assert found.unmeasured == ()


def test_a_comparison_of_the_test_takes_the_place_of_a_limit_in_its_direction_alone() -> None:
    compared = Verdict("visual", ">", 0.5, 0.7, True, "call")
    upper = Limit("visual", "<=", 0.6, "command line")

    found = judge(make_evaluation(visual=0.7), [VISUAL, upper], compared=[compared])

    assert found.evaluation.verdicts == (compared, upper.verdict(0.7))
    assert found.broken == (upper.verdict(0.7),)


def test_what_was_not_measured_is_no_pass_where_it_could_have_been() -> None:
    alone = make_evaluation(visual=None, ir=None)
    paired = make_evaluation(visual=None, ir=None, reference="a.html")

    assert judge(alone, [VISUAL, IR]).unmeasured == (IR,)
    assert set(judge(paired, [VISUAL, IR]).unmeasured) == {VISUAL, IR}
    assert set(judge(alone, [VISUAL, IR], is_paired=True).unmeasured) == {VISUAL, IR}
    assert judge(paired, [VISUAL], is_paired=False).unmeasured == ()


def test_a_limit_is_idle_if_no_page_has_a_verdict_or_lacks_one() -> None:
    audited = judge(make_evaluation(visual=None, ir=0.1), [IR]).evaluation
    lacking = make_evaluation("other", visual=None, ir=None)
    failed = make_evaluation("third", None, None, error=Failure("NotHtml", "No page.", "candidate"))

    assert idle_limits([audited], [VISUAL, IR]) == (VISUAL,)
    assert idle_limits([lacking], [VISUAL, IR]) == (VISUAL,)
    assert idle_limits([audited, failed], [VISUAL]) == ()
    assert idle_limits([], [VISUAL, IR]) == (VISUAL, IR)


def test_a_case_has_several_samples_or_one_that_was_left_to_its_case() -> None:
    first, second = (make_evaluation("login", sample=number) for number in "12")
    again, alone = make_evaluation("login", sample="1"), make_evaluation("shop")

    assert [len(taken) for taken in sampled_cases([first, second, alone]).values()] == [2]
    assert sampled_cases([first, again, alone]) == {}
    assert [*sampled_cases([first, alone], unjudged=[alone.id]).values()] == [[alone]]


def test_a_case_is_judged_by_the_limits_of_its_samples_and_not_by_their_tests_comparisons() -> None:
    own = Verdict("text", ">", 0.1, 0.5, True, "call")
    samples = [
        judge(
            make_evaluation(visual=value, sample=number, reference="a.html"), [VISUAL], compared=[own]
        ).evaluation
        for number, value in (("1", 0.7), ("2", 0.8))
    ]

    (found,) = judge_case(samples, parse_policy("mean"))

    assert (found.case, found.metric, found.operator, found.limit) == ("login", "visual", ">=", 0.8)
    assert (found.origin, found.is_passed, found.is_judged) == ("command line", False, True)
    assert found.sentence == "mean of 2 samples: 0.7500"


def test_a_case_fails_a_limit_for_which_no_sample_has_a_value() -> None:
    samples = [make_evaluation(visual=None, sample=number, reference="a.html") for number in "12"]

    (found,) = judge_case(samples, parse_policy("mean"), limits=[VISUAL])

    assert (found.metric, found.is_passed, found.is_judged) == ("visual", False, False)
    assert found.sentence == "2 of 2 samples could not be measured: no mean"


def test_a_case_of_one_sample_left_is_judged_with_its_axes_and_by_the_worst() -> None:
    limits = [Limit("text", ">=", 0.1, "marker"), IR, VISUAL]
    page = make_evaluation(visual=0.9, ir=0.3, reference="a.html", axes={"model": "large"})

    found = judge_case([judge(page, limits).evaluation], parse_policy("worst"), limits=limits)

    assert [(one.metric, one.is_passed) for one in found] == [("ir", False), ("text", True), ("visual", True)]
    assert {(one.case, one.axes["model"]) for one in found} == {("login", "large")}


def test_of_warnings_the_sample_with_the_most_decides() -> None:
    limit = Limit("warnings.encoding", "<=", 0, "marker")

    def page(number: str, *counts: int) -> Evaluation:
        warnings = tuple(CaptureWarning("encoding", "Read as it was.", count) for count in counts)
        return judge(make_evaluation(sample=number, warnings=warnings), [limit]).evaluation

    pages = [page("1", 1), page("1", 3), page("2", 2)]
    (worst,) = judge_case(pages, parse_policy("worst"))
    (mean,) = judge_case(pages, parse_policy("mean"))
    (kept,) = judge_case([page("1"), page("2")], parse_policy("mean"))

    assert worst.sentence == "worst of 2 samples: 3.0000"
    assert mean.sentence == "mean of 2 samples: 2.5000"
    assert (kept.is_passed, kept.sentence) == (True, "mean of 2 samples: 0.0000")

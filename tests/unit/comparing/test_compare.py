from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy
import pytest

from pytest_design2a11y.comparing import CaseChange
from pytest_design2a11y.comparing.compare import compare_runs
from pytest_design2a11y.comparing.conditions import RULES, Touched, touched_metrics
from pytest_design2a11y.comparing.gates import parse_gates
from pytest_design2a11y.comparing.table import mistaken_samples
from pytest_design2a11y.exceptions import AxesDiffer, NotComparable
from pytest_design2a11y.models.audit import ProbeCounts
from pytest_design2a11y.models.evaluation import Evaluation
from pytest_design2a11y.models.metrics import METRICS
from pytest_design2a11y.models.run import Run
from pytest_design2a11y.models.verdicts import Failure
from pytest_design2a11y.models.visual import VisualScore
from pytest_design2a11y.report.comparison.text import comparison_lines
from pytest_design2a11y.report.html.overview import find_changes
from pytest_design2a11y.run_end.gating import compare_groups, old_and_new
from pytest_design2a11y.runs import save_run
from pytest_design2a11y.settings import Settings
from tests.factories import ENVIRONMENT, judge_gates, make_evaluation, make_run, make_visual

SETTINGS = {"text_ratio": "indel", "appearance": "embedded", "audit": {"tags": []}}


def evaluation(case: str, visual: float, ir: float = 0.1, sample: str = "1", **changes: Any) -> Evaluation:
    whole: dict[str, Any] = dict.fromkeys(
        ("appearance", "elements", "typography", "figures", "fidelity"), visual
    )
    score = make_visual(visual, **whole, blocking=1, appearance_backend="embedded")
    given = {"settings": SETTINGS, "delivered": visual, **changes}
    return make_evaluation(case, score, ir, sample=sample, **given)


def failed(case: str, sample: str = "1") -> Evaluation:
    error = Failure("NotHtml", "It is a refusal.", "candidate")
    return Evaluation(f"{case}-{sample}", case, "x", sample, reference=case, error=error)


def simple(values: Mapping[str, float], ir: float = 0.1, **changes: Any) -> Run:
    return make_run(*(replace(evaluation(case, value, ir), **changes) for case, value in values.items()))


#: What every page of a run that is compared in all metrics has.
PROBED = {"keyboard": ProbeCounts(passed=3, failed=1, unsure=0)}

OLD = {"a": 0.9, "b": 0.8, "c": 0.7, "d": 0.6, "e": 0.5}
NEW = {"a": 0.8, "b": 0.8, "c": 0.6, "d": 0.65, "e": 0.45}


@pytest.mark.parametrize(
    "naming", ["designs/{}", "http://127.0.0.1:8000/{}.html", "/tmp/shop/{}/index.html", "designs\\\\{}"]
)
def test_one_design_is_one_case_however_it_was_named(naming: str) -> None:
    comparison = compare_runs(simple(OLD), simple({naming.format(case): one for case, one in NEW.items()}))

    assert comparison.metrics["visual"].cases == ("a", "b", "c", "d", "e")
    assert comparison.metrics["visual"].difference == pytest.approx(-0.04)
    assert str(comparison.changes[0]) == f"names of cases, such as: a -> {naming.format('a')}"


def test_a_case_that_one_run_calls_by_more_folders_is_paired_beside_those_that_both_have() -> None:
    old = simple({"login": 0.5, "a/help": 0.5, "b/help": 0.5, "shop/page": 0.5, "same": 0.5})
    new = simple({"designs/login": 0.6, "x/a/help": 0.6, "blog/page": 0.6, "same": 0.5})

    comparison = compare_runs(old, new)

    assert comparison.metrics["visual"].cases == ("a/help", "login", "same")
    assert comparison.only_old == ("b/help", "shop/page")
    assert comparison.only_new == ("blog/page",)


def test_names_that_are_not_clear_are_not_paired_and_both_sides_are_shown() -> None:
    told = r"2 cases: a, c\) and .run. \(2 cases: x/a, y/a\) have no case in common.*Name them alike: case="
    with pytest.raises(NotComparable, match=told):
        compare_runs(simple({"a": 0.9, "c": 0.9}), simple({"x/a": 0.9, "y/a": 0.8}))


def test_cases_are_paired_by_name_whatever_their_order() -> None:
    comparison = compare_runs(simple(OLD), simple(dict(reversed(NEW.items()))))

    visual = comparison.metrics["visual"]
    assert visual.cases == ("a", "b", "c", "d", "e")
    assert visual.old_mean == pytest.approx(0.7)
    assert visual.new_mean == pytest.approx(0.66)
    assert visual.difference == pytest.approx(-0.04)
    assert (visual.num_wins, visual.num_ties, visual.num_losses) == (1, 1, 3)
    assert visual.interval is not None
    assert visual.interval[0] < -0.04 < visual.interval[1]


def test_every_metric_is_compared_and_the_direction_comes_from_the_table() -> None:
    old, new = simple(OLD, ir=0.1, probes=PROBED), simple(OLD, ir=0.2, probes=PROBED)

    metrics = compare_runs(old, new).metrics

    assert list(metrics) == [*METRICS, "errors"]
    assert "refused" not in {metric.state for metric in metrics.values()}
    assert (metrics["ir"].num_wins, metrics["ir"].num_losses) == (0, 5)
    assert metrics["ir"].trend == "worse"
    assert metrics["visual"].trend == "unclear"
    assert compare_runs(new, old).metrics["ir"].trend == "better"


def test_a_case_counts_once_however_many_samples_it_has() -> None:
    old = make_run(
        *(evaluation("a", value, sample=str(value)) for value in (0.5, 0.6, 0.7)), evaluation("b", 0.8)
    )
    new = make_run(evaluation("a", 0.6), evaluation("b", 0.9))

    visual = compare_runs(old, new).metrics["visual"]

    assert list(visual.old_values) == pytest.approx([0.6, 0.8])
    assert visual.difference == pytest.approx(0.05)


def test_a_sample_that_two_tests_measured_counts_once() -> None:
    old = make_run(
        evaluation("a", 0.4),
        replace(evaluation("a", 0.4), id="again"),
        evaluation("a", 0.8, sample="2"),
        evaluation("b", 0.5),
    )

    visual = compare_runs(old, simple({"a": 0.6, "b": 0.5})).metrics["visual"]

    assert list(visual.old_values) == pytest.approx([0.6, 0.5])


def of_models(**values: Mapping[str, float]) -> Run:
    """Make a run with the same cases from several models."""
    return make_run(
        *(
            replace(evaluation(case, value), id=f"{model}-{case}", axes={"model": model})
            for model, cases in values.items()
            for case, value in cases.items()
        )
    )


def test_a_model_that_only_one_run_has_is_refused_with_the_table_of_both() -> None:
    """Pooled, the new run would look better by 0.145, though its only model became worse by 0.05."""
    weak = {case: value - 0.4 for case, value in OLD.items()}
    worse = {case: value - 0.05 for case, value in OLD.items()}

    with pytest.raises(AxesDiffer) as caught:
        compare_runs(of_models(strong=OLD, weak=weak), of_models(strong=worse))

    lines = [line.split() for line in str(caught.value).splitlines()]
    assert ["model=strong", "5", "5"] in lines
    assert ["model=weak", "5", "-"] in lines
    assert "-o design2a11y_only=model=strong" in caught.value.advice
    assert "--by model" in caught.value.advice


def test_cases_pair_along_equal_axes_and_count_once() -> None:
    weak = {case: value - 0.4 for case, value in OLD.items()}

    comparison = compare_runs(
        of_models(strong=OLD, weak=weak), of_models(weak={**weak, "a": 0.6}, strong=OLD)
    )

    visual = comparison.metrics["visual"]
    assert (comparison.num_cases, comparison.num_pairs) == (5, 10)
    assert comparison.axes == {"model": ("strong", "weak")}
    assert visual.old_values[0] == pytest.approx(0.7)
    assert visual.difference == pytest.approx(0.1 / 2 / 5)


def test_an_axis_with_one_value_in_either_run_is_what_was_changed() -> None:
    comparison = compare_runs(of_models(strong=OLD), of_models(weak=NEW))

    assert [str(change) for change in comparison.changes] == ["model: strong -> weak"]
    assert comparison.metrics["visual"].difference == pytest.approx(-0.04)


def test_all_that_was_changed_is_named_in_the_order_of_its_names() -> None:
    names = ("variant", "size", "model", "host", "effort", "day")

    def run(value: str) -> Run:
        return simple(OLD, axes=dict.fromkeys(names, value))

    assert [str(change) for change in compare_runs(run("x"), run("y")).changes] == [
        f"{name}: x -> y" for name in sorted(names)
    ]


def test_scores_that_agree_to_the_last_digits_are_equal_everywhere() -> None:
    new = {case: value - 1e-10 for case, value in OLD.items()}

    visual = compare_runs(simple(OLD), simple(new)).metrics["visual"]

    assert (visual.interval, visual.difference, visual.trend) == ((0.0, 0.0), 0.0, "unclear")


def test_pages_that_one_run_lacks_are_counted() -> None:
    values = {str(number): 0.5 for number in range(20)}
    new = make_run(*(evaluation(case, 0.5) if case in ("0", "1") else failed(case) for case in values))

    failing = compare_runs(simple(values), new).metrics["visual"]
    absent = compare_runs(simple(values), simple({"0": 0.5, "1": 0.5})).metrics["visual"]
    more = compare_runs(simple({"0": 0.5, "1": 0.5}), simple(values)).metrics["visual"]

    assert (failing.missing, absent.missing, more.missing) == pytest.approx((0.9, 0.9, 0.0))


def test_marks_are_corrected_for_all_the_rows_that_are_shown() -> None:
    """One metric of eleven that is sure at 98 % alone is not sure among eleven."""
    generator = numpy.random.default_rng(0)
    change = generator.normal(0, 0.01, 40)
    change += 0.0037 - change.mean()
    old = {str(case): 0.5 for case in range(40)}
    new = make_run(
        *(
            replace(one, visual=replace(one.visual, position=0.5 + moved))
            for one, moved in zip(simple(old).evaluations, change, strict=True)
            if one.visual is not None
        )
    )

    position = compare_runs(simple(old), new).metrics["position"]

    assert position.interval is not None
    assert position.interval[0] > 0
    assert position.p_value < 0.05
    assert position.trend == "unclear"


def test_fewer_than_five_cases_get_no_verdict() -> None:
    old = {case: OLD[case] for case in "abcd"}

    visual = compare_runs(simple(old), simple({case: value - 0.3 for case, value in old.items()}))

    assert visual.metrics["visual"].trend == "too few cases"
    assert visual.metrics["ir"].trend == "unclear"


@pytest.mark.parametrize(
    ("moved", "trend"), [(0.05, "better"), (-0.05, "worse"), (5e-5, "unclear"), (0.0, "unclear")]
)
def test_what_moved_alike_everywhere_is_sure_if_it_is_more_than_a_ten_thousandth(
    moved: float, trend: str
) -> None:
    old = {str(case): 0.5 for case in range(40)}

    visual = compare_runs(simple(old), simple({case: value + moved for case, value in old.items()})).metrics[
        "visual"
    ]

    assert visual.trend == trend


def test_last_digits_are_ties() -> None:
    visual = compare_runs(simple(OLD), simple({case: value + 1e-12 for case, value in OLD.items()})).metrics[
        "visual"
    ]

    assert (visual.num_wins, visual.num_ties, visual.num_losses) == (0, 5, 0)
    assert visual.p_value == 1


def test_the_same_runs_give_the_same_figures_every_time() -> None:
    first, second = (compare_runs(simple(OLD), simple(NEW)).metrics["visual"].interval for _ in range(2))

    assert first == second


def test_the_interval_of_a_metric_does_not_depend_on_the_other_metrics() -> None:
    alone = compare_runs(simple(OLD, accessibility=None), simple(NEW, accessibility=None))
    together = compare_runs(simple(OLD), simple(NEW))

    assert alone.metrics["visual"].interval == together.metrics["visual"].interval


def test_cases_of_one_run_only_are_listed_and_left_out() -> None:
    comparison = compare_runs(simple({**OLD, "gone": 0.1}), simple({**NEW, "z": 0.1, "y": 0.2}))

    assert comparison.only_old == ("gone",)
    assert comparison.only_new == ("y", "z")
    assert comparison.num_cases == 5
    assert comparison.metrics["visual"].old_mean == pytest.approx(0.7)


def test_no_common_case_is_an_error_that_says_how_cases_are_paired() -> None:
    with pytest.raises(NotComparable, match=r"'run' \(1 case: \w+\) .* have no case in common") as caught:
        compare_runs(simple({"a": 0.5}), simple({"b": 0.5}))

    assert "paired by the path or file name of their design" in caught.value.advice


def test_cases_with_errors_are_listed_and_their_measured_samples_kept() -> None:
    old = make_run(*(evaluation(case, 0.5) for case in "abc"))
    new = make_run(evaluation("a", 0.5), failed("b"), evaluation("c", 0.7), failed("c", "2"))

    comparison = compare_runs(old, new)

    visual = comparison.metrics["visual"]
    assert [(one.case, one.old, one.new) for one in comparison.errors] == [
        ("b", (), ("sample 1: NotHtml: It is a refusal.",)),
        ("c", (), ("sample 2: NotHtml: It is a refusal.",)),
    ]
    assert visual.cases == ("a", "c")
    assert visual.lost == ("b",)
    assert list(visual.new_values) == pytest.approx([0.5, 0.7])
    assert list(comparison.metrics["errors"].new_values) == pytest.approx([0, 1, 0.5])
    assert comparison.metrics["errors"].num_losses == 2


def test_cases_that_only_the_new_run_could_measure_are_told() -> None:
    old, new = make_run(evaluation("a", 0.5), failed("b")), simple({"a": 0.5, "b": 0.5})

    assert compare_runs(old, new).metrics["visual"].gained == ("b",)


def test_a_part_that_was_measured_nowhere_is_said_to_be_so() -> None:
    audits = simple(OLD, visual=None)

    metrics = compare_runs(audits, audits).metrics

    assert metrics["visual"].state == "not measured"
    assert "neither run has a value of it" in metrics["visual"].reason
    assert metrics["ir"].state == "compared"


def test_one_case_has_no_interval() -> None:
    visual = compare_runs(simple({"a": 0.5}), simple({"a": 0.4})).metrics["visual"]

    assert visual.interval is None
    assert visual.trend == "too few cases"
    assert visual.difference == pytest.approx(-0.1)


def test_the_cases_that_moved_most_come_first_and_ties_not_at_all() -> None:
    visual = compare_runs(simple(OLD), simple(NEW)).metrics["visual"]

    assert visual.moved_most(2)[0] == CaseChange("a", 0.9, 0.8)
    assert [change.case for change in visual.moved_most(10)] == ["a", "c", "d", "e"]


def environment(**changes: Any) -> dict[str, Any]:
    return {"environment": replace(ENVIRONMENT, **changes)}


def settings(**changes: Any) -> dict[str, Any]:
    return {"settings": {**SETTINGS, **changes}}


@pytest.mark.parametrize(
    ("changes", "condition", "effect", "touched"),
    [
        (environment(axe="4.10.3"), "axe", "refused", "audit"),
        (settings(audit={"tags": ["wcag2a"]}), "audit", "refused", "audit"),
        (settings(javascript=False), "javascript", "refused", "all"),
        (settings(viewport="375x812"), "viewport", "refused", "all"),
        (environment(chromium="157.0"), "chromium", "warned", "all"),
        (environment(platform="macOS"), "platform", "warned", "all"),
        (environment(package="0.2.0"), "package", "warned", "all"),
        (environment(playwright="1.66"), "playwright", "warned", "all"),
        (settings(allowed_hosts=["cdn.example"]), "allowed_hosts", "warned", "all"),
        (settings(fonts=["Arial"]), "fonts", "warned", "all"),
        (settings(engines={"htmlcs": "2.5.1"}), "engines", "refused", "engines"),
        (settings(probes=["keyboard"]), "probes", "refused", "probes"),
        (settings(novel="b"), "novel", "refused", "all"),
    ],
)
def test_a_condition_that_differs_touches_its_metrics_and_no_others(
    changes: dict[str, Any], condition: str, effect: str, touched: Touched
) -> None:
    base = {**SETTINGS, "viewport": "1280x720", "javascript": True, "allowed_hosts": [], "novel": "a"} | {
        "fonts": ["Georgia"]
    }
    changed = {**changes, "settings": {**base, **changes.get("settings", {})}}

    comparison = compare_runs(
        simple(OLD, settings=base, probes=PROBED), simple(NEW, probes=PROBED, **changed)
    )

    (difference,) = comparison.differences
    metrics = touched_metrics(touched)
    assert (difference.condition, difference.effect, difference.metrics) == (condition, effect, metrics)
    assert difference.num_cases == 5
    measured = {name: one.state for name, one in comparison.metrics.items() if one.state != "not measured"}
    refused = set(metrics) & measured.keys() if effect == "refused" else set()
    assert {name for name, state in measured.items() if state == "refused"} == refused
    assert comparison.metrics["errors"].state == "compared"


def with_visual(**changes: Any) -> Run:
    whole: dict[str, Any] = dict.fromkeys(("elements", "typography", "figures", "fidelity"), 0.5)
    base = VisualScore(0.5, 0.5, 0.5, 0.5, 0.5, 0.5, "indel", "embedded", **whole, blocking=1)
    return simple(OLD, visual=replace(base, **changes))


@pytest.mark.parametrize(
    ("changes", "metrics"),
    [
        ({"text_ratio": "difflib"}, touched_metrics("matching")),
        ({"published": "ui2code-study"}, touched_metrics("design")),
        ({"appearance_backend": "clip"}, ("fidelity", "visual", "appearance")),
        ({"appearance_backend": None, "appearance": None}, ("fidelity", "visual")),
    ],
)
def test_how_the_pages_were_scored_decides_what_compares(
    changes: dict[str, Any], metrics: Sequence[str]
) -> None:
    comparison = compare_runs(with_visual(), with_visual(**changes))

    refused = [metric.metric for metric in comparison.metrics.values() if metric.state == "refused"]
    assert refused == [name for name in metrics if comparison.metrics[name].state != "not measured"]
    assert refused
    assert all(RULES[one.condition].effect == "refused" for one in comparison.differences)


def test_another_page_may_use_other_fonts_than_the_same_design() -> None:
    old = settings(fonts=["Arial"], reference={"fonts": ["Georgia"]})
    new = settings(fonts=["Courier"], reference={"fonts": ["Georgia"]})
    same_as_design = settings(fonts=["Georgia"], reference={})

    assert compare_runs(simple(OLD, **old), simple(NEW, **new)).differences == ()
    assert compare_runs(simple(OLD, **old), simple(NEW, **same_as_design)).differences == ()


def test_the_sandbox_is_no_measuring_condition() -> None:
    comparison = compare_runs(simple(OLD), simple(NEW, **environment(sandbox=False)))

    assert comparison.differences == ()


def test_a_condition_that_one_run_does_not_record_is_a_warning() -> None:
    with_fonts = {**SETTINGS, "fonts": ["Arial"], "viewport": "1280x720"}

    (difference,) = compare_runs(simple(OLD, settings=SETTINGS), simple(OLD, settings=with_fonts)).differences

    assert (difference.effect, "ir" in difference.metrics) == ("warned", True)
    assert str(difference).startswith(
        "conditions that one of the runs does not record: fonts, viewport -> none (they may differ)"
    )


def test_two_files_of_equal_bytes_are_no_mistaken_sample() -> None:
    one, same = (replace(evaluation("a", 0.5), candidate=name, candidate_digest="d") for name in "xy")

    assert mistaken_samples([one, same]) == ""
    assert mistaken_samples([one, replace(same, candidate_digest="e")]).startswith("2 different candidates")


def test_conditions_are_compared_case_by_case() -> None:
    french, english = ({**SETTINGS, "audit": {"tags": [tag]}} for tag in ("fr", "en"))
    run = make_run(evaluation("a", 0.5, settings=french), evaluation("b", 0.5, settings=english))
    swapped = make_run(evaluation("a", 0.5, settings=english), evaluation("b", 0.5, settings=english))

    assert compare_runs(run, run).differences == ()
    (difference,) = compare_runs(run, swapped).differences
    assert difference.num_cases == 1
    assert str(difference).startswith("choice of accessibility rules: tags=fr -> tags=en")


def test_settings_that_were_read_from_a_file_equal_those_that_were_not() -> None:
    tuples = {**SETTINGS, "audit": {"tags": ("wcag2a", "wcag2aa")}}
    lists = {**SETTINGS, "audit": {"tags": ["wcag2a", "wcag2aa"]}}

    assert compare_runs(simple(OLD, settings=tuples), simple(OLD, settings=lists)).differences == ()


def test_large_runs_have_the_interval_of_the_normal_distribution() -> None:
    generator = numpy.random.default_rng(3)
    old = {str(case): float(value) for case, value in enumerate(generator.uniform(0.4, 0.6, 2000))}
    noise = generator.normal(0, 0.05, 2000)
    new = {case: value + float(move) for (case, value), move in zip(old.items(), noise, strict=True)}

    visual = compare_runs(simple(old), simple(new)).metrics["visual"]

    assert visual.interval is not None
    expected = 1.96 * noise.std(ddof=1) / numpy.sqrt(2000)
    assert (visual.interval[1] - visual.interval[0]) / 2 == pytest.approx(expected, rel=0.03)
    assert sum(visual.interval) / 2 == pytest.approx(noise.mean())


def test_a_difference_below_a_ten_thousandth_is_never_worse() -> None:
    many = {f"case {number}": 0.5 + number / 100 for number in range(30)}
    old, new = simple(many), simple({case: value - 5e-5 for case, value in many.items()})

    comparison = compare_runs(old, new)

    visual = comparison.metrics["visual"]
    assert visual.p_value < 0.001
    assert (visual.trend, visual.num_ties) == ("unclear", 30)
    for on_point in (False, True):
        gates = parse_gates(["visual", "visual:case:0"])
        outcomes = judge_gates(gates, comparison, on_point=on_point)
        assert [one.state for one in outcomes] == ["passed", "passed"]
        assert "unchanged to 0.0001" in outcomes[1].sentence
    assert (
        compare_runs(old, simple({case: value - 2e-4 for case, value in many.items()}))
        .metrics["visual"]
        .trend
        == "worse"
    )


def test_sentence_and_table_have_one_interval() -> None:
    comparison = compare_runs(simple(OLD), simple(NEW))

    (outcome,) = judge_gates(parse_gates(["visual"]), comparison)

    assert comparison.metrics["visual"].interval is not None
    low, high = comparison.metrics["visual"].interval
    assert f"95 % interval {low:+.4f} .. {high:+.4f}" in outcome.sentence


def test_errors_have_a_test_of_their_own() -> None:
    names = [f"case {number}" for number in range(10)]
    old = make_run(*(evaluation(name, 0.8) for name in names))
    new = make_run(*(failed(name) for name in names[:6]), *(evaluation(name, 0.8) for name in names[6:]))

    comparison = compare_runs(old, new)

    errors = comparison.metrics["errors"]
    assert errors.p_value == pytest.approx(2 / 2**6)
    assert errors.trend == "worse"
    assert comparison.metrics["visual"].difference == 0
    lines = comparison_lines(comparison)
    grouped = [line for line in lines if "lack a measurement" in line]
    assert grouped == [
        f"warning: 6 cases ({', '.join(names[:6])}) lack a measurement: "
        "new: sample 1: NotHtml: It is a refusal."
    ]


def test_what_has_no_counterpart_is_said_first() -> None:
    lines = comparison_lines(compare_runs(simple({**OLD, "z": 0.5}), simple(OLD)))

    assert lines[0] == "warning: 1 of the old run's cases has no counterpart: z"


def test_a_verdict_is_told_in_plain_words_and_marks_are_explained() -> None:
    many = {f"case {number}": 0.5 + number / 100 for number in range(10)}
    moved = {case: value - 0.03 - (0.02 if case == "case 7" else 0) for case, value in many.items()}

    lines = comparison_lines(compare_runs(simple(many), replace(simple(moved), name="v2")), width=80)

    text = " ".join(lines)
    assert "visual: the pages of v2 look less like the designs: mean -0.0320 (95 % CI -0.0" in text
    assert "10 of 10 cases became worse, case 7 most" in text
    assert "(+/=/-: cases that became better, moved by less than 0.0001, became worse" in text
    assert max(map(len, lines)) <= 80


def test_what_is_left_out_is_in_neither_run_that_is_compared(tmp_path: Path) -> None:
    pages = [
        make_evaluation(f"case {case}", score, id=f"{case}-{model}", axes={"model": model})
        for case in range(6)
        for model, score in (("a", 0.5), ("b", 0.9))
    ]
    save_run(make_run(*pages, name="before"), folder=tmp_path)
    settings = replace(Settings(), only=("model=a",))

    runs = old_and_new("before", make_run(*pages[::-1], name="now"), settings, folder=tmp_path)

    for run in runs:
        assert len(run.evaluations) == 6
        assert {page.axes["model"] for page in run.evaluations} == {"a"}
    assert compare_groups(*runs, settings).groups[0].comparison.num_cases == 6


def test_pages_that_got_better_are_told_as_those_that_got_worse() -> None:
    old, new = (
        make_run(*(make_evaluation(case, score + move) for case, score, move in moved))
        for moved in (
            [("a", 0.5, 0.0), ("b", 0.5, 0.0), ("c", 0.5, 0.0)],
            [("a", 0.5, 0.3), ("b", 0.5, 0.1), ("c", 0.5, -0.1)],
        )
    )

    changes = find_changes(old, new)

    assert [change.name for change in changes.better] == ["a", "b"]
    assert [change.name for change in changes.worse] == ["c"]
    assert changes.num_same == 0


def test_cases_whose_folders_differ_are_paired_by_their_ends() -> None:
    runs = [
        make_run(*(make_evaluation(case, 0.5) for case in cases))
        for cases in (["d1/a", "d1/b", "d1/c"], ["d2/z", "d2/b", "d2/c"])
    ]

    assert compare_runs(*runs).num_cases == 2

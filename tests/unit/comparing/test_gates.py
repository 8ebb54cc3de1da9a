from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy
import pytest

from pytest_design2a11y.comparing import Comparison, MetricComparison, RunFacts
from pytest_design2a11y.comparing.gates import Gate, GateOutcome, exit_code, parse_gate, parse_gates
from pytest_design2a11y.comparing.resampling import resample_means
from pytest_design2a11y.exceptions import ConfigurationError
from tests.factories import judge_gates

SIDE = RunFacts("run", "2026-01-01", True, 0, 0)


def metric_of(metric: str, old: Sequence[float], new: Sequence[float]) -> MetricComparison:
    cases = tuple(str(number) for number in range(len(old)))
    change = numpy.array(new) - numpy.array(old)
    return MetricComparison(
        metric,
        "compared",
        cases=cases,
        old_values=numpy.array(old),
        new_values=numpy.array(new),
        num_wins=int((change > 0).sum()),
        num_losses=int((change < 0).sum()),
    )


def comparison_of(*metrics: MetricComparison) -> Comparison:
    by_id = {metric.metric: metric for metric in metrics}
    return Comparison(SIDE, SIDE, 1, 1, by_id, (), (), (), ())


def judge(gates: str, *metrics: MetricComparison, on_point: bool = False) -> tuple[GateOutcome, ...]:
    return judge_gates(parse_gates(gates.split()), comparison_of(*metrics), on_point=on_point)


OLD = [0.9, 0.85, 0.8, 0.75, 0.7, 0.9, 0.8, 0.7, 0.85, 0.75]
NOISE = numpy.array([0.01, -0.01, 0.02, -0.02, 0.005, -0.005, 0.01, -0.01, 0.015, -0.015])


def worse_visual(by: float) -> MetricComparison:
    return metric_of("visual", OLD, list(numpy.array(OLD) - by + NOISE))


def worse_iwir(by: float) -> MetricComparison:
    return metric_of("iwir", OLD, list(numpy.array(OLD) + by + NOISE))


@pytest.mark.parametrize(
    ("text", "gate"),
    [
        ("visual:0.02", Gate("visual", 0.02)),
        ("iwir:10%", Gate("iwir", 0.1, True)),
        ("position", Gate("position")),
        (" failed : 2.5 ", Gate("failed", 2.5)),
        ("errors", Gate("errors")),
        ("ir:0", Gate("ir")),
        ("ir:200%", Gate("ir", 2.0, True)),
        ("text:1e-3", Gate("text", 0.001)),
    ],
)
def test_a_gate_is_a_metric_and_a_margin(text: str, gate: Gate) -> None:
    assert parse_gate(text) == (gate,)
    assert parse_gate(str(gate)) == (gate,)


@pytest.mark.parametrize(
    ("text", "what", "advice"),
    [
        ("", "'' is not a gate", 'Write "fidelity"'),
        ("visual=0.02", "is not a gate", 'Write "fidelity"'),
        ("visual:-0.1", "has no margin that can be read", 'Write "fidelity"'),
        ("visual:", "has no margin that can be read", 'Write "fidelity"'),
        ("visual:0.1.2", "has no margin that can be read", "fidelity:0.02"),
        ("visual:.", "has no margin that can be read", "fidelity:0.02"),
        ("visul", "There is no metric 'visul' to gate on", "Did you mean 'visual'?"),
        ("xyz", "There is no metric 'xyz' to gate on", "Known: fidelity, visual, blocking, block_match"),
        ("visual:1", "can never fail", "visual:10%"),
        ("iwir:10", "can never fail", "iwir:10%"),
        ("visual:100%", "can never fail: visual cannot lose more than all of it", "visual:10%"),
        ("visual:0.02,case:1", "can never fail", "visual:10%"),
        ("visual:0.02,0.03", "has two margins for the same thing", "case:0.2"),
        ("visual:0.02,page:0.2", "has no margin that can be read", "case:0.2"),
    ],
)
def test_what_is_no_gate_is_refused(text: str, what: str, advice: str) -> None:
    with pytest.raises(ConfigurationError) as caught:
        parse_gate(text)

    assert what in caught.value.what
    assert advice in caught.value.advice


def test_a_gate_fails_when_the_metric_is_surely_worse() -> None:
    (outcome,) = judge("visual", worse_visual(0.05))

    assert outcome.state == "failed"
    assert outcome.worse_by == pytest.approx(0.05)
    assert outcome.surely_worse_by is not None
    assert 0 < outcome.surely_worse_by < 0.05
    assert outcome.p_value is not None
    assert outcome.p_value < 0.05
    assert outcome.sentence == (
        "visual: worse by 0.0500 (0.8000 -> 0.7500, 10 cases), surely more than the margin; margin 0; "
        f"smallest change detectable with 80 % power: {outcome.detectable:.4f}"
    )


def test_the_near_end_decides_and_not_the_mean() -> None:
    half_width = resample_means(NOISE[:, None]).half_width(0, 0.05)

    states = [
        judge(f"visual:{margin}", worse_visual(0.05))[0].state
        for margin in (0.05 - half_width - 1e-4, 0.05 - half_width + 1e-4)
    ]

    assert 0.005 < half_width < 0.02
    assert states == ["failed", "inconclusive"]


def test_a_gate_passes_only_when_the_metric_is_surely_not_worse_than_the_margin() -> None:
    half_width = resample_means(NOISE[:, None]).half_width(0, 0.05)

    states = [
        judge(f"visual:{margin}", worse_visual(0.05))[0].state
        for margin in (0.05 + half_width - 1e-4, 0.05 + half_width + 1e-4)
    ]

    assert states == ["inconclusive", "passed"]


def test_an_inconclusive_gate_says_how_many_cases_would_decide() -> None:
    (outcome,) = judge("visual:0.04", worse_visual(0.045))

    assert outcome.state == "inconclusive"
    assert outcome.cases_needed is not None
    assert outcome.sentence.startswith(
        "visual:0.04: worse by 0.0450 (0.8000 -> 0.7550, 10 cases), neither surely more than the "
        f"margin nor surely not; about {outcome.cases_needed} cases like these would decide it; margin 0.04"
    )
    repeats = outcome.cases_needed // 10 + 1
    many = metric_of("visual", OLD * repeats, list(numpy.tile(numpy.array(OLD) - 0.045 + NOISE, repeats)))
    assert judge("visual:0.04", many)[0].state == "failed"


def test_the_smallest_change_found_is_found_in_four_of_five_draws() -> None:
    generator = numpy.random.default_rng(8)
    noise = generator.normal(0, 0.03, 40)
    (outcome,) = judge("visual:0.01", metric_of("visual", [0.5] * 40, list(0.5 - noise)))
    assert outcome.detectable is not None

    found = [
        judge("visual:0.01", metric_of("visual", [0.5] * 40, list(0.5 - outcome.detectable - drawn)))[0].state
        for drawn in generator.normal(0, noise.std(ddof=1), (150, 40))
    ]

    assert 0.7 <= found.count("failed") / 150 <= 0.9


def test_one_case_that_breaks_down_fails_its_own_limit_though_the_mean_keeps_its() -> None:
    old = [0.83] * 20
    new = [0.83] * 19 + [0.0]

    mean, single = judge("visual:0.05,case:0.2", metric_of("visual", old, new))

    assert mean.state == "inconclusive"
    assert (single.state, single.margin) == ("failed", 0.2)
    assert single.sentence == (
        "visual:case:0.2: 1 of 20 cases worse by more; 19 worse by 0.8300 (0.8300 -> 0.0000)"
    )
    assert judge("visual:case:0.9", metric_of("visual", old, new))[0].state == "passed"


def test_the_direction_comes_from_the_metric_table() -> None:
    better = metric_of("visual", OLD, list(numpy.array(OLD) + 0.05 + NOISE))

    assert judge("visual", better)[0].state == "passed"
    assert "better by 0.0500" in judge("visual", better)[0].sentence
    assert judge("iwir", worse_iwir(0.05))[0].state == "failed"


def test_a_relative_margin_is_a_share_of_the_old_mean() -> None:
    (tight,) = judge("iwir:5%", worse_iwir(0.06))
    (loose,) = judge("iwir:10%", worse_iwir(0.06))

    assert tight.margin == pytest.approx(0.04)
    assert (tight.state, loose.state) == ("failed", "passed")


def test_a_relative_margin_counts_how_unsure_the_old_mean_is() -> None:
    """All cases worse by exactly a tenth leave no doubt about a tenth; all worse by a constant do."""
    by_tenth = metric_of("iwir", OLD, [1.1 * value for value in OLD])
    by_constant = metric_of("iwir", OLD, [value + 0.08 for value in OLD])

    outcomes = [judge("iwir:9.9%", metric)[0] for metric in (by_tenth, by_constant)]

    assert [outcome.worse_by for outcome in outcomes] == pytest.approx([0.08, 0.08])
    assert [outcome.state for outcome in outcomes] == ["failed", "inconclusive"]


def test_on_the_point_the_mean_decides() -> None:
    metric = worse_visual(0.045)

    assert judge("visual:0.04", metric)[0].state == "inconclusive"
    (outcome,) = judge("visual:0.04", metric, on_point=True)
    assert outcome.state == "failed"
    assert outcome.sentence.endswith("margin 0.04; judged on the point")
    assert judge("visual:0.045", metric, on_point=True)[0].state == "passed"


def test_several_gates_share_the_error_by_holm() -> None:
    """The step-down by hand: the p-values' order, each against what those still open leave it."""
    metrics = [worse_visual(0.05), metric_of("ir", OLD, list(numpy.array(OLD) + 0.0083 + NOISE))]
    noisy = metric_of("position", OLD, list(numpy.array(OLD) - 0.009 + NOISE))
    alone = {name: judge(name, *metrics, noisy)[0] for name in ("visual", "ir", "position")}

    together = judge("ir visual position", *metrics, noisy)

    values = [alone[name].p_value or 0 for name in ("visual", "position", "ir")]
    assert values == sorted(values)
    by_name = {outcome.gate.metric: outcome for outcome in together}
    assert [by_name[name].level for name in ("visual", "position", "ir")] == pytest.approx(
        [0.05 / 3, 0.025, 0.05]
    )
    corrected = [min(1, 3 * values[0]), max(3 * values[0], 2 * values[1])]
    corrected.append(max(corrected[1], values[2]))
    assert [by_name[name].p_value for name in ("visual", "position", "ir")] == pytest.approx(corrected)
    assert {name: outcome.state for name, outcome in alone.items()} == {
        "visual": "failed",
        "ir": "failed",
        "position": "failed",
    }
    assert by_name["visual"].state == "failed"
    assert by_name["position"].state == "inconclusive"
    assert by_name["ir"].state == "inconclusive"
    assert by_name["visual"].level == pytest.approx(0.05 / 3)


def test_the_order_of_the_gates_is_kept() -> None:
    outcomes = judge("iwir visual", worse_visual(0.1), worse_iwir(0.0))

    assert [str(outcome.gate) for outcome in outcomes] == ["iwir", "visual"]
    assert [outcome.state for outcome in outcomes] == ["inconclusive", "failed"]


@pytest.mark.parametrize("on_point", [False, True])
@pytest.mark.parametrize("state", ["refused", "not measured"])
def test_a_metric_that_was_not_compared_is_no_pass(state: str, on_point: bool) -> None:
    absent = MetricComparison("iwir", state, "axe-core version: 1 -> 2")  # type: ignore[arg-type]

    (outcome,) = judge("iwir", absent, on_point=on_point)

    assert outcome.state == "error"
    assert outcome.sentence == "iwir: could not be judged: axe-core version: 1 -> 2"


def test_a_gate_in_error_leaves_the_others_their_level() -> None:
    absent = MetricComparison("iwir", "refused", "reason")

    outcomes = judge("visual iwir", worse_visual(0.05), absent)

    assert [outcome.state for outcome in outcomes] == ["failed", "error"]
    assert outcomes[0].level == pytest.approx(0.05)


@pytest.mark.parametrize("num_cases", [1, 2, 4])
def test_too_few_cases_give_no_confidence(num_cases: int) -> None:
    metric = metric_of("visual", [0.9] * num_cases, [0.1] * num_cases)

    (outcome,) = judge("visual", metric)

    assert outcome.state == "error"
    assert f"too few cases: {num_cases} give no confidence, 5 are needed" in outcome.sentence
    assert judge("visual", metric, on_point=True)[0].state == "failed"


@pytest.mark.parametrize("num_cases", [2, 5, 30])
def test_nothing_moved_passes(num_cases: int) -> None:
    (outcome,) = judge("visual", metric_of("visual", [0.5] * num_cases, [0.5] * num_cases))

    assert outcome.state == "passed"
    assert "unchanged" in outcome.sentence


@pytest.mark.parametrize("num_cases", [5, 30])
def test_everything_worse_alike_fails(num_cases: int) -> None:
    assert judge("visual", metric_of("visual", [0.5] * num_cases, [0.4] * num_cases))[0].state == "failed"


@pytest.mark.parametrize("on_point", [False, True])
def test_on_an_incomplete_run_a_gate_can_fail_but_not_pass(on_point: bool) -> None:
    comparison = replace(
        comparison_of(metric_of("visual", OLD, OLD), worse_iwir(0.2)), new=replace(SIDE, is_complete=False)
    )

    unchanged, worse = judge_gates(parse_gates(["visual", "iwir"]), comparison, on_point=on_point)

    assert (unchanged.state, worse.state) == ("error", "failed")
    assert unchanged.sentence.endswith("; could not be judged: the new run is incomplete")


def test_exit_codes() -> None:
    (passed,) = judge("visual", worse_visual(0.0))
    failed, error = replace(passed, state="failed"), replace(passed, state="error")

    assert exit_code([]) == 0
    assert exit_code([passed]) == 0
    assert exit_code([passed, error]) == 3
    assert exit_code([error, failed, passed]) == 1
    unsure = replace(passed, state="inconclusive")
    assert exit_code([passed, unsure]) == 0
    assert exit_code([passed, unsure], inconclusive="fail") == 1

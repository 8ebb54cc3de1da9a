from __future__ import annotations

import json
from dataclasses import replace

import pytest

from pytest_design2a11y.comparing import Comparison
from pytest_design2a11y.comparing.compare import compare_runs
from pytest_design2a11y.comparing.gates import GateOutcome, parse_gates
from pytest_design2a11y.models.evaluation import Evaluation
from pytest_design2a11y.models.run import Run
from pytest_design2a11y.models.verdicts import Failure
from pytest_design2a11y.report.comparison.rows import comparison_to_dict
from pytest_design2a11y.report.comparison.text import comparison_lines, comparison_markdown
from tests.factories import ENVIRONMENT, judge_gates, make_evaluation

VISUAL = [0.90, 0.85, 0.80, 0.75, 0.70, 0.90]
MOVED = [0.84, 0.80, 0.76, 0.68, 0.66, 0.85]


def runs() -> tuple[Run, Run]:
    old = Run(
        "main",
        "2026-01-01T00:00:00+00:00",
        True,
        tuple(make_evaluation(f"p{n}", v, 0.1) for n, v in enumerate(VISUAL)),
    )
    new = Run(
        "prompt-v2",
        "2026-01-02T00:00:00+00:00",
        True,
        tuple(make_evaluation(f"p{n}", v, 0.1) for n, v in enumerate(MOVED)),
    )
    return old, new


def judged(gates: str, old: Run, new: Run) -> tuple[Comparison, tuple[GateOutcome, ...]]:
    comparison = compare_runs(old, new)
    return comparison, judge_gates(parse_gates(gates.split()), comparison)


def messy() -> tuple[Run, Run]:
    """Everything that may be wrong with two runs at once."""
    old, new = runs()
    changed = tuple(
        replace(one, environment=replace(ENVIRONMENT, chromium="157.0", axe="4.10.3"))
        for one in new.evaluations[1:-1]
    )
    refusal = Evaluation(
        id="p0", case="p0", candidate="x", error=Failure("NotHtml", "It is a | <b>refusal</b>.")
    )
    more = [make_evaluation(f"q{number}", 0.85, 0.1) for number in range(2)]
    worse = [replace(changed[0], id=one.id, case=one.case) for one in more]
    return replace(old, evaluations=(*old.evaluations, *more)), replace(
        new, evaluations=(refusal, *changed, *worse, make_evaluation("extra", 0.5, 0.1)), is_complete=False
    )


def test_the_table_tells_means_change_interval_counts_and_trend() -> None:
    lines = comparison_lines(*judged("", *runs()))

    assert lines[0] == "old: main, 2026-01-01T00:00:00+00:00, 6 cases, 6 samples"
    assert lines[1] == "new: prompt-v2, 2026-01-02T00:00:00+00:00, 6 cases, 6 samples"
    (line,) = [line for line in lines if line.startswith("visual ")]
    assert line.split()[:4] == ["visual", "0.8167", "0.7650", "-0.0517"]
    assert line.split()[5] == ".."
    assert line.split()[-3:] == ["0/0/6", "<0.001", "worse"]
    assert not any(line.startswith(("appearance", "errors", "warning", "gates")) for line in lines)


def test_a_narrow_terminal_gets_fewer_columns() -> None:
    wide, narrow = (comparison_lines(*judged("", *runs()), width=width) for width in (100, 80))

    assert max(len(line) for line in narrow) <= 80
    assert any("better/tied/worse" in line for line in wide)
    assert not any("better/tied/worse" in line for line in narrow)


def test_the_cases_that_moved_most_are_listed() -> None:
    lines = comparison_lines(*judged("", *runs()), num_moved=2)

    place = lines.index("cases that moved most in visual:")
    assert lines[place + 1 : place + 4] == [
        "  p3: 0.7500 -> 0.6800 (-0.0700)",
        "  p0: 0.9000 -> 0.8400 (-0.0600)",
        "",
    ]


def test_gates_come_last_with_the_rule_that_they_follow() -> None:
    lines = comparison_lines(*judged("visual:0.01 iwir", *runs()))

    rule = "fail when surely worse by more than the margin, pass when surely not; 95 %, one-sided"
    assert lines[-3] == f"gates ({rule}; else inconclusive):"
    assert lines[-2].startswith("  FAIL  visual:0.01: worse by 0.0517")
    assert lines[-1].startswith("  pass  iwir: unchanged")


def test_nothing_that_limits_the_comparison_goes_unsaid() -> None:
    comparison, outcomes = judged("visual iwir", *messy())

    text = "\n".join(comparison_lines(comparison, outcomes))

    for part in (
        "warning: the new run 'prompt-v2' is incomplete",
        "warning: axe-core version: 4.12.1 -> 4.10.3 (other versions check other things) in 6 cases: ir,",
        "failed, unaudited not compared",
        "warning: browser build: 156.0 -> 157.0 (layout can shift a little) in 6 cases: all metrics compared",
        "warning: 1 of the old run's cases has no counterpart: p5",
        "warning: 1 of the new run's cases has no counterpart: extra",
        "visual, block_match, text, position, color: measured in the old run only, left out of the means: p0",
        "warning: case p0 lacks a measurement: new: sample 1: NotHtml: It is a | <b>refusal</b>.",
        "iwir          refused: axe-core version",
        "errors ",
        "ERROR iwir: could not be judged: axe-core version",
    ):
        assert part in text


def test_markdown_has_the_verdict_in_its_title_and_no_foreign_markup() -> None:
    text = comparison_markdown(*judged("visual iwir", *messy()))

    assert text.startswith("### main → prompt-v2: 1 failed, 1 could not be judged of 2 gates\n")
    assert "<b>" not in text
    assert "It is a \\| &lt;b&gt;refusal" in text
    table = [line for line in text.splitlines() if line.startswith("| visual | 0.")]
    assert table[0].count("|") == 9
    assert "find only some accessibility barriers" in text


@pytest.mark.parametrize(
    ("gates", "title"),
    [
        ("", "visual, block\\_match, text, position, color worse"),
        ("iwir", "1 gate passed"),
        ("iwir ir", "2 gates passed"),
        ("visual", "1 failed of 1 gate"),
    ],
)
def test_markdown_titles(gates: str, title: str) -> None:
    text = comparison_markdown(*judged(gates, *runs()))

    assert text.splitlines()[0] == f"### main → prompt-v2: {title}"


def test_markdown_says_when_nothing_clearly_changed() -> None:
    old, _new = runs()

    assert comparison_markdown(compare_runs(old, old)).splitlines()[0].endswith(": no clear change")


def test_json_tells_the_same_in_plain_values() -> None:
    comparison, outcomes = judged("visual iwir", *messy())

    told = json.loads(json.dumps(comparison_to_dict(comparison, outcomes, num_moved=1), allow_nan=False))

    visual = told["metrics"]["visual"]
    assert visual["difference"] == pytest.approx(comparison.metrics["visual"].difference)
    assert visual["interval"] == list(comparison.metrics["visual"].interval or ())
    assert (visual["wins"], visual["ties"], visual["losses"], visual["lost"]) == (0, 0, 6, ["p0"])
    assert [change["case"] for change in visual["moved_most"]] == ["p3"]
    assert told["metrics"]["iwir"]["state"] == "refused"
    assert [(gate["gate"], gate["state"]) for gate in told["gates"]] == [
        ("visual", "failed"),
        ("iwir", "error"),
    ]
    assert told["only_old"] == ["p5"]
    assert told["only_new"] == ["extra"]
    assert told["errors"][0]["case"] == "p0"
    assert {one["condition"] for one in told["differences"]} == {"axe", "chromium"}
    assert told["new"]["is_complete"] is False
    assert told["schema"] == 1
    assert not {"pairing", "unpaired", "rule", "failures", "people"} & told.keys()  # sentences of its page


def test_a_case_name_is_neither_a_mention_nor_a_link_in_markdown() -> None:
    old, new = runs()
    renamed = [
        replace(
            run,
            evaluations=tuple(
                replace(one, case=f"@team https://x.example {one.case}") for one in run.evaluations
            ),
        )
        for run in (old, new)
    ]

    text = comparison_markdown(*judged("visual", *renamed))

    assert "| visual | @&#8203;team https:&#8203;//x.example p3 | 0.7500 | 0.6800 | -0.0700 |" in text
    assert "@team" not in text
    assert "https://" not in text

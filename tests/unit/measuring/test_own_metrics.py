"""Metrics from outside: their fields, where they come from, what measuring them gives."""

from __future__ import annotations

import asyncio
import pickle
import sys
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from pytest_design2a11y import Scorer
from pytest_design2a11y.comparing.compare import compare_runs, make_history
from pytest_design2a11y.comparing.gates import parse_gates
from pytest_design2a11y.exceptions import ConfigurationError, MeasurementError
from pytest_design2a11y.limits import parse_limit
from pytest_design2a11y.measuring.extensions import measure_own
from pytest_design2a11y.measuring.pipeline import evaluate
from pytest_design2a11y.measuring.records import reward
from pytest_design2a11y.models.elements import Screenshot
from pytest_design2a11y.models.evaluation import Evaluation
from pytest_design2a11y.models.metric import Finding, Measured, Metric, Pages
from pytest_design2a11y.models.metrics import COMPARED, METRICS
from pytest_design2a11y.models.page import Capture, Document
from pytest_design2a11y.models.run import from_dict
from pytest_design2a11y.models.verdicts import Subject
from pytest_design2a11y.registry import available, forget_taken, require_portable, take, use_metrics
from pytest_design2a11y.runs import load_run, save_run
from pytest_design2a11y.settings import Settings
from pytest_design2a11y.settings.configuration import Given
from pytest_design2a11y.settings.options import make_settings, settings_from_keywords
from pytest_design2a11y.wording import ended
from tests.factories import ENVIRONMENT, judge_gates, make_evaluation, make_run

SOURCE = """
from pytest_design2a11y import Metric
def measure(pages):
    return 0.5
PALETTE = Metric("palette", "share of the page", upper=1.0, measure=measure)
SAME = PALETTE
"""


@pytest.fixture(autouse=True)
def _forgotten() -> Iterator[None]:
    before = dict(METRICS)
    yield
    forget_taken()
    METRICS.clear()
    METRICS.update(before)


def half(pages: Pages) -> float:
    return 0.5


PALETTE = Metric("palette", "share of the page in the system's colors", upper=1.0, measure=half)


def page(label: str = "a.html", html: bytes = b"<p>a") -> Capture:
    return Capture(
        label, "candidate", Screenshot.of_pixels(np.full((4, 6, 3), 255, np.uint8)), (6, 4), (), (),
        ENVIRONMENT, document=Document(label, html),
    )  # fmt: skip


def measured(
    measure: Callable[[Pages], Any], *, reference: Capture | None = None, **fields: Any
) -> Evaluation:
    metric = replace(PALETTE, measure=measure, **fields)
    return evaluate(
        Subject("a", "a"), reference=reference, candidate=page(), settings=Settings(own_metrics=(metric,))
    )


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"name": "My Metric"}, "'My Metric' is not the name of a metric."),
        ({"name": "Palette"}, "'Palette' is not the name of a metric."),
        ({"words": ""}, "words='' of the metric 'palette' is not valid: describe it in half a sentence."),
        ({"upper": 0}, "upper=0 of the metric 'palette' is not valid: write a number above 0, or None."),
        ({"upper": "1"}, "upper='1' of the metric 'palette' is not valid: write a number above 0, or None."),
        ({"version": 1}, """version=1 of the metric 'palette' is not valid: write a text, such as "1"."""),
        ({"measure": 0.5}, "measure=0.5 of the metric 'palette' is not valid: give a function of one arg"),
        ({"measure": lambda: 0.5}, "measure=<function <lambda>"),
        ({"measure": lambda reference, candidate: 0.5}, "measure=<function <lambda>"),
        ({"timeout": 0}, "timeout=0 of the metric 'palette' is not valid: write seconds above 0."),
        ({"is_higher_better": 1}, "is_higher_better=1 of the metric 'palette' is not valid: write True"),
        ({"needs_design": None}, "needs_design=None of the metric 'palette' is not valid: write True"),
        ({"keep": "yes"}, "keep='yes' of the metric 'palette' is not valid: write True or False."),
    ],
)  # fmt: skip
def test_a_wrong_field_is_one_clear_sentence(fields: dict[str, Any], message: str) -> None:
    with pytest.raises(ConfigurationError) as raised:
        Metric(**{"name": "palette", "words": "share of the page", **fields})

    assert str(raised.value).startswith(message)


@pytest.mark.parametrize("name", ["visual", "ir", "errors"])
def test_the_name_of_a_metric_of_ours_is_refused(name: str) -> None:
    with pytest.raises(
        ConfigurationError, match=f"There is a metric '{name}' already: it is one of pytest-des"
    ):
        use_metrics([replace(PALETTE, name=name)])


def test_two_metrics_of_one_name_are_refused_and_the_same_one_twice_is_not() -> None:
    with pytest.raises(ConfigurationError, match="There are two metrics 'palette'"):
        use_metrics([PALETTE, replace(PALETTE)])

    assert use_metrics([PALETTE, PALETTE]) == (PALETTE,)


@pytest.mark.parametrize("given", [3, "palette", ["palette"], None])
def test_a_hook_that_gives_something_else_is_refused(given: object) -> None:
    with pytest.raises(ConfigurationError, match=r"pytest_design2a11y_metrics\(\) gave .* is not a Metric"):
        take(Metric, given)


def test_a_metric_without_a_function_is_refused() -> None:
    with pytest.raises(ConfigurationError, match="The metric 'palette' has nothing that measures it"):
        take(Metric, [replace(PALETTE, measure=None)])


def test_metrics_of_a_file_are_those_at_its_top_level_and_go_to_other_processes(tmp_path: Path) -> None:
    file = tmp_path / "metrics.py"
    file.write_text(SOURCE)

    (metric,) = available(Metric, [str(file)]).values()
    again = pickle.loads(pickle.dumps(metric))

    assert (again.name, again.measure(None)) == ("palette", 0.5)
    require_portable([metric])


def test_metrics_of_a_module_are_found_from_the_working_directory(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", [*sys.path])
    (tmp_path / "own_measures").mkdir()
    (tmp_path / "own_measures" / "colors.py").write_text(SOURCE)

    assert [one.name for one in available(Metric, ["own_measures.colors"]).values()] == ["palette"]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (None, "Metrics cannot be loaded from .*: FileNotFoundError: there is no such file"),
        ("import nowhere_at_all", "Metrics cannot be loaded from .*: ModuleNotFoundError: No module named"),
        ("1 +", "Metrics cannot be loaded from .*: SyntaxError: invalid syntax"),
        (
            "from pytest_design2a11y import Metric\nMetric('a', 'b', colour=1)",
            "Metrics cannot be loaded from .*: TypeError: .*unexpected keyword argument 'colour'",
        ),
        ("x = 1", "has no Metric at its top level"),
    ],
)
def test_a_file_that_gives_no_metric_says_why(tmp_path: Path, text: str | None, message: str) -> None:
    file = tmp_path / "metrics.py"
    if text is not None:
        file.write_text(text)

    with pytest.raises(ConfigurationError, match=message):
        available(Metric, [str(file)]).values()


def test_a_function_in_a_function_is_refused_where_other_processes_need_it() -> None:
    with pytest.raises(ConfigurationError, match="'palette' cannot be given to other processes"):
        require_portable([replace(PALETTE, measure=lambda pages: 0.5)])

    require_portable([PALETTE])


def test_a_value_may_be_a_number_or_tell_more() -> None:
    assert measured(half).metrics["palette"] == 0.5
    assert measured(half).settings["metrics"]["palette"] == PALETTE.saved
    assert measured(lambda pages: np.float32(1)).metrics["palette"] == 1.0
    assert measured(lambda pages: 0.1 + 0.2 + 0.7000000000000002).metrics["palette"] == 1.0, "rounding"
    finding = Finding("A colour of no token", "serious", (1, 2, 3, 4))

    told = measured(lambda pages: Measured(0.25, "blue", [finding], ["The tokens are old."]))

    assert (told.metrics["palette"], told.metric_reasons["palette"]) == (0.25, "blue")
    assert told.metric_findings["palette"] == (finding,)
    assert [(one.code, one.message) for one in told.warnings] == [
        ("palette_warning", "palette: The tokens are old.")
    ]


def test_a_coroutine_function_is_awaited_also_where_an_event_loop_runs() -> None:
    async def judge(pages: Pages) -> float:
        await asyncio.sleep(0)
        return 0.75

    async def main() -> Evaluation:
        return measured(judge)

    # In a thread of its own: Playwright may have left a loop running in this one.
    with ThreadPoolExecutor(1) as thread:
        inside = thread.submit(asyncio.run, main()).result()
    assert measured(judge).metrics["palette"] == inside.metrics["palette"] == 0.75


INVALID = "measure returned something invalid:"


def fail(pages: Pages) -> float:
    raise RuntimeError("no such token")


@pytest.mark.parametrize(
    ("measure", "reason"),
    [
        (fail, "RuntimeError: no such token"),
        (lambda pages: None, "it gave no value for this page"),
        (lambda pages: Measured(None, "no colours"), "no colours"),
        (lambda pages: sys.exit("stop"), "SystemExit: stop"),
        (lambda pages: 1.5, f"{INVALID} value is 1.5, not from 0 to 1"),
        (lambda pages: -1e-6, f"{INVALID} value is -1e-06, not from 0 to 1"),
        (lambda pages: float("nan"), f"{INVALID} value is nan, not from 0 to 1"),
        (lambda pages: "0.5", f"{INVALID} value is '0.5', not a number"),
        (lambda pages: True, f"{INVALID} value is True, not a number"),
        (lambda pages: Measured(1.0, 3), f"{INVALID} Expected `str`, got `int` - at `$.reason`"),  # type: ignore[arg-type]
        (
            lambda pages: Measured(1.0, warnings="old"),
            f"{INVALID} Expected `array`, got `str` - at `$.warnings`",
        ),
        (
            lambda pages: Measured(1.0, findings=["red"]),  # type: ignore[list-item]
            f"{INVALID} findings has 'red', which is not a Finding",
        ),
        (
            lambda pages: Measured(1.0, findings=[Finding("x", "awful")]),  # type: ignore[arg-type]
            f"{INVALID} Invalid enum value 'awful' - at `$.findings[0].severity`",
        ),
        (lambda pages: time.sleep(5), "measuring took more than 0.05 s"),
        (lambda pages: Measured(None, "It has no colors."), "It has no colors."),
    ],
)
def test_what_fails_is_null_with_a_reason(measure: Any, reason: str) -> None:
    told = measured(measure, timeout=0.05 if "0.05 s" in reason else 60)

    assert (told.metrics["palette"], told.metric_reasons["palette"]) == (None, reason)
    assert [(one.code, one.message) for one in told.warnings] == [
        ("palette_unmeasured", f"palette was not measured: {ended(reason)}")
    ]


def test_without_a_design_what_needs_one_is_null_without_a_word() -> None:
    told = measured(half, needs_design=True)

    assert (told.metrics["palette"], told.warnings) == (None, ())
    assert told.metric_reasons["palette"] == "there is no design to compare with"
    assert measured(half, needs_design=True, reference=page()).metrics["palette"] == 0.5


def test_what_is_kept_is_asked_once_for_the_same_content_and_version(tmp_path: Path) -> None:
    asked: list[str] = []

    def judge(pages: Pages) -> Measured:
        asked.append(pages.candidate.label)
        return Measured(0.5, "well", [Finding("Too blue", box=(0, 0, 1, 1))])

    def ask(capture: Capture, **fields: Any) -> Measured:
        metric = replace(PALETTE, measure=judge, keep=True, **fields)
        return measure_own(metric, Pages(capture, None), tmp_path)

    first = ask(page("a.html"))

    assert ask(page("copy.html")) == first
    assert asked == ["a.html"]
    ask(page("other.html", b"<p>other"))
    ask(page("a.html"), version="2")
    assert asked == ["a.html", "other.html", "a.html"]
    for file in (tmp_path / "metrics").iterdir():
        file.write_text("{")
    assert ask(page("a.html")) == first


def test_settings_take_metrics_of_files_and_programs(tmp_path: Path) -> None:
    file = tmp_path / "metrics.py"
    file.write_text(SOURCE)

    settings = make_settings(
        [Given("command line", {"metrics": (str(file),)}), Given("ini file", {"require": ("palette>=0.9",)})]
    )

    assert [one.name for one in settings.own_metrics] == ["palette"]
    assert settings.limits == (parse_limit("palette>=0.9", origin="ini file"),)
    with pytest.raises(ConfigurationError, match="There are two metrics 'palette'"):
        settings_from_keywords({"metrics": [str(file)]}, cache_folder=None, metrics=[PALETTE])


def with_palette(value: float | None, case: str = "login", **told: Any) -> Evaluation:
    return make_evaluation(
        case, metrics={"palette": value}, settings={"metrics": {"palette": PALETTE.saved | told}}
    )


def test_a_saved_run_whose_metric_is_not_installed_is_read_and_compared(tmp_path: Path) -> None:
    save_run(make_run(*(with_palette(0.9, f"c{n}") for n in range(6)), name="one"), folder=tmp_path)
    save_run(make_run(*(with_palette(0.7 + n / 100, f"c{n}") for n in range(6)), name="two"), folder=tmp_path)
    assert "palette" not in METRICS

    old, new = (load_run(name, folder=tmp_path) for name in ("one", "two"))
    comparison = compare_runs(old, new)

    assert METRICS["palette"].words == PALETTE.words
    assert METRICS["palette"].measure is None
    assert list(COMPARED)[-2:] == ["palette", "errors"]
    assert new.evaluations[0].value("palette") == 0.7
    assert comparison.metrics["palette"].trend == "worse"
    (gate,) = judge_gates(parse_gates(["palette:0.05"]), comparison)
    assert gate.state == "failed"


def test_another_version_is_not_compared_without_a_word() -> None:
    use_metrics([PALETTE])

    comparison = compare_runs(make_run(with_palette(0.9)), make_run(with_palette(0.5, version="2")))

    assert comparison.metrics["palette"].state == "refused"
    assert comparison.metrics["visual"].state == "compared"
    (difference,) = comparison.differences
    assert str(difference) == "version of palette: 1 -> 2 (other versions measure other things)"


def test_a_run_without_the_metric_differs_in_nothing_else() -> None:
    use_metrics([PALETTE])

    plain = make_evaluation("login", settings={"viewport": "1280x720"})
    other = with_palette(0.5)
    comparison = compare_runs(
        make_run(plain), make_run(replace(other, settings={**other.settings, **plain.settings}))
    )

    assert comparison.differences == ()
    assert comparison.metrics["palette"].reason == "the old run has no value of it"


def test_a_history_in_which_a_later_run_has_a_metric_more_is_told() -> None:
    def runs() -> Iterator[Any]:
        yield make_run(make_evaluation("login"), name="one")
        use_metrics([PALETTE])
        yield make_run(with_palette(0.9), name="two")
        yield make_run(with_palette(0.8), name="three")

    entries = make_history(runs())

    assert ["palette" in entry.metrics for entry in entries] == [False, True, True]


def test_json_has_values_reasons_and_with_details_findings() -> None:
    use_metrics([PALETTE])
    finding = Finding("Too blue", box=(1.0, 2.0, 3.0, 4.0))
    evaluation = replace(
        with_palette(None), metric_reasons={"palette": "no colours"}, metric_findings={"palette": (finding,)}
    )

    record = evaluation.to_dict(has_details=True)

    assert (record["metrics"]["palette"], record["metric_reasons"]["palette"]) == (None, "no colours")
    assert record["metric_findings"]["palette"][0]["box"] == [1.0, 2.0, 3.0, 4.0]
    assert from_dict(record).metric_findings["palette"] == (finding,)
    assert "metric_findings" not in evaluation.to_dict()
    assert "metrics" not in make_evaluation("login").to_dict(has_details=True)


def test_a_limit_on_what_another_scorer_measures_is_refused() -> None:
    use_metrics([PALETTE])

    with pytest.raises(ConfigurationError, match="This scorer does not measure 'palette'"):
        Scorer(require=["palette>=0.5"])
    Scorer(require=["palette>=0.5"], metrics=[PALETTE]).close()


@pytest.mark.parametrize("given", [PALETTE, [PALETTE], "metrics.py", Path("metrics.py"), ["metrics.py"]])
def test_a_program_gives_metrics_and_files_one_or_several(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, given: Any
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "metrics.py").write_text(SOURCE)

    Scorer(require=["palette>=0.5"], metrics=given).close()
    with pytest.raises(ConfigurationError, match="'palate'"):
        Scorer(require=["palate>=0.5"], metrics=given)


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ([3], "metrics= has 3, which is not a Metric."),
        (None, "metrics= has None, which is not a Metric."),
        ("nofile.py", "Metrics cannot be loaded from .*nofile.py: FileNotFoundError: there is no such file."),
    ],
)
def test_a_program_that_gives_something_else_is_refused(given: Any, message: str) -> None:
    with pytest.raises(ConfigurationError, match=message):
        Scorer(metrics=given)


def test_there_is_no_reward_without_a_value_and_why() -> None:
    use_metrics([PALETTE])

    with pytest.raises(MeasurementError, match="has no palette, so there is no reward: RuntimeError: no suc"):
        reward(measured(fail), weights={"palette": 1})


def test_partial_functions_measure_too() -> None:
    def scaled(pages: Pages, *, by: float) -> float:
        return by / 2

    assert measured(partial(scaled, by=1.0)).metrics["palette"] == 0.5

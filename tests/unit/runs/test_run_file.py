"""Whatever stands in a saved run or in its details, what tells of it ends in text or an error with a name."""

from __future__ import annotations

import copy
import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from pytest_design2a11y.exceptions import RunUnreadable
from pytest_design2a11y.fixing.untried import untried
from pytest_design2a11y.models.audit import EngineCounts, ProbeCounts
from pytest_design2a11y.models.evaluation import Evaluation
from pytest_design2a11y.models.page import CaptureWarning
from pytest_design2a11y.models.run import from_dict
from pytest_design2a11y.models.verdicts import Failure, Verdict
from pytest_design2a11y.models.visual import Block, Match
from pytest_design2a11y.report.findings_file import table_lines
from pytest_design2a11y.report.html.islands import script_json
from pytest_design2a11y.runs import save_details, with_details
from pytest_design2a11y.runs.encoding import encode
from pytest_design2a11y.runs.run_file import read_run
from tests.factories import AUDIT, CONTRAST, NODE, make_audited, make_run, make_visual, report_record

ESCAPE = "\x1b[2J\n::error::x"
VALUES: list[Any] = [None, True, -1, 1e308, 10**400, "", ESCAPE, [], ["x"], [1, 2, 3], {}, {"a": None}]
BLOCK = Block("soup", (0.1, 0.1, 0.5, 0.1), (0, 0, 0))
EVALUATION = replace(
    make_audited("login", 0.5),
    id="login",
    visual=make_visual(
        0.5,
        matches=(Match(BLOCK, replace(BLOCK, text="soap"), 0.9, 0.9, 0.9),),
        missing=(BLOCK,),
        extra=(replace(BLOCK, confidence=0.5),),
    ),
    audit=replace(AUDIT, rules=(replace(CONTRAST, violations=(replace(NODE, data={"also": "x"}),)),)),
    engines={"axe": EngineCounts("4", 10, 2, {"serious": 2})},
    probes={"keyboard": ProbeCounts(1, 2, 0, {"serious": 2})},
    probe_findings={"keyboard": AUDIT},
    verdicts=(Verdict("ir", "<=", 0.1, 0.2, False, "call"),),
    warnings=(CaptureWarning("code", "message", 1),),
    error=Failure("AxeTimeout", "took too long", "candidate"),
    settings={
        "viewport": "1280x720",
        "scale": 1,
        "mask": ["p"],
        "allowed_hosts": [],
        "reference": {"mask": []},
    },
    page_sizes={"reference": (100, 80), "candidate": (100, 90)},
)
RUN = make_run(EVALUATION)


def places(value: Any) -> Iterator[tuple[Any, Any]]:
    """Return every place of a JSON value, as what holds it and its key or index."""
    if isinstance(value, dict | list):
        for key in list(value) if isinstance(value, dict) else range(len(value)):
            yield value, key
            yield from places(value[key])


def damaged(line: str) -> Iterator[str]:
    """Return line with another value in each of its places; a third of them in each, for they are many."""
    for number, _place in enumerate(places(json.loads(line))):
        for value in VALUES[number % 3 :: 3]:
            record = json.loads(line)
            holder, key = list(places(record))[number]
            holder[key] = copy.deepcopy(value)
            yield json.dumps(record)


def tell(evaluation: Evaluation) -> None:
    """Tell all that fix lists, reports and tables tell of an evaluation; nothing in it may act."""
    text = "\n".join(untried(evaluation).lines())
    assert "\x1b" not in text
    assert "\n::" not in text
    assert "<" not in script_json(report_record(evaluation))
    list(table_lines(make_run(evaluation), "csv"))


@pytest.mark.parametrize("number", [0, 1], ids=["header", "line"])
def test_any_value_anywhere_in_a_saved_run_is_read_or_refused(number: int, tmp_path: Path) -> None:
    lines = list(encode(RUN))
    path = tmp_path / "run.jsonl"
    outcomes = set()
    for line in damaged(lines[number]):
        path.write_text("\n".join([*lines[:number], line, *lines[number + 1 :]]) + "\n")
        try:
            (evaluation,) = read_run(path, has_audit=True).evaluations
        except (RunUnreadable, ValueError) as error:  # a line too many or too few
            outcomes.add(type(error).__name__)
        else:
            tell(evaluation)
            outcomes.add("read")

    assert outcomes >= {"read", "RunUnreadable"}


def test_any_value_anywhere_in_details_is_read_or_left_out(tmp_path: Path) -> None:
    path = save_details(RUN, folder=tmp_path)
    lines = path.read_text().splitlines()
    bare = replace(RUN, evaluations=(replace(EVALUATION, audit=None),))
    num_detailed = 0
    for line in damaged(lines[1]):
        path.write_text(f"{lines[0]}\n{line}\n")
        (evaluation,) = with_details(bare, folder=tmp_path).evaluations
        tell(evaluation)
        num_detailed += evaluation.audit is not None

    assert num_detailed > 0


def test_details_of_numbers_beyond_all_are_left_out(tmp_path: Path) -> None:
    """JSON reads 1e999 as infinity, which no pixel is."""
    path = save_details(RUN, folder=tmp_path)
    path.write_text(path.read_text().replace("[0.1, 0.1, 0.5, 0.1]", "[1e999, 0.1, 0.5, 0.1]"))

    (evaluation,) = with_details(make_run(replace(EVALUATION, audit=None)), folder=tmp_path).evaluations

    assert evaluation.audit is None


def test_what_is_written_is_read() -> None:
    assert from_dict(json.loads(json.dumps(EVALUATION.to_dict(has_details=True)))) == EVALUATION
    assert EVALUATION.to_dict(has_details=True)["tries"] == 1


def test_the_field_is_named() -> None:
    broken = replace(EVALUATION, verdicts=(Verdict("ir", "<=", "x", 0.2, False, "call"),))  # type: ignore[arg-type]

    with pytest.raises(
        ValueError, match=r"^Expected `int \| float`, got `str` - at `\$\.verdicts\[0\]\.limit`$"
    ):
        from_dict(broken.to_dict(has_details=True))

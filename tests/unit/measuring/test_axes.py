from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from pytest_design2a11y.measuring.pair_files import open_pairs
from pytest_design2a11y.models.evaluation import Evaluation
from pytest_design2a11y.models.verdicts import read_axes


@pytest.mark.parametrize(
    ("values", "axes"),
    [
        ({}, {}),
        ({"prompt": None, "model": ""}, {}),
        ({"prompt": "v2", "model": "large"}, {"model": "large", "prompt": "v2"}),
        ({"prompt": 3, "axes": {"viewport": "375x812"}}, {"prompt": "3", "viewport": "375x812"}),
        ({"model": "large", "axes": {"model": "large"}}, {"model": "large"}),
    ],
)
def test_axes_are_read_from_their_usual_names_and_from_axes(
    values: dict[str, Any], axes: dict[str, str]
) -> None:
    assert read_axes(values) == axes
    assert list(read_axes(values)) == sorted(axes)


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ({"axes": ["model"]}, r"axes are names with values, not \['model'\]"),
        ({"axes": {"state": ["open"]}}, r"the axis 'state' has the value \['open'\], which is not a text"),
        ({"model": True}, "the axis 'model' has the value True, which is not a text"),
        ({"axes": {"two words": "x"}}, "'two words' is not the name of an axis"),
        ({"model": "a", "axes": {"model": "b"}}, "the axis 'model' is given twice: 'a' and 'b'"),
    ],
)
def test_axes_that_are_not_names_with_texts_are_refused(values: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        read_axes(values)


def test_samples_of_a_case_share_its_axes_in_any_order() -> None:
    one = Evaluation("1", "login", "a.html", axes={"model": "large", "state": "open"})
    other = Evaluation("2", "login", "b.html", axes={"state": "open", "model": "large"})

    assert one.case_key == other.case_key == ("login", (("model", "large"), ("state", "open")))


def test_a_line_of_pairs_names_its_axes(tmp_path: Path) -> None:
    line = {"id": "1", "reference": "a.html", "candidate": "b.html"}
    lines = [
        {**line, "model": "large", "axes": {"state": "open"}},
        {**line, "id": "2", "axes": {"state": {"menu": "open"}}},
    ]
    path = tmp_path / "pairs.jsonl"
    path.write_text("\n".join(map(json.dumps, lines)))

    good, bad = open_pairs(str(path), None).pairs

    assert good.subject.axes == {"model": "large", "state": "open"}
    assert bad.problem is not None
    assert "the axis 'state' has the value {'menu': 'open'}" in str(bad.problem)


def test_a_model_that_is_a_number_or_nothing_is_read_as_such() -> None:
    assert read_axes({"model": 0}) == {"model": "0"}
    assert read_axes({"model": "", "prompt": None, "axes": None}) == {}

"""What is taken in from a saved run is what its schema allows, for everything that numbers are made of."""

from __future__ import annotations

import copy
import json
import runpy
from importlib import resources
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from pytest_design2a11y.models.run import Run
from pytest_design2a11y.runs.encoding import decode_evaluation, decode_header, encode
from tests.factories import make_evaluation

SCHEMA = json.loads(resources.files("pytest_design2a11y.runs").joinpath("run.schema.json").read_text())
HEADER, LINE = map(json.loads, encode(Run("run", "2026-01-01T00:00:00Z", True, (make_evaluation(),))))

PLACES = [
    ("case",), ("sample",), ("id",), ("candidate",),
    *(("visual", name) for name in ("score", "block_match", "text", "position", "color", "appearance")),
    *(("accessibility", name) for name in ("checked", "failed", "incomplete", "ir", "iwir", "weighted_ir")),
    ("accessibility", "ir_elements"), ("accessibility", "unaudited"), ("accessibility", "status"),
    ("visual",), ("accessibility",), ("visual", "text_ratio"), ("visual", "appearance", "backend"),
]  # fmt: skip
VALUES: list[Any] = [None, True, "0.9", "text", -5, 0, 1, 0.5, 87.5, [], [1], {}, {"a": "b"}, {"a": 1}]


def is_valid(line: dict[str, Any]) -> bool:
    definition = {"$ref": "#/$defs/evaluation", "$defs": SCHEMA["$defs"]}
    return Draft202012Validator(definition).is_valid(line)


def is_taken(line: dict[str, Any]) -> bool:
    try:
        decode_evaluation(json.dumps(line).encode(), decode_header(json.dumps(HEADER).encode()))
    except (ValueError, KeyError):
        return False
    return True


def test_the_published_schema_is_that_of_the_dataclasses() -> None:
    written = runpy.run_path(str(Path(__file__).parents[3] / "scripts" / "write_run_schema.py"))["text"]()

    assert json.loads(written) == SCHEMA, "Run `make reference`."


def test_a_line_as_it_is_written_is_valid() -> None:
    assert is_valid(LINE)
    assert is_taken(LINE)


@pytest.mark.parametrize("place", PLACES, ids=".".join)
def test_no_value_is_taken_that_the_schema_forbids(place: tuple[str, ...]) -> None:
    for value in VALUES:
        line = copy.deepcopy(LINE)
        holder = line
        for name in place[:-1]:
            holder = holder[name]
        holder[place[-1]] = value
        assert is_valid(line) or not is_taken(line), (place, value)
        if not is_taken(line):
            assert not is_valid(line), (place, value)


@pytest.mark.parametrize("name", ["chromium", "axe", "package", "playwright", "platform", "sandbox"])
@pytest.mark.parametrize("value", [{"a": 1}, [], 5, 0.5, True, "text"], ids=repr)
def test_an_environment_holds_texts_and_whether_there_was_a_sandbox(name: str, value: Any) -> None:
    """They are compared and joined; one with something else in it ended `compare` with a traceback."""
    header = copy.deepcopy(HEADER)
    header["environments"][0][name] = value

    if type(value) is (bool if name == "sandbox" else str):
        decode_header(json.dumps(header).encode())
    else:
        with pytest.raises(ValueError, match=rf"^Expected .*, got .* - at `\$\.environments\[0\]\.{name}`$"):
            decode_header(json.dumps(header).encode())

"""docs/reference.md says what the code declares."""

from __future__ import annotations

import re
import runpy
from pathlib import Path

import pytest_design2a11y
from pytest_design2a11y import extending
from pytest_design2a11y.models.evaluation import Evaluation
from pytest_design2a11y.models.metrics import METRICS
from pytest_design2a11y.models.records import saved_fields
from pytest_design2a11y.models.verdicts import NAMED_LIMITS, USUAL_AXES
from pytest_design2a11y.plugin.marker import MARKER_ARGUMENTS, MARKER_HELP
from pytest_design2a11y.settings.configuration import OPTIONS
from tests.factories import make_evaluation

ROOT = Path(__file__).parents[3]
FILE = ROOT / "docs" / "reference.md"


def test_the_reference_is_up_to_date() -> None:
    written = runpy.run_path(str(ROOT / "scripts" / "write_reference.py"))["reference"]()

    assert FILE.read_text(encoding="utf-8") == written, "Run `make reference`."


def test_the_api_page_is_up_to_date_and_describes_every_public_name() -> None:
    page = (ROOT / "docs" / "api.md").read_text(encoding="utf-8")

    assert page == runpy.run_path(str(ROOT / "scripts" / "write_api.py"))["api"](), "Run `make reference`."
    described = re.findall(r"^### (\w+)\n\n(?:    .*\n\n)?(.)", page, re.MULTILINE)
    assert {name for name, _ in described} == {*pytest_design2a11y.__all__, *extending.__all__}


def test_the_reference_names_every_option_fixture_and_marker_argument() -> None:
    text = FILE.read_text(encoding="utf-8")

    assert [one.name for one in OPTIONS if f"| `{one.name}" not in text] == []
    assert [name for name in MARKER_ARGUMENTS if f"| `{name}` |" not in text] == []
    assert all(f"| `{name}` |" in text for name in ("render", "reference", "candidate", "design2a11y"))


def test_the_marker_takes_every_limit_and_every_usual_axis() -> None:
    assert {*NAMED_LIMITS, "require", *USUAL_AXES} <= set(MARKER_ARGUMENTS)
    assert all(f"{name}=" in MARKER_HELP for name in MARKER_ARGUMENTS)


def test_every_key_of_the_json_and_every_metric_is_described() -> None:
    fields = {field.name for field in saved_fields(Evaluation)} - {"further_audits"}
    keys = {"schema", "audits", "reference_kind", *fields}
    described = FILE.read_text(encoding="utf-8").partition("## JSON")[2]
    defined = (ROOT / "docs" / "metrics.md").read_text(encoding="utf-8")

    assert make_evaluation("a").to_dict(has_details=True).keys() <= keys
    assert [key for key in sorted(keys) if f"`{key}`" not in described] == []
    assert [name for name in METRICS if f"`{name}`" not in defined] == []

"""Write `runs/run.schema.json`, the published description of saved runs, from the dataclasses that read them.

`python scripts/write_run_schema.py`; a test fails if the file differs from what this would write.
"""

from __future__ import annotations

import inspect
import json
import re
import textwrap
from collections.abc import Iterator
from dataclasses import is_dataclass
from pathlib import Path
from typing import Any

from pytest_design2a11y.models import audit, evaluation, page, probes, run, visual
from pytest_design2a11y.models.from_json import Count, fields_of, kind_of, required_of
from pytest_design2a11y.models.run import Evaluation
from pytest_design2a11y.runs import encoding
from pytest_design2a11y.runs.encoding import FORMAT, RUN_VERSION, Header

FILE = Path(__file__).parent.parent / "pytest_design2a11y" / "runs" / "run.schema.json"

CLASSES = {
    name: one
    for module in (audit, encoding, evaluation, page, probes, run, visual)
    for name, one in vars(module).items()
    if inspect.isclass(one)
}

#: Fields that are in details, but not in lines of a run.
DETAILS = {
    "Evaluation": {"pictures", "metric_findings"},
    "VisualScore": {"matches", "missing", "extra", "appearance_backend"},
    "RuleOutcome": {"violations", "incomplete"},
    "Audit": {"unaudited"},
}
#: Fields in every line of any version.
ALWAYS = (
    "case", "sample", "id", "axes", "reference", "candidate", "environment", "settings", "error", "visual",
    "accessibility", "reference_accessibility", "verdicts", "warnings", "page_sizes", "audit",
)  # fmt: skip


def descriptions(kind: type) -> dict[str, str]:
    """Return a class's descriptions of its fields, with its bases': from docstring and comments."""
    inherited = descriptions(kind.__base__) if kind.__base__ and is_dataclass(kind.__base__) else {}
    _, _, listed = (inspect.getdoc(kind) or "").partition("Attributes:\n")
    entries = re.split(r"\n(?=\w+: )", textwrap.dedent(listed))
    texts = {entry.partition(": ")[0].strip(): entry.partition(": ")[2] for entry in entries if ": " in entry}
    above = ""
    for line in inspect.getsource(kind).splitlines():
        if match := re.match(r"    (\w+): [^#]*?(?:  # (.*))?$", line):
            if text := match[2] or above:
                texts[match[1]] = text
            above = ""
        elif line.startswith("    # "):
            above = f"{above} {line.strip(' #')}".strip()
    return inherited | {
        name: " ".join(text.split()).replace("None", "null").rstrip(".") + "." for name, text in texts.items()
    }


def names_in(schema: Any) -> Iterator[str]:
    """Yield the names of the definitions that a schema refers to."""
    if isinstance(schema, dict):
        if "$ref" in schema:
            yield schema["$ref"].rpartition("/")[2]
        for one in schema.values():
            yield from names_in(one)
    elif isinstance(schema, list):
        for one in schema:
            yield from names_in(one)


def definition(kind: type) -> dict[str, Any]:
    """Return the schema of the JSON objects from which a dataclass is read."""
    described = descriptions(kind)
    properties = {
        name: ({"description": described[name]} if name in described else {}) | dict(one.schema)
        for name, one in fields_of(kind).items()
        if name not in DETAILS.get(kind.__name__, ())
    }
    summary = (inspect.getdoc(kind) or "").partition("\n\n")[0].replace("\n", " ")
    return {
        "description": summary,
        "type": "object",
        "required": [name for name in properties if name in required_of(kind)],
        "properties": properties,
    }


def position(table: str) -> dict[str, Any]:
    """Return the schema of an index into one of the header's tables."""
    return {
        "description": f"Position in the header's {table}, from 0.",
        "oneOf": [{"type": "null"}, kind_of(Count).schema],
    }


def make_schema() -> dict[str, Any]:
    """Return the schema of a saved run's lines."""
    found = {"header": definition(Header), "evaluation": definition(Evaluation)}
    pending = list(names_in(list(found.values())))
    while pending:
        name = pending.pop()
        if name not in found:
            found[name] = definition(CLASSES[name])
            pending += names_in(found[name])
    header, line = found["header"], found["evaluation"]
    header["required"] = ["format", "schema", *header["required"]]
    header["properties"] = {
        "format": {"const": FORMAT}, "schema": {"const": RUN_VERSION}, **header["properties"]
    }  # fmt: skip
    line["required"] = list(ALWAYS)
    line["properties"]["audits"] = line["properties"].pop("further_audits")
    line["properties"] |= {"environment": position("environments"), "settings": position("settings")}
    found["RuleOutcome"]["required"] = ["rule"]
    found["RuleOutcome"]["description"] = (
        "What one rule found. Counts that are left out are 0; texts that are left out are the header's."
    )
    score = found["VisualScore"]["properties"]
    value = score["appearance"]
    score["appearance"] = {
        "type": "object",
        "required": ["value", "backend"],
        "properties": {"value": value, "backend": kind_of(str | None).schema},
    }
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "A line of a saved run of pytest-design2a11y",
        "description": "The first line is a header, each other one an evaluation. Keys that are not named "
        "here may be added without a new format version; readers pass over them.",
        "oneOf": [{"$ref": "#/$defs/header"}, {"$ref": "#/$defs/evaluation"}],
        "$defs": found,
    }


def text() -> str:
    """Return the file's content."""
    return json.dumps(make_schema(), indent=1, ensure_ascii=False) + "\n"


if __name__ == "__main__":
    FILE.write_text(text(), encoding="utf-8")

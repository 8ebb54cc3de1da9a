"""Write `runs/run.schema.json`, the published description of saved runs, from the dataclasses that read them.

`python scripts/write_run_schema.py`; a test fails if the file differs from what this would write.
"""

from __future__ import annotations

import inspect
import json
import re
from collections.abc import Iterator
from dataclasses import Field, fields, is_dataclass
from pathlib import Path
from typing import Any

import msgspec

from pytest_design2a11y.models import audit, evaluation, metric, page, run, verdicts, visual
from pytest_design2a11y.models.evaluation import Evaluation
from pytest_design2a11y.runs import encoding
from pytest_design2a11y.runs.encoding import FORMAT, RUN_VERSION, Header

FILE = Path(__file__).parent.parent / "pytest_design2a11y" / "runs" / "run.schema.json"

CLASSES = {
    name: kind
    for module in (audit, encoding, evaluation, metric, page, run, verdicts, visual)
    for name, kind in vars(module).items()
    if inspect.isclass(kind)
}


def descriptions(kind: type) -> dict[str, str]:
    """Return what the comments at a class's fields, with its bases', say of each."""
    texts = descriptions(kind.__base__) if kind.__base__ and is_dataclass(kind.__base__) else {}
    above = ""
    for line in inspect.getsource(kind).splitlines():
        if match := re.match(r"    (\w+): [^#]*?(?:  # (.*))?$", line):
            if text := match[2] or above:
                texts[match[1]] = text.rstrip(".") + "."
            above = ""
        elif line.startswith("    # "):
            above = f"{above} {line.strip(' #')}".strip()
    return texts


def is_in_runs(field: Field[Any]) -> bool:
    """Return whether a field is in saved runs, perhaps in a short form."""
    is_saved: bool = field.metadata.get("is_in_runs", not {"is_saved", "is_detail"} & field.metadata.keys())
    return is_saved


def definitions() -> dict[str, Any]:
    """Return the schemas of all records, by the names of their classes, with descriptions of their fields."""
    _, found = msgspec.json.schema_components((Header, Evaluation), ref_template="#/$defs/{name}")
    for name, schema in found.items():
        kind = CLASSES[name]
        described = {name: text.replace("None", "null") for name, text in descriptions(kind).items()}
        left_out = (
            {field.name for field in fields(kind) if not is_in_runs(field)} if is_dataclass(kind) else ()
        )
        del schema["title"]
        schema["description"] = (inspect.getdoc(kind) or "").partition("\n\n")[0].replace("\n", " ")
        schema["properties"] = {
            key: ({"description": described[key]} if key in described else {}) | simplified(value)
            for key, value in schema["properties"].items()
            if key not in left_out
        }
    return found


def simplified(schema: dict[str, Any]) -> dict[str, Any]:
    """Return a field's schema without default; a number that may be whole is a number.

    Keys of tables are left out: msgspec tells them from 0.23 on.
    """
    kinds = [kind for kind in schema.get("anyOf", ()) if kind.get("type") != "integer"]
    if not any(kind.get("type") == "number" for kind in kinds):
        return {key: value for key, value in schema.items() if key not in {"default", "propertyNames"}}
    return kinds[0] if len(kinds) == 1 else {"anyOf": kinds}


def names_in(schema: Any) -> Iterator[str]:
    """Yield the names of the definitions that a schema refers to."""
    if isinstance(schema, dict):
        if "$ref" in schema:
            yield schema["$ref"].rpartition("/")[2]
        for value in schema.values():
            yield from names_in(value)
    elif isinstance(schema, list):
        for value in schema:
            yield from names_in(value)


def make_schema() -> dict[str, Any]:
    """Return the schema of a saved run's lines."""
    records = definitions()
    used = ["Header", "Evaluation"]
    for name in used:  # Grows meanwhile
        used += [other for other in dict.fromkeys(names_in(records[name])) if other not in used]
    found = {{"Header": "header", "Evaluation": "evaluation"}.get(name, name): records[name] for name in used}
    header, line = found["header"], found["evaluation"]
    line["properties"]["audits"] = line["properties"].pop("further_audits")
    header["required"] = ["format", "schema", *header["required"]]
    header["properties"] = {
        "format": {"const": FORMAT}, "schema": {"const": RUN_VERSION}, **header["properties"]
    }  # fmt: skip
    _, tables = msgspec.json.schema_components((encoding.Positions,))
    line["required"] += tables["Positions"]["required"]
    line["properties"] |= tables["Positions"]["properties"]
    for name, described in descriptions(encoding.Positions).items():
        line["properties"][name]["description"] = described
    found["RuleOutcome"]["required"] = ["rule"]
    found["RuleOutcome"]["description"] = (
        "What one rule found. Counts that are left out are 0; texts that are left out are the header's."
    )
    score = found["VisualScore"]["properties"]
    score["appearance"] = {
        "type": "object",
        "required": ["value", "backend"],
        "properties": {"value": score["appearance"], "backend": score.pop("appearance_backend")},
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

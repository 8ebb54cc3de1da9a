"""Encodes a run as lines of JSON, and decodes it.

The first line is the header: facts about the run, and tables that the other lines refer to (environments,
settings, texts of rules), so that a line holds only what is specific to it. Then comes one line per
evaluation, ordered by case, sample and id, its audit last. The dataclasses `Header` and `Evaluation` declare
the contents; `run.schema.json` beside this module is generated from them.
"""

import gc
import json
import re
from collections.abc import Hashable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from itertools import chain
from typing import Any, TypedDict, TypeVar

import msgspec

from pytest_design2a11y.escaping import json_line
from pytest_design2a11y.exceptions import RunUnreadable
from pytest_design2a11y.models.audit import Audit, RuleOutcome
from pytest_design2a11y.models.evaluation import Evaluation
from pytest_design2a11y.models.metric import SavedMetric
from pytest_design2a11y.models.metrics import register_saved
from pytest_design2a11y.models.page import Environment
from pytest_design2a11y.models.records import RARE, Count, Number, to_json
from pytest_design2a11y.models.run import Run, from_dict
from pytest_design2a11y.models.visual import Difference

T = TypeVar("T", bound=Hashable)

FORMAT = "design2a11y run"
#: Version of the format.
RUN_VERSION = 2

#: Start of every line, and of the audit in it: no JSON string can contain the latter unescaped.
_LINE_START = b'{"case": '
_AUDIT_START = b', "audit": {'
#: Keys that a line may end with: counts by rule.
_AUDITS = ("audit", "audits", "probe_findings")

#: Keys that are null in a line if empty.
_NULL = dict.fromkeys(("error", "visual", "accessibility"))
#: Keys of an evaluation that are in the header or are not saved.
_NOT_IN_LINES = ("schema", "reference_kind", "pictures")

#: Number of characters kept of each text of a difference.
_LONGEST_TEXT = 100


class RuleTexts(TypedDict):
    """Texts of an accessibility rule."""

    help: str
    help_url: str
    tags: tuple[str, ...]


class Conditions(TypedDict, total=False):
    """The conditions that reports compute with; others are only compared and shown.

    "reference" holds those in which the design's side differs, null if it does not record them.
    """

    scale: Number | None
    picture_scale: Number | None
    mask: tuple[str, ...] | None
    allowed_hosts: tuple[str, ...] | None
    reference: "Conditions | None"
    metrics: Mapping[str, SavedMetric]


@dataclass(frozen=True, slots=True)
class Header:
    """The first line of a saved run; further fields are in `Run`."""

    name: str
    created: str
    is_complete: bool
    num_cases: Count  # Distinct cases
    num_evaluations: Count  # Lines that follow
    num_errors: Count  # Evaluations that lack a measurement
    environments: tuple[Environment, ...]  # What produced the results; lines refer by position, from 0
    settings: tuple[Conditions, ...]  # Conditions of the numbers, by name; lines refer by position, from 0
    rules: Mapping[str, RuleTexts]  # Texts of the accessibility rules, by id
    commit: str = field(default="", metadata=RARE)
    labels: Mapping[str, str] = field(default_factory=dict, metadata=RARE)
    prompts: Mapping[str, str] = field(default_factory=dict, metadata=RARE)


@contextmanager
def without_collecting() -> Iterator[None]:
    """Pause the garbage collector: a run has no cycles, and it would traverse all records many times."""
    is_collecting = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if is_collecting:
            gc.enable()


def natural_key(text: str) -> tuple[tuple[bool, int, str], ...]:
    """Return a key that sorts texts as people do: "case 2" before "case 10"."""
    # Never converted to int: Python refuses more than 4,300 digits.
    return tuple(
        (False, len(digits := part.lstrip("0")), digits) if number % 2 else (True, 0, part)
        for number, part in enumerate(re.split(r"([0-9]+)", text))
    )


def encode(run: Run) -> Iterator[str]:
    """Return the lines of a run, without line ends."""
    ordered = sorted(
        run.evaluations, key=lambda page: tuple(map(natural_key, (page.case, page.sample, page.id)))
    )
    environments = _numbered(page.environment for page in ordered)
    settings = _numbered(map(_settings_text, ordered))
    audits = (audit for page in ordered for audit in (*page.audits.values(), *page.probe_findings.values()))
    first: dict[str, RuleOutcome] = {}
    for rule in chain.from_iterable(audit.rules for audit in audits):
        first.setdefault(rule.rule, rule)
    rules = {
        name: RuleTexts(help=rule.help, help_url=rule.help_url, tags=rule.tags)
        for name, rule in sorted(first.items())
    }
    header = Header(
        name=run.name,
        created=run.created,
        is_complete=run.is_complete,
        num_cases=len({page.case for page in ordered}),
        num_evaluations=len(ordered),
        num_errors=sum(page.error is not None for page in ordered),
        environments=tuple(environments),
        settings=tuple(json.loads(text) for text in settings),
        rules=rules,
        commit=run.commit,
        labels=dict(sorted(run.labels.items())),
        prompts=dict(sorted(run.prompts.items())),
    )
    yield _dump({"format": FORMAT, "schema": RUN_VERSION, **to_json(header)})
    for page in ordered:
        values = page.to_dict()
        record = _NULL | {name: value for name, value in values.items() if name not in _NOT_IN_LINES}
        if page.visual is not None and (blockers := page.visual.blockers):
            record["visual"] = {**values["visual"], "differences": list(map(_short, blockers))}
        record["environment"] = page.environment and environments[page.environment]
        record["settings"] = settings.get(_settings_text(page) or "")
        record["audit"] = page.audit and _audit(page.audit, rules)
        for key, more in (("audits", page.further_audits), ("probe_findings", page.probe_findings)):
            if more:
                record[key] = {name: _audit(audit, rules) for name, audit in more.items()}
        yield _dump({"case": page.case, **record})


class _Version(TypedDict):
    schema: Count


class Positions(TypedDict):
    """Where a line's environment and settings are in the header's tables."""

    environment: Count | None  # Position in the header's environments, from 0
    settings: Count | None  # Position in the header's settings, from 0


def decode_header(line: bytes) -> Header:
    """Decode the first line; RunUnreadable for one of another version, ValueError for no header."""
    record = msgspec.json.decode(line)
    if not isinstance(record, dict) or record.get("format") != FORMAT:
        raise ValueError("it does not begin with a run's header")
    schema = msgspec.convert(record, _Version)["schema"]
    if schema != RUN_VERSION:
        again = "Score its pages again, and save them under the same name."
        raise RunUnreadable(
            f"The run was saved in format version {schema}; this version reads version {RUN_VERSION}.",
            advice="Upgrade pytest-design2a11y." if schema > RUN_VERSION else again,
        )
    # With all settings, including those that are only compared
    header = replace(msgspec.convert(record, Header), settings=tuple(record["settings"]))
    for conditions in header.settings:
        register_saved(conditions.get("metrics"))
    return header


def decode_evaluation(line: bytes, header: Header, *, has_audit: bool = True) -> Evaluation:
    """Decode one of the other lines; without the counts per rule (`has_audit`) several times faster.

    Raises:
        ValueError, LookupError, TypeError: It is not valid.
    """
    if not has_audit and line.startswith(_LINE_START):
        line, found, _audit = line.partition(_AUDIT_START)
        line += b"}" if found else b""
    record = msgspec.json.decode(line)
    positions = msgspec.convert(record, Positions)
    for name in (*Positions.__annotations__, *(() if has_audit else _AUDITS)):
        record.pop(name, None)
    if record.get("audit") is not None:
        record["audit"] = _long_audit(record["audit"], header)
    for key in ("audits", "probe_findings"):
        for name, audit in record.get(key, {}).items():
            record[key][name] = _long_audit(audit, header)
    environment, settings = positions["environment"], positions["settings"]
    # Shared by all evaluations of the run
    return replace(
        from_dict(record),
        environment=None if environment is None else header.environments[environment],
        settings={} if settings is None else header.settings[settings],
    )


def _dump(value: Any) -> str:
    text = json.dumps(value, allow_nan=False)
    return json_line(value) if "\\ud" in text else text


def _settings_text(evaluation: Evaluation) -> str | None:
    return _dump(dict(evaluation.settings)) if evaluation.settings else None


def _numbered(values: Iterable[T | None]) -> dict[T, int]:
    """Number the distinct values, without None, in order of appearance."""
    distinct = dict.fromkeys(key for key in values if key is not None)
    return {key: number for number, key in enumerate(distinct)}


def _short(difference: Difference) -> dict[str, Any]:
    """Return a difference without empty values, ends of long texts, and details of its members."""
    record = to_json(difference, without={"members", "reference", "candidate"})
    sides: dict[str, Any] = {
        role: {name: _cut(value) for name, value in side.items() if value or value == 0}
        for role in ("reference", "candidate")
        if (side := getattr(difference, role)) is not None
    }
    members = [
        {key: getattr(member, key) for key in ("kind", "what", "cost")} for member in difference.members
    ]
    kept = {name: _cut(value) for name, value in record.items() if value is not None}
    return {**kept, **sides, **({"members": members} if members else {})}


def _cut(value: Any) -> Any:
    return value[:_LONGEST_TEXT] if isinstance(value, str) else value


def _audit(audit: Audit, texts: Mapping[str, Mapping[str, object]]) -> dict[str, Any]:
    """Return an audit without the texts in the header, empty values and single elements."""
    record = to_json(audit, has_details=False, without={"rules"})
    if audit.has_passes:
        del record["has_passes"]
    rules = []
    for rule in audit.rules:
        same = {name for name in RuleTexts.__annotations__ if getattr(rule, name) == texts[rule.rule][name]}
        kept = to_json(rule, has_details=False, without=same).items()
        rules.append({name: value for name, value in kept if value or name in RuleTexts.__annotations__})
    return {**record, "rules": rules}


def _long_audit(audit: Mapping[str, Any], header: Header) -> dict[str, Any]:
    nothing = dict.fromkeys(RuleTexts.__annotations__, "")
    rules = [{"impact": None, **header.rules.get(rule["rule"], nothing), **rule} for rule in audit["rules"]]
    return {**audit, "rules": rules}

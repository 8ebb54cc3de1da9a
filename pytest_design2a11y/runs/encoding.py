"""A run as lines of JSON and back.

The first line is the header: which run it is, and the tables that the other lines refer to (environments,
settings, what the rules are called), so that a line holds only what is its own. Then one line an evaluation,
ordered by case, sample and id, its audit last. `run.schema.json` beside this module describes both kinds of
line.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass, field
from typing import Any

from pytest_design2a11y.exceptions import RunUnreadable
from pytest_design2a11y.models.audit import Audit, RuleOutcome
from pytest_design2a11y.models.page import Environment
from pytest_design2a11y.models.run import Evaluation, Run
from pytest_design2a11y.models.serialization import from_dict, to_dict
from pytest_design2a11y.models.shape import require_shape
from pytest_design2a11y.runs.validation import check_evaluation, check_header, is_count

FORMAT = "design2a11y run"

#: How every line of ours starts, and where its audit begins: no JSON string can contain the latter unescaped.
_LINE_START = b'{"case": '
_AUDIT_START = b', "audit": {'


def _refuse_constant(name: str) -> None:
    raise ValueError(f"{name} is not a number that JSON has")


_DECODER = json.JSONDecoder(parse_constant=_refuse_constant)

_RULE_TEXTS = ("help", "help_url", "tags")
_RULE_COUNTS = ("impact", "num_passes", "num_violations", "num_incomplete")
_LINE_KEYS = (
    "case", "sample", "id", "axes", "reference", "candidate", "candidate_digest", "tries", "environment",
    "settings", "error", "visual", "accessibility", "delivered", "delivered_parts",
    "reference_accessibility", "engines", "merged", "probes", "verdicts", "warnings", "page_sizes", "audit",
    "audits", "probe_findings",
)  # fmt: skip

#: Keys of lines that have something for them only.
_RARE_KEYS = ("delivered_parts", "merged", "audits", "probes", "probe_findings")

#: Version of the format. In version 1 a line had `prompt` and `model` in place of `axes`.
RUN_VERSION = 2


@dataclass(frozen=True, slots=True)
class Header:
    """The first line of a saved run.

    Attributes:
        name: As saved.
        created: ISO 8601 time, UTC.
        is_complete: False where the run lacks cases or samples.
        num_cases: Distinct cases.
        num_evaluations: Lines that follow.
        num_errors: Evaluations that lack a measurement.
        environments: What produced the results; lines refer by position.
        settings: Choices that the numbers depend on; lines refer by position.
        rules: Texts of the accessibility rules, by id.
        schema: Version that the file was written in.
        labels: What its user says of it, by name.
        commit: Of the user's repository; "" where not known.
        prompts: SHA-256 of the prompt files, by name.
    """

    name: str
    created: str
    is_complete: bool
    num_cases: int
    num_evaluations: int
    num_errors: int
    environments: tuple[Environment, ...] = ()
    settings: tuple[Mapping[str, Any], ...] = ()
    rules: Mapping[str, Mapping[str, Any]] | None = None
    schema: int = RUN_VERSION
    labels: Mapping[str, str] = field(default_factory=dict)
    commit: str = ""
    prompts: Mapping[str, str] = field(default_factory=dict)


def natural_key(text: str) -> tuple[tuple[bool, int, str], ...]:
    """Order texts as people do: "case 2" before "case 10"."""
    return tuple(_natural_part(part) for part in re.split(r"([0-9]+)", text))


def _natural_part(part: str) -> tuple[bool, int, str]:
    if not (part.isdigit() and part.isascii()):
        return True, 0, part
    # A number is never made: Python refuses those of more than 4,300 digits.
    digits = part.lstrip("0")
    return False, len(digits), digits


def encode(run: Run) -> Iterator[str]:
    """Return the lines of a run, without line ends."""
    ordered = sorted(
        run.evaluations, key=lambda one: (natural_key(one.case), natural_key(one.sample), natural_key(one.id))
    )
    environments = _numbered(_environment_text(evaluation) for evaluation in ordered)
    settings = _numbered(_settings_text(evaluation) for evaluation in ordered)
    rules = _rule_texts(ordered)
    yield _dump(
        {
            "format": FORMAT,
            "schema": RUN_VERSION,
            "name": run.name,
            "created": run.created,
            "is_complete": run.is_complete,
            **({"commit": run.commit} if run.commit else {}),
            **({"labels": dict(sorted(run.labels.items()))} if run.labels else {}),
            **({"prompts": dict(sorted(run.prompts.items()))} if run.prompts else {}),
            "num_cases": len({evaluation.case for evaluation in ordered}),
            "num_evaluations": len(ordered),
            "num_errors": sum(evaluation.error is not None for evaluation in ordered),
            "environments": [json.loads(text) for text in environments],
            "settings": [json.loads(text) for text in settings],
            "rules": dict(sorted(rules.items())),
        }
    )
    for evaluation in ordered:
        record = to_dict(evaluation, has_details=False)
        record["environment"] = environments.get(_environment_text(evaluation))
        record["settings"] = settings.get(_settings_text(evaluation))
        record["audit"] = evaluation.audit and _audit(evaluation.audit, rules)
        if evaluation.further_audits:
            record["audits"] = {
                name: _audit(audit, rules) for name, audit in evaluation.further_audits.items()
            }
        if evaluation.probe_findings:
            record["probe_findings"] = {
                name: _audit(found, rules) for name, found in evaluation.probe_findings.items()
            }
        keys = (key for key in _LINE_KEYS if key in record or key not in _RARE_KEYS)
        yield _dump({key: record.get(key) for key in keys})


def decode_header(line: bytes) -> Header:
    """Read the first line.

    Raises:
        RunUnreadable: It is not a header, or of a newer version than this one.
        ValueError, KeyError, TypeError: It is damaged.
    """
    record = _DECODER.decode(line.decode("utf-8"))
    if not isinstance(record, dict) or record.get("format") != FORMAT:
        raise ValueError("it does not begin with a run's header")
    schema = record["schema"]
    if not is_count(schema):
        raise ValueError(f"schema is {schema!r:.80}, not a whole number from 0 up")
    if schema > RUN_VERSION:
        raise RunUnreadable(
            f"The run was saved in format version {schema}; this version reads up to {RUN_VERSION}.",
            stage="runs",
            advice="Upgrade pytest-design2a11y.",
        )
    check_header(record)
    return Header(
        name=record["name"],
        created=record["created"],
        is_complete=record["is_complete"],
        num_cases=record["num_cases"],
        num_evaluations=record["num_evaluations"],
        num_errors=record["num_errors"],
        environments=tuple(_environment(environment) for environment in record["environments"]),
        settings=tuple(record["settings"]),
        rules=record["rules"],
        schema=schema,
        labels=record.get("labels", {}),
        commit=record.get("commit", ""),
        prompts=record.get("prompts", {}),
    )


def decode_evaluation(line: bytes, header: Header, *, has_audit: bool = True) -> Evaluation:
    """Read one of the other lines.

    Args:
        line: The line.
        header: The run's header.
        has_audit: Whether the counts per rule are wanted; reading is several times faster without.

    Raises:
        ValueError, KeyError, TypeError, IndexError: It is damaged.
    """
    record = _parse(line, has_audit=has_audit)
    check_evaluation(record)
    environment, settings = record["environment"], record["settings"]
    record["environment"] = None if environment is None else header.environments[environment]
    record["settings"] = {} if settings is None else header.settings[settings]
    if record.get("audit") is not None:
        record["audit"] = _long_audit(record["audit"], header)
    for key in ("audits", "probe_findings"):
        for name, audit in record.get(key, {}).items():
            record[key][name] = _long_audit(audit, header)
    evaluation = from_dict(record)
    if has_audit:  # What reads runs without them uses only what was checked above.
        require_shape(evaluation)
    return evaluation


def _parse(line: bytes, *, has_audit: bool) -> dict[str, Any]:
    if not has_audit and line.startswith(_LINE_START):
        line, found, _audit = line.partition(_AUDIT_START)
        line += b"}" if found else b""
    record = _DECODER.decode(line.decode("utf-8"))
    if not isinstance(record, dict):
        raise ValueError("it is not an object")
    if not has_audit:
        record.pop("audit", None)
        record.pop("audits", None)
        record.pop("probe_findings", None)
    return record


def _dump(value: Any) -> str:
    return json.dumps(value, allow_nan=False)


def _environment_text(evaluation: Evaluation) -> str:
    return "" if evaluation.environment is None else _dump(asdict(evaluation.environment))


def _settings_text(evaluation: Evaluation) -> str:
    return _dump(dict(evaluation.settings)) if evaluation.settings else ""


def _numbered(texts: Iterable[str]) -> dict[str, int]:
    """Number the distinct texts, empty ones left out, in order of appearance."""
    return {text: place for place, text in enumerate(dict.fromkeys(text for text in texts if text))}


def _rule_texts(evaluations: Iterable[Evaluation]) -> dict[str, dict[str, Any]]:
    texts: dict[str, dict[str, Any]] = {}
    for evaluation in evaluations:
        audits = (*evaluation.audits.values(), *evaluation.probe_findings.values())
        for rule in (rule for audit in audits for rule in audit.rules):
            if rule.rule not in texts:
                texts[rule.rule] = {key: getattr(rule, key) for key in _RULE_TEXTS}
    return texts


def _audit(audit: Audit, texts: Mapping[str, Mapping[str, Any]]) -> dict[str, Any]:
    return {
        "engine": audit.engine,
        "version": audit.version,
        "elements_checked": audit.elements_checked,
        "elements_failed": audit.elements_failed,
        **({} if audit.has_passes else {"has_passes": False}),
        "rules": [_short_rule(rule, texts[rule.rule]) for rule in audit.rules],
    }


def _short_rule(rule: RuleOutcome, texts: Mapping[str, Any]) -> dict[str, Any]:
    """Leave out what the header tells, what is nothing, and the elements one by one."""
    record: dict[str, Any] = {"rule": rule.rule}
    record |= {key: getattr(rule, key) for key in _RULE_TEXTS if getattr(rule, key) != texts[key]}
    record |= {key: getattr(rule, key) for key in _RULE_COUNTS if getattr(rule, key)}
    if rule.violations_by_impact:
        record["violations_by_impact"] = dict(rule.violations_by_impact)
    return record


def _long_audit(audit: Mapping[str, Any], header: Header) -> dict[str, Any]:
    return {**audit, "rules": [_long_rule(rule, header.rules or {}) for rule in audit["rules"]]}


def _long_rule(rule: Mapping[str, Any], texts: Mapping[str, Mapping[str, Any]]) -> dict[str, Any]:
    return {"impact": None, **texts.get(rule["rule"], dict.fromkeys(_RULE_TEXTS, "")), **rule}


def _environment(record: Mapping[str, Any]) -> Environment:
    holder = from_dict({"id": "", "case": "", "sample": "", "candidate": "", "environment": record})
    assert holder.environment is not None
    return holder.environment

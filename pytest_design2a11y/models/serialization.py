"""Evaluations as JSON and back: the one shape that the command line prints and runs are saved in."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import asdict, fields, replace
from functools import cache
from operator import attrgetter, itemgetter
from typing import Any, TypeVar

from pytest_design2a11y.models.audit import (
    AccessibilityRates,
    Audit,
    CheckedNode,
    EngineCounts,
    MergedCounts,
    RuleOutcome,
)
from pytest_design2a11y.models.metrics import METRICS, SCHEMA_VERSION
from pytest_design2a11y.models.page import CaptureWarning, Environment
from pytest_design2a11y.models.probes import ProbeCounts
from pytest_design2a11y.models.run import Evaluation, Failure, Verdict, read_axes
from pytest_design2a11y.models.visual import Block, Difference, Match, VisualScore

T = TypeVar("T")


def _read(part: str, names: Mapping[str, str]) -> Callable[[Any], tuple[float | None, ...]]:
    """Return what reads the metrics of one part of an evaluation from what holds them."""
    return attrgetter(*(names.get(one.id, one.id) for one in METRICS.values() if one.part == part))


_PARTS = ("visual", "accessibility")
_READ_VISUAL, _READ_RATES = _read("visual", {"visual": "score"}), _read("accessibility", {})
_NO_VISUAL, _NO_RATES = ([None] * sum(one.part == part for one in METRICS.values()) for part in _PARTS)
_VISUAL_KEYS = [one.id for one in METRICS.values() if one.part == "visual" and one.id != "visual"]
_IN_PARTS = [
    one.id for part in (*_PARTS, "delivered", "probes") for one in METRICS.values() if one.part == part
]
_IN_ORDER = itemgetter(*(_IN_PARTS.index(metric) for metric in METRICS))


def metric_value(evaluation: Evaluation, metric: str) -> float | None:
    """Return the value of a metric by its id, None where it was not measured.

    Raises:
        KeyError: There is no such metric.
    """
    part = METRICS[metric].part
    holder = getattr(evaluation, part) if part in _PARTS else evaluation
    value: float | None = (
        None if holder is None else getattr(holder, "score" if metric == "visual" else metric)
    )
    return value


def metric_values(evaluation: Evaluation) -> list[float | None]:
    """Return the values of all metrics, in the order of `METRICS`."""
    visual, rates = evaluation.visual, evaluation.accessibility
    values = (
        *(_NO_VISUAL if visual is None else _READ_VISUAL(visual)),
        *(_NO_RATES if rates is None else _READ_RATES(rates)),
        evaluation.delivered,
        evaluation.probe_failures,
    )
    return list(_IN_ORDER(values))


def to_dict(evaluation: Evaluation, *, has_details: bool = True) -> dict[str, Any]:
    """Return an evaluation as JSON values, in a stable order of keys.

    Args:
        evaluation: What to write.
        has_details: Whether blocks, rules and elements are told one by one.
    """
    record: dict[str, Any] = {
        "schema": SCHEMA_VERSION,
        "id": evaluation.id,
        "case": evaluation.case,
        "sample": evaluation.sample,
        "axes": dict(evaluation.axes),
        "reference": evaluation.reference,
        "reference_kind": evaluation.reference_kind,
        "candidate": evaluation.candidate,
        "candidate_digest": evaluation.candidate_digest,
        "tries": evaluation.tries,
    }
    if evaluation.error is not None:
        record["error"] = asdict(evaluation.error)
    if evaluation.visual is not None:
        record["visual"] = _visual_to_dict(evaluation.visual, has_details=has_details)
    if evaluation.accessibility is not None:
        record["accessibility"] = asdict(evaluation.accessibility)
    record["delivered"] = evaluation.delivered
    if evaluation.delivered_parts:
        record["delivered_parts"] = dict(evaluation.delivered_parts)
    if evaluation.reference_accessibility is not None:
        record["reference_accessibility"] = asdict(evaluation.reference_accessibility)
    if evaluation.severity_note:
        record["severity_note"] = evaluation.severity_note
    if evaluation.audit is not None and has_details:
        record["audit"] = _audit_to_dict(evaluation.audit)
    if evaluation.further_audits and has_details:
        record["audits"] = {name: _audit_to_dict(audit) for name, audit in evaluation.further_audits.items()}
    if evaluation.merged is not None:
        record["merged"] = asdict(evaluation.merged)
    record["engines"] = {name: asdict(counts) for name, counts in evaluation.engines.items()}
    if evaluation.probes:
        record["probes"] = {name: asdict(counts) for name, counts in evaluation.probes.items()}
    if evaluation.probe_findings and has_details:
        record["probe_findings"] = {
            name: _audit_to_dict(one) for name, one in evaluation.probe_findings.items()
        }
    record["verdicts"] = [asdict(verdict) for verdict in evaluation.verdicts]
    record["warnings"] = [asdict(warning) for warning in evaluation.warnings]
    record["environment"] = None if evaluation.environment is None else asdict(evaluation.environment)
    record["settings"] = dict(evaluation.settings)
    record["page_sizes"] = {role: list(size) for role, size in evaluation.page_sizes.items()}
    record["pictures"] = dict(evaluation.pictures)
    return record


def from_dict(record: Mapping[str, Any]) -> Evaluation:
    """Read what `to_dict` wrote; keys that this version does not know are passed over.

    The environment may be an `Environment` already, for records that share one.

    Raises:
        KeyError, TypeError: The record lacks what an evaluation needs.
    """
    return Evaluation(
        id=record["id"],
        case=record["case"],
        sample=record["sample"],
        axes=read_axes(record),
        reference=record.get("reference"),
        candidate=record["candidate"],
        tries=record.get("tries", 1),
        candidate_digest=record.get("candidate_digest"),
        error=_optional(Failure, record.get("error")),
        visual=_visual_from_dict(record.get("visual")),
        accessibility=_optional(AccessibilityRates, record.get("accessibility")),
        reference_accessibility=_optional(AccessibilityRates, record.get("reference_accessibility")),
        engines={name: _known(EngineCounts, counts) for name, counts in record.get("engines", {}).items()},
        audit=_audit_from_dict(record.get("audit")),
        further_audits=_audits_from_dict(record.get("audits")),
        merged=_optional(MergedCounts, record.get("merged")),
        probes={name: _known(ProbeCounts, counts) for name, counts in record.get("probes", {}).items()},
        probe_findings=_audits_from_dict(record.get("probe_findings")),
        verdicts=tuple(_known(Verdict, verdict) for verdict in record.get("verdicts", ())),
        warnings=tuple(_known(CaptureWarning, warning) for warning in record.get("warnings", ())),
        environment=_environment_from_dict(record.get("environment")),
        settings=record.get("settings", {}),
        page_sizes={role: (size[0], size[1]) for role, size in record.get("page_sizes", {}).items()},
        pictures=record.get("pictures", {}),
        delivered=record.get("delivered"),
        delivered_parts=record.get("delivered_parts", {}),
    )


def _known(kind: type[T], values: Mapping[str, Any], **more: Any) -> T:
    names = _field_names(kind)  # type: ignore[arg-type]
    if values.keys() <= names:
        return kind(**{**values, **more})
    return kind(**{name: value for name, value in values.items() if name in names} | more)


@cache
def _field_names(kind: type[Any]) -> frozenset[str]:
    return frozenset(field.name for field in fields(kind))


def _optional(kind: type[T], values: Mapping[str, Any] | None) -> T | None:
    return None if values is None else _known(kind, values)


def _visual_to_dict(visual: VisualScore, *, has_details: bool) -> dict[str, Any]:
    record: dict[str, Any] = {"score": visual.score}
    record |= {key: getattr(visual, key) for key in _VISUAL_KEYS}
    record["appearance"] = {"value": visual.appearance, "backend": visual.appearance_backend}
    record["text_ratio"] = visual.text_ratio
    if visual.published is not None:
        record["published"] = visual.published
    if has_details:
        record["matches"] = [_match_to_dict(match) for match in visual.matches]
        record["missing"] = [_block_to_dict(block) for block in visual.missing]
        record["extra"] = [_block_to_dict(block) for block in visual.extra]
        record["differences"] = [asdict(one) for one in visual.differences]
    return record


def _match_to_dict(match: Match) -> dict[str, Any]:
    blocks = {"reference": _block_to_dict(match.reference), "candidate": _block_to_dict(match.candidate)}
    return asdict(match) | blocks


def _block_to_dict(block: Block) -> dict[str, Any]:
    """Return a block as JSON values; only one that was read from a picture has a confidence."""
    record = {"text": block.text, "box": block.box, "color": block.color}
    return record if block.confidence is None else {**record, "confidence": block.confidence}


def _visual_from_dict(record: Mapping[str, Any] | None) -> VisualScore | None:
    if record is None:
        return None
    appearance = record["appearance"]
    return _known(
        VisualScore,
        record,
        appearance=appearance["value"],
        appearance_backend=appearance["backend"],
        matches=tuple(
            _known(Match, match, reference=_block(match["reference"]), candidate=_block(match["candidate"]))
            for match in record.get("matches", ())
        ),
        missing=tuple(_block(block) for block in record.get("missing", ())),
        extra=tuple(_block(block) for block in record.get("extra", ())),
        differences=tuple(_known(Difference, one) for one in record.get("differences", ())),
    )


def _block(record: Mapping[str, Any]) -> Block:
    return Block(record["text"], tuple(record["box"]), tuple(record["color"]), record.get("confidence"))


def _audit_to_dict(audit: Audit) -> dict[str, Any]:
    record = asdict(replace(audit, failures=None))
    del record["failures"]
    return record


def _audit_from_dict(record: Mapping[str, Any] | None) -> Audit | None:
    if record is None:
        return None
    # The key's name in runs of 0.1.
    version = record.get("version", record.get("axe_version", ""))
    return _known(Audit, record, version=version, rules=tuple(_rule(rule) for rule in record["rules"]))


def _audits_from_dict(record: Mapping[str, Any] | None) -> dict[str, Audit]:
    audits = {name: _audit_from_dict(audit) for name, audit in (record or {}).items()}
    return {name: audit for name, audit in audits.items() if audit is not None}


def _rule(record: Mapping[str, Any]) -> RuleOutcome:
    return _known(
        RuleOutcome,
        record,
        tags=tuple(record["tags"]),
        violations=tuple(_node(node) for node in record.get("violations", ())),
        incomplete=tuple(_node(node) for node in record.get("incomplete", ())),
    )


def _node(record: Mapping[str, Any]) -> CheckedNode:
    box = record.get("box")
    return _known(CheckedNode, record, box=None if box is None else tuple(box))


def _environment_from_dict(record: Mapping[str, Any] | Environment | None) -> Environment | None:
    if record is None or isinstance(record, Environment):
        return record
    return _known(Environment, record)

"""Saved lines checked where they come in: nothing that is compared is taken on trust.

`run.schema.json` describes the lines in full; these checks are the part of it that comparisons, limits and
reports rest on, fast enough for tens of thousands of lines.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import MISSING
from typing import Any

from pytest_design2a11y.models.audit import AccessibilityRates
from pytest_design2a11y.models.metrics import METRICS
from pytest_design2a11y.models.run import read_axes
from pytest_design2a11y.models.shape import LARGEST, is_number
from pytest_design2a11y.models.visual import VisualScore


def _required(part: str, kind: type[Any]) -> dict[str, bool]:
    """Return the metrics of a part that are shares, and whether a record must have each."""
    fields = kind.__dataclass_fields__
    names = (one.id for one in METRICS.values() if one.part == part and one.upper == 1)
    return {name: fields[name].default is MISSING for name in names if name in fields.keys() - {"appearance"}}


_VISUAL, _RATES = _required("visual", VisualScore), _required("accessibility", AccessibilityRates)
_PARTS = dict.fromkeys(("on_page", "unaudited", "failures", "others"), True)
_COUNTS = ("checked", "failed", "incomplete", "elements_checked", "elements_failed")
_TEXTS = ("case", "sample", "id", "candidate")
_STATUSES = ("green", "yellow", "red")
_RATIOS = ("indel", "difflib")
_ROUNDING = 1e-9
_OPERATORS = (">", ">=", "<", "<=")

Check = Callable[[Any], bool]


def is_share(value: Any) -> bool:
    """Tell whether a value is a number from 0 to 1, but for the last digits of a sum."""
    return is_number(value) and -_ROUNDING <= value <= 1 + _ROUNDING


def is_count(value: Any) -> bool:
    """Tell whether a value is a whole number from 0 up."""
    return type(value) is int and 0 <= value <= LARGEST


def check_header(record: Mapping[str, Any]) -> None:
    """Check the first line of a saved run.

    Raises:
        ValueError: A value is not what it has to be; the message names it.
        KeyError: One is missing.
    """
    _require(record, ("name",), _is_text, "a text")
    _require(record, ("num_cases", "num_evaluations", "num_errors"), is_count, "a whole number from 0 up")
    _require(record, ("is_complete",), lambda value: type(value) is bool, "true or false")
    _require(record, ("environments", "settings"), _is_list_of_objects, "a list of objects")
    for environment in record["environments"]:
        _check_environment(environment)
    for settings in record["settings"]:
        _check_settings(settings)
    _require(record, ("rules",), _is_object, "an object")
    check_said(record)


def check_said(record: Mapping[str, Any]) -> None:
    """Check what the first line of a saved run, or of its index, says of the run.

    Raises:
        ValueError: A value is not what it has to be; the message names it.
        KeyError: One is missing.
    """
    _require(record, ("created",), _is_text, "a text")
    _require({"commit": "", **record}, ("commit",), _is_text, "a text")
    texts = {"labels": {}, "prompts": {}, **record}
    _require(texts, ("labels", "prompts"), _is_object_of_texts, "an object of texts")


def check_evaluation(record: Mapping[str, Any]) -> None:
    """Check another line of a saved run.

    Raises:
        ValueError: A value is not what it has to be; the message names it.
        KeyError: One is missing.
    """
    _require(record, _TEXTS, _is_text, "a text")
    _require({"candidate_digest": None, **record}, ("candidate_digest",), _is_text_or_none, "a text or null")
    _require(record, ("environment", "settings"), _is_position, "a position in the header's list")
    read_axes(record)
    visual = record.get("visual")
    if visual is not None:
        _require_object("visual", visual)
        _require_shares(visual, {"score": True, **_VISUAL}, "visual.")
        _require_object("visual.appearance", visual["appearance"])
        _require(visual["appearance"], ("backend",), _is_text_or_none, "a text or null", "visual.appearance.")
        _require(visual, ("text_ratio",), _RATIOS.__contains__, f"one of {', '.join(_RATIOS)}", "visual.")
        _require_shares({"value": None, **visual["appearance"]}, {"value": False}, "visual.appearance.")
    _require_shares(record, {"delivered": False})
    if record.get("delivered_parts") is not None:
        _require_object("delivered_parts", record["delivered_parts"])
        _require_shares(record["delivered_parts"], _PARTS, "delivered_parts.")
    for name in ("accessibility", "reference_accessibility"):
        if record.get(name) is not None:
            _check_rates(name, record[name])
    for name, counts in record.get("probes", {}).items():
        _check_probe(f"probes.{name}", counts)
    for verdict in record.get("verdicts", ()):
        _check_verdict(verdict)
    if record.get("error") is not None:
        _require_object("error", record["error"])
        _require(record["error"], ("type", "message"), _is_text, "a text", "error.")


def _check_environment(environment: Mapping[str, Any]) -> None:
    facts = {"sandbox": True, **environment}
    is_sandboxed = facts.pop("sandbox")
    _require({"sandbox": is_sandboxed}, ("sandbox",), lambda value: type(value) is bool, "true or false")
    _require(facts, tuple(facts), _is_text_or_none, "a text or null", "environments.")


def _check_settings(settings: Mapping[str, Any]) -> None:
    """Check the conditions that reports compute with; the others are only compared and shown."""
    _require_settings(settings, is_number, "a number", ("scale", "picture_scale"))
    _require_settings(settings, _is_list_of_texts, "a list of texts", ("mask", "allowed_hosts"))
    own = settings.get("reference")
    if own is not None:
        _require_object("settings.reference", own)
        # What the design's side does not tell is null there.
        _check_settings({name: value for name, value in own.items() if value is not None})


def _require_settings(settings: Mapping[str, Any], is_valid: Check, what: str, names: Sequence[str]) -> None:
    _require(settings, tuple(name for name in names if name in settings), is_valid, what, "settings.")


def _check_rates(name: str, rates: Any) -> None:
    _require_object(name, rates)
    _require_shares(rates, _RATES, f"{name}.")
    _require(rates, _COUNTS, is_count, "a whole number from 0 up", f"{name}.")
    _require(rates, ("status",), _STATUSES.__contains__, f"one of {', '.join(_STATUSES)}", f"{name}.")


def _check_probe(name: str, counts: Any) -> None:
    _require_object(name, counts)
    is_whole = counts.get("error") is None
    is_valid, what = (is_count, "a whole number from 0 up") if is_whole else (_is_none, "null")
    _require(counts, ("passed", "failed", "unsure"), is_valid, what, f"{name}.")


def _check_verdict(verdict: Any) -> None:
    _require_object("verdict", verdict)
    _require(verdict, ("limit", "value"), is_number, "a number", "verdict.")
    _require(verdict, ("operator",), _OPERATORS.__contains__, f"one of {' '.join(_OPERATORS)}", "verdict.")
    _require(verdict, ("is_passed",), lambda value: type(value) is bool, "true or false", "verdict.")


def _is_position(value: Any) -> bool:
    return value is None or is_count(value)


def _is_none(value: Any) -> bool:
    return value is None


def _is_text(value: Any) -> bool:
    return type(value) is str


def _is_text_or_none(value: Any) -> bool:
    return value is None or _is_text(value)


def _is_object(value: Any) -> bool:
    return isinstance(value, Mapping)


def _is_object_of_texts(value: Any) -> bool:
    return _is_object(value) and all(map(_is_text, value.values()))


def _is_list_of_objects(value: Any) -> bool:
    return isinstance(value, list) and all(map(_is_object, value))


def _is_list_of_texts(value: Any) -> bool:
    return isinstance(value, list) and all(map(_is_text, value))


def _require_shares(record: Mapping[str, Any], names: Mapping[str, bool], prefix: str = "") -> None:
    for name, is_required in names.items():
        if is_required or record.get(name) is not None:
            _require(record, (name,), is_share, "a number from 0 to 1", prefix)


def _require_object(name: str, value: Any) -> None:
    if not _is_object(value):
        raise ValueError(f"{name} is {value!r:.80}, not an object")


def _require(
    record: Mapping[str, Any], names: tuple[str, ...], is_valid: Check, what: str, prefix: str = ""
) -> None:
    for name in names:
        value = record[name]
        if not is_valid(value):
            raise ValueError(f"{prefix}{name} is {value!r:.80}, not {what}")

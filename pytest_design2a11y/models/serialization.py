"""Records as JSON values, in the single form that is both printed and saved."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from functools import cache
from typing import Any

from pytest_design2a11y.models.visual import Difference


def difference_to_json(difference: Difference) -> dict[str, Any]:
    """Return a difference as JSON values, with its sentence."""
    from pytest_design2a11y.models.words import in_words

    record: dict[str, Any] = to_json(difference, without={"members"})
    record["message"] = in_words(difference)
    return {**record, "members": list(map(difference_to_json, difference.members))}


def to_json(value: Any, *, without: frozenset[str] | set[str] = frozenset()) -> Any:
    """Return dataclasses and containers of them as JSON values, `without` some fields."""
    if is_dataclass(value):
        return {
            name: to_json(getattr(value, name))
            for name, is_always in _saved_fields(type(value))  # type: ignore[arg-type]
            if name not in without and (is_always or getattr(value, name) is not None)
        }
    if isinstance(value, Mapping):
        return {name: to_json(content) for name, content in value.items()}
    return list(map(to_json, value)) if isinstance(value, list | tuple) else value


@cache
def _saved_fields(kind: Any) -> tuple[tuple[str, bool], ...]:
    saved = [(field.name, field.metadata.get("saved")) for field in fields(kind)]
    return tuple((name, when is None) for name, when in saved if when != "never")

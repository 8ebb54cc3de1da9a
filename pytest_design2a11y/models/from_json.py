"""Reads dataclasses from JSON and checks every value against what its field declares.

The fields, with what `Annotated` adds to their types, are the only definition of what a saved record may
hold: `run.schema.json` is generated from the same fields (`scripts/write_run_schema.py`).
"""

from __future__ import annotations

import typing
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import MISSING, Field, dataclass, is_dataclass
from functools import cache
from types import UnionType
from typing import Annotated, Any, Literal, NamedTuple, NoReturn, TypeVar

T = TypeVar("T")

# Larger whole numbers are not exact in a JSON double.
_LARGEST = 2**53
_ROUNDING = 1e-9

#: Metadata of fields that are not saved, and of fields that are saved unless they are None.
NOT_SAVED, SAVED_IF_SET = {"saved": "never"}, {"saved": "if set"}


class Unfit(ValueError):
    """A value that does not match what its place in a record declares."""

    def __init__(self, reason: str, place: str = "") -> None:
        super().__init__(f"{place or 'it'} {reason}")
        self.reason = reason
        self.place = place

    def within(self, name: str) -> Unfit:
        """Return the same error located in the container of the value."""
        dot = "." if self.place and not self.place.startswith("[") else ""
        return Unfit(self.reason, f"{name}{dot}{self.place}")


class Kind(NamedTuple):
    """How the values of a type are read, named and checked."""

    read: Callable[[Any], Any]  # Makes a value from JSON, or raises `Unfit`
    words: str  # Name of the type in messages
    schema: Mapping[str, Any]  # The same as JSON Schema
    # For types whose values are used as they are: checks a value; None for others
    holds: Callable[[Any], bool] | None = None
    types: frozenset[type] = frozenset()  # Types that surely match, without calling `holds`


@dataclass(frozen=True, eq=False)
class Rule:
    """A rule on values beyond their type, for `Annotated`; `holds` accepts any JSON value."""

    holds: Callable[[Any], bool]
    words: str
    schema: Mapping[str, Any]


def refuse_constant(name: str) -> NoReturn:
    """Refuse NaN and infinities, which Python's JSON reader accepts by default.

    Raises:
        ValueError: Always.
    """
    raise ValueError(f"{name} is not a number that JSON has")


def is_number(value: Any) -> bool:
    """Check whether a value is a finite number, excluding True and False."""
    return (type(value) is float or type(value) is int) and -_LARGEST <= value <= _LARGEST


def is_count(value: Any) -> bool:
    """Check whether a value is a whole number, at least 0."""
    return type(value) is int and 0 <= value <= _LARGEST


Share = Annotated[
    float,
    Rule(
        lambda value: type(value) in (float, int) and -_ROUNDING <= value <= 1 + _ROUNDING,
        "a number from 0 to 1",
        {"minimum": 0, "maximum": 1},
    ),
]
"""A number from 0 to 1, but for the last digits of a sum."""

Count = Annotated[int, Rule(is_count, "a whole number from 0 up", {"minimum": 0})]

Amount = Annotated[
    float, Rule(lambda value: is_number(value) and value >= 0, "a number from 0 on", {"minimum": 0})
]


def from_json(kind: type[T], record: Any) -> T:
    """Make a dataclass from a JSON object.

    Keys that it does not declare are ignored, or refused if it `is_closed`.

    Raises:
        Unfit: A value is missing or not what its field declares; the message names it.
    """
    made: T = kind_of(kind).read(record)  # type: ignore[arg-type]  # Classes are hashable.
    return made


@cache
def kind_of(hint: Any) -> Kind:
    """Return the kind of a type: a plain type, a dataclass, or a container of them."""
    if hint in _PLAIN:
        return _checked(*_PLAIN[hint])
    if is_dataclass(hint) or typing.is_typeddict(hint):
        return Kind(_record_reader(hint), "an object", {"$ref": f"#/$defs/{hint.__name__}"})
    origin, parts = typing.get_origin(hint), typing.get_args(hint)
    if origin is Annotated:
        base, rule = kind_of(parts[0]), parts[1]
        ruled = _checked(rule.holds, rule.words, {**base.schema, **rule.schema})
        if parts[0] in _PLAIN:
            return ruled
        return ruled._replace(read=lambda value: ruled.read(base.read(value)), holds=None)
    if origin is Literal:
        words = f"one of {' '.join(parts)}"
        return _checked(lambda value: type(value) is str and value in parts, words, {"enum": list(parts)})
    if origin in (typing.Union, UnionType):
        (present,) = [kind_of(part) for part in parts if part is not type(None)]
        return _optional(present)
    if origin is Mapping:
        return _mapping(parts)
    return _tuple((*parts, ...) if origin is Sequence else parts)


def fields_of(kind: Any) -> dict[str, Kind]:
    """Return the kind of each field of a dataclass or `TypedDict`, without those that are not saved."""
    declared: Mapping[str, Any] = getattr(kind, "__dataclass_fields__", kind.__annotations__)
    hints = typing.get_type_hints(kind, include_extras=True)
    return {
        name: kind_of(hints[name])
        for name, field in declared.items()
        if not (isinstance(field, Field) and field.metadata.get("saved") == "never")
    }


def required_of(kind: Any) -> frozenset[str]:
    """Return the required fields of a record."""
    if typing.is_typeddict(kind):
        return frozenset(kind.__required_keys__)
    declared: Mapping[str, Field[Any]] = kind.__dataclass_fields__
    return frozenset(
        name for name, field in declared.items() if field.default is MISSING is field.default_factory
    )


def _record_reader(kind: Any) -> Callable[[Any], Any]:
    required, is_object = required_of(kind), typing.is_typeddict(kind)
    is_closed = getattr(kind, "is_closed", False)
    known: dict[str, tuple[frozenset[type], Callable[[Any], bool] | None, Callable[[Any], Any]]] = {}

    def read(record: Any) -> Any:
        if type(record) is kind:
            return record
        if type(record) is not dict and not isinstance(record, Mapping):
            _refuse(record, "an object")
        if not known:  # Only now, because a record may contain its own kind.
            known.update(
                {name: (field.types, field.holds, field.read) for name, field in fields_of(kind).items()}
            )
        values = {}
        for name, value in record.items():
            if name not in known:
                if is_closed:
                    raise Unfit(f"has {name!r:.80}, which the format does not know")
                continue
            types, holds, reader = known[name]
            if type(value) in types or (holds is not None and holds(value)):  # Fast path for most values.
                values[name] = value
                continue
            try:
                values[name] = reader(value)
            except Unfit as error:
                raise error.within(name) from None
        if not required <= values.keys():
            raise Unfit("is missing", min(required - values.keys()))
        return record if is_object else kind(**values)

    return read


def _refuse(value: Any, words: str) -> NoReturn:
    raise Unfit(f"is {value!r:.80}, not {words}")


def _checked(
    holds: Callable[[Any], bool], words: str, schema: Mapping[str, Any], types: Iterable[type] = ()
) -> Kind:
    def read(value: Any) -> Any:
        return value if holds(value) else _refuse(value, words)

    return Kind(read, words, schema, holds, frozenset(types))


def _optional(present: Kind) -> Kind:
    words, schema = f"{present.words} or null", {"oneOf": [{"type": "null"}, present.schema]}
    if (holds := present.holds) is not None:
        types = {*present.types, type(None)}
        return _checked(lambda value: value is None or holds(value), words, schema, types)

    def read(value: Any) -> Any:
        if value is None:
            return None
        try:
            return present.read(value)
        except Unfit as error:
            if error.place:
                raise
        return _refuse(value, words)

    return Kind(read, words, schema, None, frozenset({type(None)}))


def _mapping(parts: tuple[Any, ...]) -> Kind:
    of_name, of_value = map(kind_of, parts)
    is_name, is_value = of_name.holds, of_value.holds

    def read(value: Any) -> Any:
        if type(value) is not dict and not isinstance(value, Mapping):
            _refuse(value, "an object")
        if parts[1] is Any:
            return value
        # Fast path for most values.
        if is_name and is_value and all(map(is_name, value)) and all(map(is_value, value.values())):
            return dict(value)
        made = {}
        for name, content in value.items():
            try:
                made[of_name.read(name)] = of_value.read(content)
            except Unfit as error:
                raise error.within(name) from None
        return made

    names = {} if parts[0] is str else {"propertyNames": of_name.schema}
    return Kind(read, "an object", {"type": "object", **names, "additionalProperties": of_value.schema})


def _tuple(parts: tuple[Any, ...]) -> Kind:
    is_long = parts[-1] is Ellipsis
    kinds = [kind_of(part) for part in parts if part is not Ellipsis]
    size = len(kinds)
    holds = kinds[0].holds if len(set(map(id, kinds))) == 1 else None
    words = "a list" if is_long else f"a list of {size}"

    def read(value: Any) -> Any:
        if type(value) not in (list, tuple) or not (is_long or len(value) == size):
            _refuse(value, words)
        if holds is not None and all(map(holds, value)):  # Fast path for most values.
            return tuple(value)
        made = []
        for place, part in enumerate(value):
            try:
                made.append(kinds[0 if is_long else place].read(part))
            except Unfit as error:
                raise error.within(f"[{place}]") from None
        return tuple(made)

    if is_long:
        return Kind(read, words, {"type": "array", "items": kinds[0].schema})
    schemas = [kind.schema for kind in kinds]
    limits = {"minItems": size, "maxItems": size}
    return Kind(read, words, {"type": "array", "prefixItems": schemas, **limits})


_PLAIN: dict[Any, tuple[Any, ...]] = {
    Any: (lambda value: True, "a value", {}),
    str: (lambda value: type(value) is str, "a text", {"type": "string"}, {str}),
    bool: (lambda value: type(value) is bool, "true or false", {"type": "boolean"}, {bool}),
    int: (lambda value: type(value) is int and is_number(value), "a whole number", {"type": "integer"}),
    float: (is_number, "a number", {"type": "number"}),
}

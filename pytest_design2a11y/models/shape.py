"""Whether a record that came from a file holds what its class declares, down to the last number.

JSON may hold anything anywhere, and what uses a record afterwards (scores, reports, comparisons) rests on the
types of its fields.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import is_dataclass
from functools import cache
from operator import attrgetter
from types import UnionType
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints

from pytest_design2a11y.models import metrics

Test = Callable[[Any], bool]

# Whole numbers beyond this are not exact in a JSON double.
LARGEST = 2**53


def is_number(value: Any) -> bool:
    """Tell whether a value is a number that can be computed with, but not true or false."""
    return type(value) in (int, float) and -LARGEST <= value <= LARGEST


def require_shape(record: Any) -> None:
    """Check a record and the records within it.

    Args:
        record: An instance of one of the dataclasses of `models`.

    Raises:
        ValueError: A field holds something else than it declares; the message names it.
    """
    for name, read, fits in _fields(type(record)):  # type: ignore[arg-type]
        value = read(record)
        if not fits(value):
            raise ValueError(f"{name} of {type(record).__name__} is {value!r:.80}, which is not valid there")


@cache
def _fields(kind: type[Any]) -> tuple[tuple[str, Callable[[Any], Any], Test], ...]:
    # Some modules import the names of these types for checking alone.
    hints = get_type_hints(kind, localns=vars(metrics))
    names = [name for name in hints if name in kind.__dataclass_fields__]
    return tuple((name, attrgetter(name), _test(hints[name])) for name in names)


@cache
def _test(hint: Any) -> Test:
    origin, parts = get_origin(hint), get_args(hint)
    if hint is Any:
        return lambda value: True
    if hint is float:
        return is_number
    if hint is int:
        return lambda value: type(value) is int and is_number(value)
    if isinstance(hint, type) and is_dataclass(hint):
        return lambda value: isinstance(value, hint) and _has_shape(value)
    if origin is Literal:
        return lambda value: type(value) is str and value in parts
    if origin in (Union, UnionType):
        tests = [_test(part) for part in parts]
        return lambda value: any(fits(value) for fits in tests)
    if origin is tuple:
        return _tuple_test(parts)
    if origin is Mapping:
        of_key, of_value = map(_test, parts)
        return lambda value: (
            isinstance(value, Mapping) and all(map(of_key, value)) and all(map(of_value, value.values()))
        )
    return lambda value: type(value) is hint


def _has_shape(record: Any) -> bool:
    """Return True; otherwise raise, so that the innermost field is named."""
    require_shape(record)
    return True


def _tuple_test(parts: tuple[Any, ...]) -> Test:
    if parts[-1] is Ellipsis:
        fits = _test(parts[0])
        return lambda value: type(value) is tuple and all(map(fits, value))
    tests = [_test(part) for part in parts]
    return lambda value: (
        type(value) is tuple
        and len(value) == len(tests)
        and all(test(part) for test, part in zip(tests, value, strict=True))
    )

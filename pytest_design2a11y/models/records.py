"""What the fields of a record may hold, and how a record becomes JSON; msgspec reads and checks it."""

from collections.abc import Mapping
from dataclasses import MISSING, Field, fields, is_dataclass
from functools import cache
from typing import Annotated, Any, ClassVar, NoReturn

from msgspec import Meta

from pytest_design2a11y.exceptions import ConfigurationError

# Larger whole numbers are not exact in a JSON double.
_LARGEST = 2**53
_EXACT, _POSITIVE = Meta(ge=-_LARGEST, le=_LARGEST), Meta(ge=0, le=_LARGEST)

Number = Annotated[int, _EXACT] | Annotated[float, _EXACT]
"""A number; a whole one stays whole, so that it is written as it was read."""

Amount = Annotated[int, _POSITIVE] | Annotated[float, _POSITIVE]
"""A number from 0 up."""

Share = Annotated[int, Meta(ge=0, le=1)] | Annotated[float, Meta(ge=-1e-9, le=1 + 1e-9)]
"""A number from 0 to 1, but for the last digits of a sum."""

Count = Annotated[int, _POSITIVE]
"""A whole number from 0 up."""

#: Metadata of fields: left out of JSON at the default; not in JSON at all; only with details; the same, but
#: saved runs have a short form; not in saved runs.
RARE, NOT_SAVED, DETAIL = {"is_rare": True}, {"is_saved": False}, {"is_detail": True}
SHORT_IN_RUNS, NOT_IN_RUNS = {"is_detail": True, "is_in_runs": True}, {"is_in_runs": False}


def to_json(value: Any, *, has_details: bool = True, without: frozenset[str] | set[str] = frozenset()) -> Any:
    """Return dataclasses and containers of them as JSON values, `without` some fields."""
    if is_dataclass(value):
        return {
            field.name: to_json(content, has_details=has_details)
            for field in saved_fields(type(value))  # type: ignore[arg-type]
            if field.name not in without and (has_details or "is_detail" not in field.metadata)
            for content in (getattr(value, field.name),)
            if "is_rare" not in field.metadata
            or content != (field.default if field.default_factory is MISSING else field.default_factory())
        }
    if isinstance(value, Mapping):
        return {name: to_json(content, has_details=has_details) for name, content in value.items()}
    if isinstance(value, list | tuple):
        return [to_json(content, has_details=has_details) for content in value]
    return value


@cache
def saved_fields(kind: Any) -> tuple[Field[Any], ...]:
    """Return the fields of a record that are in JSON, perhaps only among details."""
    return tuple(field for field in fields(kind) if "is_saved" not in field.metadata)


class ManyNumbers:
    """A record with several numbers, to be compared by one of them."""

    __slots__ = ()

    _comparing: ClassVar[str]

    def _refuse(self, other: object) -> NoReturn:
        __tracebackhide__ = True
        raise ConfigurationError(
            f"{type(self).__name__} holds several numbers and cannot be compared as a whole.",
            advice=self._comparing,
        )

    # Assigned one by one: in a chained assignment, type checkers see only the first.
    __lt__ = _refuse
    __le__ = _refuse
    __gt__ = _refuse
    __ge__ = _refuse

"""Records of several numbers, which no single number compares with."""

from __future__ import annotations

from typing import ClassVar, NoReturn

from pytest_design2a11y.exceptions import ConfigurationError


class ManyNumbers:
    """A record that says which of its numbers to compare, where somebody compares it as a whole."""

    __slots__ = ()

    _comparing: ClassVar[str]

    def _refuse(self, other: object) -> NoReturn:
        __tracebackhide__ = True
        raise ConfigurationError(
            f"{type(self).__name__} holds several numbers and cannot be compared as a whole.",
            advice=self._comparing,
        )

    # One by one: of a chain, type checkers know the first alone.
    __lt__ = _refuse
    __le__ = _refuse
    __gt__ = _refuse
    __ge__ = _refuse

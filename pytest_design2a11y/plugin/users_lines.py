"""Errors of ours in a test's report: the user's own lines and the message, not our stack."""

from __future__ import annotations

import sysconfig
from pathlib import Path
from types import TracebackType
from typing import Any

import pytest

from pytest_design2a11y.exceptions import BrowserNotFound, Design2a11yError, StepFailed

#: What is not the user's: this package, Python's own modules, and what is installed.
_NOT_THE_USERS = tuple(
    str(folder)
    for folder in (
        Path(__file__).parents[1],
        *(sysconfig.get_path(name) for name in ("stdlib", "platstdlib", "purelib", "platlib")),
    )
)


def keep_users_lines(call: pytest.CallInfo[None], item: pytest.Item) -> Any:
    """Leave of the stack of an error of ours the user's lines.

    A browser that is missing ends the session: no other test could render anything either.

    Returns:
        What pytest is to show where no line is the user's: the message alone; else None.
    """
    error = None if call.excinfo is None else call.excinfo.value
    if call.excinfo is None or not isinstance(error, Design2a11yError):
        return None
    if isinstance(error, BrowserNotFound):
        item.session.shouldfail = "there is no browser to render pages with"
    if item.config.getoption("fulltrace"):
        return None
    cause = error.__cause__ if isinstance(error, StepFailed) else None
    has_lines = cause is not None and _cut(cause)
    error.__cause__ = cause if has_lines else None
    if cause is not None:
        cause.__cause__ = None
    if _cut(error):
        call.excinfo = pytest.ExceptionInfo.from_exception(error)
        return None
    shown: Any = call.excinfo.getrepr(style="value")
    shown.reprtraceback.reprentries[-1].lines[:] = [f"E   {call.excinfo.exconly()}"]
    return shown


def _cut(error: BaseException) -> bool:
    """Leave the user's lines of an error's stack, if there are any."""
    entries, entry = [], error.__traceback__
    while entry is not None:
        entries.append(entry)
        entry = entry.tb_next
    lines = None
    for entry in reversed(entries):
        if not entry.tb_frame.f_code.co_filename.startswith(_NOT_THE_USERS):
            lines = TracebackType(lines, entry.tb_frame, entry.tb_lasti, entry.tb_lineno)
    if lines is not None:
        error.__traceback__ = lines
    return lines is not None

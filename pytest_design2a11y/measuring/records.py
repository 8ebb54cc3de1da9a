"""Evaluations of failures, and the run made of all evaluations."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import asdict, replace
from datetime import UTC, datetime

from pytest_design2a11y.escaping import terminal_line
from pytest_design2a11y.models.evaluation import Evaluation
from pytest_design2a11y.models.page import STATE_IN_NAME, Role
from pytest_design2a11y.models.run import Run, without_server
from pytest_design2a11y.models.verdicts import Failure, Subject, along

# A picture's scale is not part of its design's name; a page of a PDF file is.
_SUFFIX = re.compile(
    r"\.x?html?$|\.svg$|(?:@[123](?:\.5)?x)?\.(?:png|jpe?g|webp|avif|gif|tiff?|pdf)(?=$|#page=)",
    re.IGNORECASE,
)
_INDEX = re.compile(r"(?<=[^/])/index$")


def case_of(label: str) -> str:
    """Return the case name of a page or picture: its path without the suffix and the state.

    It is "designs/login" for "designs/login.html", "designs/login/index.html" and
    "http://localhost:8000/designs/login~error.html".
    """
    return _divided(label)[0]


def named(subject: Subject, label: str) -> Subject:
    """Complete a subject with the name of its design, or of the page if there is no design.

    "designs/signup~error.html" is the case "designs/signup" in the state "error".
    """
    case, state = _divided(label)
    whole = replace(subject, case=subject.case or case)
    return along(whole, {"state": state}) if state and "state" not in subject.axes else whole


def _divided(label: str) -> tuple[str, str]:
    path = without_server(label)
    path = path if path == label else path[1:]
    name = _SUFFIX.sub("", path)
    match = STATE_IN_NAME.search(name) if name != path else None
    case, state = (name, "") if match is None else (name[: match.start()], match[1])
    if "://" not in case and label:
        case = _INDEX.sub("", posixpath.normpath(case) if case else "index")
    return case, state


def failed_evaluation(
    subject: Subject, label: str, error: Exception, *, role: Role = "candidate", reference: str | None = None
) -> Evaluation:
    """Record that one of the pages could not be rendered."""
    failure = replace(failure_of(error), role=role)
    return Evaluation(
        **asdict(named(subject, reference or label)), reference=reference, candidate=label, error=failure
    )


def failure_of(error: BaseException) -> Failure:
    """Return an error as data; an unexpected one has its own type name."""
    text = ""
    with suppress(Exception):  # A library's own error may fail to print itself.
        text = str(error)
    return Failure(type(error).__name__, terminal_line(text) or "Nothing more is known.")


def make_run(name: str, evaluations: Sequence[Evaluation], *, is_complete: bool = True) -> Run:
    """Return a run that ends now."""
    created = datetime.now(UTC).isoformat(timespec="seconds")
    return Run(name, created, is_complete, tuple(evaluations))

"""A run: reading its evaluations, and what it and its pages are called in every run.

A server on this machine has another port each time.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, TypedDict

import msgspec

from pytest_design2a11y.exceptions import EmptyDocument, InputTooLarge, NavigatedAway, NotHtml, PageTooLarge
from pytest_design2a11y.models.evaluation import Evaluation
from pytest_design2a11y.models.metrics import register_engines, register_saved
from pytest_design2a11y.models.records import Share
from pytest_design2a11y.models.verdicts import RENDERING_AXES, Subject, read_axes

#: Name of a run that is not saved.
UNSAVED = "this run"


@dataclass(frozen=True, slots=True)
class Run:
    """All evaluations of one run."""

    name: str  # As saved
    created: str  # ISO 8601 time, UTC
    is_complete: bool  # False if the run ended early, or a crash lost measurements
    evaluations: tuple[Evaluation, ...]  # In order of case, sample and id
    labels: Mapping[str, str] = field(default_factory=dict)  # Given by its user
    commit: str = ""  # Of the user's repository, with "-dirty" if files differ; "" if unknown
    prompts: Mapping[str, str] = field(default_factory=dict)  # SHA-256 of the prompt files, by name


def origin_text(commit: str, labels: Mapping[str, str], prompts: Mapping[str, str]) -> str:
    """Return a run's commit, labels and prompt files in words, or ""."""
    state = "-dirty" if commit.endswith("-dirty") else ""
    parts = [f"commit {commit.removesuffix('-dirty')[:10]}{state}"] if commit else []
    parts += [f"prompt file {prompts_text(prompts)}"] if prompts else []
    return ", ".join([*parts, *(f"{name}={value}" for name, value in labels.items())])


def prompts_text(prompts: Mapping[str, str]) -> str:
    """Name prompt files with the first digits of their digests."""
    return " + ".join(f"{name} ({digest[:8]})" for name, digest in sorted(prompts.items()))


def from_dict(record: Mapping[str, Any]) -> Evaluation:
    """Read what `Evaluation.to_dict` wrote, ignoring unknown keys; ValueError locates what is not valid."""
    values = {
        **record,
        "axes": read_axes({"axes": record.get("axes")}),
        "further_audits": record.get("audits", {}),
    }
    visual = record.get("visual")
    if isinstance(visual, Mapping) and "appearance" in visual:
        found = msgspec.convert(visual, _Visual)["appearance"]
        values["visual"] = {**visual, "appearance": found["value"], "appearance_backend": found["backend"]}
    evaluation = msgspec.convert(values, Evaluation)
    if evaluation.metrics:
        register_saved(evaluation.settings.get("metrics"))
    register_engines(evaluation.engines)
    return evaluation


class _Appearance(TypedDict):
    """The fifth component of a visual score in a record."""

    value: Share | None
    backend: str | None


class _Visual(TypedDict):
    appearance: _Appearance


_OWN_SERVER = re.compile(
    r"https?://(?:(?:[\w-]+\.)*localhost|127(?:\.\d+){3}|0\.0\.0\.0|\[::1?\])(?::\d+)?(?![\w.:@-])/?",
    re.IGNORECASE,
)


#: Number of a page among those of its test.
_NUMBER = re.compile(r"#\d+\Z")


def without_server(name: str) -> str:
    """Return a name in which addresses of a server on this machine are paths: "/login?tab=2"."""
    return _OWN_SERVER.sub("/", name)


def page_name(page: str, id: str) -> str:
    """Return the path or address of a page, or its test's name if it was given as HTML text."""
    return without_server(id if page.startswith("<") else page)


def shown_page(evaluation: Evaluation, role: str = "candidate") -> str:
    """Return the path or address of one of the two pages, or the pair's name if it was given as HTML text."""
    page = evaluation.candidate if role == "candidate" else evaluation.reference
    return evaluation.id if not page or page.startswith("<") else page


def page_identity(
    page: str, subject: Subject | Evaluation, *, has_steps: bool, is_numbered: bool = True
) -> str:
    """Return the same name for a page in every run: its path, how it was rendered, and its test.

    A file is known without its test, unless steps were taken: only the test knows these, and in which state a
    page of its own server is. A test numbers its pages, if there are several.
    """
    id = subject.id if is_numbered else _NUMBER.sub("", subject.id)
    name = page_name(page, id)
    how = [subject.axes[axis] for axis in RENDERING_AXES if axis in subject.axes]
    if (has_steps or name != page) and not id.startswith(page) and not page.startswith("<"):
        how.append(without_server(id))
    return f"{name} [{', '.join(how)}]" if how else name


def evaluated_page(evaluation: Evaluation, *, is_numbered: bool = True) -> str:
    """Return the identity of an evaluation's page; not numbered, as its accepted differences are kept by."""
    has_steps = bool(evaluation.settings.get("steps"))
    return page_identity(evaluation.candidate, evaluation, has_steps=has_steps, is_numbered=is_numbered)


def file_of(evaluation: Evaluation) -> str:
    """Return the file that a page is, or that of its test; "" for an address outside of pytest."""
    page = evaluation.candidate
    if page and not page.startswith("<") and "://" not in page:
        return page
    file, colons, _test = evaluation.id.partition("::")
    return file if colons and file.endswith(".py") else ""


#: Errors caused by the candidate itself, unlike a lost browser, a timeout or a missing file.
PAGE_FAULTS = frozenset(
    error.__name__ for error in (EmptyDocument, NotHtml, InputTooLarge, PageTooLarge, NavigatedAway)
)


def is_page_fault(evaluation: Evaluation) -> bool:
    """Check whether a candidate that was to be compared with a reference failed by its own fault."""
    error = evaluation.error
    if error is None or evaluation.visual is not None or error.type not in PAGE_FAULTS:
        return False
    return error.role == "candidate" and evaluation.reference is not None

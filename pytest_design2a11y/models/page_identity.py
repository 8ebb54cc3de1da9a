"""What a page is called in every run: a server on this machine has another port each time."""

from __future__ import annotations

import re

from pytest_design2a11y.models.evaluation import RENDERING_AXES, Subject
from pytest_design2a11y.models.run import Evaluation

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

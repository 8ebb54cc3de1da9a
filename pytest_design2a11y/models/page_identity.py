"""What a page is called in every run: a server on this machine has another port each time."""

from __future__ import annotations

import re

from pytest_design2a11y.models.run import RENDERING_AXES, Evaluation

_OWN_SERVER = re.compile(
    r"https?://(?:(?:[\w-]+\.)*localhost|127(?:\.\d+){3}|0\.0\.0\.0|\[::1?\])(?::\d+)?(?![\w.:@-])/?",
    re.IGNORECASE,
)


def without_server(name: str) -> str:
    """Return a name in which addresses of a server on this machine are paths: "/login?tab=2"."""
    return _OWN_SERVER.sub("/", name)


def page_name(evaluation: Evaluation) -> str:
    """Return the path or address of a page, or its test's name if it was given as HTML text."""
    page = evaluation.candidate
    return without_server(evaluation.id if page.startswith("<") else page)


def page_identity(evaluation: Evaluation) -> str:
    """Return the same name for a page in every run: its path, how it was rendered, and its test.

    A file is known without its test, unless steps were taken: only the test knows what they are, and in which
    state a page of its own server is.
    """
    page, name = evaluation.candidate, page_name(evaluation)
    how = [evaluation.axes[axis] for axis in RENDERING_AXES if axis in evaluation.axes]
    is_of_test = name != page or bool(evaluation.settings.get("steps"))
    if is_of_test and not evaluation.id.startswith(page) and not page.startswith("<"):
        how.append(without_server(evaluation.id))
    return f"{name} [{', '.join(how)}]" if how else name


def file_of(evaluation: Evaluation) -> str:
    """Return the file that a page is, or that of its test; "" for an address outside of pytest."""
    page = evaluation.candidate
    if page and not page.startswith("<") and "://" not in page:
        return page
    file, colons, _test = evaluation.id.partition("::")
    return file if colons and file.endswith(".py") else ""

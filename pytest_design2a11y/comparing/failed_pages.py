"""Pages that could not be measured: left out, or counted as 0 where the page itself is to blame."""

from __future__ import annotations

from typing import Literal

from pytest_design2a11y.exceptions import (
    EmptyDocument,
    InputTooLarge,
    NavigatedAway,
    NotHtml,
    PageTooLarge,
)
from pytest_design2a11y.models.run import Evaluation
from pytest_design2a11y.wording import counted

FailedPages = Literal["exclude", "zero"]

#: Errors that a candidate brings on itself. A lost browser, a timeout or a missing file is not the page's.
PAGE_FAULTS = frozenset(
    error.__name__ for error in (EmptyDocument, NotHtml, InputTooLarge, PageTooLarge, NavigatedAway)
)


def is_page_fault(evaluation: Evaluation) -> bool:
    """Tell whether a candidate that was to be compared with a reference failed by its own fault.

    Runs that older versions saved do not tell which side failed; there the candidate is taken to be.
    """
    error = evaluation.error
    if error is None or evaluation.visual is not None or error.type not in PAGE_FAULTS:
        return False
    return not error.role or (error.role == "candidate" and evaluation.reference is not None)


def rule_text(failed_pages: FailedPages, num_zeros: int) -> str:
    """Say which rule held."""
    if failed_pages == "exclude":
        return "pages that could not be measured are left out"
    pages = counted(num_zeros, "page")
    return f"{pages} that failed by their own fault count as visual 0; others are left out"

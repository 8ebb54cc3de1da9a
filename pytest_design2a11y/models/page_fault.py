"""Which errors are a page's own fault."""

from __future__ import annotations

from pytest_design2a11y.exceptions import EmptyDocument, InputTooLarge, NavigatedAway, NotHtml, PageTooLarge
from pytest_design2a11y.models.run import Evaluation

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

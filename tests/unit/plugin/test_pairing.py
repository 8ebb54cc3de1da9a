"""Which reference a candidate belongs to, by the order in which a test renders."""

from __future__ import annotations

import pytest

from pytest_design2a11y.exceptions import CaptureError
from pytest_design2a11y.models.page import Capture
from pytest_design2a11y.models.verdicts import Subject
from pytest_design2a11y.plugin.ledger import Ledger, pair_by_role
from tests.factories import ENVIRONMENT


def make_page(name: str) -> Capture:
    role = "reference" if name.startswith("r") else "candidate"
    return Capture(name, role, None, (1, 1), (), (), ENVIRONMENT)  # type: ignore[arg-type]


def pairs(order: str, **compared: str) -> str:
    """Pair what is rendered in an order; pages are r1, c1 ..., `c1="r2"` says what the test compared."""
    pages = {name: make_page(name) for name in order.split()}
    known = {pages[candidate]: pages[reference] for candidate, reference in compared.items()}
    paired = pair_by_role(list(pages.values()), known)
    return " ".join(sorted(f"{one.label}-{other.label}" for one, other in paired.items()))


@pytest.mark.parametrize(
    ("order", "expected"),
    [
        ("r1 c1", "c1-r1"),
        ("c1 r1", "c1-r1"),
        ("c1 c2 r1 c3", "c1-r1 c2-r1 c3-r1"),
        ("r1 c1 r2 c2", "c1-r1 c2-r2"),
        ("c1 r1 c2 r2", "c1-r1 c2-r2"),
        ("r1 r2 c1 c2", "c1-r1 c2-r2"),
        ("r1 c1 c2 r2 c3", "c1-r1 c2-r1 c3-r2"),
        ("c1 c2", ""),
        ("r1", ""),
    ],
)
def test_pairs_are_made_by_role_whichever_comes_first(order: str, expected: str) -> None:
    assert pairs(order) == expected


@pytest.mark.parametrize("order", ["r1 r2 c1", "c1 r1 c2 r2 c3", "c1 r1 r2"])
def test_a_candidate_that_could_belong_to_several_references_has_none(order: str) -> None:
    assert pairs(order) == ""


def test_what_the_test_compared_belongs_together_and_leaves_the_rest_to_the_rest() -> None:
    assert pairs("r1 r2 c1 c2", c1="r2") == "c1-r2 c2-r1"
    assert pairs("r1 c1 c2", c1="r1") == "c1-r1 c2-r1"


def test_a_design_that_the_test_did_not_render_may_be_compared() -> None:
    """A `Scorer`, for example, rendered it: the ledger knows the candidate alone."""
    design, page = make_page("r1"), make_page("c1")
    ledger = Ledger(Subject("test", ""))
    ledger.note_capture(page, Subject("", "", sample=""))
    with pytest.raises(CaptureError):
        ledger.visual(design, page)

    (closed,) = ledger.close()

    assert (closed.evaluation.reference, closed.evaluation.case) == ("r1", "r1")

"""A form in four states: as it loads, wrongly filled in, under the pointer, and done.

Each state has a design of its own, signup~error.html; steps bring the generated page there. What an
advertisement shows counts on neither page.

$ pytest examples/states --design2a11y-html=report.html
"""

import pytest

from pytest_design2a11y import assert_accessible, assert_fidelity, page_pairs


def send(page, address):
    page.fill("#mail", address)
    page.click("text=Sign up >> nth=-1")
    page.mouse.move(0, 0)
    page.evaluate("document.activeElement.blur()")


STATES = {
    "error": lambda page: send(page, "ada"),
    "hover": lambda page: page.hover("button"),
    "done": lambda page: send(page, "ada@example.org"),
}


@pytest.mark.design2a11y(mask=".advert")
@pytest.mark.parametrize(
    ("reference", "candidate"), page_pairs("designs", "generated", states=STATES), indirect=True
)
def test_signup(reference, candidate):
    assert_fidelity(reference, candidate) > 0.95
    assert_accessible(candidate, max_iwir=0.4)

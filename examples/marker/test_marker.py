"""Name the pages and their limits in a marker; the fixtures hold the rendered pages."""

from __future__ import annotations

import pytest

from pytest_design2a11y import Capture, assert_fidelity


@pytest.mark.design2a11y(
    reference="../designs/dashboard.html",
    candidate="../generated/prompt-a/dashboard.html",
    min_fidelity=0.4,
    max_iwir=0.4,
)
def test_dashboard_keeps_the_limits_of_its_marker(candidate: Capture) -> None:
    """Nothing is asserted here: the marker's limits are checked at the end of the test."""
    assert candidate.page_size[0] == 1280


@pytest.mark.design2a11y(reference="../designs/signup.html", candidate="../generated/prompt-a/signup.html")
def test_form_shows_the_text_of_the_design(reference: Capture, candidate: Capture) -> None:
    assert assert_fidelity(reference, candidate).text > 0.9

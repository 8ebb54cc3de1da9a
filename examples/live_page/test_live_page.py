"""Measure a page in the state that a test has brought it to."""

from __future__ import annotations

from pathlib import Path

from playwright.sync_api import Page

from pytest_design2a11y import Render, assert_accessible, assert_fidelity

EXAMPLES = Path(__file__).parents[1]


def test_filled_form_stays_accessible_and_in_place(page: Page, render: Render) -> None:
    page.goto((EXAMPLES / "generated/prompt-a/signup.html").as_uri())
    page.get_by_label("First name").fill("Ada")
    page.get_by_label("Household").check()

    filled = render(page)

    assert_accessible(filled, max_ir=0.1)
    design = render(EXAMPLES / "designs/signup.html", role="reference")
    assert assert_fidelity(design, filled).position > 0.8

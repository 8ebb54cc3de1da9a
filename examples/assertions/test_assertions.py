"""Compare a generated page with its design, and say what must hold."""

from __future__ import annotations

from pathlib import Path

from pytest_design2a11y import Render, assert_accessible, assert_fidelity, assert_no_differences

EXAMPLES = Path(__file__).parents[1]


def test_landing_page_keeps_to_the_design(render: Render) -> None:
    design = render(EXAMPLES / "designs/landing.html", role="reference")
    page = render(EXAMPLES / "generated/prompt-a/landing.html")

    assert_fidelity(design, page) > 0.4
    assert_accessible(page, max_ir=0.1, max_iwir=0.4)


def test_sign_up_form_keeps_its_layout(render: Render) -> None:
    design = render(EXAMPLES / "designs/signup.html", role="reference")
    page = render(EXAMPLES / "generated/prompt-a/signup.html")

    fidelity = assert_fidelity(design, page)
    assert fidelity.position > 0.8
    assert fidelity.text > 0.9
    assert_no_differences(design, page, severity="critical")

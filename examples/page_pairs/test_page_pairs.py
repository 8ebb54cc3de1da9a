"""One test per design in a folder and the page of the same name in another."""

from __future__ import annotations

from pathlib import Path

import pytest

from pytest_design2a11y import Render, assert_fidelity, page_pairs

EXAMPLES = Path(__file__).parents[1]


@pytest.mark.parametrize(
    ("design", "generated"), page_pairs(EXAMPLES / "designs", EXAMPLES / "generated" / "prompt-a")
)
def test_page_keeps_to_its_design(design: Path, generated: Path, render: Render) -> None:
    assert_fidelity(render(design, role="reference"), render(generated)) > 0.4

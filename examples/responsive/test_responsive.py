"""One design in three viewports. The generated page has no layout for the one in the middle: it scores least.

$ pytest examples/responsive --design2a11y-html=report.html
"""

from pathlib import Path

import pytest

from pytest_design2a11y import assert_fidelity

FOLDER = Path(__file__).parent


@pytest.mark.design2a11y(
    reference=FOLDER / "designs" / "shop.html",
    candidate=FOLDER / "generated" / "shop.html",
    viewport=["1280x720", "768x1024@2", "375x812@3+mobile"],
)
def test_shop(reference, candidate):
    assert_fidelity(reference, candidate) > 0.4

"""Elements and fonts that nobody sees buy no fidelity."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from trials.fidelity_tries import gain, make_tries

if TYPE_CHECKING:
    from pytest_design2a11y.capture.renderer import Renderer


@pytest.mark.slow
def test_no_try_gains_fidelity(renderer: Renderer) -> None:
    design, tries = make_tries(renderer)
    assert len(tries) >= 40

    gains = {one.name: own - seen for one in tries for own, seen in [gain(renderer, design, one)]}

    assert {name: round(value, 4) for name, value in gains.items() if value >= 0.01} == {}

"""Elements, fonts, figures and icons that nobody sees buy no fidelity."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from studies.trials.fidelity_tries import Try, gain, make_tries
from studies.trials.shop_tries import make_shop_tries

if TYPE_CHECKING:
    from collections.abc import Callable

    from pytest_design2a11y.capture.renderer import Renderer
    from pytest_design2a11y.models.page import Capture


@pytest.mark.slow
@pytest.mark.parametrize(("make", "least"), [(make_tries, 40), (make_shop_tries, 10)])
def test_no_try_gains_fidelity(
    renderer: Renderer, make: Callable[[Renderer], tuple[Capture, list[Try]]], least: int
) -> None:
    design, tries = make(renderer)
    assert len(tries) >= least

    gains = {one.name: own - seen for one in tries for own, seen in [gain(renderer, design, one)]}

    assert {name: round(value, 4) for name, value in gains.items() if value >= 0.015} == {}

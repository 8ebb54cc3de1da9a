"""Colors of a fix list: those of the design where they are readable."""

from __future__ import annotations

from pytest_design2a11y.fixing.looks import readable_on
from pytest_design2a11y.models.geometry import contrast

WHITE = (255, 255, 255)


def test_a_color_that_is_just_readable_stays_and_others_have_a_little_more_contrast() -> None:
    just_enough = (13, 110, 253)
    assert 4.5 <= contrast(WHITE, just_enough) < 4.55
    assert readable_on(just_enough, WHITE, 4.5) == WHITE
    assert contrast(readable_on((30, 130, 255), WHITE, 4.5), (30, 130, 255)) >= 4.55

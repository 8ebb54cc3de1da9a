"""A page beyond a limit is refused with the limit's option."""

from __future__ import annotations

import pytest

from pytest_design2a11y.capture.limits import CaptureLimits
from pytest_design2a11y.exceptions import PageTooLarge


def test_at_the_limit_a_page_passes() -> None:
    limits = CaptureLimits(max_nodes=10, max_frames=3)

    limits.check_nodes(10)
    limits.check_frames(3)


def test_one_more_element_is_refused() -> None:
    with pytest.raises(PageTooLarge, match=r"11 elements; the limit is 10.*--design2a11y-max-nodes"):
        CaptureLimits(max_nodes=10).check_nodes(11)


def test_one_more_frame_is_refused() -> None:
    with pytest.raises(PageTooLarge, match=r"4 frames; the limit is 3.*--design2a11y-max-frames"):
        CaptureLimits(max_frames=3).check_frames(4)

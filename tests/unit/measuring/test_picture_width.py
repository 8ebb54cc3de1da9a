"""A page is compared with its design in the width and scheme that this has, and masked where this is."""

from __future__ import annotations

from typing import Literal

import pytest

from pytest_design2a11y.exceptions import ConfigurationError
from pytest_design2a11y.measuring.pictures import require_same_layout
from pytest_design2a11y.models.page import Capture
from pytest_design2a11y.models.viewport import Viewport
from tests.factories import ENVIRONMENT


def page(width: int | None, kind: Literal["picture", "page"] = "page") -> Capture:
    viewport = None if width is None else Viewport(width=width)
    return Capture("a.html", "candidate", None, (1, 1), (), (), ENVIRONMENT, viewport, {"kind": kind})


@pytest.mark.parametrize(
    ("candidate", "reference"),
    [
        (page(375), page(375, "picture")),
        (page(1280), page(1290, "picture")),
        (page(1280), page(1280)),
        (page(1280, "picture"), page(375, "picture")),
        (page(None), page(375, "picture")),
    ],
)
def test_pages_of_one_width_compare_and_pages_without_picture(candidate: Capture, reference: Capture) -> None:
    require_same_layout(candidate, reference)


def test_a_page_of_another_width_is_refused() -> None:
    told = r"a picture 375 px wide, and a\.html was laid out 1280 px wide\."
    with pytest.raises(ConfigurationError, match=told):
        require_same_layout(page(1280), page(375, "picture"))


def test_a_page_laid_out_in_another_width_than_its_design_is_refused() -> None:
    with pytest.raises(ConfigurationError, match=r"laid out 375 px wide, and a\.html was laid out 1280 px"):
        require_same_layout(page(1280), page(375))


def scheme(name: Literal["light", "dark"], mask: list[str] | None = None) -> Capture:
    conditions = {} if mask is None else {"mask": mask}
    viewport = Viewport(scheme=name)
    return Capture(f"{name}.html", "candidate", None, (1, 1), (), (), ENVIRONMENT, viewport, conditions)


def test_a_page_in_another_scheme_than_its_design_is_refused() -> None:
    told = r"design was rendered in the light color scheme, and dark\.html in the dark one\. Give both one"
    with pytest.raises(ConfigurationError, match=told):
        require_same_layout(scheme("dark"), scheme("light"))


def test_a_mask_on_one_side_is_refused() -> None:
    masked, whole = scheme("light", ["#clock"]), scheme("light")

    require_same_layout(masked, scheme("light", [".clock"]))
    for one, other in ((masked, whole), (whole, masked)):
        with pytest.raises(
            ConfigurationError, match=r"only (light\.html|the design) has parts that are masked\. Give mask="
        ):
            require_same_layout(one, other)

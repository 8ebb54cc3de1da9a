"""A part of a page is captured as if it were the page: its text, pixels, elements and accessibility."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from pytest_design2a11y.exceptions import ConfigurationError, StepFailed
from pytest_design2a11y.measuring.measures import measure_visual
from pytest_design2a11y.measuring.sources import capture_live, capture_source
from pytest_design2a11y.settings import Settings

if TYPE_CHECKING:
    from playwright.sync_api import Browser

    from pytest_design2a11y.capture.renderer import Renderer
    from pytest_design2a11y.models.page import Capture

PAGE = """<!doctype html><html lang=en><title>Shop</title><style>body {{ margin: 0 }}
main {{ position: absolute; top: 100px; left: 50px; width: 400px; height: 200px; background: #eef }} </style>
<h1>{}</h1><img src=x.png><main><h2>Basket</h2><img src=y.png><p>Two items</p></main><p>Foot</p></html>"""


def captured(renderer: Renderer, html: str, **choices: Any) -> Capture:
    settings = Settings().with_choices(choices)
    return capture_source(html, role="candidate", renderer=renderer, settings=settings)


def failed(capture: Capture) -> int:
    assert capture.audit is not None
    return sum(rule.num_violations for rule in capture.audit.rules if rule.rule == "image-alt")


def test_what_is_around_a_part_does_not_count(renderer: Renderer) -> None:
    design, page = (captured(renderer, PAGE.format(title), part="main") for title in ("A", "Another title"))

    assert [run.text for run in page.text_runs] == ["Basket", "Two items"]
    assert (page.page_size, page.screenshot.pixels.shape) == ((400, 200), (200, 400, 3))
    assert page.elements is not None
    assert [one.box for one in page.elements if one.tag == "main"] == [(0.0, 0.0, 400.0, 200.0)]
    assert failed(page) == 1
    assert page.conditions["part"] == "main"
    assert measure_visual(design, page, settings=Settings()).score == 1


def test_a_part_that_does_not_show_is_an_error(renderer: Renderer) -> None:
    with pytest.raises(StepFailed, match="No element 'aside' shows, which is the part to capture"):
        captured(renderer, PAGE.format("A"), part="aside")
    with pytest.raises(ConfigurationError, match="-o design2a11y_part does not take '##'"):
        captured(renderer, PAGE.format("A"), part="##")


def test_a_locator_is_captured(chromium: Browser) -> None:
    page = chromium.new_page()
    page.set_content(PAGE.format("A"))

    capture = capture_live(page.locator("main"), role="candidate", settings=Settings())

    assert [run.text for run in capture.text_runs] == ["Basket", "Two items"]
    assert capture.page_size == (400, 200)
    assert failed(capture) == 1
    with pytest.raises(ConfigurationError, match=r"does not find one element.*strict mode"):
        capture_live(page.locator("img"), role="candidate", settings=Settings())
    page.close()


def test_a_selector_of_several_elements_is_said_to_be_one(renderer: Renderer) -> None:
    """Its accessibility is checked, as its text is read, on the one that is captured."""
    html = (
        "<!doctype html><html lang=en><title>x</title><main><p hidden>No</p><p>One</p><p><img>Two</p></html>"
    )

    capture = captured(renderer, html, part="p")

    assert failed(capture) == 0
    assert failed(captured(renderer, html, part="main")) == 1

    assert [run.text for run in capture.text_runs] == ["One"]
    (warning,) = (one for one in capture.warnings if one.code == "part_ambiguous")
    assert warning.message == "2 elements of the page fit 'p': the first that shows is the part captured."

"""What lies over a page is not the page: a backdrop's tint belongs to its dialog."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from pytest_design2a11y.measuring.measures import measure_visual
from pytest_design2a11y.models.page import Document
from pytest_design2a11y.models.words import in_words
from pytest_design2a11y.settings import Settings

if TYPE_CHECKING:
    from pytest_design2a11y.capture.renderer import Renderer

PAGE = """<!doctype html><title>x</title>
<style>body {{ margin: 20px; min-height: {}px; background: #f4efe8 }}</style>"""
MODAL = "<dialog id=modal>Invite people</dialog><script>modal.showModal()</script>"
OWN = "<div style='position: fixed; inset: 0; background: rgb(10 20 40 / 60%)'><p>Invite people</p></div>"


@pytest.mark.parametrize("height", [400, 900, 1600])
@pytest.mark.parametrize("over", ["", MODAL, OWN], ids=["nothing", "a modal dialog", "a veil of its own"])
def test_the_ground_of_the_page_is_the_one_beneath(renderer: Renderer, height: int, over: str) -> None:
    html = f"{PAGE.format(height)}<h1>Heading</h1><p>Words of the page</p>{over}"

    capture = renderer.capture(Document(label="page", html=html.encode()), role="candidate", audit=None)

    assert capture.ground == pytest.approx((0xF4, 0xEF, 0xE8), abs=2)


def test_a_dialog_over_the_page_is_told_by_its_role_and_name(renderer: Renderer) -> None:
    dialog = "<dialog id=modal aria-label=Invite><h2>Invite people</h2><button>Send</button></dialog>"
    design, page = (
        renderer.capture(Document(label="page", html=html.encode()), role="candidate", audit=None)
        for opened in ("", "<script>modal.showModal()</script>")
        if (html := f"{PAGE.format(400)}<h1>Heading</h1><p>Words of the page</p>{dialog}{opened}")
    )

    first, *others = measure_visual(design, page, settings=Settings()).differences

    assert in_words(first) == (
        'dialog "Invite" lies over the page, and is not in the design, with 1 control and 2 texts'
    )
    assert not [one for one in others if one.property == "ground"]

"""What `describe` and feedback say of links, underlines and bullets, as the page shows them."""

from __future__ import annotations

import pytest

from pytest_design2a11y.capture.renderer import Renderer
from pytest_design2a11y.models.page import Document
from pytest_design2a11y.report.inventory import inventory_of

HEAD = "<!doctype html><title>x</title><body style='margin: 20px; font: 16px sans-serif'>"


def described(renderer: Renderer, body: str) -> str:
    document = Document(label="page", html=(HEAD + body).encode())
    return "\n".join(inventory_of(renderer.capture(document, role="reference", audit=None)).lines())


@pytest.mark.parametrize(
    ("body", "told"),
    [
        ("See the <a href='#'>price list</a> of today", '"price list" a link underlined #0000ee\n'),
        (
            "The <a href='#' style='color: #00f; text-decoration-color: transparent'>price list</a> of all",
            '"price list" a link underlined (its color alone does not distinguish it) #0000ff\n',
        ),
        ("<u>Total <span>40</span></u>", "weight 400, underlined, #000000 on #ffffff\n"),
        ("<u>Total <span style='display: inline-block'>40</span></u>", "weight 400, #000000 on #ffffff\n"),
        ("<span role='link'>Prices</span>", "weight 400, a link, #000000 on #ffffff\n"),
        ("<a>Prices</a>", "weight 400, #000000 on #ffffff\n"),
    ],
)
def test_links_and_underlines_are_told(renderer: Renderer, body: str, told: str) -> None:
    assert told in described(renderer, f"<p>{body}</p>")


def test_the_first_text_of_a_list_item_is_told_with_its_bullet(renderer: Renderer) -> None:
    items = (
        "<li>One</li><li><a href='#' style='color: #06c'>Two</a><p>More</p></li>"
        "<li style='list-style: none'>Three</li><li style='list-style: decimal'>Four</li>"
    )
    lines = described(renderer, f"<ul style='color: #903; list-style: square'>{items}</ul>").splitlines()

    texts = [line for line in lines if '"' in line]
    told = {line.split('"')[1]: line.rpartition("after the marker of a list item ")[2] for line in texts}
    assert (told["One"], told["Two"]) == ("(square #990033)", "(square #990033)")
    assert told["Four"] == "(number #990033)"
    assert not [name for name in ("More", "Three") if "#990033)" in told[name]]

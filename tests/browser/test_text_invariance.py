"""Blocks depend on what a page shows, not on how its source is written."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest

from pytest_design2a11y.blocks import find_seen_text
from pytest_design2a11y.models.page import Document
from pytest_design2a11y.models.visual import Block

if TYPE_CHECKING:
    from pytest_design2a11y.capture.renderer import Renderer

PAGE = """<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <title>Shop</title>
    <style>
      .bar { background: #203050; color: #ffffff; padding: 12px; }
      .card { border: 1px solid #cccccc; padding: 8px; width: 400px; }
      .price { color: #b00020; font-weight: bold; }
    </style>
  </head>
  <body>
    <header class="bar" id="top" title="Bar">
      <a class="home" href="#top">Home</a>
    </header>
    <main>
      <div class="card" data-kind="offer" title="Card">
        <h2>Hand-made chairs</h2>
        <p>Oak, walnut and <em>cherry</em>, oiled by hand: from <strong class="price">120 euros</strong>.</p>
        <ul>
          <li>Delivered in a week</li>
          <li>Repaired for life</li>
        </ul>
        <p><button class="price" type="button">Order</button></p>
        <p><input class="home" placeholder="Your name" type="text" /></p>
      </div>
    </main>
  </body>
</html>
"""


def reindented(html: str) -> str:
    return re.sub(r"^ +", lambda spaces: "\t" * len(spaces[0]) + "  ", html, flags=re.MULTILINE).replace(
        "</p>", "\n\n</p>"
    )


def minified(html: str) -> str:
    return re.sub(r">\s+<", "><", html)


def with_attributes_reordered(html: str) -> str:
    def turned(tag: re.Match[str]) -> str:
        attributes = re.findall(r'[\w-]+="[^"]*"', tag[2])
        return f"<{tag[1]} {' '.join(reversed(attributes))}{tag[3]}>"

    return re.sub(r"<(\w+)((?: [\w-]+=\"[^\"]*\")+)( /)?>", lambda tag: turned(tag).replace("None", ""), html)


def with_classes_renamed(html: str) -> str:
    for name in ("bar", "card", "price", "home"):
        html = re.sub(rf'(?<=class="){name}(?=")|(?<=\.){name}(?= )', f"x-{name}-7", html)
    return html


def with_comments(html: str) -> str:
    return html.replace("oiled", "oi<!-- within a word -->led").replace(
        "<li>", "<!-- item --><li><!-- text -->"
    )


def blocks_of(renderer: Renderer, html: str) -> tuple[Block, ...]:
    capture = renderer.capture(Document(label="page", html=html.encode()), role="reference", audit=None)
    return find_seen_text(text_runs=capture.text_runs, screenshot=capture.screenshot)[0]


@pytest.fixture(scope="module")
def original(renderer: Renderer) -> tuple[Block, ...]:
    return blocks_of(renderer, PAGE)


def test_the_page_has_the_blocks_that_the_variants_are_compared_with(original: tuple[Block, ...]) -> None:
    assert [block.text for block in original] == [
        "home",
        "hand-made chairs",
        "oak, walnut and cherry, oiled by hand: from 120 euros .",
        "delivered in a week",
        "repaired for life",
        "order",
        "your name",
    ]


@pytest.mark.parametrize(
    "rewrite", [reindented, minified, with_attributes_reordered, with_classes_renamed, with_comments, str]
)
def test_blocks_are_bit_identical_however_the_source_is_written(
    renderer: Renderer, original: tuple[Block, ...], rewrite: type[str]
) -> None:
    html = rewrite(PAGE)

    assert html != PAGE or rewrite is str
    assert blocks_of(renderer, html) == original

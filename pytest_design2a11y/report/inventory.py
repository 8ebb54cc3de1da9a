"""A design in words: what it consists of, line by line."""

from __future__ import annotations

from collections.abc import Iterator

from pytest_design2a11y.escaping import sanitize
from pytest_design2a11y.models.words import place
from pytest_design2a11y.report.looks import LONGEST_TEXT, look, quoted, size, text_told
from pytest_design2a11y.visual.inventory import Inventory


def inventory_lines(inventory: Inventory) -> Iterator[str]:
    """Return page, colours, fonts, texts and elements of a design as lines."""
    width, height = inventory.size
    yield f"{sanitize(inventory.page, limit=200)}: {width} x {height} px, background {inventory.ground}"
    yield "Places are px from the left and top of the page to the top left corner."
    yield f"colors: {', '.join(f'{color} {share:.1%}' for color, share in inventory.colors)}"
    for font, share in inventory.fonts:
        look_text = f"{font['family'] or 'another family'} {font['font_size']:g} px, weight {font['weight']}"
        yield f"font: {look_text}: {share:.0%} of the letters"
    yield f"texts ({len(inventory.texts)}), in reading order:"
    for text in inventory.texts:
        yield f"  {sanitize(text_told(text), limit=2 * LONGEST_TEXT)}"
    if inventory.elements is None:
        yield "elements: not known of a picture"
        return
    yield f"elements ({len(inventory.elements)}), in reading order:"
    for element in inventory.elements:
        label = f" {quoted(element['label'])}" if element.get("label") else ""
        look_text = f": {found}" if (found := look(element)) else ""
        line = f"{element['name']}{label} {place(element)}, {size(element)}{look_text}"
        yield f"  {sanitize(line, limit=LONGEST_TEXT)}"

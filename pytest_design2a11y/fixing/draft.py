"""A draft: edits by element, where the edited things are to be, and what they are made from."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass, field
from math import inf
from statistics import median
from typing import Any, NamedTuple

from pytest_design2a11y.fixing.claims import FIELDS, Claims
from pytest_design2a11y.fixing.edit import Edit
from pytest_design2a11y.fixing.looks import PageLooks
from pytest_design2a11y.models.elements import Element
from pytest_design2a11y.models.geometry import Box, box_around, is_inside
from pytest_design2a11y.models.page import Capture, TextRun
from pytest_design2a11y.visual.scene.element_facts import name_of
from pytest_design2a11y.visual.scene.units import Unit

_LONGEST_NAME = 60
#: Roles of fields with their words behind them.
_TICKED = {"checkbox", "radio", "switch"}
#: px; words further from a field are about something else.
_NEAR = 48
#: Share of a thing from which it is seen as a whole.
_WHOLE = 0.99
#: What takes away a thing, and what only its look.
HIDDEN = {"visibility": "hidden"}
PLAIN = {"background": "none", "border-color": "transparent", "box-shadow": "none", "outline": "none"}


@dataclass(frozen=True)
class Destination:
    """Where something is to be, once everything else is applied."""

    selector: str
    box: Box  # px of the design
    isText: bool  # noqa: N815  # As the script names it
    level: int | None = None  # What has a higher one lies above it in the design, where they overlap


class Sought(NamedTuple):
    """What an element or a run of text is looked for by on the open page."""

    kind: str
    tag: str
    text: str
    box: Box


def sought(thing: Element | TextRun) -> Sought:
    """Return what to look for on the open page."""
    if isinstance(thing, TextRun):
        return Sought("text", "", thing.text, box_of(thing))
    return Sought("line" if thing.kind == "line" else "element", thing.tag, "", thing.box)


@dataclass
class Draft:
    """Edits by selector, and where the edited things are to be."""

    claims: Claims
    located: Mapping[Sought, Mapping[str, Any]]  # What was found of the page's things on the open page
    looks: PageLooks  # Of the design
    main: str  # The element that gets what is added
    levels: Mapping[Element, int]  # Of the design's elements, as `Destination.level`
    prefix: str = ""  # Of the names of what is added
    boxes: Mapping[TextRun, Element] = field(default_factory=dict)  # Around parts of texts: `boxed_runs`
    # Elements of the design whose look and place what the page has for them gets
    given: list[Element] = field(default_factory=list)
    # Paragraphs of the design with their fields that are told anew
    flows: list[tuple[Unit, list[Element]]] = field(default_factory=list)
    lines: dict[str, tuple[Box, Box]] = field(default_factory=dict)  # In design and page, of who draws them
    edits: dict[str, Edit] = field(default_factory=dict)
    places: dict[str, Destination] = field(default_factory=dict)
    earlier: dict[str, Destination] = field(default_factory=dict)  # Places of an earlier draft

    def node_of(self, thing: Element | TextRun | None) -> Mapping[str, Any] | None:
        """Return what was found of an element or a run of text; None if it was not."""
        return None if thing is None else self.located.get(sought(thing))

    def selector_of(self, thing: Element | TextRun) -> str | None:
        """Return the selector of an element or a run of text; None if it was not found."""
        node = self.node_of(thing)
        return None if node is None else str(node["selector"])

    def kept(self) -> dict[str, int | None]:
        """Return the levels of all that is in the design, too, or is to be, by selector."""
        texts = [run for design, unit in self.claims.texts if design and unit for run in unit.runs]
        selectors = (selector for run in texts if (selector := self.selector_of(run)))
        levels: dict[str, int | None] = dict.fromkeys(selectors)
        for design, made in self.claims.elements:
            if design and made and (selector := self.selector_of(made)):
                levels[selector] = self.levels[design]
        return {
            **levels,
            **{place.selector: place.level for place in {**self.earlier, **self.places}.values()},
        }

    def is_paired(self, selector: str) -> bool:
        """Return whether an element of the page is one of the design, too."""
        pairs = (made for design, made in self.claims.elements if design and made)
        return any(self.selector_of(made) == selector for made in pairs)

    def is_added(self, selector: str) -> bool:
        """Return whether an edit adds the element of a selector, or the one that holds it."""
        added = self.edits.get(selector.partition(" ")[0])
        return added is not None and bool(added.html)

    def add(
        self, edit: Edit, place: Box | None = None, *, is_text: bool = False, level: int | None = None
    ) -> None:
        """Add an edit, to the one of its element if there is one."""
        known = self.edits.get(edit.selector)
        self.edits[edit.selector] = edit if known is None else known.joined(edit)
        if place is not None and edit.selector not in self.places:
            self.places[edit.selector] = Destination(edit.selector, place, is_text, level)


def by_selector(edits: Iterable[Edit]) -> Iterator[Edit]:
    """Yield one edit for each element."""
    joined_edits: dict[str, Edit] = {}
    for edit in edits:
        joined_edits[edit.selector] = (
            joined_edits[edit.selector].joined(edit) if edit.selector in joined_edits else edit
        )
    yield from joined_edits.values()


def is_removal(edit: Edit) -> bool:
    """Return whether an edit takes a thing away, or its look."""
    return edit.css in (HIDDEN, PLAIN) or edit.texts == (" ",)


def as_given(edits: Iterable[Edit]) -> list[dict[str, Any]]:
    """Return edits as the script in the page reads them."""
    names = ("selector", "css", "texts", "attributes", "html", "into", "content", "wrap")
    return [{name: getattr(edit, name) for name in names} for edit in edits]


def places_of(draft: Draft) -> list[dict[str, Any]]:
    """Return the places of a draft as the script in the page reads them."""
    return [asdict(place) for place in {**draft.earlier, **draft.places}.values()]


def box_of(run: TextRun) -> Box:
    """Return the box around a run of text."""
    return box_around(run.boxes)


def named(element: Element) -> str:
    """Return what an element is called."""
    label = element.label[:_LONGEST_NAME]
    return f'{name_of(element)} "{label}"' if label else name_of(element)


def is_field(element: Element) -> bool:
    """Return whether an element is a control that a person fills in or ticks."""
    return element.tag.startswith(FIELDS) and name_of(element) != "button"


#: The name of a field that nothing says more of.
UNNAMED = "field"


def field_name(field: Element, page: Capture) -> str:
    """Return what a field is called: its label or placeholder, the words before or above it, or its heading.

    The nearest are meant; what is ticked has its words behind it, too. At last, what it holds, or `UNNAMED`.
    """
    usual = median([run.font.size for run in page.text_runs if run.font] or [0.0])
    others = [element.box for element in page.elements or () if is_field(element)]
    boxes = [
        (apart, run.text.strip(" :*"))
        for run in page.text_runs
        for box in run.boxes
        if not any(is_inside(box, other) for other in others)
        if (apart := _apart(field, box, inf if run.font and run.font.size > usual else _NEAR)) is not None
    ]
    nearest = min(boxes, key=lambda pair: pair[0], default=(0.0, ""))[1]
    return field.label or field.placeholder or nearest[-_LONGEST_NAME:] or field.value or UNNAMED


def _apart(field: Element, box: Box, most: float) -> float | None:
    """Return how far from a field words are, px: near it, or above it up to `most`; None if elsewhere."""
    x, y, width, height = field.box
    left, top, across, down = box
    is_in_row = top < y + height / 2 < top + down or y < top + down / 2 < y + height
    gaps = [x - left - across, left - x - width if field.role in _TICKED else -1.0] if is_in_row else []
    near = [gap for gap in gaps if -1 < gap <= _NEAR]
    is_above = left < x + width and x < left + across and -1 < y - top - down <= most
    return min([*near, *([y - top - down] if is_above else [])], default=None)


def text_name(unit: Unit) -> str:
    """Return what a text is called."""
    return f'text "{unit.text[:_LONGEST_NAME]}"'


def levels_of(page: Capture) -> dict[Element, int]:
    """Return the levels of a page's elements: what is seen as a whole above the rest, then as they come."""
    elements = page.elements or ()
    return {one: at + (one.shown >= _WHOLE) * len(elements) for at, one in enumerate(elements)}

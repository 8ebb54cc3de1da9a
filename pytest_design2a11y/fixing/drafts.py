"""A draft of edits from the claims of two pages, settled on the open page."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from itertools import count
from typing import TYPE_CHECKING, Any

from pytest_design2a11y.fixing.additions import add_missing, tell_flows
from pytest_design2a11y.fixing.claims import Claims
from pytest_design2a11y.fixing.draft import (
    PLAIN,
    Draft,
    Sought,
    as_given,
    field_name,
    is_field,
    levels_of,
    places_of,
    sought,
)
from pytest_design2a11y.fixing.edit import Edit
from pytest_design2a11y.fixing.elements import edit_elements, remove_elements
from pytest_design2a11y.fixing.looks import FAMILIES, PageLooks, family_key, px, readable_fills
from pytest_design2a11y.fixing.runs import boxed_runs
from pytest_design2a11y.fixing.texts import edit_texts
from pytest_design2a11y.models.geometry import hex_color
from pytest_design2a11y.visual.scene.sight import color_behind

if TYPE_CHECKING:
    from pytest_design2a11y.capture.bench import Bench

_NAMED_FAMILY = re.compile(r"font-family\s*:\s*([^;}\"']*(?:\"[^\"]*\"|'[^']*')?[^;}\"']*)[;}\"]", re.I)
#: How often things are brought to their places: one that moves may move others.
_MOST_MOVES = 5
_NAMED = re.compile(r"[#.][^\s:>]+$")
_QUOTED = re.compile(r'.*"([^"]*)".*')


def names_of(draft: Draft) -> dict[str, str]:
    """Return what the edited elements are called, by selector; not their kind where that has a name."""
    names = {selector: edit.name for selector, edit in draft.edits.items() if edit.name}
    known = {
        selector: _QUOTED.sub(r"\1", name)
        for selector, name in names.items()
        if '"' in name or not _NAMED.search(selector)
    }
    for design, made in draft.claims.elements:
        if design and made and is_field(design) and (selector := draft.selector_of(made)):
            known[selector] = field_name(design, draft.claims.reference)
    return {selector: name for selector, name in known.items() if name}


def draft_of(claims: Claims, bench: "Bench", earlier: Draft | None = None) -> Draft:
    """Return the edits that the claims suggest, found on the open page.

    With an `earlier` draft, whose edits are applied, its edits and places go on where nothing else is said.
    """
    page = [*_of_page(claims, bench)]
    looks = PageLooks(claims.reference, _families(claims, bench), readable_fills(claims))
    draft = Draft(
        *(claims, _located(claims, bench), looks, bench.call("mainPart")),
        levels_of(claims.reference),
    )
    tell_flows(draft)
    draft.prefix, draft.boxes = _free_prefix(bench), boxed_runs(claims)
    if earlier is not None:
        draft.edits, draft.earlier = dict(earlier.edits), {**earlier.earlier, **earlier.places}
    for edit in page:
        draft.add(edit)
    extra = edit_elements(draft)
    edit_texts(bench, draft)
    remove_elements(extra, bench, draft)
    add_missing(draft)
    return draft


def _free_prefix(bench: "Bench") -> str:
    """Return how names of what is added begin: as no element of the page is named, nor of an earlier list."""
    prefixes = (f"design{number}-" for number in count(1))
    return next(prefix for prefix in prefixes if bench.call("measure", f"[id^={prefix}]") is None)


def _of_page(claims: Claims, bench: "Bench") -> Iterator[Edit]:
    """Yield the edits of the page as a whole; what is put around its content is applied, for the others."""
    if not bench.call("mainPart"):
        edit = Edit("body", wrap="main", name="page", reasons=("no main landmark",))
        bench.call("apply", as_given([edit]))
        yield edit
    ground = color_behind(claims.reference)
    if ground != color_behind(claims.candidate):
        look = {"background-color": hex_color(ground), "background-image": "none"}
        yield Edit("html", look, name="page", reasons=("background of the page",))
        yield Edit("body", {"background": "transparent none"}, name="page")


def _located(claims: Claims, bench: "Bench") -> dict[Sought, Mapping[str, Any]]:
    elements = [made for _, made in claims.elements if made is not None]
    runs = [run for _, unit in claims.texts if unit is not None for run in unit.runs]
    things = [*map(sought, elements), *map(sought, runs)]
    nodes = bench.call("locate", [thing._asdict() for thing in things])
    return {thing: place for thing, place in zip(things, nodes, strict=True) if place is not None}


def _families(claims: Claims, bench: "Bench") -> dict[Any, str]:
    """Return the CSS name of every font of the design that one can be found for."""
    fonts = {
        family_key(run.font): run.font
        for unit, _ in claims.texts
        if unit is not None
        for run in unit.runs
        if run.font is not None and any(run.font.advances)
    }
    own = dict.fromkeys(" ".join(name.split()) for name in _NAMED_FAMILY.findall(claims.reference.html or ""))
    names = [*(name for name in own if name), *FAMILIES]
    asked = [
        {"advances": font.advances, "weight": font.weight, "isItalic": font.is_italic}
        for font in fonts.values()
    ]
    families = bench.call("families", asked, names)
    return {key: name for key, name in zip(fonts, families, strict=True) if name}


def settled(draft: Draft, bench: "Bench") -> list[Edit]:
    """Return the edits of a draft that change something, with what brings each thing to its place."""
    edits = dict(draft.edits)
    bench.call("apply", as_given(edits.values()))
    for _ in range(_MOST_MOVES):
        moves = bench.call("settle", places_of(draft))
        changes = [*_uncovered(draft, edits, bench), *_extent(draft, bench)]
        if not (moves or changes):
            break
        for edit in [*changes, *(Edit(selector, move) for selector, move in moves.items())]:
            known = edits.get(edit.selector, edit)
            edits[edit.selector] = replace(known, css={**known.css, **edit.css})
        bench.call("apply", as_given(edits.values()))
    told = [*edits.values()]
    kept = bench.call("pruned", as_given(told), ("position", "left", "top"))
    settled_edits = (replace(edit, css=css) for edit, css in zip(told, kept, strict=True))
    return [edit for edit in settled_edits if not edit.is_empty]


def _uncovered(draft: Draft, edits: dict[str, Edit], bench: "Bench") -> Iterator[Edit]:
    """Yield the edits after which nothing cuts off or covers what is in its place."""
    covers = bench.call("covers", places_of(draft), draft.kept())
    changes: list[tuple[str, Mapping[str, str]]] = [
        (selector, {"overflow": "visible"}) for selector in bench.call("clippers", [*draft.places])
    ]
    changes += [(selector, PLAIN) for selector in covers["fills"]]
    added = [selector for selector, edit in edits.items() if edit.html]
    for selector, how in covers["raised"].items():
        home = how["under"]
        if home and selector in added and home not in added[added.index(selector) :]:
            # What lies below others lies above the fill of what holds them.
            edits[selector] = replace(edits[selector], into=home)
            yield Edit(home, {"isolation": "isolate"}, name="page")
        else:
            changes.append((selector, how["css"]))
    for selector, css in changes:
        known = edits.get(selector, Edit(selector)).css
        new = {name: value for name, value in css.items() if name == "z-index" or name not in known}
        if not new.items() <= known.items():
            yield Edit(selector, new, name="page")


def _extent(draft: Draft, bench: "Bench") -> Iterator[Edit]:
    """Yield the edits that give the page the size that the design has."""
    now, wanted = bench.size(), draft.claims.reference.page_size
    if now != wanted:
        css = {"height": px(wanted[1]), "min-height": "0px", "contain": "paint"}
        if now[0] != wanted[0]:
            css["width"] = px(wanted[0])
        # The body's own ends with the body then.
        css["background-color"] = hex_color(color_behind(draft.claims.reference))
        yield Edit("html", css, name="page", reasons=("size of the page",))

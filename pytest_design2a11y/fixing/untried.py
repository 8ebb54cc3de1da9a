"""The fix list that a saved run gives at once: edits from its differences and failed checks, not tried."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from typing import Any

from pytest_design2a11y.escaping import sanitize
from pytest_design2a11y.fixing.draft import HIDDEN, PLAIN
from pytest_design2a11y.fixing.edit import Edit
from pytest_design2a11y.fixing.facts import changed_look, markup_of
from pytest_design2a11y.fixing.fix_list import FixList, Item, remaining_of, state_of
from pytest_design2a11y.fixing.looks import plain_size_css, px
from pytest_design2a11y.fixing.repairs import repair_of
from pytest_design2a11y.models.audit import CheckedNode, RuleOutcome
from pytest_design2a11y.models.evaluation import Evaluation
from pytest_design2a11y.models.geometry import is_inside
from pytest_design2a11y.models.run import shown_page
from pytest_design2a11y.models.thing_words import Facts, place, thing_name
from pytest_design2a11y.models.visual import Difference, Severity
from pytest_design2a11y.models.words import in_words, subject
from pytest_design2a11y.report.causes import (
    differences_of,
    failed_rules,
    lacks_differences,
    page_warnings,
    rank,
)
from pytest_design2a11y.report.inventory import size
from pytest_design2a11y.report.rules import RULE_ADVICE, reason_and_fix

#: Kinds whose values are another place or size; those whose text is another.
_PLACED, _WORDED = {"moved", "resized", "distorted"}, {"reworded", "figure"}
_LOOKS = {"recolored", "restyled", "font", "unreadable", "ground"}


@dataclass
class _Found:
    """An item in the making: an edit, what it repairs, and what it costs."""

    edit: Edit
    cost: float
    severity: Severity | None
    repairs: list[str] = field(default_factory=list)


def untried(evaluation: Evaluation, *remarks: str) -> FixList:
    """Return what a measured page lacks as edits, the worst first; they were not tried together or alone.

    What no edit of one thing can fix stands under what remains.
    """
    found, rest = dict[object, _Found](), list[Difference]()
    for difference in _single(differences_of(evaluation)):
        edit = _edit_of(difference)
        if edit is None:
            rest.append(difference)
            continue
        one = _Found(edit, difference.cost, difference.severity)
        known = found.setdefault(_key(difference, len(found)), one)
        if known is not one:
            known.edit, known.cost = known.edit.joined(edit), known.cost + difference.cost
            known.severity = min((known.severity, one.severity), key=rank)
    checks = [*_failed(evaluation, found.values())]
    ordered = sorted(found.values(), key=lambda one: (rank(one.severity), -one.cost))
    before = state_of(evaluation)
    return FixList(
        id=evaluation.id,
        page=shown_page(evaluation),
        design=evaluation.reference,
        before=before,
        after=None,
        items=(*(Item((one.edit,), None, tuple(one.repairs), one.cost) for one in ordered), *checks),
        remaining=remaining_of(rest, before.likeness),
        remarks=(*remarks, *_remarks(evaluation)),
    )


def _single(differences: Iterable[Difference]) -> Iterator[Difference]:
    """Yield differences one by one; what moved as a whole stays one."""
    for difference in differences:
        members = [one for one in difference.members if one is not difference and (one.reference or one.made)]
        is_whole = difference.property == "place" or difference.design.get("is_all")
        if difference.what == "page" or is_whole or not members:
            yield difference
        if not is_whole:
            yield from _single(members)


def _key(difference: Difference, number: int) -> object:
    """Return what one thing of the page is known by: what is to be added by its number."""
    side = difference.made or difference.design
    is_new = difference.kind == "missing" or "box" not in side
    return number if is_new else (difference.what, str(side["box"]), side.get("text"))


def _edit_of(difference: Difference) -> Edit | None:
    """Return the edit of the one thing that a difference is about; None if its values are not known."""
    design, made = difference.design, difference.made
    if difference.kind == "missing" and "box" in design:
        name = _name(difference, design)
        return Edit("", html=markup_of(design), into="body", name=name, design_box=_box(design))
    if difference.kind == "extra" and "box" in made:
        css = PLAIN if difference.what == "panel" else HIDDEN
        return Edit("", css, name=_name(difference, made), page_box=_box(made))
    if not (design and made):
        return None
    edit = Edit(
        "body" if difference.what == "page" else "",
        _css(difference),
        _texts(difference),
        _attributes(difference),
        name="page" if difference.what == "page" else _name(difference, made),
        reasons=(in_words(difference),),
        design_box=_box(design),
        page_box=_box(made),
    )
    return None if edit.is_empty else edit


def _box(side: Facts) -> Any:
    return tuple(side["box"]) if "box" in side else None


def _name(difference: Difference, side: Facts) -> str:
    """Return what a thing is called, with its place on that side, once."""
    name = subject(difference) if difference.members else thing_name(side, difference.what)
    has_place = "box" not in side or difference.members or place(side) in name
    return name if has_place else f"{name} {place(side)}, {size(side)}"


def _texts(difference: Difference) -> tuple[str, ...]:
    is_worded = difference.kind in _WORDED and "text" in difference.design
    return (str(difference.design["text"]),) if is_worded else ()


def _attributes(difference: Difference) -> dict[str, str]:
    is_value = difference.kind == "state" and difference.property in ("value", "placeholder")
    return {str(difference.property): str(difference.expected or "")} if is_value else {}


def _css(difference: Difference) -> dict[str, str]:
    design, made = difference.design, difference.made
    if difference.what == "page":
        new = design.get("behind", design.get("fill"))
        is_ground = difference.kind == "ground" or difference.property == "theme"
        return {"background": str(new)} if is_ground and new is not None else {}
    css: dict[str, str] = {}
    if difference.kind in _PLACED and "box" in design and "box" in made:
        css = _moved(design, made, is_sized=difference.what != "text")
    is_drawn = difference.what == "picture" or design.get("name") in ("picture", "icon")
    return css | (changed_look(design, made) if difference.kind in _LOOKS and not is_drawn else {})


def _moved(design: Facts, made: Facts, *, is_sized: bool) -> dict[str, str]:
    """Return the CSS that brings a thing to its place and size."""
    shift = [new - old for new, old in zip(design["box"][:2], made["box"][:2], strict=True)]
    css = {"translate": " ".join(map(px, shift))} if any(shift) else {}
    return css | (
        plain_size_css(tuple(design["box"])) if is_sized and design["box"][2:] != made["box"][2:] else {}
    )


def _failed(evaluation: Evaluation, found: Iterable[_Found]) -> Iterator[Item]:
    """Yield the items of failed checks, a rule each; what an edit of a text fixes is part of that."""
    edited = [*found]
    for _, rule in failed_rules(evaluation):
        nodes = [node for node in rule.violations if not _is_fixed(rule.rule, node, edited)]
        if nodes or not rule.violations:
            yield _item(rule, nodes)


def _is_fixed(rule: str, node: CheckedNode, edited: Iterable[_Found]) -> bool:
    """Return whether an element with too little contrast is a text that gets a color; it has its selector."""
    if rule != "color-contrast" or node.box is None:
        return False
    for one in edited:
        box = one.edit.page_box
        if "color" in one.edit.css and box and (is_inside(box, node.box) or is_inside(node.box, box)):
            one.edit = replace(one.edit, selector=one.edit.selector or node.target)
            one.repairs = [*dict.fromkeys([*one.repairs, rule])]
            return True
    return False


def _item(rule: RuleOutcome, nodes: Iterable[CheckedNode]) -> Item:
    advice = f"{rule.rule}: {RULE_ADVICE.get(rule.rule) or rule.help or rule.rule}"
    edits = [_repair(rule, node) for node in nodes] or [Edit("", name=rule.rule)]
    return Item(tuple(edits), None, (rule.rule,), advice=sanitize(advice, limit=200))


def _repair(rule: RuleOutcome, node: CheckedNode) -> Edit:
    css, attributes = repair_of(rule.rule, node)
    why = sanitize(reason_and_fix(rule, node), limit=300)
    return Edit(node.target, css, attributes=attributes, name=node.html, reasons=(why,), page_box=node.box)


def _remarks(evaluation: Evaluation) -> Iterator[str]:
    if evaluation.error is not None:
        yield f"Not measured: {evaluation.error}"
    yield from page_warnings(evaluation)
    visual = evaluation.visual
    designs = (*(match.reference for match in visual.matches), *visual.missing) if visual else ()
    if any(block.confidence is not None for block in designs):
        yield "The design is a picture whose texts were read by a machine: single letters may be misread."
    if lacks_differences(evaluation):
        pages = f"{evaluation.reference} {evaluation.candidate}"
        yield (
            "Smaller differences and single elements are not in this run: a run has its details on the "
            "machine that saved it, in .design2a11y/details, and one of --out has none. "
            f"Save one here: design2a11y score {pages} --save NAME."
        )

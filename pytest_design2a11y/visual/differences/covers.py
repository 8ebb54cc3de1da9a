"""What covers other things: the thing that moved, grew or came is named, and what it hides is not missing."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from pytest_design2a11y.models.geometry import Box, area, clipped, hex_color, is_inside
from pytest_design2a11y.models.page import Capture
from pytest_design2a11y.models.visual import Difference
from pytest_design2a11y.visual.differences.compared import Compared, claim
from pytest_design2a11y.visual.differences.joining import except_for
from pytest_design2a11y.visual.differences.layout import CARRIERS, carries
from pytest_design2a11y.visual.scene.element_facts import details_of
from pytest_design2a11y.visual.scene.places import SAME_EDGE, Details, is_moved, pixels

#: Apparent changes to covered things; changes that put a thing over others.
_HIDDEN = {
    *("missing", "reworded", "recolored", "restyled", "resized"),
    *("overflowing", "unreadable", "blank", "font"),
}
#: What is left of a thing that is covered in part has less than this share in common with what covers it.
_LEAST_COMMON = 0.1
#: A panel is there if less than this share of it strikes the eye beside what covers a part of it.
_LEAST_LEFT = 0.01
#: Apparent changes to such things.
_AT_EDGES = {"restyled", "font", "resized"}
_OVER = {"moved", "resized", "extra"}
#: Least number of texts below something extra for it to cover them, if the page reports no trouble.
_LEAST_HIDDEN = 2


def join_covers(compared: Compared, differences: Sequence[Difference]) -> list[Difference]:
    """Return the differences, with what is covered as part of the difference of what covers it."""
    left = [*differences]
    groups: dict[Box, list[Difference]] = {}
    for difference in differences:
        if difference.kind == "covered" and (by := difference.made.get("by_box")):
            groups.setdefault(tuple(by), []).append(difference)
    for by, covered in groups.items():
        over = _mover(left, by)
        if over is not None:
            carrier = _carrier(left, over)
            if carrier is not over:
                left.remove(over)
            _join(left, carrier, [*covered, *_hidden(compared, left, carrier)])
            continue
        rest = []
        for one in covered:
            under = _mover(left, one.boxes[1])
            if under is None:
                rest.append(one)
            else:
                _join(left, under, [one], is_under=True)
        if rest:
            lost = (one for one in left if one.kind == "missing" and one.what != "page")
            rest += [one for one in lost if is_inside(one.boxes[0], by)]
            page = compared.candidate
            _name(left, rest, _facts_at(page, by) or _named_by_texts(page, by, rest))
    for over, hidden in _with_hidden_texts(compared, left):
        _join(left, over, hidden)
    for over in [one for one in left if one.kind in {"extra", "resized"} and one.made.get("covers")]:
        hidden = [*_hidden(compared, left, over)]
        texts = [one for one in hidden if one.what == "text" and one.kind == "missing"]
        if over in left and len(texts) >= (_LEAST_HIDDEN if over.kind == "extra" else 1):
            _join(left, over, hidden)
    return [_over_others(compared, _called(compared, one)) for one in left]


def _with_hidden_texts(
    compared: Compared, found: Sequence[Difference]
) -> Iterator[tuple[Difference, list[Difference]]]:
    """Yield what moved or grew over texts that the page still has, but does not show, with these."""
    lost = [one for one in found if (one.what, one.kind, one.property) == ("text", "missing", None)]
    for over in [one for one in found if one.kind in {"moved", "resized"} and one.what in CARRIERS]:
        around, before = over.boxes[1], over.boxes[0]
        unseen = {run.text.strip() for run in compared.candidate.text_runs if is_inside(run.boxes[0], around)}
        unseen -= {unit.text for unit in compared.texts.units[1] if is_inside(unit.box, around)}
        hidden = [
            one
            for one in lost
            if one.design.get("text") in unseen
            and is_inside(one.boxes[0], around)
            and not is_inside(one.boxes[0], before)
        ]
        if hidden:
            lost = except_for(lost, hidden)
            yield over, hidden


def _called(compared: Compared, over: Difference) -> Difference:
    """Return the difference of a new thing over others by what it reads, if it has no name."""
    is_over = over.kind == "extra" and (over.made.get("covers") or over.made.get("num_covered"))
    if not is_over or over.made.get("label") or over.what == "text":
        return over
    words = " ".join(unit.text for unit in compared.texts.extra if is_inside(unit.box, over.boxes[1]))
    return replace(over, candidate={**over.made, "label": words}) if words else over


def _over_others(compared: Compared, over: Difference) -> Difference:
    """Return the difference of a new thing that is placed over the page, with what it lies over."""
    page, own = compared.candidate, over.boxes[1]
    if over.kind != "extra" or not over.made.get("covers") or over.made.get("num_covered"):
        return over
    elements = [one.box for one in page.elements or () if one.covers and area(one.box) > area(own)]
    if any(is_inside(own, box) for box in elements):
        return over
    boxes = [one.box for one in page.elements or () if not one.covers]
    boxes += [unit.box for pair in compared.texts.pairs for unit in pair[1:]]
    below = [box for box in boxes if clipped(box, own) and area(box) < area(own)]
    lies_over = "page" if page.veils else len(below)
    return replace(over, candidate={**over.made, "over": lies_over}) if lies_over else over


def veil_differences(compared: Compared, differences: Sequence[Difference]) -> list[Difference]:
    """Return that a veil lies over only one page, unless it came or went with what lies over it."""
    veils = [page.veils for page in compared.pages]
    sides = [one.facts for one in differences if one.kind in {"missing", "extra"}]
    if bool(veils[0]) == bool(veils[1]) or any(side.get("covers") for side in sides):
        return []
    last = [own[-1] if own else None for own in veils]
    told = [veil and f"{hex_color(veil.tint)} at {veil.alpha:.0%}" for veil in last]
    facts = [{"box": pixels(veil.box)} if veil else None for veil in last]
    return [claim("ground", "page", "veil", told[0], told[1], facts[0], facts[1])]


def _join(
    left: list[Difference], over: Difference, hidden: Sequence[Difference], *, is_under: bool = False
) -> None:
    """Replace what is covered, and what covers it, by one difference."""
    taken = [*hidden, *(() if is_under else _own_parts(left, over))]
    known = over.members[1:] if over.made.get("num_covered") else ()
    # What lies over other things also lies on the edges of their boxes.
    own = known if is_under and known else (*known, *hidden)
    members = (replace(over, members=()), *own)
    made = {**over.made, "num_covered": len(members) - 1, "is_under": is_under and not known}
    joint = replace(over, candidate=made, members=members)
    left[:] = [joint if one is over else one for one in except_for(left, taken)]


def _own_parts(differences: Sequence[Difference], over: Difference) -> Iterator[Difference]:
    """Yield what is new within something new, whatever like its words lies behind it, or behind a dialog."""
    if over.kind == "extra":
        around, is_dialog = over.boxes[1], over.made.get("name") == "dialog"
        for one in differences:
            is_new = one is not over and one.kind == "extra" and one.what != "page"
            is_moved_there = None not in (one.reference, one.candidate) and is_moved(*one.boxes)
            is_new |= is_moved_there and (is_dialog or is_inside(one.boxes[0], around))
            if is_new and is_inside(one.boxes[1], around) and area(one.boxes[1]) <= area(around):
                yield one


def _name(left: list[Difference], covered: Sequence[Difference], by: Details | None) -> None:
    """Name what covers, if nothing is known to have moved: once for all that it covers."""
    if by is None:
        return
    own = [replace(one, candidate={**one.made, "by": by}) for one in covered]
    at = next(at for at, one in enumerate(left) if any(one is other for other in covered))
    if len(own) > 1:
        side = {"box": by["box"], "by": by}
        own = [claim("covered", own[0].what, "cover", None, None, None, side, tuple(own))]
    left[:] = [*left[:at], *own, *except_for(left[at:], covered)]


def _mover(differences: Sequence[Difference], box: Box) -> Difference | None:
    """Return the difference of what lies at a box of the page, because it moved, grew or is new."""
    movers = [one for one in differences if one.kind in _OVER and one.what != "page" and one.candidate]
    exact = next((one for one in movers if _is_same(one.boxes[1], box)), None)
    around = [one for one in movers if one.what != "text" and _holds(one, box)]
    return exact or min(around, key=lambda one: area(one.boxes[1]), default=None)


def _carrier(differences: Sequence[Difference], over: Difference) -> Difference:
    """Return the difference of the largest box that moved with what lies in it, such as with its words."""
    moved = (one for one in differences if one.kind == over.kind == "moved" and one.what in CARRIERS)
    around = [one for one in moved if carries(one.boxes, over.boxes)]
    return max(around, key=lambda one: area(one.boxes[0]), default=over)


def _is_same(first: Box, second: Box) -> bool:
    return all(abs(a - b) <= SAME_EDGE for a, b in zip(first, second, strict=True))


def _holds(mover: Difference, inner: Box) -> bool:
    """Return whether what moved or is new holds a box of its size; if it is new and has words, any box."""
    outer = mover.boxes[1]
    common = clipped(inner, outer)
    is_like = (mover.kind == "extra" and mover.made.get("label")) or area(outer) < 4 * area(inner)
    return common is not None and area(common) >= 0.9 * area(inner) and bool(is_like)


def _hidden(compared: Compared, differences: Sequence[Difference], over: Difference) -> Iterator[Difference]:
    """Yield what is apparently changed or missing where something lies over it now, and did not before."""
    around, before = over.boxes[1], over.boxes[0]
    for one in differences:
        if one is over or one.reference is None or one.kind not in _HIDDEN or one.what == "page":
            continue
        if one.candidate and is_moved(*one.boxes) and is_inside(one.boxes[1], around):
            continue  # It stands on it.
        place = one.boxes[0]
        is_at_edge = one.kind in _AT_EDGES and bool(clipped(place, around)) and area(place) < area(around)
        if one.kind == "resized":
            # What is left of it lies beside what is over it.
            both = clipped(one.boxes[1], around)
            is_at_edge &= both is None or area(both) < _LEAST_COMMON * area(one.boxes[1])
        if one.kind == "missing" and one.what == "panel" and clipped(place, around):
            # It looks as it did beside what is over it.
            is_at_edge = compared.sight.striking_in(place, [around]) < _LEAST_LEFT
        if (is_inside(place, around) or is_at_edge) and not is_inside(place, before):
            yield one


def _named_by_texts(page: Capture, box: Box, covered: Sequence[Difference]) -> Details | None:
    """Return the facts of what lies at a box and looks like its ground: the words on it are its name."""
    below = {one.made.get("text") for one in covered}
    words = [run.text for run in page.text_runs if is_inside(run.boxes[0], box)]
    words = [own for own in words if own not in below]
    return {"name": "panel", "box": pixels(box), "label": " ".join(words)} if words else None


def _facts_at(page: Capture, box: Box) -> Details | None:
    """Return the facts of the element or text that lies at a box of a page."""
    for element in page.elements or ():
        if _is_same(element.box, box):
            return {**details_of(element, page), "box": pixels(element.box)}
    for run in page.text_runs:
        if any(_is_same(own, box) for own in run.boxes):
            return {"text": run.text.strip(), "box": pixels(box)}
    return None

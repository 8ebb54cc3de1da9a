"""The edits that a page needs: one per thing, none of which undoes another."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from pytest_design2a11y.models.geometry import area, clipped
from pytest_design2a11y.models.visual import SEVERITIES, Difference, DifferenceKind, Severity

#: A thing is in place of another if it covers at least this share of their combined area.
_IN_PLACE = 0.5
_MARKS = ("fill", "border", "shadow")


def rank(severity: Severity | None) -> int:
    """Return the rank of a severity, 0 for the worst; ungraded counts as minor."""
    return SEVERITIES.index(severity or "minor")


def edits_of(differences: Iterable[Difference]) -> Iterator[tuple[str, list[Difference]]]:
    """Yield what to do: an action, and all differences of the thing that it applies to."""
    single = _without_exchanges([*_single(differences)])
    missing = [difference for difference in single if _is_missing(difference)]
    extra = [difference for difference in single if _is_extra(difference)]
    faint = [item for item in single if item.kind == "unreadable" and item.reference is None]
    pairs = _same_place(missing, [*extra, *(difference for difference in faint if difference not in extra)])
    taken = {id(difference) for pair in pairs for difference in pair}
    gone = gone_texts(single)
    drawn = [item.design["box"] for item in missing if item.what == "text" and item.reference]
    removed = [item.made["box"] for item in extra if item.candidate and id(item) not in taken]
    # A character of a text that looks like an icon comes with the text.
    left = (item for item in single if id(item) not in taken and not _is_icon_within(item, drawn))
    things: dict[Any, list[Difference]] = {}
    for difference in (*left, *(change for pair in pairs for change in _as_changes(*pair))):
        made = difference.made
        if difference.kind == "unexplained":
            yield "look", [difference]
        elif difference.what == "page":
            yield "page", [difference]
        elif difference.kind == "moved" and difference.members:
            yield "move", [difference]
        elif difference in missing or difference in extra:
            yield ("add" if difference in missing else "remove"), [difference]
        elif difference.reference is not None or (_key(made) not in gone and made.get("box") not in removed):
            side = made or difference.design
            box = side.get("box")
            thing = (difference.what, side.get("text"), str(box)) if box else id(difference)
            things.setdefault(thing, []).append(difference)
    yield from (("change", group) for group in things.values())


def _is_missing(difference: Difference) -> bool:
    """Return whether the page lacks a thing of the design; of a missing box, the texts may be there."""
    made, kind = difference.made, difference.kind
    is_bare = difference.property == "marks" and not any(made.get(f"has_{mark}") for mark in _MARKS)
    is_lost_box = kind == "restyled" and is_bare and made.get("box") == difference.design.get("box")
    return is_lost_box or (kind == "missing" and difference.candidate is None)


def _is_extra(difference: Difference) -> bool:
    return difference.kind == "extra" or bool(difference.made.get("is_extra"))


def _without_exchanges(differences: Sequence[Difference]) -> list[Difference]:
    """Leave out moves between identical texts, where each moved to the position of another."""

    def places(difference: Difference) -> list[tuple[str, str]]:
        return [(_key(side), str(side.get("box"))) for side in (difference.design, difference.made)]

    moved = [item for item in differences if item.kind == "moved" and item.what == "text" and item.reference]
    designed, made = ({places(difference)[side] for difference in moved} for side in (0, 1))
    exchanged = [item for item in moved if places(item)[0] in made and places(item)[1] in designed]
    return [difference for difference in differences if difference not in exchanged]


def _is_icon_within(difference: Difference, boxes: Sequence[Sequence[float]]) -> bool:
    if difference.kind != "missing" or difference.design.get("name") != "icon" or not boxes:
        return False
    x, y, across, down = difference.design["box"]
    return any(
        left <= x and top <= y and x + across <= left + width and y + down <= top + height
        for left, top, width, height in boxes
    )


def gone_texts(differences: Iterable[Difference]) -> set[str]:
    """Return the letters, in lower case, of texts that the generated page should no longer show."""
    single = [*_single(differences)]
    designed = {_key(difference.design) for difference in single}
    return {_key(difference.made) for difference in single if _is_extra(difference)} - designed - {""}


def _key(side: Mapping[str, Any]) -> str:
    return letters_of(str(side.get("text", "")))


def letters_of(text: str) -> str:
    """Return a text in lower case without white space."""
    return "".join(text.lower().split())


def _single(differences: Iterable[Difference]) -> Iterator[Difference]:
    """Yield differences one by one, except what moved as a whole and what all text has in common.

    Without details, a run has only the kinds of members; the difference that holds them is yielded instead.
    """
    for difference in differences:
        is_whole = difference.property == "place" or difference.design.get("is_all")
        members = [each for each in difference.members if each.property or each.reference or each.candidate]
        if difference.what == "page" or not members or is_whole:
            yield difference
        if not is_whole:
            yield from (member for member in _single(members) if member is not difference)


def _same_place(
    missing: Sequence[Difference], extra: Sequence[Difference]
) -> list[tuple[Difference, Difference]]:
    """Pair each missing thing with what is in its place, or has the same text elsewhere: that is one edit."""
    pairs, left = [], list(extra)
    for lost in missing:
        for other in left:
            if (lost.what == "text") == (other.what == "text") and (
                _key(lost.design) == _key(other.made) != "" or _overlap(lost.design, other.made) >= _IN_PLACE
            ):
                pairs.append((lost, other))
                left.remove(other)
                break
    return pairs


def _overlap(design: Mapping[str, Any], made: Mapping[str, Any]) -> float:
    """Return the share of two boxes' combined area that both cover, 0..1; 0 if either has no box."""
    if "box" not in design or "box" not in made:
        return 0.0
    first, second = design["box"], made["box"]
    common = area(clipped(first, second) or (0, 0, 0, 0))
    return common / (area(first) + area(second) - common or 1.0)


def _as_changes(missing: Difference, extra: Difference) -> Iterator[Difference]:
    """Yield the changes that turn the thing in place of a missing one into it."""
    design, made = missing.design, extra.made
    kinds: list[tuple[DifferenceKind, str | None]] = [("restyled", "kind")]
    if missing.what == "text":
        is_same = design["text"] == made["text"]
        kinds = [("moved", "place"), ("font", None)] if is_same else [("reworded", "text")]
    severity = min((missing.severity, extra.severity), key=rank)
    for at, (kind, name) in enumerate(kinds):
        cost = 0.0 if at else missing.cost + extra.cost
        yield Difference(kind, missing.what, cost, severity, name, None, None, design, made)

"""What is to be done to a page: one edit for each thing, and nothing that another edit undoes."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from pytest_design2a11y.models.geometry import Box, area, clipped
from pytest_design2a11y.models.visual import SEVERITIES, Difference, DifferenceKind, Severity

#: What covers so much of something else (of both together) stands in its place.
_IN_PLACE = 0.5
_MARKS = ("fill", "border", "shadow")


def rank(severity: Severity | None) -> int:
    """Return the rank of a severity, the worst first; ungraded counts as minor."""
    return SEVERITIES.index(severity or "minor")


def edits_of(differences: Iterable[Difference]) -> Iterator[tuple[str, list[Difference]]]:
    """Yield what is to be done: an action, and all that differs in what it is done to."""
    single = _without_exchanges([*_single(differences)])
    missing = [difference for difference in single if _is_missing(difference)]
    extra = [difference for difference in single if _is_extra(difference)]
    faint = [
        difference
        for difference in single
        if difference.kind == "unreadable" and difference.reference is None
    ]
    pairs = _same_place(missing, [*extra, *(difference for difference in faint if difference not in extra)])
    taken = {id(difference) for pair in pairs for difference in pair}
    gone = gone_texts(single)
    drawn = [
        difference.reference["box"]
        for difference in missing
        if difference.what == "text" and difference.reference
    ]
    # A sign of a text that looks like an icon comes with the text.
    left = (
        difference
        for difference in single
        if id(difference) not in taken
        and not (_is_icon(difference) and any(_holds(box, difference) for box in drawn))
    )
    removed = [
        difference.candidate["box"]
        for difference in extra
        if id(difference) not in taken and difference.candidate
    ]
    things: dict[Any, list[Difference]] = {}
    for difference in (*left, *(change for pair in pairs for change in _as_changes(*pair))):
        if difference.kind == "unexplained":
            yield "look", [difference]
        elif difference.what == "page":
            yield "page", [difference]
        elif difference.kind == "moved" and difference.members:
            yield "move", [difference]
        elif difference in missing or difference in extra:
            yield ("add" if difference in missing else "remove"), [difference]
        elif difference.reference is not None or (
            _key(difference.candidate) not in gone and (difference.candidate or {}).get("box") not in removed
        ):
            side = difference.candidate or difference.reference or {}
            box = side.get("box")
            things.setdefault(
                (difference.what, side.get("text"), str(box)) if box else id(difference), []
            ).append(difference)
    yield from (("change", group) for group in things.values())


def _is_missing(difference: Difference) -> bool:
    """Return whether nothing on the page is a thing of the design: of a box, the texts in it may be there."""
    made = difference.candidate or {}
    is_bare = difference.property == "marks" and not any(made.get(f"has_{mark}") for mark in _MARKS)
    is_lost_box = (
        difference.kind == "restyled"
        and is_bare
        and made.get("box") == (difference.reference or {}).get("box")
    )
    return is_lost_box or (difference.kind == "missing" and difference.candidate is None)


def _is_extra(difference: Difference) -> bool:
    return difference.kind == "extra" or bool((difference.candidate or {}).get("is_extra"))


def _without_exchanges(differences: Sequence[Difference]) -> list[Difference]:
    """Return differences without the moves of texts that read alike, each to where another one stands."""

    def places(difference: Difference) -> list[tuple[str, str]]:
        sides = difference.reference or {}, difference.candidate or {}
        return [(_key(side), str(side.get("box"))) for side in sides]

    moved = [
        difference
        for difference in differences
        if difference.kind == "moved" and difference.what == "text" and difference.reference
    ]
    wanted, own = ({places(difference)[role] for difference in moved} for role in (0, 1))
    return [
        difference
        for difference in differences
        if not (difference in moved and places(difference)[0] in own and places(difference)[1] in wanted)
    ]


def _is_icon(difference: Difference) -> bool:
    return difference.kind == "missing" and (difference.reference or {}).get("name") == "icon"


def _holds(box: Sequence[float], difference: Difference) -> bool:
    left, top, width, height = box
    x, y, across, down = (difference.reference or {})["box"]
    return bool(left <= x and top <= y and x + across <= left + width and y + down <= top + height)


def gone_texts(differences: Iterable[Difference]) -> set[str]:
    """Return the letters, in lower case, of texts that the generated page is not to show any more."""
    single = [*_single(differences)]
    wanted = {_key(difference.reference) for difference in single}
    return {_key(difference.candidate) for difference in single if _is_extra(difference)} - wanted - {""}


def _key(side: Mapping[str, Any] | None) -> str:
    return letters_of(str((side or {}).get("text", "")))


def letters_of(text: str) -> str:
    """Return a text in lower case, without white space."""
    return "".join(text.lower().split())


def _single(differences: Iterable[Difference]) -> Iterator[Difference]:
    """Yield differences one by one, but what moved as a whole and what all text has in common.

    A run without details has only the kinds of members; the difference that has them stands for these.
    """
    for difference in differences:
        is_whole = difference.property == "place" or (difference.reference or {}).get("is_all")
        members = [each for each in difference.members if each.property or each.reference or each.candidate]
        if difference.what == "page" or not members or is_whole:
            yield difference
        if not is_whole:
            yield from (member for member in _single(members) if member is not difference)


def _same_place(
    missing: Sequence[Difference], extra: Sequence[Difference]
) -> list[tuple[Difference, Difference]]:
    """Pair what is missing with what stands in its place, or reads the same elsewhere: it is one edit."""
    pairs, left = [], list(extra)
    for lost in missing:
        wanted = lost.reference or {}
        for other in left:
            own = other.candidate or {}
            if (lost.what == "text") != (other.what == "text"):
                continue
            same = _key(wanted) == _key(own) != ""
            if same or (
                "box" in wanted and "box" in own and _overlap(wanted["box"], own["box"]) >= _IN_PLACE
            ):
                pairs.append((lost, other))
                left.remove(other)
                break
    return pairs


def _overlap(first: Sequence[float], second: Sequence[float]) -> float:
    """Return the part of two boxes' area that both cover, 0..1."""
    boxes: list[Box] = [(box[0], box[1], box[2], box[3]) for box in (first, second)]
    common = area(clipped(boxes[0], boxes[1]) or (0, 0, 0, 0))
    return common / (area(boxes[0]) + area(boxes[1]) - common or 1.0)


def _as_changes(missing: Difference, extra: Difference) -> Iterator[Difference]:
    """Yield what makes something that stands in the stead of something missing the other."""
    wanted, own = missing.reference or {}, extra.candidate or {}
    kinds: list[tuple[DifferenceKind, str | None]] = [("restyled", "kind")]
    if missing.what == "text":
        is_same = wanted["text"] == own["text"]
        kinds = [("moved", "place"), ("font", None)] if is_same else [("reworded", "text")]
    severity = min((missing.severity, extra.severity), key=rank)
    for at, (kind, name) in enumerate(kinds):
        cost = 0.0 if at else missing.cost + extra.cost
        yield Difference(kind, missing.what, cost, severity, name, None, None, wanted, own)

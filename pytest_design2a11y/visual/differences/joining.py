"""Differences with one cause, or changed in the same way, as one."""

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from typing import TypeVar

from pytest_design2a11y.models.geometry import box_around
from pytest_design2a11y.models.thing_words import way_of_size
from pytest_design2a11y.models.visual import BLOCKING, SEVERITIES, Difference
from pytest_design2a11y.visual.differences.compared import claim
from pytest_design2a11y.visual.scene.places import Details, pixels

#: Number of alike changes that make one difference.
_LEAST = 3
#: The height of the page, where it alone would not be acceptable.
_SERIOUS_HEIGHT = "page", "height", "serious"

#: One difference that represents several, and these.
Joint = tuple[Difference, Sequence[Difference]]
#: Differences of two things of which each has the other's place, or what it had.
Exchange = tuple[Difference, Difference]
Thing = TypeVar("Thing")


def without(differences: Iterable[Difference], joint: Iterable[Joint]) -> list[Difference]:
    """Leave out those that are represented by others."""
    return except_for(differences, (member for _, members in joint for member in members))


def except_for(differences: Iterable[Difference], others: Iterable[Difference]) -> list[Difference]:
    """Leave out some differences: themselves, not what is equal to them."""
    taken = set(map(id, others))
    return [difference for difference in differences if id(difference) not in taken]


def extent(members: Iterable[Difference]) -> tuple[Details, Details]:
    """Return where several things are together in the design, and in the generated page, as facts."""
    sides = zip(*(member.boxes for member in members), strict=True)
    reference, candidate = ({"box": pixels(box_around(boxes))} for boxes in sides)
    return reference, candidate


def joined(members: Sequence[Difference]) -> Difference:
    """Return several differences as one, or the only one as it is."""
    return replace(members[0], members=tuple(members)) if len(members) > 1 else members[0]


def grouped(things: Iterable[Thing], key: Callable[[Thing], object]) -> Iterable[list[Thing]]:
    """Return things in groups of one key, without those whose key is None."""
    groups: dict[object, list[Thing]] = {}
    for thing in things:
        if (own := key(thing)) is not None:
            groups.setdefault(own, []).append(thing)
    return groups.values()


def exchange_of(
    property: str, exchanged: Sequence[Exchange], others: Sequence[Difference] = (), **facts: object
) -> Difference:
    """Return one difference for exchanges of one kind; the first names it."""
    (first, second), *_ = exchanged
    members = (first, second, *(part for pair in exchanged[1:] for part in pair), *others)
    wanted: Details = {**first.design, **facts, "other": second.design}
    own = first.candidate if property == "places" else second.candidate
    expected, actual = (first.expected, first.actual) if property == "state" else (None, None)
    return claim("exchanged", first.what, property, expected, actual, wanted, own, members)


def join_graded(differences: Iterable[Difference]) -> list[Difference]:
    """Return graded differences, joining those that people count as one.

    These are things of one name that changed alike, things of one kind that stand elsewhere one by one, and
    all that makes one thing unacceptable. The page's height follows from what is.
    """
    joint: list[Difference] = []
    for members in grouped(_join_alike(differences), lambda one: _thing_of(one) or object()):
        joint.append(joined(sorted(members, key=lambda one: SEVERITIES.index(one.severity))))
    if sum(one.severity in BLOCKING for one in joint) > 1:
        joint = [
            replace(one, severity="moderate")
            if (one.what, one.property, one.severity) == _SERIOUS_HEIGHT
            else one
            for one in joint
        ]
    return joint


def _thing_of(difference: Difference) -> object:
    """Return the thing that is not acceptable as it is now; None if it is not known to be one thing."""
    is_on_both = difference.reference is not None and difference.candidate is not None
    is_part = difference.what in {"text", "line", "page"} or "within" in difference.facts
    is_one = is_on_both and not is_part and not difference.members and difference.kind != "exchanged"
    return difference.boxes if is_one and difference.severity in BLOCKING else None


def _join_alike(differences: Iterable[Difference]) -> list[Difference]:
    joint: list[Difference] = []
    for members in grouped(differences, lambda one: _kind_of(one) or object()):
        if len(members) < _LEAST:
            joint += members
            continue
        if members[0].kind == "moved":
            sides = extent(members)
            moved = claim("moved", members[0].what, "place", None, None, *sides, members)
            share = min(1.0, sum(member.share or 0.0 for member in members))
            joint.append(replace(moved, severity=members[0].severity, share=round(share, 4)))
            continue
        numbers = Counter((member.expected, member.actual) for member in members)
        largest = max(members, key=lambda one: (numbers[one.expected, one.actual], one.share or 0.0))
        share = min(1.0, sum(member.share or 0.0 for member in members))
        joint.append(replace(largest, members=tuple(members), share=round(share, 4)))
    return joint


def _kind_of(difference: Difference) -> object:
    """Return what changes of one kind share; None for those that are not joined."""
    if difference.members or difference.what in {"page", "line"}:
        return None
    facts = difference.facts
    start = difference.severity, difference.kind, difference.what, difference.property, facts.get("name")
    match difference.kind, difference.property:
        case "moved", "place" if difference.severity in BLOCKING:
            return start[:-1]
        case "resized", "size":
            return *start, way_of_size(difference) in {"larger", "wider", "higher"}
        case "reworded", _:
            return *start, difference.expected, difference.actual
        case "restyled", "kind":
            return *start, difference.actual
        case "extra", None if difference.what == "control" and not facts.get("label"):
            return start
    return None

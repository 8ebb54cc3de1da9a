"""Several things that changed in the same way, and equally badly, as one difference."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import replace

from pytest_design2a11y.models.thing_words import way_of_size
from pytest_design2a11y.models.visual import Difference

#: Number of alike changes that make one difference.
_LEAST = 3


def join_alike(found: Iterable[Difference]) -> list[Difference]:
    """Return graded differences, joining those of one severity whose things of one name changed alike."""
    groups: dict[object, list[Difference]] = {}
    for difference in found:
        groups.setdefault(_kind_of(difference) or id(difference), []).append(difference)
    joint: list[Difference] = []
    for members in groups.values():
        if len(members) < _LEAST:
            joint += members
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
    facts = difference.design or difference.made
    start = difference.severity, difference.kind, difference.what, difference.property, facts.get("name")
    match difference.kind, difference.property:
        case "resized", "size":
            return *start, way_of_size(difference)
        case "reworded", _:
            return *start, difference.expected, difference.actual
        case "restyled", "kind":
            return *start, difference.actual
        case "extra", None if difference.what == "control" and not facts.get("label"):
            return start
    return None

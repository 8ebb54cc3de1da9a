"""Things that are linked, directly or through others."""

from __future__ import annotations

from collections.abc import Iterable, Sequence


def groups_of(number: int, links: Iterable[Sequence[int]]) -> list[int]:
    """Return the group of each of so many things, numbered from 0 by the first thing of each group."""
    parents = list(range(number))

    def root(at: int) -> int:
        while parents[at] != at:
            parents[at] = at = parents[parents[at]]
        return at

    for one, other in links:
        first, second = sorted((root(one), root(other)))
        parents[second] = first
    roots = [root(at) for at in range(number)]
    numbers = {at: group for group, at in enumerate(sorted({*roots}))}
    return [numbers[at] for at in roots]

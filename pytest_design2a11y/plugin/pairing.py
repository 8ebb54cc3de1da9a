"""Which reference a candidate belongs to, where a test rendered both and did not compare them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from pytest_design2a11y.models.page import Capture

Pairs = Mapping[Capture, Capture]
"""References by the candidates that belong to them."""


def pair_by_role(rendered: Sequence[Capture], compared: Pairs) -> dict[Capture, Capture]:
    """Pair a test's candidates with its references, whichever was rendered first.

    What the test compared belongs together. Of the rest, all belong to the only reference that there is; as
    many candidates as references belong together in their order; otherwise each candidate belongs to the
    reference rendered last before it, if that leaves no reference over.

    Args:
        rendered: All that the test rendered, in that order.
        compared: References by candidates, as far as the test compared them.

    Returns:
        The reference of each candidate; a candidate that could belong to several has none.
    """
    pairs = dict(compared)
    candidates = [one for one in rendered if one.role == "candidate" and one not in pairs]
    references = [one for one in rendered if one.role == "reference"]
    free = [one for one in references if one not in compared.values()] or references
    if len(free) == 1:
        pairs |= dict.fromkeys(candidates, free[0])
    elif len(free) == len(candidates):
        pairs |= dict(zip(candidates, free, strict=True))
    else:
        preceding = dict(_preceding(rendered, candidates, free))
        is_clear = len(preceding) == len(candidates) and set(preceding.values()) == set(free)
        pairs |= preceding if is_clear else {}
    return pairs


def _preceding(
    rendered: Sequence[Capture], candidates: Sequence[Capture], references: Sequence[Capture]
) -> Iterator[tuple[Capture, Capture]]:
    last = None
    for one in rendered:
        last = one if one in references else last
        if last is not None and one in candidates:
            yield one, last

"""Flaws of things that cover, overflow or blend into others, where the design has none."""

from __future__ import annotations

from collections.abc import Iterator
from math import sqrt

from pytest_design2a11y.models.elements import Trouble
from pytest_design2a11y.models.geometry import Box
from pytest_design2a11y.models.page import Capture
from pytest_design2a11y.visual.flaws.flaw import Flaw

#: The same trouble of both pages begins no further apart (px), if it has no text.
NEAR = 40.0


def trouble_flaws(pages: tuple[Capture, Capture]) -> Iterator[Flaw]:
    """Yield the troubles of the generated page that its design does not have."""
    known = [*pages[0].overlaps]
    for at, trouble in enumerate(pages[1].overlaps):
        own = next((one for one in known if _is_same(one, trouble)), None)
        if own is not None:
            known.remove(own)
        else:
            yield Flaw("trouble", sqrt(trouble.share), (None, trouble.box), (None, at))


def _is_same(one: Trouble, other: Trouble) -> bool:
    if one.kind != other.kind:
        return False
    return one.text == other.text if one.text or other.text else _is_near(one.box, other.box)


def _is_near(one: Box, other: Box) -> bool:
    return all(abs(first - second) <= NEAR for first, second in zip(one[:2], other[:2], strict=True))

"""Digests of the places that differ: an accepted difference stays accepted only while they are the same."""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import reduce
from typing import Any
from zlib import crc32

from pytest_design2a11y.models.page import Capture
from pytest_design2a11y.models.thing_words import shift_of
from pytest_design2a11y.models.visual import Difference


def with_digests(
    differences: tuple[Difference, ...], reference: Capture, candidate: Capture
) -> tuple[Difference, ...]:
    """Return differences whose sides have a "digest": of their pixels, wherever on the page they are.

    Differences of the whole page, and of all its text, have that of the values that differ.
    """
    return tuple(
        replace(
            difference,
            reference=_digested(difference, "reference", reference),
            candidate=_digested(difference, "candidate", candidate),
        )
        for difference in differences
    )


def _digested(difference: Difference, role: str, page: Capture) -> Mapping[str, Any] | None:
    side: Mapping[str, Any] | None = getattr(difference, role)
    if side is None:
        return None
    is_of_all = difference.what == "page" and difference.kind != "unexplained"
    if is_of_all or difference.design.get("is_all"):
        parts = iter([str(difference.expected if role == "reference" else difference.actual).encode()])
    else:
        parts = _looks(difference, role, page)
    return {**side, "digest": f"{reduce(lambda known, part: crc32(part, known), parts, 0):08x}"}


def _looks(difference: Difference, role: str, page: Capture) -> Iterator[bytes]:
    """Yield the pixels of a difference's members, and how far the candidate's moved."""
    for member in difference.members or (difference,):
        side = getattr(member, role) or {}
        left, top, width, height = (max(0, round(length)) for length in side.get("box", (0, 0, 0, 0)))
        pixels = page.screenshot.pixels[top : top + height, left : left + width]
        yield str(pixels.shape).encode()
        yield pixels.tobytes()
        if member.kind == "moved" and role == "candidate":
            yield str(shift_of(member)).encode()

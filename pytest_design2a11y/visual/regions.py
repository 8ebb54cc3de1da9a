"""Digests of the places that differ: an accepted difference stays accepted only while they are the same."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from hashlib import blake2b
from typing import Any

import numpy

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
    digest = blake2b(digest_size=4)
    is_of_all = difference.what == "page" and difference.kind != "unexplained"
    if is_of_all or (difference.reference or {}).get("is_all"):
        digest.update(str(difference.expected if role == "reference" else difference.actual).encode())
    else:
        for part in _looks(difference, role, page):
            digest.update(part)
    return {**side, "digest": digest.hexdigest()}


def _looks(difference: Difference, role: str, page: Capture) -> Iterator[bytes]:
    """Yield the pixels of a difference's members, and how far the candidate's moved."""
    for member in difference.members or (difference,):
        side = getattr(member, role) or {}
        left, top, width, height = (max(0, round(length)) for length in side.get("box", (0, 0, 0, 0)))
        pixels = page.screenshot.pixels[top : top + height, left : left + width]
        yield str(pixels.shape).encode()
        yield numpy.ascontiguousarray(pixels).tobytes()
        if member.kind == "moved" and role == "candidate":
            yield str(shift_of(member)).encode()

"""Things that cover, overflow or blend into others, where the design has none of it."""

from __future__ import annotations

from collections.abc import Iterator

from rapidfuzz.distance import Indel

from pytest_design2a11y.models.elements import Trouble
from pytest_design2a11y.models.geometry import Box, area, clipped
from pytest_design2a11y.models.visual import Difference, DifferenceKind, DifferenceSubject
from pytest_design2a11y.visual.differences.compared import SEEN, Compared
from pytest_design2a11y.visual.differences.sides import details_of, pixels, subject_of
from pytest_design2a11y.visual.differences.sight import STRIKING, Sight, apart_at
from pytest_design2a11y.visual.differences.text_pairing import UnitMatching

_KINDS: dict[str, tuple[DifferenceKind, str]] = {
    "covered": ("covered", "cover"),
    "overflowing": ("overflowing", "box"),
    "clipped": ("overflowing", "cut"),
    "unreadable": ("unreadable", "contrast"),
}
#: What is seen at the text itself.
_OF_LOOK = {"covered", "unreadable"}
#: A text of which less strikes the eye looks the same.
_SAME_LOOK = 0.02
#: Less of a thing that is hit, or more than in the design, is not seen to be in trouble.
_LEAST_SHARE = 0.1
#: Texts that read alike so much are one; a box without a text is the same if so much of both is in common.
_SAME_TEXT, _SAME_BOX = 0.6, 0.5
#: What lies in a box by more is its content, where it is smaller than so much of it.
_WITHIN = 0.9
#: Of a line's height, so much above and below its letters is empty.
_EMPTY = 0.22


def trouble_differences(compared: Compared, texts: UnitMatching, sight: Sight) -> Iterator[Difference]:
    """Yield the troubles of the generated page that its design does not have, and that are seen."""
    for one in compared.candidate.overlaps:
        hit = _inked(one) if one.kind == "covered" else one.box
        if one.share < _LEAST_SHARE or hit is None or not sight.pixels_in(hit):
            continue
        if any(_is_known(known, one) for known in compared.reference.overlaps):
            continue
        if one.kind in _OF_LOOK and _looks_as_designed(compared, one, texts):
            continue
        element = _element_of(compared, one)
        if element is not None and (_is_content(one) or _was_covered(compared, element, one.share)):
            continue
        kind, property = _KINDS[one.kind]
        side: dict[str, object] = {"box": pixels(one.box), "text": one.text, "share": round(one.share, 2)}
        if one.by_box is not None:
            side["by_box"] = pixels(one.by_box)
        if one.kind == "unreadable" and one.text and not _is_wanted(one.text, texts):
            side["is_extra"] = True
        what: DifferenceSubject = "text" if one.text else "panel"
        if element is not None:
            found = (compared.candidate.elements or ())[element]
            what, side = subject_of(found), {**details_of(found, compared.candidate), **side}
        yield Difference(kind, what, 0.0, SEEN, property, None, round(one.share, 2), None, side)


def _is_wanted(text: str, texts: UnitMatching) -> bool:
    """Return whether the design has a text, wherever it is."""
    words = "".join(text.lower().split())
    return any(words in design.key for design in (*texts.missing, *(design for design, _ in texts.pairs)))


def _looks_as_designed(compared: Compared, trouble: Trouble, texts: UnitMatching) -> bool:
    """Return whether an affected text looks as it does in the design, wherever it is."""
    words = "".join(trouble.text.lower().split())
    for design, made in texts.pairs:
        if made.key == words == design.key and clipped(made.box, trouble.box):
            apart = apart_at((compared.reference, compared.candidate), (design.box, made.box))
            return float((apart >= STRIKING).mean()) < _SAME_LOOK if apart.size else False
    return False


def _element_of(compared: Compared, trouble: Trouble) -> int | None:
    """Return the number of the element that a trouble is about; None where it is about a text."""
    if trouble.kind != "covered":
        return None
    own = enumerate(compared.candidate.elements or ())
    return next((at for at, one in own if one.box == trouble.box and one.label == trouble.text), None)


def _is_content(trouble: Trouble) -> bool:
    """Return whether what lies over a box lies in it: that is what boxes are for."""
    inside = trouble.by_box and clipped(trouble.by_box, trouble.box)
    is_whole = inside is not None and area(inside) > _WITHIN * area(trouble.by_box or trouble.box)
    return is_whole and area(trouble.by_box or trouble.box) < _WITHIN * area(trouble.box)


def _was_covered(compared: Compared, element: int, share: float) -> bool:
    """Return whether nearly as much of an element's counterpart in the design is covered."""
    for i, j, _ in compared.elements.pairs if compared.elements else ():
        if j == element:
            return share < 1 - (compared.reference.elements or ())[i].shown + _LEAST_SHARE
    return False


def _inked(trouble: Trouble) -> Box | None:
    """Return the part of a text's letters, or of a box, over which something lies; None where none is."""
    left, top, width, height = trouble.box
    room = _EMPTY * height if trouble.text else 0.0
    ink = left, top + room, width, height - 2 * room
    if trouble.by_box is None:
        return ink
    hit = clipped(ink, trouble.by_box)
    return hit if hit is not None and area(hit) >= _LEAST_SHARE / 2 * area(ink) else None


def _is_known(known: Trouble, one: Trouble) -> bool:
    """Return whether the design has the same trouble, nearly as much of it."""
    if known.kind != one.kind or one.share >= known.share + _LEAST_SHARE:
        return False
    if known.text and one.text:
        return Indel.normalized_similarity(known.text.lower(), one.text.lower()) >= _SAME_TEXT
    common = clipped(known.box, one.box)
    return (
        not (known.text or one.text)
        and common is not None
        and area(common) >= _SAME_BOX * max(area(known.box), area(one.box))
    )

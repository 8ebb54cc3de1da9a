"""Things that cover, overflow or blend into others, but do not in the design."""

from collections.abc import Iterator

from rapidfuzz.distance import Indel

from pytest_design2a11y.models.elements import Trouble
from pytest_design2a11y.models.geometry import Box, area, clipped
from pytest_design2a11y.models.visual import Difference, DifferenceKind, DifferenceSubject
from pytest_design2a11y.visual.differences.compared import Compared, claim
from pytest_design2a11y.visual.scene.element_facts import details_of, subject_of
from pytest_design2a11y.visual.scene.places import pixels
from pytest_design2a11y.visual.scene.sight import STRIKING, apart_at

_KINDS: dict[str, tuple[DifferenceKind, str]] = {
    "covered": ("covered", "cover"),
    "overflowing": ("overflowing", "box"),
    "clipped": ("overflowing", "cut"),
    "unreadable": ("unreadable", "contrast"),
}
#: Troubles that are visible in the text itself.
_OF_LOOK = {"covered", "unreadable"}
#: A text looks the same if less than this share of it is striking.
_SAME_LOOK = 0.02
#: A trouble is unnoticeable if it affects less than this share, or exceeds the design's by less.
_LEAST_SHARE = 0.1
#: Similarity of texts that makes them the same; share in common that makes boxes without text the same.
_SAME_TEXT, _SAME_BOX = 0.6, 0.5
#: Least share within a box that makes something its content, and its greatest size as a share of it.
_WITHIN = 0.9
#: Share of a line's height that is empty above and below its letters.
_EMPTY = 0.22


def trouble_differences(compared: Compared) -> Iterator[Difference]:
    """Yield the visible troubles of the generated page that its design does not have."""
    page, texts = compared.candidate, compared.texts
    for trouble in page.overlaps:
        box, words, share = trouble.box, trouble.text, round(trouble.share, 2)
        hit = _inked(trouble) if trouble.kind == "covered" else box
        if trouble.share < _LEAST_SHARE or hit is None or not compared.sight.pixels_in(hit):
            continue
        if any(_is_known(known, trouble) for known in compared.reference.overlaps):
            continue
        if trouble.kind in _OF_LOOK and _looks_as_designed(compared, trouble):
            continue
        elements = enumerate(page.elements or () if trouble.kind == "covered" else ())
        at = next((at for at, element in elements if element.box == box and element.label == words), None)
        if at is not None and _is_meant(compared, trouble, at):
            continue
        side: dict[str, object] = {"box": pixels(box), "text": words, "share": share}
        if trouble.cut:
            side["cut"] = trouble.cut
        if trouble.by_box is not None:
            side["by_box"] = pixels(trouble.by_box)
        key = "".join(words.lower().split())
        wanted = (*texts.missing, *(design for design, _ in texts.pairs))
        if trouble.kind == "unreadable" and words and not any(key in design.key for design in wanted):
            side["is_extra"] = True
        what: DifferenceSubject = "text" if words else "panel"
        if at is not None:
            element = (page.elements or ())[at]
            what, side = subject_of(element), {**details_of(element, page), **side}
        kind, property = _KINDS[trouble.kind]
        yield claim(kind, what, property, None, share, None, side)


def _looks_as_designed(compared: Compared, trouble: Trouble) -> bool:
    """Return whether an affected text looks as in the design, wherever it is."""
    words = "".join(trouble.text.lower().split())
    for design, made in compared.texts.pairs:
        if made.key == words == design.key and clipped(made.box, trouble.box):
            apart = apart_at(compared.pages, (design.box, made.box))
            return float((apart >= STRIKING).mean()) < _SAME_LOOK if apart.size else False
    return False


def _is_meant(compared: Compared, trouble: Trouble, at: int) -> bool:
    """Return whether what covers an element is its content, as in boxes, or also covers it in the design."""
    over = trouble.by_box
    inside = clipped(over, trouble.box) if over else None
    if over and inside and area(inside) > _WITHIN * area(over) and area(over) < _WITHIN * area(trouble.box):
        return True
    covered = (compared.candidate.elements or ())[at]
    shown = next((design.shown for design, made in compared.pairs if made is covered), None)
    return shown is not None and trouble.share < 1 - shown + _LEAST_SHARE


def _inked(trouble: Trouble) -> Box | None:
    """Return the part of a text's letters, or of a box, that something covers; None if there is none."""
    left, top, width, height = trouble.box
    room = _EMPTY * height if trouble.text else 0.0
    ink = left, top + room, width, height - 2 * room
    if trouble.by_box is None:
        return ink
    hit = clipped(ink, trouble.by_box)
    return hit if hit is not None and area(hit) >= _LEAST_SHARE / 2 * area(ink) else None


def _is_known(known: Trouble, trouble: Trouble) -> bool:
    """Return whether the design has the same trouble, to nearly the same extent."""
    if known.kind != trouble.kind or trouble.share >= known.share + _LEAST_SHARE:
        return False
    if known.text or trouble.text:
        return Indel.normalized_similarity(known.text.lower(), trouble.text.lower()) >= _SAME_TEXT
    common = clipped(known.box, trouble.box)
    return common is not None and area(common) >= _SAME_BOX * max(area(known.box), area(trouble.box))

"""Faults of what is not text: missing, extra, moved, resized, restyled, recolored; the ground of the page."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from pytest_design2a11y.models.elements import Element
from pytest_design2a11y.models.geometry import Box, hex_color, is_inside
from pytest_design2a11y.models.visual import DifferenceKind
from pytest_design2a11y.visual.differences.fault import Compared, Fault, shift_between
from pytest_design2a11y.visual.differences.names import (
    details_of,
    is_control,
    name_of,
    subject_of,
    text_inside,
    way,
)
from pytest_design2a11y.visual.differences.texts import LEAST_SHIFT, block_box
from pytest_design2a11y.visual.elements import ElementMatching, Likeness, looks_alike

#: Pairs less alike than this but for their colors are told as one that is missing and one that is extra; of
#: different kinds, those whose place and size are.
_SAME, _SAME_PLACE = 0.35, 0.5
#: What looks as alike as this elsewhere on the page is the same thing, moved; sought among so many.
_SAME_LOOK, _MOST_SOUGHT = 0.8, 400
#: Sizes that differ by less (px) are not told by themselves.
_LEAST_RESIZE = 4.0
#: Likenesses of colour from this on are not told: a CIE76 difference of 4.
_SAME_COLOR = 0.95

#: Boxes of matched texts, px, shape (number, 2 pages, 4).
Texts = NDArray[np.float64]


def element_faults(compared: Compared) -> Iterator[Fault]:
    """Return what is wrong with each element and with the ground, with what it takes from fidelity."""
    matching = compared.elements
    if matching is None or compared.reference.elements is None or compared.candidate.elements is None:
        return
    weight = compared.weight("elements")
    yield from _ground(compared, matching, weight)
    first, second = compared.reference.elements, compared.candidate.elements
    alone: tuple[dict[int, float], dict[int, float]] = (
        {i: weight * own for i, own in enumerate(matching.weights[0])},
        {j: weight * own for j, own in enumerate(matching.weights[1])},
    )
    for i, j, likeness in matching.pairs:
        where = likeness.place * likeness.size
        is_same = where * likeness.marks >= _SAME if likeness.kind == 1 else where >= _SAME_PLACE
        costs = alone[0].pop(i), alone[1].pop(j)
        if is_same:
            yield from _pair(compared, first[i], second[j], likeness, sum(costs))
        else:
            loss = 1 - likeness.similarity
            alone[0][i], alone[1][j] = costs[0] * loss, costs[1] * loss
    yield from _moved_far(compared, *alone)
    texts = np.array(
        [
            (block_box(one.reference, compared.reference), block_box(one.candidate, compared.candidate))
            for one in compared.score.matches
        ]
    ).reshape(-1, 2, 4)
    for i, cost in sorted(alone[0].items()):
        yield _missing(compared, first[i], cost, texts)
    for j, cost in sorted(alone[1].items()):
        yield _extra(compared, second[j], cost)


def _moved_far(compared: Compared, missing: dict[int, float], extra: dict[int, float]) -> Iterator[Fault]:
    """Yield what is in another part of the page, where it scores nothing; take it out of both."""
    rows, columns = np.array(sorted(missing)), np.array(sorted(extra))
    if not (0 < len(rows) <= _MOST_SOUGHT and 0 < len(columns) <= _MOST_SOUGHT):
        return
    table = looks_alike(compared.reference, compared.candidate, rows, columns)
    for row, i in enumerate(rows.tolist()):
        column = int(table[row].argmax())
        if table[row, column] >= _SAME_LOOK:
            table[:, column] = 0.0
            j = int(columns[column])
            design, made = (compared.reference.elements or ())[i], (compared.candidate.elements or ())[j]
            name = name_of(design, compared.reference)
            told = (
                f"{name} moved {way(shift_between(design.box, made.box))}",
                details_of(design),
                details_of(made),
            )
            cost = missing.pop(i) + extra.pop(j)
            boxes = design.box, made.box
            yield Fault("moved", subject_of(design), cost, True, lambda told=told: told, boxes, "element")  # type: ignore[misc]


def things_in_place(compared: Compared) -> Iterator[Fault]:
    """Return the panels and pictures that did not move, as faults that cost nothing."""
    first, second = compared.reference.elements or (), compared.candidate.elements or ()
    for i, j, likeness in compared.elements.pairs if compared.elements else ():
        if likeness.place == 1.0 and subject_of(first[i]) in {"panel", "picture"}:
            boxes = first[i].box, second[j].box
            yield Fault("moved", subject_of(first[i]), 0.0, False, lambda: ("", None, None), boxes, "element")


def _ground(compared: Compared, matching: ElementMatching, weight: float) -> Iterator[Fault]:
    design, made = compared.reference.ground, compared.candidate.ground
    if matching.ground == 1.0 or design is None or made is None:
        return
    told = (
        f"ground of the page (background) is {hex_color(made)} instead of {hex_color(design)}",
        {"box": [0, 0, *compared.reference.page_size], "fill": hex_color(design)},
        {"box": [0, 0, *compared.candidate.page_size], "fill": hex_color(made)},
    )
    cost = weight * matching.ground_loss
    yield Fault("ground", "page", cost, matching.ground < 0.98, lambda: told, source="ground")


def _missing(compared: Compared, element: Element, cost: float, texts_of: Texts) -> Fault:
    is_box = element.kind == "box"
    texts = _texts_in_place(texts_of, element) if is_box else []
    kind: DifferenceKind = "restyled" if texts and not is_control(element) else "missing"

    def words() -> tuple[str, dict[str, object], None]:
        name, details = name_of(element, compared.reference), dict(details_of(element))
        marks = _marks(element)
        if kind == "restyled" and marks:
            return f"{name} lost its {_listed(marks)}", details, None
        boxes = [
            one.box for one in compared.candidate.elements or () if one.kind == "box" and is_control(one)
        ]
        if texts and is_control(element) and not any(is_inside(text, box) for text in texts for box in boxes):
            details["text"] = text_inside(element, compared.reference)
            lost = ", ".join(f"no {mark}" for mark in marks) or "nothing around it"
            return f"{name} is plain text: {lost}", details, None
        return f"{name} is missing", details, None

    boxes = (element.box, element.box if kind == "restyled" else None)
    return Fault(kind, subject_of(element), cost, True, words, boxes, "element")


def _texts_in_place(texts: Texts, element: Element) -> list[Box]:
    """Return where the texts of a box stand in the generated page; none where a panel lost most of them."""
    here, now = (texts[:, side, :2] + texts[:, side, 2:] / 2 for side in (0, 1))
    left, top, width, height = element.box
    is_in, has_stayed = (
        ((centres >= (left, top)) & (centres <= (left + width, top + height))).all(axis=1)
        for centres in (here, now)
    )
    has_left = 2 * int((is_in & has_stayed).sum()) <= int(is_in.sum()) and not is_control(element)
    return [] if has_left else [tuple(box) for box in texts[is_in, 1].tolist()]


def _extra(compared: Compared, element: Element, cost: float) -> Fault:
    def words() -> tuple[str, None, dict[str, object]]:
        name = name_of(element, compared.candidate)
        return f"{name} is not in the design", None, dict(details_of(element))

    return Fault("extra", subject_of(element), cost, True, words, (None, element.box), "element")


def _marks(element: Element) -> list[str]:
    has = {"fill": element.has_fill, "border": element.has_border, "shadow": element.has_shadow}
    return [name for name, is_there in has.items() if is_there]


def _listed(names: list[str]) -> str:
    return " and ".join([", ".join(names[:-1]), names[-1]] if len(names) > 1 else names)


def _pair(
    compared: Compared, design: Element, made: Element, likeness: Likeness, weight: float
) -> Iterator[Fault]:
    """Share what a pair of elements loses among the ways in which they differ."""
    paint = {"color": 1 - likeness.color, "marks": 1 - likeness.marks}
    if likeness.kind < 1:
        # Of another kind it has other paint.
        paint = {"kind": 1 - likeness.kind * likeness.color * likeness.marks}
    losses = {"kind": 0.0, "color": 0.0, "marks": 0.0, **paint}
    losses |= {"place": 1 - likeness.place, "size": 1 - likeness.size}
    scale = weight * (1 - likeness.similarity) / (sum(losses.values()) or 1.0)
    boxes = design.box, made.box
    shift = shift_between(*boxes)
    (width, height), (own_width, own_height) = design.box[2:], made.box[2:]
    is_resized = max(abs(width - own_width), abs(height - own_height)) >= _LEAST_RESIZE
    kind_of_made = f"plain {hex_color(made.fill)} box" if made.kind == "box" else made.kind
    # Another ground lets the same fill stand out, or not.
    has_other_edges = (design.has_border, design.has_shadow) != (made.has_border, made.has_shadow)
    faults = (
        ("restyled", "kind", True, lambda: f"is a {kind_of_made}"),
        ("moved", "place", max(map(abs, shift)) >= LEAST_SHIFT, lambda: f"moved {way(shift)}"),
        (
            "resized",
            "size",
            is_resized,
            lambda: f"is {own_width:.0f} x {own_height:.0f} instead of {width:.0f} x {height:.0f}",
        ),
        ("recolored", "color", likeness.color < _SAME_COLOR, lambda: _recolored(design, made)),
        (
            "restyled",
            "marks",
            has_other_edges or design.fill != made.fill,
            lambda: _restyled(design, made),
        ),
    )
    for kind, factor, is_seen, words in faults:
        if losses[factor] > 0:
            yield Fault(
                kind,  # type: ignore[arg-type]
                subject_of(design),
                scale * losses[factor],
                is_seen,
                lambda words=words: (  # type: ignore[misc]
                    f"{name_of(design, compared.reference)} {words()}",
                    details_of(design),
                    details_of(made),
                ),
                boxes,
                "element",
            )


def _recolored(design: Element, made: Element) -> str:
    if design.thumbnail is not None and made.thumbnail is not None:
        mostly = f", mostly {hex_color(made.fill)} instead of {hex_color(design.fill)}"
        return f"shows something else{mostly if made.fill != design.fill else ''}"
    return f"is {hex_color(made.fill)} instead of {hex_color(design.fill)}"


def _restyled(design: Element, made: Element) -> str:
    old, new = _marks(design), _marks(made)
    lost, gained = [mark for mark in old if mark not in new], [mark for mark in new if mark not in old]
    parts = []
    if lost:
        parts.append(f"lost its {_listed(lost)}")
    if gained:
        parts.append(f"has a {' and a '.join(gained)} that the design has not")
    return " and ".join(parts)

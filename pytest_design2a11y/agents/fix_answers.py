"""What the tools that help to fix a page answer: records, what changed, and both pages in one picture."""

import io
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from pytest_design2a11y.comparing.pairing import anchor
from pytest_design2a11y.fixing.fix_list import Item, Remaining, State
from pytest_design2a11y.models.evaluation import Evaluation
from pytest_design2a11y.models.geometry import Box, clipped
from pytest_design2a11y.models.thing_words import listed_all
from pytest_design2a11y.models.visual import Difference
from pytest_design2a11y.models.words import in_words
from pytest_design2a11y.report.causes import differences_of
from pytest_design2a11y.wording import counted, listed


@dataclass(frozen=True)
class FixListAnswer:
    """What to change on a page, and what each item gains by itself.

    An item has `id`, `name`, `gain`, `cost`, `repairs`, `edits` (selector, CSS, texts, attributes, markup and
    both boxes) and `more`: how many edits its gain counts besides.
    """

    number: str
    page: str
    design: str | None
    before: State
    after: State | None
    items: list[dict[str, Any]]
    num_items: int
    left_out: list[str]
    remaining: list[Remaining]
    remarks: list[str]


@dataclass(frozen=True)
class WhyAnswer:
    """Why an item is on its list."""

    item: dict[str, Any]
    reasons: list[str]
    differences: list[str]


@dataclass(frozen=True)
class PatchAnswer:
    """What a page measures before and after a change that was tried."""

    before: State
    after: State
    changes: list[str]
    patches: int


@dataclass(frozen=True)
class MeasureAnswer:
    """An element of a page; box is left, top, width, height in CSS px."""

    selector: str
    count: int
    box: list[float]
    text: str
    lines: int
    style: dict[str, str]


def is_in(difference: Difference, areas: Iterable[Box]) -> bool:
    """Return whether a difference shows in one of several parts of either page."""
    boxes = [side["box"] for side in (difference.design, difference.made) if "box" in side]
    return any(clipped(tuple(box), area) is not None for area in areas for box in boxes)


def is_about(difference: Difference, item: Item) -> bool:
    """Return whether a difference is where an item edits something."""
    if difference.what == "page":
        return any(edit.name == "page" for edit in item.edits)
    return is_in(difference, [box for edit in item.edits for box in (edit.page_box, edit.design_box) if box])


#: Landmarks as people call them; what is in none of them is told by its height on the page.
_REGIONS = {"banner": "header", "contentinfo": "footer", "navigation": "navigation", "main": "main part"}
#: px; regions of what lies in no landmark are this high.
_BAND = 600
_LEAST_RISE = 0.001
_MOST_NAMED = 3


def changes_of(old: Evaluation, new: Evaluation) -> Iterator[str]:
    """Yield how two measurements of one page differ: fidelity, a line a region, and a rise by lost text."""
    values = [page.visual.fidelity if page.visual else None for page in (old, new)]
    before, after = values
    if before is None or after is None:
        return
    yield f"fidelity was {before:.4f}, and is {after:.4f}"
    known = {anchor(difference) for difference in differences_of(old)}
    still = {anchor(difference) for difference in differences_of(new)}
    gone = [difference for difference in differences_of(old) if anchor(difference) not in still]
    found = [difference for difference in differences_of(new) if anchor(difference) not in known]
    for region in dict.fromkeys(map(_region, (*gone, *found))):
        parts = [
            f"{len(these)} {word} ({listed([*map(in_words, these)], most=_MOST_NAMED)})"
            for word, those in (("gone", gone), ("new", found))
            if (these := [one for one in those if _region(one) == region])
        ]
        yield f"{region}: {listed_all(parts)}"
    lost = _lost_texts(old, new)
    if after > before + _LEAST_RISE and lost:
        named = listed([f'"{text}"' for text in lost], most=_MOST_NAMED)
        number = counted(len(lost), "text")
        yield f"warning: fidelity rose, but {number} of the design that the page had before got lost: {named}"


def _region(difference: Difference) -> str:
    """Return where a difference is: in a landmark, or how far down the page."""
    side = difference.design or difference.made
    if name := _REGIONS.get(str(side.get("region"))):
        return name
    if difference.what == "page" or "box" not in side:
        return "page"
    first = int(side["box"][1] // _BAND) * _BAND
    return f"{first} to {first + _BAND} px down"


def _lost_texts(old: Evaluation, new: Evaluation) -> list[str]:
    """Return the texts of the design that the page showed, and does not show any more."""
    assert old.visual is not None
    assert new.visual is not None
    # What was matched as one text may be missing in parts.
    had = [f" {match.reference.text} " for match in old.visual.matches]
    return [block.text for block in new.visual.missing if any(f" {block.text} " in text for text in had)]


#: Pixels of one page in the picture at most: what models that see are given at full size.
_MOST_WIDTH, _MOST_HEIGHT = 760, 1500
_GAP, _HEAD = 16, 24
_COLORS = {"critical": "#c1121f", "serious": "#d95f02", "moderate": "#7b5ea7", "minor": "#4a6fa5"}


def side_by_side(
    pictures: Sequence[bytes],
    sizes: Sequence[tuple[int, int]],
    marked: Sequence[Difference],
    area: Box | None = None,
) -> bytes:
    """Return a PNG of both pages at one scale, the design first, with a numbered box for each difference.

    The pictures may be smaller than the pages, whose sizes (px) the differences' boxes refer to. With an
    `area` (px), only that part of both is shown.
    """
    from PIL import Image, ImageDraw

    left, top, width, height = area or (0.0, 0.0, *(max(size[axis] for size in sizes) for axis in (0, 1)))
    scale = min(1.0, _MOST_WIDTH / width, _MOST_HEIGHT / height)
    edges = left * scale, top * scale, (left + width) * scale, (top + height) * scale
    shown = []
    for data, size in zip(pictures, sizes, strict=True):
        whole = Image.open(io.BytesIO(data)).convert("RGB")
        whole = whole.resize([max(1, round(length * scale)) for length in size])
        shown.append(whole if area is None else whole.crop(edges))
    lefts = (0, shown[0].width + _GAP)
    size = lefts[1] + shown[1].width, _HEAD + max(picture.height for picture in shown)
    canvas = Image.new("RGB", size, "#808080")
    draw = ImageDraw.Draw(canvas)
    for at, picture, title, role in zip(
        lefts, shown, ("design", "page"), ("reference", "candidate"), strict=True
    ):
        canvas.paste(picture, (at, _HEAD))
        draw.text((at + 4, 6), title, fill="#ffffff")
        for number, difference in enumerate(marked, 1):
            if box := (getattr(difference, role) or {}).get("box"):
                shifted = (box[0] - left, box[1] - top, *box[2:])
                _mark(draw, shifted, number, _COLORS[difference.severity], (at, scale))
    file = io.BytesIO()
    canvas.save(file, "PNG", optimize=True)
    return file.getvalue()


def _mark(draw: Any, box: Sequence[float], number: int, color: str, place: tuple[int, float]) -> None:
    left, scale = place
    x, y, width, height = (length * scale for length in box)
    corner = left + x, _HEAD + y
    draw.rectangle((*corner, corner[0] + max(2, width), corner[1] + max(2, height)), outline=color, width=2)
    label = str(number)
    top = max(0, corner[1] - 12)
    draw.rectangle((corner[0], top, corner[0] + 7 * len(label) + 4, top + 12), fill=color)
    draw.text((corner[0] + 2, top), label, fill="#ffffff")

"""The visible text of a frozen page, with its position and color."""

import re
import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from hashlib import sha256
from typing import Any

from pytest_design2a11y.capture.page.frames import FrameContext, FrozenPage, frame_id
from pytest_design2a11y.capture.page.snapshot import missing_glyphs, read_layout
from pytest_design2a11y.capture.text.candidates import PICTURES, Candidates, FoundRun, candidates_of
from pytest_design2a11y.models.elements import Font
from pytest_design2a11y.models.geometry import Box, clipped, moved
from pytest_design2a11y.models.page import CaptureWarning, Marker, SourceText, TextRun, Unseen

#: Elements that own the text inside them, down to the next such element (the published metric's list).
OWNING_TAGS = (
    *("p", "h1", "h2", "h3", "h4", "h5", "h6", "div", "span", "a", "b", "li", "table", "td", "th"),
    *("button", "footer", "header", "figcaption"),
)

_UNAUDITED_FRAME = "(index) => globalThis.__design2a11yText.unauditedFrames[index]"

_CLOSED = "Closed shadow roots: their text is read, but the accessibility check cannot enter them."

# Fewer hidden words than this belong to a menu.
_HIDDEN_WORDS = 30
_HIDDEN_SHARE = 0.2

# Share of a page's area: beyond any photograph on 583 pages of real designs and what models made of them.
_PICTURE_SHARE = 0.75

# Characters; a longer address counts as if it may have returned something.
_LONG_ADDRESS = 2000

# Invisible characters: zero-width ones, joiners, directional marks, soft hyphen, byte order mark, and control
# characters that are not white space.
_UNSEEN = dict.fromkeys(
    [
        *(0x00AD, 0x034F, 0x061C, 0xFEFF),
        *(*range(0x09), *range(0x0E, 0x20), *range(0x7F, 0x85), *range(0x86, 0xA0)),
        *(*range(0x200B, 0x2010), *range(0x202A, 0x202F), *range(0x2060, 0x2070)),
    ]
)


@dataclass(frozen=True, slots=True)
class PageText:
    """The text of a page."""

    texts: tuple[FoundRun, ...]  # In document order, each frame's after those of its parent frame
    warnings: tuple[CaptureWarning, ...]  # About text that could not be read, or is not shown
    # Candidates for elements; None if not requested
    candidates: Candidates | None = None
    unseen: tuple[Unseen, ...] = ()  # In parts that can be scrolled, and beyond the captured part


def read_text(page: FrozenPage, *, finds_elements: bool = False) -> PageText:
    """Read the text that a person sees on a page, including frames and shadow roots."""
    texts: list[FoundRun] = []
    answers: list[dict[str, Any]] = []
    num_closed = 0
    unaudited: set[str] = set()
    unserved = sorted(address for address in page.unserved if len(address) <= _LONG_ADDRESS)
    unseen = list(_scrolled(page))
    with page.stage("text"):
        for index, world in enumerate(page.worlds):
            owners = 1 + max((text.run.owner for text in texts), default=-1)
            layout = read_layout(world)
            question = {
                "owningTags": OWNING_TAGS,
                "isMain": world.is_main,
                "isAudited": world.frame_id not in unaudited,
                "unserved": unserved,
                "firstOwner": owners,
                "findsElements": finds_elements,
                "height": page.page_size[1] - world.offset[1],
                "generated": layout.generated,
            }
            answer = world.run("capture/text/read_text.js", "readText", question)
            numbers = range(answer["numUnauditedFrames"])
            unaudited |= {frame_id(world, _UNAUDITED_FRAME, number) for number in numbers}
            answers.append(answer)
            num_closed += layout.num_closed
            paragraphs = 1 + max((text.run.paragraph or 0 for text in texts), default=-1)
            texts.extend(_runs(answer, index, world, page.page_size, paragraphs))
            unseen += _unseen(answer, world, page)
    candidates = candidates_of(answers, page.worlds, page.page_size) if finds_elements else None
    picture = candidates.largest_picture(page.page_size, texts) if candidates else 0.0
    warnings = tuple(_warnings(answers, num_closed, picture))
    return PageText(tuple(texts), warnings, candidates, tuple(unseen))


def _scrolled(page: FrozenPage) -> Iterator[Unseen]:
    """Yield what parts of the page showed only while they were scrolled."""
    offset = page.worlds[0].offset
    for thing in page.scrolled:
        text = seen_text(thing.text)
        if text or not thing.text:
            yield replace(thing, text=text, box=moved(thing.box, offset), window=moved(thing.window, offset))


def _unseen(answer: dict[str, Any], world: FrameContext, page: FrozenPage) -> Iterator[Unseen]:
    """Yield what a frame holds in parts that can be scrolled, and right of the captured part or below it."""
    for hidden in answer["unseen"]:
        text = seen_text(hidden["text"] or "")
        for window in _placed([hidden["window"]], world.offset, (0.0, 0.0, *page.whole)):
            if text or hidden["text"] is None:
                yield Unseen(text, moved(hidden["box"], world.offset), window)
    yield from _beyond(answer, world, page)


def _beyond(answer: dict[str, Any], world: FrameContext, page: FrozenPage) -> Iterator[Unseen]:
    """Yield what a frame holds right of the captured part or below it, and how things below look."""
    fonts, end = answer["fonts"], page.page_size[1]
    for record in answer["runs"]:
        text, box = seen_text(record["text"]), moved(record["boxes"][0], world.offset)
        if text and _is_beyond(box, page):
            size = record["font"] >= 0 and fonts[record["font"]]["size"]
            yield Unseen(text, box, box, look=_digest(record["tint"], size))
    for record in answer["candidates"]:
        box = moved(record["box"], world.offset)
        if record["kind"] in PICTURES and _is_beyond(box, page):
            yield Unseen("", box, box)
        if box[1] >= end:
            sizes = [*map(round, box[2:]), record["radius"], *record["inner"]]
            look = _digest(record["kind"], sizes, record["tint"], record["look"], record["shapes"])
            yield Unseen("", box, box, look=look)


def _digest(*look: object) -> str:
    return sha256(repr(look).encode()).hexdigest()[:16]


def _is_beyond(box: Box, page: FrozenPage) -> bool:
    return any(seen <= at < end for at, seen, end in zip(box, page.page_size, page.whole, strict=False))


def _warnings(
    answers: Sequence[Mapping[str, Any]], num_closed: int, picture_share: float
) -> Iterator[CaptureWarning]:
    if num_closed:
        yield CaptureWarning("closed_shadow", _CLOSED, num_closed)
    if boxed := {character for answer in answers for character in answer["boxed"]}:
        yield missing_glyphs(sorted(boxed))
    hidden = sum(answer["words"]["hidden"] for answer in answers)
    total = hidden + sum(answer["words"]["shown"] for answer in answers)
    if hidden >= _HIDDEN_WORDS and hidden > _HIDDEN_SHARE * total:
        message = (
            f"{hidden} of the page's {total} words are not shown when it comes to rest (other slides or tabs,"
            " closed parts, what a scroller cuts off): no visual score sees them."
        )
        yield CaptureWarning("hidden_text", message, hidden)
    if picture_share >= _PICTURE_SHARE:
        message = (
            f"One picture fills {picture_share:.0%} of the page: words that it shows are not read as text,"
            " and do not count."
        )
        yield CaptureWarning("mostly_picture", message)


def _runs(
    answer: dict[str, Any], index: int, world: FrameContext, page_size: tuple[int, int], paragraphs: int
) -> Iterator[FoundRun]:
    fonts = [
        Font(font["size"], font["weight"], font["isItalic"], tuple(font["widths"]), font["spacing"])
        for font in answer["fonts"]
    ]
    # Numbered in order of appearance: elements that show nothing change no number.
    numbers: dict[int, int] = {}
    limits = (0.0, 0.0, float(page_size[0]), float(page_size[1]))
    if world.clip is not None:
        limits = clipped(world.clip, limits) or (0.0, 0.0, 0.0, 0.0)
    for number, record in enumerate(answer["runs"]):
        boxes = _placed(record["boxes"], world.offset, limits)
        text = seen_text(record["text"])
        if not boxes or not text:
            continue
        tint, source, font = record["tint"], record["source"], record["font"]
        paragraph = None
        if font >= 0:
            paragraph = paragraphs + numbers.setdefault(record["paragraph"], len(numbers))
        run = TextRun(
            text,
            boxes,
            None if tint is None else (round(tint[0]), round(tint[1]), round(tint[2])),
            record["owner"],
            1.0 if tint is None else tint[3],
            source=None if source is None else SourceText(_valid(source["text"]), source["isRecolored"]),
            unaudited=record["unaudited"],
            font=fonts[font] if font >= 0 else None,
            paragraph=paragraph,
            gaps=_gaps(text, record["text"], record["gaps"]),
            is_underlined=record["isUnderlined"],
            is_link=record["isLink"],
            fills=tuple((round(red), round(green), round(blue)) for red, green, blue in record["fills"]),
            has_shadow=record["hasShadow"],
            is_vertical=record["isVertical"],
            marker=_marker(record["marker"], world.offset, limits),
        )
        marks = frozenset(_placed(record["marks"], world.offset, limits))
        around = _placed([record["around"]], world.offset, limits) if record["around"] else ()
        yield FoundRun(
            run,
            index,
            number,
            marks=marks,
            span=tuple(record["span"]),
            rank=record["rank"],
            cut=record["cut"],
            window=record["window"] and moved(record["window"], world.offset),
            is_cut_in_height=record["isCutInHeight"],
            around=next(iter(around), None),
        )


def _gaps(text: str, raw: str, gaps: Sequence[int]) -> tuple[int, ...]:
    """Return where parts of a text begin once it is as a person sees it; empty if unknown."""
    if not gaps:
        return ()
    # A script counts UTF-16 units.
    units = raw.encode("utf-16-le", "surrogatepass")
    before = [seen_text(units[: 2 * at].decode("utf-16-le", "replace")) for at in gaps]
    starts = tuple(len(part) for part in before)
    is_known = all(part and text.startswith(part) for part in before) and len({*starts}) == len(gaps)
    return starts if is_known and starts[-1] < len(text) else ()


def _valid(text: str) -> str:
    return text.encode("utf-8", "replace").decode("utf-8")


def _marker(record: Mapping[str, Any] | None, offset: tuple[float, float], limits: Box) -> Marker | None:
    """Return the marker of a list item; None if it has none, or none of one color."""
    box = record and clipped(moved(record["box"], offset), limits)
    if not (record and box and record["color"]):
        return None
    red, green, blue = map(round, record["color"][:3])
    return Marker(seen_text(record["name"]), seen_text(record["text"]), (red, green, blue), box)


def _placed(boxes: Sequence[Any], offset: tuple[float, float], limits: Box) -> tuple[Box, ...]:
    return tuple(box for box in (clipped(moved(box, offset), limits) for box in boxes) if box is not None)


def seen_text(text: str) -> str:
    """Return text as a person sees it: composed, white space collapsed, zero-width characters removed."""
    seen = _valid(text).translate(_UNSEEN)
    if not seen.isascii():
        # Sorting a character's combining marks takes quadratic time. If there are more than thirty, which no
        # script has, every thirty are composed separately (Unicode Standard Annex 15, stream-safe text).
        # The text contains no NUL by now.
        parts = _many_marks().sub(r"\g<0>\0", seen).split("\0")
        seen = "".join(unicodedata.normalize("NFC", part) for part in parts)
    return " ".join(seen.split())


@cache
def _many_marks() -> re.Pattern[str]:
    marks = "".join(
        character for code in range(0x300, 0x20000) if unicodedata.combining(character := chr(code))
    )
    return re.compile(f"[{marks}]{{30}}(?=[{marks}])")

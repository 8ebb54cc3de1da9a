"""The keyboard probe: Tab through the page, forwards and backwards, and watch what happens."""

import io
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import TYPE_CHECKING, Any

from pytest_design2a11y.exceptions import ProbeError
from pytest_design2a11y.models.audit import Check, CheckOutcome, Place, ProbeFinding
from pytest_design2a11y.models.geometry import Box, box_around, clipped, grown, moved

if TYPE_CHECKING:
    from PIL.Image import Image

    from pytest_design2a11y.capture.running.page import RunningPage

OPERABLE = Check("keyboard-operable", "2.1.1", "critical", "What reacts to a click is reached with Tab")
TRAP = Check("keyboard-trap", "2.1.2", "critical", "The focus can be moved away again")
ORDER = Check("keyboard-order", "2.4.3", "moderate", "The focus moves in the order in which the page reads")
VISIBLE = Check("keyboard-focus-visible", "2.4.7", "serious", "What has the focus looks different")
OBSCURED = Check(
    "keyboard-focus-obscured", "2.4.11", "serious", "What has the focus is not hidden under something else"
)
ON_FOCUS = Check(
    "keyboard-on-focus", "3.2.1", "serious", "Nothing opens only because something gets the focus"
)
CHECKS = (OPERABLE, TRAP, ORDER, VISIBLE, OBSCURED, ON_FOCUS)

_SCRIPT = "probes/keyboard.js"

#: Most elements to go through; a page with more has no result.
MAX_STOPS = 250

#: Margin around an element, px, in which its focus may show.
MARGIN = 8.0

#: Evidence of controls that are not reached: px of surroundings shown, and the most of them to show.
_AROUND = 40.0
_MAX_SHOWN = 10


@dataclass
class Stop:
    """Where the focus was."""

    place: Place  # The element
    facts: dict[str, Any]  # From keyboard.js
    # The part of the page where its focus may show, px; None if none of it is in the window
    area: Box | None = None
    picture: bytes = b""  # Of that part while it had the focus


@dataclass
class Walk:
    """The path of the focus through a page."""

    num_opened: int  # Dialogs and windows that the page had tried to open before
    num_first: int = 0  # Number of stops before the end of the page was first reached
    stops: list[Stop] = field(default_factory=list)  # In order, each element once
    is_whole: bool = False  # Whether it covered the whole page
    trap: Stop | None = None  # Where the focus was trapped; None if it was not


def probe_keyboard(page: "RunningPage") -> list[ProbeFinding]:
    """Tab through a page and report what is not reached, not left, not seen or out of order."""
    controls: list[tuple[Place, str, str]] = []
    for world in range(len(page.worlds)):
        frames = page.frame_elements(world)
        # Whether people are meant to use the content of the frame.
        if all(page.call(_SCRIPT, "isUsable", frame.number, world=frame.world) for frame in frames):
            controls += controls_of(page, world)
    walk = _walk(page)
    with_focus = list(_with_focus(page, walk))
    findings = list(_operable(page, controls, walk))
    if walk.trap is not None:
        name = walk.trap.facts["name"]
        why = f"From “{name}”, neither Tab nor Shift+Tab nor Escape leads out of where the focus is."
        outcome: CheckOutcome = "failed"
        if any(page.call_all(_SCRIPT, "mentionsKeys")):
            why, outcome = f"{why} The page mentions keys; one of them may.", "unsure"
        findings.append(ProbeFinding(TRAP, outcome, walk.trap.place, why, {}, walk.trap.picture or None))
    elif walk.stops:
        findings.append(ProbeFinding(TRAP, "passed", None))
    return [*findings, *_order(walk), *with_focus]


def controls_of(page: "RunningPage", world: int) -> list[tuple[Place, str, str]]:
    """Return what takes clicks or the focus in a frame: element, name and kind (see keyboard.js)."""
    found = page.call(_SCRIPT, "controls", list(page.listeners(world)), world=world)
    return [(Place(world, number), name, kind) for number, name, kind in found]


def _active(page: "RunningPage") -> Stop | None:
    """Return where the focus is; None if it is nowhere in the page."""
    stop, world = None, 0
    while (facts := page.call(_SCRIPT, "active", world=world)) is not None:
        stop = Stop(Place(world, facts["number"]), facts)
        inner = page.frame_in(stop.place) if facts["isFrame"] else None
        if inner is None:
            break
        world = inner
    return stop


def _walk(page: "RunningPage") -> Walk:
    walk = Walk(sum(page.call_all(_SCRIPT, "numOpened")))
    known: dict[Place, int] = {}
    num_ends = 0
    while True:
        page.press("Tab")
        stop = _active(page)
        if stop is None:
            num_ends += 1
            walk.is_whole = True
            # If focus began mid-page, wrap once.
            if num_ends > 1:
                return walk
            walk.num_first = len(walk.stops)
            continue
        if stop.place in known and not walk.is_whole:
            if _is_trapped(page, {other.place for other in walk.stops[known[stop.place] :]}):
                walk.trap = stop
            walk.is_whole = walk.trap is None and known[stop.place] == 0
        if stop.place in known:
            return walk
        if len(walk.stops) == MAX_STOPS:
            raise ProbeError(
                f"Tab led to more than {MAX_STOPS} elements, the most that this probe visits.",
                stage="probe keyboard",
                advice="Look for a script that adds elements when the focus moves, or split the page.",
            )
        known[stop.place] = len(walk.stops)
        _look(page, stop)
        walk.stops.append(stop)


def _is_trapped(page: "RunningPage", circle: set[Place]) -> bool:
    """Return whether neither Shift+Tab nor Escape leads out of the elements that Tab cycles through."""

    def is_outside() -> bool:
        stop = _active(page)
        return stop is None or stop.place not in circle

    for _ in range(len(circle) + 1):
        page.press("Tab", shift=True)
        if is_outside():
            return False
    page.press("Escape")
    for _ in range(len(circle) + 1):
        if is_outside():
            return False
        page.press("Tab")
    return True


def _look(page: "RunningPage", stop: Stop) -> None:
    window = stop.facts["window"] = page.window()
    whole = moved(box_around(stop.facts["areas"]), page.worlds[stop.place.world].offset)
    if (area := clipped(grown(whole, MARGIN), window)) is None:
        return
    x, y = float(int(area[0])), float(int(area[1]))
    width, height = float(int(area[0] + area[2] - x)), float(int(area[1] + area[3] - y))
    if width > 0 and height > 0:
        stop.area = (x, y, width, height)
        stop.picture = page.screenshot(stop.area)


def _operable(
    page: "RunningPage", controls: Sequence[tuple[Place, str, str]], walk: Walk
) -> Iterator[ProbeFinding]:
    reached = dict.fromkeys(stop.place for stop in walk.stops)
    yield from (ProbeFinding(OPERABLE, "passed", place) for place in reached)
    shown = 0
    for place, name, kind in controls:
        # If the walk did not finish, what comes after it is unknown.
        if place in reached or (kind == "focusable" and not walk.is_whole):
            continue
        why = {
            "focusable": f"“{name}” takes the focus, and Tab never leads to it.",
            "control": f"“{name}” reacts to a click, and Tab never leads to it.",
            "listener": f"A script listens for clicks on “{name}”, and Tab never leads to it.",
        }[kind]
        box = page.bring(place)
        if box is None:  # it is gone by now; another may have taken its place
            continue
        shown += 1
        # Elements in a frame are not pictured.
        picture = None
        if shown <= _MAX_SHOWN and not place.world:
            area = clipped(grown(box, _AROUND), page.window())
            picture = None if area is None or min(area[2:]) < 1 else page.screenshot(area)
        yield ProbeFinding(OPERABLE, "unsure" if kind == "listener" else "failed", place, why, {}, picture)


def _order(walk: Walk) -> Iterator[ProbeFinding]:
    stops = [*walk.stops[walk.num_first :], *walk.stops[: walk.num_first]]
    seen = [stop for stop in stops if stop.facts["isShown"] and not stop.facts["isFixed"]]
    goes_back = False
    for stop, following in pairwise(seen):
        facts, others = stop.facts, following.facts
        (x, y, _, _), (next_x, next_y, _, next_height) = facts["box"], others["box"]
        # The next one lies wholly above this one, and not in a column to its right.
        if stop.place.world == following.place.world and next_y + next_height <= y and next_x <= x:
            goes_back = True
            is_forced = max(facts["tabIndex"], others["tabIndex"]) > 0
            more = ", as a tabindex above 0 has it." if is_forced else "."
            why = f"After “{facts['name']}” the focus goes back up to “{others['name']}”{more}"
            yield ProbeFinding(ORDER, "failed" if is_forced else "unsure", following.place, why)
    if len(seen) > 1 and not goes_back:
        yield ProbeFinding(ORDER, "passed", None)


def _with_focus(page: "RunningPage", walk: Walk) -> Iterator[ProbeFinding]:
    """Yield whether focused elements look different, are covered, and open something."""
    page.leave()
    windows: dict[Box, bytes] = {}
    num_opened = walk.num_opened
    for stop in walk.stops:
        yield _visible(page, stop, windows)
        name, cover = stop.facts["name"], stop.facts["cover"]
        if cover is not None:
            outcome: CheckOutcome = "failed" if cover["isPinned"] else "unsure"
            why = f"“{name}” has the focus, and all of it lies under “{cover['name']}”."
            yield ProbeFinding(OBSCURED, outcome, stop.place, why, {}, stop.picture or None)
        elif stop.area is not None and stop.facts["isShown"]:
            yield ProbeFinding(OBSCURED, "passed", stop.place)
        if stop.facts["numOpened"] > num_opened:
            num_opened = stop.facts["numOpened"]
            why = f"A dialog or a window is opened when “{name}” gets the focus."
            yield ProbeFinding(ON_FOCUS, "failed", stop.place, why)
        else:
            yield ProbeFinding(ON_FOCUS, "passed", stop.place)


def _visible(page: "RunningPage", stop: Stop, windows: dict[Box, bytes]) -> ProbeFinding:
    """Compare an element with and without the focus; `windows` caches screenshots without it."""
    name, window = stop.facts["name"], stop.facts["window"]
    if stop.area is None:
        why = f"The focus goes to “{name}”, which is not in the window."
        return ProbeFinding(VISIBLE, "failed", stop.place, why)
    if window not in windows:
        page.call(_SCRIPT, "scroll", *window[:2])
        page.settle()
        windows[window] = page.screenshot(window)
    x, y = stop.area[:2]
    left, top, after = round(x - window[0]), round(y - window[1]), opened(stop.picture)
    before = opened(windows[window]).crop((left, top, left + after.width, top + after.height))
    num_pixels, is_clear = change_between(before, after)
    if is_clear or stop.facts["hasCaret"]:
        return ProbeFinding(VISIBLE, "passed", stop.place)
    outcome: CheckOutcome
    why, outcome = f"“{name}” looks the same with and without the focus.", "failed"
    if num_pixels:
        why, outcome = f"“{name}” hardly looks different when it has the focus.", "unsure"
    picture = side_by_side(before, after)
    return ProbeFinding(VISIBLE, outcome, stop.place, why, {"changed_pixels": num_pixels}, picture)


#: Channel levels (0..255) by which a pixel clearly differs, and differs at all.
_CLEAR, _LEAST = 16, 3
#: Number of pixels that are enough to be noticed: fewer than any outline or underline has.
_ENOUGH = 10
#: Gap between two pictures, px.
_GAP = 8


def opened(png: bytes) -> "Image":
    """Decode a picture."""
    from PIL import Image

    with Image.open(io.BytesIO(png)) as picture:
        return picture.convert("RGB")


def change_between(before: "Image", after: "Image") -> tuple[int, bool]:
    """Return how many pixels of two pictures differ at all, and whether enough of them differ clearly."""
    import numpy

    apart = numpy.abs(numpy.asarray(before, numpy.int16) - numpy.asarray(after, numpy.int16)).max(axis=2)
    return int((apart >= _LEAST).sum()), int((apart >= _CLEAR).sum()) >= _ENOUGH


def side_by_side(first: "Image", second: "Image") -> bytes:
    """Return two pictures as one, the first on the left, as PNG."""
    from PIL import Image

    both = Image.new("RGB", (first.width + _GAP + second.width, max(first.height, second.height)), "white")
    both.paste(first, (0, 0))
    both.paste(second, (first.width + _GAP, 0))
    buffer = io.BytesIO()
    both.save(buffer, "PNG")
    return buffer.getvalue()

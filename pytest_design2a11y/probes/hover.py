"""The hover probe: move the pointer to what may show more, and check whether that is available otherwise."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from pytest_design2a11y.models.audit import Check, Place, ProbeFinding

if TYPE_CHECKING:
    from pytest_design2a11y.capture.running.page import RunningPage

FOCUS = Check("hover-focus", "2.1.1", "serious", "What shows under the pointer shows on focus")
DISMISS = Check(
    "hover-dismiss",
    "1.4.13",
    "moderate",
    "What shows under the pointer and covers text goes away with Escape",
)
HOLD = Check(
    "hover-hold", "1.4.13", "moderate", "What shows under the pointer stays when the pointer goes there"
)
CHECKS = (FOCUS, DISMISS, HOLD)

Point = tuple[float, float]

_SCRIPT = "probes/hover.js"
_AWAY = (0.0, 0.0)
_MAX_SHOWN = 10


def probe_hover(page: RunningPage) -> list[ProbeFinding]:
    """Move the pointer to what may show more, and report what only the pointer can reveal."""
    findings: list[ProbeFinding] = []
    known: set[int] = set()
    for number, name in page.call(_SCRIPT, "triggers", list(page.listeners(0))):
        findings += _try(page, number, name, known, has_picture=len(findings) < _MAX_SHOWN)
    return findings


def _try(
    page: RunningPage, number: int, name: str, known: set[int], *, has_picture: bool
) -> Iterator[ProbeFinding]:
    start = _aim(page, number)
    news = page.call(_SCRIPT, "news") if start is not None else []
    if start is None or not news or news[0][0] in known:
        return
    shown, words, box = news[0]
    known.add(shown)
    place, event = Place(0, number), f"“{words}” shows when the pointer is on “{name}”"
    picture = page.screenshot(page.window()) if has_picture else None
    covers = page.call(_SCRIPT, "covers", shown)
    # A person's way into it: along the hovered element, then straight in.
    left, top, width, height = box
    x, y = _within(start[0], left, width), _within(start[1], top, height)
    for point in ((x, start[1]), (x, (start[1] + y) / 2), (x, y)):
        page.move(*point)
    if page.call(_SCRIPT, "isStillShown", shown):
        yield ProbeFinding(HOLD, "passed", place)
    else:
        # A path that crosses a gap may be too straight.
        why = f"{event}, and goes away when the pointer moves towards it."
        yield ProbeFinding(HOLD, "unsure", place, why)
    if covers and (_aim(page, number) is None or not page.call(_SCRIPT, "isStillShown", shown)):
        yield ProbeFinding(DISMISS, "unsure", place, f"{event}, but not every time.")
    elif covers:
        page.press("Escape")
        if page.call(_SCRIPT, "isStillShown", shown):
            why = f"{event}, lies over other text, and stays when Escape is pressed."
            yield ProbeFinding(DISMISS, "failed", place, why, {}, picture)
        else:
            yield ProbeFinding(DISMISS, "passed", place)
    yield _focused(page, place, event, shown, picture)


def _aim(page: RunningPage, number: int) -> Point | None:
    """Move the pointer away, then to an element; return None if the pointer cannot reach it."""
    page.move(*_AWAY)
    target: Point | None = page.call(_SCRIPT, "aim", number)
    if target is not None:
        page.move(*target)
    return target


def _within(value: float, start: float, length: float) -> float:
    inset = min(4.0, length / 2)
    return min(max(value, start + inset), start + length - inset)


def _focused(page: RunningPage, place: Place, event: str, shown: int, picture: bytes | None) -> ProbeFinding:
    page.move(*_AWAY)
    if page.call(_SCRIPT, "isStillShown", shown):
        return ProbeFinding(FOCUS, "unsure", place, f"{event}, and stays when it has gone.")
    how = page.call(_SCRIPT, "focus", place.number)
    page.draw()
    is_shown = how is not None and page.call(_SCRIPT, "isStillShown", shown)
    page.leave()
    if is_shown:
        return ProbeFinding(FOCUS, "passed", place)
    if how is None:
        return ProbeFinding(FOCUS, "failed", place, f"{event}, which cannot have the focus.", {}, picture)
    if how["opens"]:
        return ProbeFinding(FOCUS, "unsure", place, f"{event}, not on focus; a key may open it.", {}, picture)
    return ProbeFinding(FOCUS, "failed", place, f"{event}, and not when that has the focus.", {}, picture)

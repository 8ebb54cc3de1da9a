"""Probes with the pointer: hover moves it to what may show more, responds clicks each control."""

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from pytest_design2a11y.exceptions import NavigatedAway, ProbeError, Unstable
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
HOVER_CHECKS = (FOCUS, DISMISS, HOLD)

Point = tuple[float, float]

_HOVER_SCRIPT = "probes/hover.js"
_AWAY = (0.0, 0.0)
_MAX_SHOWN = 10


def probe_hover(page: "RunningPage") -> list[ProbeFinding]:
    """Move the pointer to what may show more, and report what only the pointer can reveal."""
    findings: list[ProbeFinding] = []
    known: set[int] = set()
    for number, name in page.call(_HOVER_SCRIPT, "triggers", list(page.listeners(0))):
        findings += _try(page, number, name, known, has_picture=len(findings) < _MAX_SHOWN)
    return findings


def _try(
    page: "RunningPage", number: int, name: str, known: set[int], *, has_picture: bool
) -> Iterator[ProbeFinding]:
    start = _aim(page, number)
    news = page.call(_HOVER_SCRIPT, "news") if start is not None else []
    if start is None or not news or news[0][0] in known:
        return
    shown, words, box = news[0]
    known.add(shown)
    place, event = Place(0, number), f"“{words}” shows when the pointer is on “{name}”"
    picture = page.screenshot(page.window()) if has_picture else None
    covers = page.call(_HOVER_SCRIPT, "covers", shown)
    # A person's way into it: along the hovered element, then straight in.
    left, top, width, height = box
    x, y = _within(start[0], left, width), _within(start[1], top, height)
    for point in ((x, start[1]), (x, (start[1] + y) / 2), (x, y)):
        page.move(*point)
    if page.call(_HOVER_SCRIPT, "isStillShown", shown):
        yield ProbeFinding(HOLD, "passed", place)
    else:
        # A path that crosses a gap may be too straight.
        why = f"{event}, and goes away when the pointer moves towards it."
        yield ProbeFinding(HOLD, "unsure", place, why)
    if covers and (_aim(page, number) is None or not page.call(_HOVER_SCRIPT, "isStillShown", shown)):
        yield ProbeFinding(DISMISS, "unsure", place, f"{event}, but not every time.")
    elif covers:
        page.press("Escape")
        if page.call(_HOVER_SCRIPT, "isStillShown", shown):
            why = f"{event}, lies over other text, and stays when Escape is pressed."
            yield ProbeFinding(DISMISS, "failed", place, why, {}, picture)
        else:
            yield ProbeFinding(DISMISS, "passed", place)
    yield _focused(page, place, event, shown, picture)


def _aim(page: "RunningPage", number: int) -> Point | None:
    """Move the pointer away, then to an element; return None if the pointer cannot reach it."""
    page.move(*_AWAY)
    target: Point | None = page.call(_HOVER_SCRIPT, "aim", number)
    if target is not None:
        page.move(*target)
    return target


def _within(value: float, start: float, length: float) -> float:
    inset = min(4.0, length / 2)
    return min(max(value, start + inset), start + length - inset)


def _focused(
    page: "RunningPage", place: Place, event: str, shown: int, picture: bytes | None
) -> ProbeFinding:
    page.move(*_AWAY)
    if page.call(_HOVER_SCRIPT, "isStillShown", shown):
        return ProbeFinding(FOCUS, "unsure", place, f"{event}, and stays when it has gone.")
    how = page.call(_HOVER_SCRIPT, "focus", place.number)
    page.draw()
    is_shown = how is not None and page.call(_HOVER_SCRIPT, "isStillShown", shown)
    page.leave()
    if is_shown:
        return ProbeFinding(FOCUS, "passed", place)
    if how is None:
        return ProbeFinding(FOCUS, "failed", place, f"{event}, which cannot have the focus.", {}, picture)
    if how["opens"]:
        return ProbeFinding(FOCUS, "unsure", place, f"{event}, not on focus; a key may open it.", {}, picture)
    return ProbeFinding(FOCUS, "failed", place, f"{event}, and not when that has the focus.", {}, picture)


NOTHING = Check("responds-nothing", "", "critical", "A control does something when it is clicked")
OTHERWISE = Check(
    "responds-otherwise", "", "serious", "A control stays on the page where that of the design does"
)
RESPONDS_CHECKS = (NOTHING, OTHERWISE)

_RESPONDS_SCRIPT = "probes/responds.js"
_NAME = "responds"

Response = tuple[str, str]
"""What a click does: its kind (see `difference` in responds.js), and in words."""

#: What a page may attempt on a click that shows in no element.
_ATTEMPTS = {
    "navigations": ("leads", "leaves the page"),
    "popups": ("leads", "opens a window"),
    "downloads": ("leads", "downloads a file"),
    "open": ("leads", "opens a window"),
    **dict.fromkeys(("alert", "confirm", "prompt"), ("changes", "opens a dialog of the browser")),
    "blocked_requests": ("changes", "sends a request"),
    "missing_files": ("changes", "sends a request"),
}


def probe_responds(page: "RunningPage") -> list[ProbeFinding]:
    """Click controls and report those without a response, or with another one than in the design.

    Without a design that responds, or for the design itself, all controls of the page are tried, and one
    without a response needs a person.
    """
    num_elements, design = page.call(_RESPONDS_SCRIPT, "number"), page.design
    if design is not None and _NAME in design.probe_errors:
        raise ProbeError(
            f"The design could not be tried out: {design.probe_errors[_NAME]}", stage=f"probe {_NAME}"
        )
    if design is None or _NAME not in design.probes:
        return [_alone(page, control, num_elements) for control in _controls(page)]
    wanted = [finding.data for finding in design.probes[_NAME].observed]
    numbers = page.call(_RESPONDS_SCRIPT, "counterparts", wanted)
    return [
        _beside(page, number, control, num_elements)
        for number, control in zip(numbers, wanted, strict=True)
        if number is not None
    ]


def _controls(page: "RunningPage") -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = page.call(_RESPONDS_SCRIPT, "controls", list(page.listeners(0)))
    return found


def _alone(page: "RunningPage", control: Mapping[str, Any], num_elements: int) -> ProbeFinding:
    number, name = control["number"], control["name"] or control["role"]
    response = ("leads", "leaves the page") if control["leads"] else _click(page, number, num_elements)
    if response is None:
        why = f"“{name}” does nothing that shows when it is clicked."
        return ProbeFinding(NOTHING, "unsure", Place(0, number), why)
    kept = {key: control[key] for key in ("role", "name", "which", "at")}
    data = {**kept, "response": response[0], "what": response[1]}
    return ProbeFinding(NOTHING, "passed", Place(0, number), "", data)


def _beside(page: "RunningPage", number: int, control: Mapping[str, Any], num_elements: int) -> ProbeFinding:
    """Try the counterpart of a control that responds in the design."""
    place, name = Place(0, number), control["name"] or control["role"]
    leads = {one["number"] for one in _controls(page) if one["leads"]}
    response = ("leads", "leaves the page") if number in leads else _click(page, number, num_elements)
    if response is None:
        why = f"“{name}” does nothing when it is clicked; in the design it {control['what']}."
        return ProbeFinding(NOTHING, "failed", place, why)
    if (control["response"], response[0]) == ("changes", "leads"):
        why = f"“{name}” {response[1]} when it is clicked; in the design it {control['what']}."
        return ProbeFinding(OTHERWISE, "failed", place, why)
    return ProbeFinding(NOTHING, "passed", place)


def _click(page: "RunningPage", number: int, num_elements: int) -> Response | None:
    """Click an element, by its number, on the page opened anew; return what that does."""
    with page.anew() as fresh:
        if fresh.call(_RESPONDS_SCRIPT, "number") != num_elements:
            raise ProbeError(
                "The page differs each time that it is opened, so that no control can be found again.",
                stage=f"probe {_NAME}",
            )
        try:
            return _respond(fresh, number)
        except (NavigatedAway, Unstable):
            return "leads", "leaves the page"


def _respond(fresh: "RunningPage", number: int) -> Response | None:
    point: Sequence[float] = fresh.call(_RESPONDS_SCRIPT, "aim", number)
    fresh.call(_RESPONDS_SCRIPT, "remember")
    fresh.settle()
    fresh.call(_RESPONDS_SCRIPT, "heed")
    fresh.move(point[0], point[1])
    fresh.call(_RESPONDS_SCRIPT, "pointed")
    attempts = fresh.attempts()
    fresh.click(point[0], point[1])
    found = fresh.call(_RESPONDS_SCRIPT, "difference", number)
    made = (name for name, count in fresh.attempts().items() if count > attempts.get(name, 0))
    attempted = next((_ATTEMPTS[name] for name in made if name in _ATTEMPTS), None)
    if found is None and attempted is None:
        fresh.leave()
        fresh.move(*_AWAY)
        found = fresh.call(_RESPONDS_SCRIPT, "lookDifference")
    response = attempted or found
    return None if response is None else (response[0], response[1])

"""The probe that clicks each control and reports what does not respond."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from pytest_design2a11y.exceptions import NavigatedAway, ProbeError, Unstable
from pytest_design2a11y.models.audit import Check, Place, ProbeFinding

if TYPE_CHECKING:
    from pytest_design2a11y.capture.running.page import RunningPage

NOTHING = Check("responds-nothing", "", "critical", "A control does something when it is clicked")
OTHERWISE = Check(
    "responds-otherwise", "", "serious", "A control stays on the page where that of the design does"
)
CHECKS = (NOTHING, OTHERWISE)

_SCRIPT = "probes/responds.js"
_NAME = "responds"
_AWAY = (0.0, 0.0)

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
    num_elements, design = page.call(_SCRIPT, "number"), page.design
    if design is not None and _NAME in design.probe_errors:
        raise ProbeError(
            f"The design could not be tried out: {design.probe_errors[_NAME]}", stage=f"probe {_NAME}"
        )
    if design is None or _NAME not in design.probes:
        return [_alone(page, control, num_elements) for control in _controls(page)]
    wanted = [finding.data for finding in design.probes[_NAME].observed]
    numbers = page.call(_SCRIPT, "counterparts", wanted)
    return [
        _beside(page, number, control, num_elements)
        for number, control in zip(numbers, wanted, strict=True)
        if number is not None
    ]


def _controls(page: "RunningPage") -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = page.call(_SCRIPT, "controls", list(page.listeners(0)))
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
        if fresh.call(_SCRIPT, "number") != num_elements:
            raise ProbeError(
                "The page differs each time that it is opened, so that no control can be found again.",
                stage=f"probe {_NAME}",
            )
        try:
            return _respond(fresh, number)
        except (NavigatedAway, Unstable):
            return "leads", "leaves the page"


def _respond(fresh: "RunningPage", number: int) -> Response | None:
    point: Sequence[float] = fresh.call(_SCRIPT, "aim", number)
    fresh.call(_SCRIPT, "remember")
    fresh.settle()
    fresh.call(_SCRIPT, "heed")
    fresh.move(point[0], point[1])
    fresh.call(_SCRIPT, "pointed")
    attempts = fresh.attempts()
    fresh.click(point[0], point[1])
    found = fresh.call(_SCRIPT, "difference", number)
    made = (name for name, count in fresh.attempts().items() if count > attempts.get(name, 0))
    attempted = next((_ATTEMPTS[name] for name in made if name in _ATTEMPTS), None)
    if found is None and attempted is None:
        fresh.leave()
        fresh.move(*_AWAY)
        found = fresh.call(_SCRIPT, "lookDifference")
    response = attempted or found
    return None if response is None else (response[0], response[1])

"""The motion probe: what moves, for how long, and whether it stops for people who prefer less motion."""

from __future__ import annotations

import base64
import io
from collections.abc import Iterator
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from pytest_design2a11y.exceptions import CaptureError
from pytest_design2a11y.models.audit import Check, CheckOutcome, Place, ProbeFinding

if TYPE_CHECKING:
    from pytest_design2a11y.capture.running.page import RunningPage

REDUCED = Check(
    "motion-reduced", "2.3.3", "moderate", "Nothing goes on moving for people who ask for less motion"
)
PAUSE = Check("motion-pause", "2.2.2", "serious", "What moves for more than 5 seconds can be paused")
CHECKS = (REDUCED, PAUSE)

_SCRIPT = "probes/motion.js"

#: Observations of all positions, one second of the page's clock apart; those from `_LATE` on are after 5 s.
_NUM_LOOKS, _SECOND, _LATE = 8, 1000.0, 5

_MAX_IMAGES = 20
_LONG = 5000

_Moving = dict[Place, tuple[str, bool, bool]]
"""For each moving element: words, whether it moves and not only blinks, whether it may have to go on."""


def probe_motion(page: RunningPage) -> list[ProbeFinding]:
    """Report what moves with and without the preference for reduced motion."""
    _prefer(page, "reduce")
    by_scripts: _Moving = {}
    if page.has_clock:
        for number in range(_NUM_LOOKS):
            if number:
                page.settle(_SECOND)
            page.call_all(_SCRIPT, "look")
        by_scripts = _moving(page, "moved", _LATE)
    reduced = {**_animated(page), **by_scripts}
    _prefer(page, "no-preference")
    usual = {**_animated(page), **by_scripts}
    moving = {place: facts for place, facts in reduced.items() if facts[1]}
    has_control = any(page.call_all(_SCRIPT, "hasControl"))
    beside = " Something on the page may pause it." if has_control else ""
    return [
        *_findings(REDUCED, moving, "For people who ask for less motion it still {}."),
        *_findings(PAUSE, usual, "By itself it {}." + beside, is_unsure=has_control),
    ]


def _prefer(page: RunningPage, motion: str) -> None:
    page.send(
        "Emulation.setEmulatedMedia", {"features": [{"name": "prefers-reduced-motion", "value": motion}]}
    )


def _animated(page: RunningPage) -> _Moving:
    found = _moving(page, "animated")
    for index, world in enumerate(page.worlds):
        for number, address in page.call(_SCRIPT, "images", world=index)[:_MAX_IMAGES]:
            with suppress(CaptureError):
                content = world.send("Page.getResourceContent", {"frameId": world.frame_id, "url": address})
                if content["base64Encoded"] and lasts_long(base64.b64decode(content["content"])):
                    why = "moves for more than 5 s (an animated picture)"
                    found[Place(index, number)] = (why, True, False)
    return found


def _moving(page: RunningPage, name: str, *given: int) -> _Moving:
    return {
        Place(index, number): (why, moves, is_doubtful)
        for index in range(len(page.worlds))
        for number, why, moves, is_doubtful in page.call(_SCRIPT, name, *given, world=index)
    }


def lasts_long(data: bytes) -> bool:
    """Return whether a picture file's frames go on for more than five seconds."""
    from PIL import Image

    try:
        with Image.open(io.BytesIO(data)) as image:
            num_frames = getattr(image, "n_frames", 1)
            if num_frames < 2:
                return False
            # A GIF without a loop count is shown once; 0 means forever.
            loops: Any = image.info.get("loop", 1 if image.format == "GIF" else 0)
            duration = 0.0
            for frame in range(min(num_frames, 1000)):
                image.seek(frame)
                duration += image.info.get("duration", 100) or 100
    except Exception:  # a broken file shows no motion
        return False
    return loops == 0 or duration * max(int(loops), 1) > _LONG


def _findings(
    check: Check, found: _Moving, sentence: str, *, is_unsure: bool = False
) -> Iterator[ProbeFinding]:
    for place, (why, _moves, is_doubtful) in found.items():
        outcome: CheckOutcome = "unsure" if is_unsure or is_doubtful else "failed"
        yield ProbeFinding(check, outcome, place, sentence.format(why))
    if not found:
        yield ProbeFinding(check, "passed", None)

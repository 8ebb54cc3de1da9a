"""The layout probe: what a person sees at once to be broken, on a page as it has loaded."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from pytest_design2a11y.escaping import sanitize
from pytest_design2a11y.models.audit import Check, CheckOutcome, Place, ProbeFinding
from pytest_design2a11y.models.geometry import clipped, grown
from pytest_design2a11y.probes.text_loss import beyond

if TYPE_CHECKING:
    from pytest_design2a11y.capture.running.page import RunningPage
    from pytest_design2a11y.models.elements import Trouble
    from pytest_design2a11y.models.page import Capture

CUT = Check("layout-cut", "", "serious", "No text is cut off")
COVERED = Check("layout-covered", "", "serious", "No text lies under something else")
UNREADABLE = Check("layout-unreadable", "1.4.3", "serious", "Text stands out from what is behind it")
OUTSIDE = Check("layout-outside", "", "moderate", "Text stays in the box around it")
CONTROL = Check("layout-control", "", "critical", "No control lies under something else")
BEYOND = Check("layout-beyond", "", "moderate", "The page is no wider than its window")
PICTURE = Check("layout-picture", "", "moderate", "Pictures load")
SCRIPT = Check("layout-script", "", "serious", "Scripts run without errors")
CHECKS = (CUT, COVERED, UNREADABLE, OUTSIDE, CONTROL, BEYOND, PICTURE, SCRIPT)

_SCRIPT = "probes/layout.js"

#: For each kind of trouble: its check, and the least share of a text, 0..1, that a person notices.
_SUSPECTED = {"covered": (COVERED, 0.3), "unreadable": (UNREADABLE, 0.8), "overflowing": (OUTSIDE, 0.5)}

#: Warnings of pages whose scripts may have failed only because they did not get what they requested.
_BLOCKED = frozenset({"blocked_requests", "unrecorded_assets", "unreachable_hosts", "asset_limits"})

#: Least difference of a channel, 0..255, that a person sees; least share of a line that letters fill.
_VISIBLE, _LETTERS = 64, 0.03

_MAX_SHOWN = 10
#: px of surroundings on a picture.
_AROUND = 40.0


def probe_layout(page: RunningPage) -> list[ProbeFinding]:
    """Report text, controls and pictures that the page itself spoils, and errors of its scripts.

    What the capture suspects by its pixels counts if the running page bears it out: text that is hidden, cut
    or drawn on purpose (for assistive technology, with an ellipsis, in a carousel, by a gradient) does not.
    """
    found = [*_texts(page), *_elements(page), beyond(page, BEYOND), *_scripts(page)]
    hit = {finding.check for finding in found}
    return [*found, *(ProbeFinding(check, "passed", None) for check in CHECKS if check not in hit)]


def _texts(page: RunningPage) -> Iterator[ProbeFinding]:
    elements = {element.box for element in page.capture.elements or ()}
    suspected = [
        trouble
        for trouble in page.capture.overlaps
        if trouble.kind in _SUSPECTED
        and trouble.share >= _SUSPECTED[trouble.kind][1]
        and trouble.text
        and trouble.box not in elements
    ]
    asked = [[trouble.kind, list(trouble.box), trouble.text] for trouble in suspected]
    answers = page.call(_SCRIPT, "confirmed", asked)
    shown = 0
    for trouble, answer in zip(suspected, answers, strict=True):
        if answer is None:
            continue
        check, (number, why) = _SUSPECTED[trouble.kind][0], answer
        outcome: CheckOutcome = "unsure" if check is OUTSIDE else "failed"
        if check is UNREADABLE and _stands_out(page.capture, trouble):
            outcome = "unsure"
            text = sanitize(trouble.text, limit=50)
            why = f"“{text}” is as light as what is behind it; only its hue differs."
        shown += 1
        picture = _picture(page, trouble) if shown <= _MAX_SHOWN else None
        yield ProbeFinding(check, outcome, Place(0, number), why, {"share": trouble.share}, picture)


def _stands_out(capture: Capture, trouble: Trouble) -> bool:
    """Whether letters show by a hue of their own: pixels of their line differ much, not by being paler."""
    import numpy as np

    if capture.screenshot is None:
        return False
    left, top, width, height = (max(0, round(side)) for side in trouble.box)
    shown = capture.screenshot.pixels[top : top + height, left : left + width].reshape(-1, 3)
    distances = np.abs(shown - np.median(shown, axis=0)).max(axis=1)
    saturation = np.ptp(shown.astype(int), axis=1)
    is_hue = saturation > np.median(saturation) - _VISIBLE
    return bool(((distances > _VISIBLE) & is_hue).mean() > _LETTERS)


def _picture(page: RunningPage, trouble: Trouble) -> bytes | None:
    across, down = page.capture.page_size
    area = clipped(grown(trouble.box, _AROUND), (0.0, 0.0, float(across), float(down)))
    return None if area is None else page.screenshot(area, is_beyond_window=True)


def _elements(page: RunningPage) -> Iterator[ProbeFinding]:
    """Yield texts that are cut off, controls under something else, and pictures that did not load."""
    for number, text, is_collapsed in page.call(_SCRIPT, "cut"):
        more = " More text follows, which a control may show." if is_collapsed else ""
        why = f"“{text}” is cut off.{more}"
        yield ProbeFinding(CUT, "unsure" if is_collapsed else "failed", Place(0, number), why)
    for number, why in page.call(_SCRIPT, "controls"):
        yield ProbeFinding(CONTROL, "failed", Place(0, number), why)
    for number, address in page.call(_SCRIPT, "pictures"):
        yield ProbeFinding(PICTURE, "failed", Place(0, number), f"The picture {address} did not load.")


def _scripts(page: RunningPage) -> Iterator[ProbeFinding]:
    warnings = {warning.code: warning for warning in page.capture.warnings}
    if "js_errors" not in warnings:
        return
    is_blocked = bool(_BLOCKED & warnings.keys())
    more = " It did not get everything that it requested, which may be why." if is_blocked else ""
    why = warnings["js_errors"].message + more
    yield ProbeFinding(SCRIPT, "unsure" if is_blocked else "failed", None, why)

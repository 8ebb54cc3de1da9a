"""Probes that ask a page to adapt: to a narrow window, zoom, or wide spacing."""

import re
from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING

from pytest_design2a11y.models.audit import Check, CheckOutcome, Place, ProbeFinding

if TYPE_CHECKING:
    from pytest_design2a11y.capture.running.page import RunningPage

REFLOW_SCROLLS = Check(
    "reflow-scrolls", "1.4.10", "serious", "At a width of 320 px the page scrolls in one direction"
)
REFLOW_TEXT = Check("reflow-text", "1.4.10", "serious", "At a width of 320 px all text can be read")
ZOOM_TEXT = Check("zoom-text", "1.4.4", "serious", "With text at 200 % all of it can be read")
ZOOM_GROWS = Check("zoom-grows", "1.4.4", "serious", "Text grows when the page is zoomed in")
ZOOM_ALLOWED = Check("zoom-allowed", "1.4.4", "critical", "The page lets itself be zoomed in to 200 %")
SPACING_TEXT = Check(
    "spacing-text", "1.4.12", "serious", "With more space between words and lines all text can be read"
)
SPACING_ALLOWED = Check(
    "spacing-allowed", "1.4.12", "serious", "No style attribute keeps text from more space"
)
REFLOW_CHECKS = (REFLOW_SCROLLS, REFLOW_TEXT)
ZOOM_CHECKS = (ZOOM_TEXT, ZOOM_GROWS, ZOOM_ALLOWED)
SPACING_CHECKS = (SPACING_TEXT, SPACING_ALLOWED)

_SCRIPT = "probes/text_loss.js"

#: The window of 1280 x 1024 px at 400 %, and half of the window that pages are rendered in.
REFLOW_SIZE = (320, 256)
ZOOM, MIDDLE_ZOOM = 2, 1.5

#: Text that grows by less than this when the page is zoomed to 200 % does not grow.
_LEAST_GROWTH = 1.1

_MAX_SHOWN = 10

_WHY: dict[str, tuple[CheckOutcome, str]] = {
    "cut": ("failed", "“{text}” is cut off."),
    "away": ("failed", "“{text}” lies out of reach of scrolling."),
    "covered": ("failed", "“{text}” lies under something else."),
    "overlap": ("failed", "“{text}” and “{other}” lie over each other."),
    "doubtful": ("unsure", "“{text}” is cut off in part, or shortened."),
    "gone": ("unsure", "“{text}” does not show any more; it may be behind a button."),
}

_PROPERTY = re.compile(r"([\w-]+)\s*=\s*([^,;\s]+)")
_NUMBER = re.compile(r"[+-]?(?:\d+\.?\d*|\.\d+)")
_BY_DEVICE = frozenset({"device-width", "device-height"})


def probe_reflow(page: "RunningPage") -> list[ProbeFinding]:
    """Lay out a page 320 px wide and report what scrolls in two directions or can no longer be read."""
    _mark(page)
    page.resize(*REFLOW_SIZE)
    scrolls = beyond(page, REFLOW_SCROLLS)
    if scrolls.outcome != "passed":
        width = page.call(_SCRIPT, "beyond")["width"]
        picture = page.screenshot((0.0, 0.0, min(width, 640.0), 400.0), is_beyond_window=True)
        scrolls = replace(scrolls, data={"page_width": width}, picture=picture)
    return [scrolls, *_text(page, REFLOW_TEXT, f"At a width of {REFLOW_SIZE[0]} px, ")]


def beyond(page: "RunningPage", check: Check) -> ProbeFinding:
    """Return whether a page is wider than its window, by a check of that."""
    found = page.call(_SCRIPT, "beyond")
    if not found["isWide"]:
        return ProbeFinding(check, "passed", None)
    why = f"The page is {found['width']} px wide, in a window of {page.window()[2]:g} px."
    if found["own"] is None:
        return ProbeFinding(check, "unsure", Place(0, found["exempt"]), why)
    return ProbeFinding(check, "failed", Place(0, found["own"]), why)


def probe_zoom(page: "RunningPage") -> list[ProbeFinding]:
    """Zoom to 200 %: lay out the page half as wide, and report text that is lost or does not grow."""
    _mark(page)
    width, height = page.viewport.size
    page.resize(round(width / MIDDLE_ZOOM), round(height / MIDDLE_ZOOM))
    middle = {number: now for number, _text, _before, now in page.call(_SCRIPT, "sizes")}
    page.resize(width // ZOOM, height // ZOOM)
    findings = []
    for number, content in page.call(_SCRIPT, "viewport"):
        why = f"<meta name=viewport> keeps people from zooming in: {content[:200]}"
        why = why if forbids_zoom(content) else ""
        findings.append(ProbeFinding(ZOOM_ALLOWED, "failed" if why else "passed", Place(0, number), why))
    for number, text, before, now in page.call(_SCRIPT, "sizes"):
        if not before or now * ZOOM / before >= _LEAST_GROWTH:
            findings.append(ProbeFinding(ZOOM_GROWS, "passed", Place(0, number)))
            continue
        # Text sized by the window's width stays as it is; style sheets for small windows change in a step.
        is_steady = middle.get(number, 0.0) * MIDDLE_ZOOM / before < _LEAST_GROWTH
        why = f"“{text}” is {before:g} px high, and at 200 % as if it were {now * ZOOM:g} px."
        findings.append(ProbeFinding(ZOOM_GROWS, "failed" if is_steady else "unsure", Place(0, number), why))
    return [*findings, *_text(page, ZOOM_TEXT, "At 200 %, ")]


def probe_spacing(page: "RunningPage") -> list[ProbeFinding]:
    """Set the criterion's four spacings and report text that is lost, or keeps its own spacing."""
    _mark(page)
    page.call(_SCRIPT, "space")
    page.settle()
    findings = []
    for number, name, value, is_enough in page.call(_SCRIPT, "insisting"):
        why = "" if is_enough else f"The style attribute insists on {name}: {value[:40]} with !important."
        findings.append(ProbeFinding(SPACING_ALLOWED, "failed" if why else "passed", Place(0, number), why))
    findings += _text(page, SPACING_TEXT, "With wider spacing, ")
    page.call(_SCRIPT, "unspace")
    return findings


def _mark(page: "RunningPage") -> None:
    page.call(_SCRIPT, "mark")
    page.settle()


def _text(page: "RunningPage", check: Check, when: str) -> Iterator[ProbeFinding]:
    gone: dict[int, list[str]] = {}
    num_shown = 0
    for number, kind, text, other in page.call(_SCRIPT, "changes"):
        if kind == "same":
            yield ProbeFinding(check, "passed", Place(0, number))
        elif kind == "gone":
            gone.setdefault(number, []).append(text)
        else:
            outcome, why = _WHY[kind]
            num_shown += 1
            has_picture = num_shown <= _MAX_SHOWN and page.bring(Place(0, number))
            picture = page.screenshot(page.window()) if has_picture else None
            why = when + why.format(text=text, other=other)
            yield ProbeFinding(check, outcome, Place(0, number), why, {}, picture)
    for number, texts in gone.items():
        why = _WHY["gone"][1].format(text=texts[0])
        more = f" So do {len(texts) - 1} other texts." if len(texts) > 1 else ""
        yield ProbeFinding(check, "unsure", Place(0, number), when + why + more)


def forbids_zoom(content: str) -> bool:
    """Return whether <meta name=viewport> keeps people from zooming to 200 % (W3C, ACT rule b4f0c3)."""
    properties = {name.lower(): value.lower() for name, value in _PROPERTY.findall(content)}
    scalable = properties.get("user-scalable", "yes")
    largest = properties.get("maximum-scale", "device-width")
    is_fixed = scalable not in _BY_DEVICE | {"yes"} and abs(_number(scalable, 0.0)) < 1
    is_small = largest not in _BY_DEVICE and 0 <= _number(largest, 1.0 if largest == "yes" else 0.1) < ZOOM
    return is_fixed or is_small


def _number(text: str, otherwise: float) -> float:
    """Read the number at the start of a property's value, as browsers do."""
    found = _NUMBER.match(text)
    return float(found[0]) if found else otherwise

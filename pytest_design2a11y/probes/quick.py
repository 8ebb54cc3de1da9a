"""The quick probes, which only look: at names, sizes of targets, and what is broken."""

import re
from collections import Counter
from collections.abc import Iterator
from typing import TYPE_CHECKING

from pytest_design2a11y.escaping import sanitize
from pytest_design2a11y.models.audit import Check, CheckOutcome, Place, ProbeFinding
from pytest_design2a11y.models.geometry import clipped, grown
from pytest_design2a11y.probes.adapting import beyond
from pytest_design2a11y.probes.keyboard import controls_of

if TYPE_CHECKING:
    from pytest_design2a11y.capture.running.page import RunningPage
    from pytest_design2a11y.models.elements import Trouble
    from pytest_design2a11y.models.page import Capture

LABEL = Check("names-label", "2.5.3", "serious", "The name of a control contains the text on it")
ALTERNATIVE = Check("names-picture", "1.1.1", "moderate", "The text for a picture says what it shows")
LINK = Check("names-link", "2.4.4", "moderate", "The text of a link says where it leads")
NAMES_CHECKS = (LABEL, ALTERNATIVE, LINK)

_NAMES_SCRIPT = "probes/names.js"

#: Number of pictures with the same alternative text that are too many to be the same picture.
MANY_PICTURES = 3

_SAYS_NOTHING = frozenset(
    {
        *("image", "img", "picture", "photo", "photograph", "graphic", "icon", "thumbnail", "spacer", "alt"),
        *("placeholder", "untitled", "blank", "an image", "a picture", "alt text", "image description"),
        *("image placeholder", "placeholder image"),
    }
)
_FILE_NAME = re.compile(
    r"[\w .()%-]+\.(?:png|jpe?g|gif|svg|webp|avif|bmp|ico|tiff?)|(?:img|dsc|image)[_-]?\d{3,}", re.IGNORECASE
)
_VAGUE = frozenset(
    {
        *("here", "click here", "click", "more", "read more", "learn more", "see more", "show more"),
        *("view more", "more info", "more information", "details", "link", "this", "this link", "go"),
        *("continue", "press here"),
    }
)
_WORDS = re.compile(r"[^\W_]+")


def probe_names(page: "RunningPage") -> list[ProbeFinding]:
    """Report names that differ from what a person sees, or that say nothing."""
    findings: list[ProbeFinding] = []
    for index in range(len(page.worlds)):
        for number, text in page.call(_NAMES_SCRIPT, "labeled", world=index):
            if is_in_words(text):
                name = page.accessible_name(Place(index, number))
                why = f"It shows “{text[:80]}” and is called “{name[:80]}”."
                why = "" if contains_label(name, text) else why
                findings.append(ProbeFinding(LABEL, "failed" if why else "passed", Place(index, number), why))
        pictures = page.call(_NAMES_SCRIPT, "pictures", world=index)
        counts = Counter(_plain(alternative) for _number, alternative, _file in pictures)
        for number, alternative, file in pictures:
            count, why = counts[_plain(alternative)], empty_alternative(alternative, file)
            if not why and count >= MANY_PICTURES:
                why = f"{count} pictures are called “{alternative[:80]}”."
            outcome: CheckOutcome = "unsure" if why else "passed"
            findings.append(ProbeFinding(ALTERNATIVE, outcome, Place(index, number), why))
        for number, name in page.call(_NAMES_SCRIPT, "links", world=index):
            why = f"“{name[:80]}” does not say where the link leads." if _plain(name) in _VAGUE else ""
            findings.append(ProbeFinding(LINK, "unsure" if why else "passed", Place(index, number), why))
    return findings


def is_in_words(text: str) -> bool:
    """Return whether a visible text is language, and not a symbol such as "X" or "→"."""
    return any(len(word) > 1 for word in _WORDS.findall(text))


def contains_label(name: str, text: str) -> bool:
    """Return whether a name has a text in it, word by word, in any case (W3C, ACT rule 2ee8b8)."""
    wanted, words = _words(text), _words(name)
    length = len(wanted)
    return any(words[start : start + length] == wanted for start in range(len(words) - length + 1))


def _words(text: str) -> list[str]:
    return _WORDS.findall(text.casefold())


def empty_alternative(alternative: str, file: str) -> str:
    """Return why an alternative text is meaningless, or "" (W3C, ACT rule 9eb3f6, of file names)."""
    if _plain(alternative) in _SAYS_NOTHING:
        return f"The alternative text “{alternative}” says nothing of the picture."
    if _FILE_NAME.fullmatch(alternative) or (file and alternative.casefold() == file.casefold()):
        return f"The alternative text “{alternative[:80]}” is the name of a file."
    return ""


def _plain(text: str) -> str:
    return " ".join(_words(text))


SIZE = Check(
    "targets-size", "2.5.8", "serious", "What is clicked measures 24 by 24 px, or has as much room for itself"
)
TARGETS_CHECKS = (SIZE,)

_TARGETS_SCRIPT = "probes/targets.js"


def probe_targets(page: "RunningPage") -> list[ProbeFinding]:
    """Measure links, buttons, fields and everything else that takes clicks.

    References:
        W3C, "Understanding SC 2.5.8: Target Size (Minimum)": its exceptions for spacing, links in sentences,
        controls of the browser's own size and another control for the same; that a size is essential, as on
        a map, cannot be decided, so SVG content is unsure.
    """
    findings: list[ProbeFinding] = []
    for index in range(len(page.worlds)):
        clicked = [place.number for place, _name, kind in controls_of(page, index) if kind == "control"]
        findings += (
            ProbeFinding(SIZE, outcome, Place(index, number), why)
            for number, outcome, why in page.call(_TARGETS_SCRIPT, "found", clicked, world=index)
        )
    return findings


CUT = Check("layout-cut", "", "serious", "No text is cut off")
COVERED = Check("layout-covered", "", "serious", "No text lies under something else")
UNREADABLE = Check("layout-unreadable", "1.4.3", "serious", "Text stands out from what is behind it")
OUTSIDE = Check("layout-outside", "", "moderate", "Text stays in the box around it")
CONTROL = Check("layout-control", "", "critical", "No control lies under something else")
BEYOND = Check("layout-beyond", "", "moderate", "The page is no wider than its window")
PICTURE = Check("layout-picture", "", "moderate", "Pictures load")
SCRIPT = Check("layout-script", "", "serious", "Scripts run without errors")
LAYOUT_CHECKS = (CUT, COVERED, UNREADABLE, OUTSIDE, CONTROL, BEYOND, PICTURE, SCRIPT)

_LAYOUT_SCRIPT = "probes/layout.js"

#: For each kind of trouble: its check, and the least share of a text, 0..1, that a person notices.
_SUSPECTED = {"covered": (COVERED, 0.3), "unreadable": (UNREADABLE, 0.8), "overflowing": (OUTSIDE, 0.5)}

#: Warnings of pages whose scripts may have failed only because they did not get what they requested.
_BLOCKED = frozenset({"blocked_requests", "unrecorded_assets", "unreachable_hosts", "asset_limits"})

#: Least difference of a channel, 0..255, that a person sees; least share of a line that letters fill.
_VISIBLE, _LETTERS = 64, 0.03

_MAX_SHOWN = 10
#: px of surroundings on a picture.
_AROUND = 40.0


def probe_layout(page: "RunningPage") -> list[ProbeFinding]:
    """Report text, controls and pictures that the page itself spoils, and errors of its scripts.

    What the capture suspects by its pixels counts if the running page bears it out: text that is hidden, cut
    or drawn on purpose (for assistive technology, with an ellipsis, in a carousel, by a gradient) does not.
    """
    found = [*_texts(page), *_elements(page), beyond(page, BEYOND), *_scripts(page)]
    hit = {finding.check for finding in found}
    return [*found, *(ProbeFinding(check, "passed", None) for check in LAYOUT_CHECKS if check not in hit)]


def _texts(page: "RunningPage") -> Iterator[ProbeFinding]:
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
    answers = page.call(_LAYOUT_SCRIPT, "confirmed", asked)
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


def _stands_out(capture: "Capture", trouble: "Trouble") -> bool:
    """Whether letters show by a hue of their own: pixels of their line differ much, not by being paler."""
    import numpy as np

    left, top, width, height = (max(0, round(side)) for side in trouble.box)
    shown = capture.screenshot.pixels[top : top + height, left : left + width].reshape(-1, 3)
    distances = np.abs(shown - np.median(shown, axis=0)).max(axis=1)
    saturation = np.ptp(shown.astype(int), axis=1)
    is_hue = saturation > np.median(saturation) - _VISIBLE
    return bool(((distances > _VISIBLE) & is_hue).mean() > _LETTERS)


def _picture(page: "RunningPage", trouble: "Trouble") -> bytes | None:
    across, down = page.capture.page_size
    area = clipped(grown(trouble.box, _AROUND), (0.0, 0.0, float(across), float(down)))
    return None if area is None else page.screenshot(area, is_beyond_window=True)


def _elements(page: "RunningPage") -> Iterator[ProbeFinding]:
    """Yield texts that are cut off, controls under something else, and pictures that did not load."""
    for number, text, is_collapsed in page.call(_LAYOUT_SCRIPT, "cut"):
        more = " More text follows, which a control may show." if is_collapsed else ""
        why = f"“{text}” is cut off.{more}"
        yield ProbeFinding(CUT, "unsure" if is_collapsed else "failed", Place(0, number), why)
    for number, why in page.call(_LAYOUT_SCRIPT, "controls"):
        yield ProbeFinding(CONTROL, "failed", Place(0, number), why)
    for number, address in page.call(_LAYOUT_SCRIPT, "pictures"):
        yield ProbeFinding(PICTURE, "failed", Place(0, number), f"The picture {address} did not load.")


def _scripts(page: "RunningPage") -> Iterator[ProbeFinding]:
    warnings = {warning.code: warning for warning in page.capture.warnings}
    if "js_errors" not in warnings:
        return
    is_blocked = bool(_BLOCKED & warnings.keys())
    more = " It did not get everything that it requested, which may be why." if is_blocked else ""
    why = warnings["js_errors"].message + more
    yield ProbeFinding(SCRIPT, "unsure" if is_blocked else "failed", None, why)

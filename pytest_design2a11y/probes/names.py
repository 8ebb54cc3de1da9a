"""The names probe: names of controls, pictures and links, compared with what a person sees."""

from __future__ import annotations

import re
from collections import Counter
from typing import TYPE_CHECKING

from pytest_design2a11y.models.audit import Check, CheckOutcome, Place, ProbeFinding

if TYPE_CHECKING:
    from pytest_design2a11y.capture.running.page import RunningPage

LABEL = Check("names-label", "2.5.3", "serious", "The name of a control contains the text on it")
ALTERNATIVE = Check("names-picture", "1.1.1", "moderate", "The text for a picture says what it shows")
LINK = Check("names-link", "2.4.4", "moderate", "The text of a link says where it leads")
CHECKS = (LABEL, ALTERNATIVE, LINK)

_SCRIPT = "probes/names.js"

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


def probe_names(page: RunningPage) -> list[ProbeFinding]:
    """Report names that differ from what a person sees, or that say nothing."""
    findings: list[ProbeFinding] = []
    for index in range(len(page.worlds)):
        for number, text in page.call(_SCRIPT, "labelled", world=index):
            if is_in_words(text):
                name = page.accessible_name(Place(index, number))
                why = f"It shows “{text[:80]}” and is called “{name[:80]}”."
                why = "" if contains_label(name, text) else why
                findings.append(ProbeFinding(LABEL, "failed" if why else "passed", Place(index, number), why))
        pictures = page.call(_SCRIPT, "pictures", world=index)
        counts = Counter(_plain(alternative) for _number, alternative, _file in pictures)
        for number, alternative, file in pictures:
            count, why = counts[_plain(alternative)], empty_alternative(alternative, file)
            if not why and count >= MANY_PICTURES:
                why = f"{count} pictures are called “{alternative[:80]}”."
            outcome: CheckOutcome = "unsure" if why else "passed"
            findings.append(ProbeFinding(ALTERNATIVE, outcome, Place(index, number), why))
        for number, name in page.call(_SCRIPT, "links", world=index):
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

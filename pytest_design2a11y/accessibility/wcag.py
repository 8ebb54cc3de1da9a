"""WCAG's success criteria by the tags that axe-core gives its rules."""

from __future__ import annotations

import re
from collections.abc import Iterable

_CRITERION_TAG = re.compile(r"wcag(\d)(\d)(\d{1,2})")

#: Names of the criteria that axe-core has rules for, from https://www.w3.org/TR/WCAG22/.
CRITERIA = {
    "1.1.1": "Non-text Content",
    "1.2.1": "Audio-only and Video-only (Prerecorded)",
    "1.2.2": "Captions (Prerecorded)",
    "1.3.1": "Info and Relationships",
    "1.3.4": "Orientation",
    "1.3.5": "Identify Input Purpose",
    "1.4.1": "Use of Color",
    "1.4.2": "Audio Control",
    "1.4.3": "Contrast (Minimum)",
    "1.4.4": "Resize Text",
    "1.4.6": "Contrast (Enhanced)",
    "1.4.12": "Text Spacing",
    "2.1.1": "Keyboard",
    "2.1.3": "Keyboard (No Exception)",
    "2.2.1": "Timing Adjustable",
    "2.2.2": "Pause, Stop, Hide",
    "2.2.4": "Interruptions",
    "2.4.1": "Bypass Blocks",
    "2.4.2": "Page Titled",
    "2.4.4": "Link Purpose (In Context)",
    "2.4.9": "Link Purpose (Link Only)",
    "2.5.3": "Label in Name",
    "2.5.8": "Target Size (Minimum)",
    "3.1.1": "Language of Page",
    "3.1.2": "Language of Parts",
    "3.2.5": "Change on Request",
    "3.3.2": "Labels or Instructions",
    "4.1.1": "Parsing",
    "4.1.2": "Name, Role, Value",
}


def criteria(tags: Iterable[str]) -> tuple[str, ...]:
    """Name the success criteria that a rule is about."""
    found = (_CRITERION_TAG.fullmatch(tag) for tag in tags)
    numbers = (".".join(match.groups()) for match in found if match)
    return tuple(f"WCAG {number} {CRITERIA.get(number, '')}".rstrip() for number in numbers)

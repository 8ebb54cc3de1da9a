"""Text from pages made fit for a terminal: one line, short, nothing that could act on the screen."""

from __future__ import annotations

import unicodedata

_UNSAFE_CATEGORIES = {"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"}


def harmless(text: str, *, limit: int = 60) -> str:
    r"""Give a page's text on one line, escaped and shortened.

    Control, format (bidi) and surrogate characters become escapes such as `\x1b`.
    """
    line = "".join(_escaped(character) for character in " ".join(text.split()))
    return line if len(line) <= limit else line[: limit - 1] + "…"


def _escaped(character: str) -> str:
    if unicodedata.category(character) in _UNSAFE_CATEGORIES:
        return character.encode("unicode_escape").decode("ascii")
    return character

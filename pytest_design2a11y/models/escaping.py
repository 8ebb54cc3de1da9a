"""Text from pages made fit for a terminal: one line, short, nothing that could act on the screen."""

from __future__ import annotations

import unicodedata

_UNSAFE_CATEGORIES = {"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"}


def harmless(text: str, *, limit: int = 60) -> str:
    r"""Give a page's text on one line, escaped and shortened.

    Args:
        text: Anything that came from a page.
        limit: Number of characters from which on it is cut, with "…".

    Returns:
        The text with white space collapsed, and with what acts on a terminal (control characters, marks that
        turn the direction of text, halves of surrogate pairs) written as escapes such as `\x1b`.
    """
    line = "".join(_escaped(character) for character in " ".join(text[: 4 * limit].split()))
    return line if len(line) <= limit else line[: limit - 1] + "…"


def _escaped(character: str) -> str:
    if unicodedata.category(character) in _UNSAFE_CATEGORIES:
        return character.encode("unicode_escape").decode("ascii")
    return character

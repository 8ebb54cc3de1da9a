"""When a text is seen: one rule for the stage that reads a page and for the one that scores it."""

from __future__ import annotations

#: Levels of 255 by which text that is seen differs in colour from what is around it: 3 % of black on white.
LEAST_CONTRAST = 8.0

# Text this long (px) of which less than this share is inked is covered, but for its tips.
_WORD_LENGTH = 40
_LEAST_SHARE = 0.1


def is_but_tips(inked: int, length: int) -> bool:
    """Tell whether a text so long is covered but for its tips: pixels along its lines."""
    return length >= _WORD_LENGTH and inked < _LEAST_SHARE * length

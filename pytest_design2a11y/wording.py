"""Numbers and lists in sentences: plurals, and "and 3 more"."""

from __future__ import annotations

import shlex
from collections.abc import Iterable, Sequence


def counted(number: int, singular: str, plural: str | None = None) -> str:
    """Return a number with its noun: "1 page", "1,200 pages", "1 check needs", "2 checks need"."""
    return f"{number:,} {singular if number == 1 else plural or f'{singular}s'}"


def with_article(noun: str) -> str:
    """Return a noun with its article: "a button", "an icon"."""
    return f"{'an' if noun[:1] in 'aeiou' else 'a'} {noun}"


def ended(text: str) -> str:
    """Return a sentence with a full stop, unless it is empty or already has an end."""
    return text if not text or text.endswith((".", "!", "?", "…")) else f"{text}."


def did_you_mean(name: str, known: Iterable[str]) -> str:
    """Return "Did you mean 'x'? " for the closest known name, or "" if none is close."""
    from difflib import get_close_matches

    near = get_close_matches(name, list(known), n=1)
    return f"Did you mean {near[0]!r}? " if near else ""


def listed(texts: Sequence[str], *, most: int) -> str:
    """Return the first texts and the number of the rest: "a, b and 3 more"."""
    named = ", ".join(texts[:most])
    return f"{named} and {len(texts) - most:,} more" if len(texts) > most else named


def shell_quoted(text: str) -> str:
    """Return a text as one argument of a shell: where it is safe in double quotes, as cmd.exe needs them."""
    return f'"{text}"' if set(text).isdisjoint('"$`\\!%') and shlex.quote(text) != text else shlex.quote(text)


def quotes_advice(text: str) -> str:
    """Return what to type for a value in single quotes, which cmd.exe hands over with the value; or ""."""
    if not text.startswith("'"):
        return ""
    return "In cmd.exe only double quotes hold a value together: write \"...\" for '...'. "

"""Numbers and lists in sentences: plurals, and "and 3 more"."""

from __future__ import annotations

from collections.abc import Iterable, Sequence


def counted(number: int, singular: str, plural: str | None = None) -> str:
    """Return a number with its noun: "1 page", "1,200 pages", "1 check needs", "2 checks need".

    Without a plural, it is the singular with an "s".
    """
    return f"{number:,} {singular if number == 1 else plural or f'{singular}s'}"


def with_article(noun: str) -> str:
    """Return a noun as one of its kind: "a button", "an icon"."""
    return f"{'an' if noun[:1] in 'aeiou' else 'a'} {noun}"


def ended(text: str) -> str:
    """Return a sentence with a full stop behind it, where nothing else ends it; "" stays so."""
    return text if not text or text.endswith((".", "!", "?", "…")) else f"{text}."


def did_you_mean(name: str, known: Iterable[str]) -> str:
    """Return a hint at the known name that is most like one, with a space after it; "" where none is."""
    from difflib import get_close_matches

    near = get_close_matches(name, list(known), n=1)
    return f"Did you mean {near[0]!r}? " if near else ""


def listed(texts: Sequence[str], *, most: int) -> str:
    """Return the first texts of many, and how many more there are: "a, b and 3 more"."""
    named = ", ".join(texts[:most])
    return f"{named} and {len(texts) - most:,} more" if len(texts) > most else named

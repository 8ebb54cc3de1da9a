"""Numbers, lists and options in sentences: plurals, "and 3 more", and options as the reader types them."""

import shlex
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import Literal


def counted(number: int, singular: str, plural: str | None = None) -> str:
    """Return a number with its noun: "1 page", "1,200 pages", "1 check needs", "2 checks need"."""
    return f"{number:,} {singular if number == 1 else plural or f'{singular}s'}"


def with_article(noun: str) -> str:
    """Return a noun with its article: "a button", "an icon"."""
    return f"{'an' if noun[:1] in 'aeiouAEIOU' else 'a'} {noun}"


def ended(text: str) -> str:
    """Return a sentence with a full stop, unless it is empty or already has an end."""
    return text if not text or text.endswith((".", "!", "?", "…")) else f"{text}."


def did_you_mean(name: str, known: Iterable[str]) -> str:
    """Return "Did you mean 'x'? " for the closest known name, or "" if none is close."""
    from difflib import get_close_matches

    near = get_close_matches(name, list(known), n=1)
    return f"Did you mean {near[0]!r}? " if near else ""


def listed(texts: Sequence[str], *, most: int, separator: str = ", ") -> str:
    """Return the first texts and the number of the rest: "a, b and 3 more"."""
    named = separator.join(texts[:most])
    return f"{named} and {len(texts) - most:,} more" if len(texts) > most else named


def shell_quoted(text: str) -> str:
    """Return a text as one argument of a shell: where it is safe in double quotes, as cmd.exe needs them."""
    return f'"{text}"' if set(text).isdisjoint('"$`\\!%') and shlex.quote(text) != text else shlex.quote(text)


def quotes_advice(text: str) -> str:
    """Return what to type for a value in single quotes, which cmd.exe hands over with the value; or ""."""
    if not text.startswith("'"):
        return ""
    return "In cmd.exe only double quotes hold a value together: write \"...\" for '...'. "


#: Who reads the messages of this process, and so how they spell options.
Audience = Literal["pytest", "command"]
_reader: Audience = "pytest"


def reader() -> Audience:
    """Return who reads the messages of this process: a user of pytest, unless `read_by` says otherwise."""
    return _reader


@contextmanager
def read_by(one: Audience) -> Iterator[None]:
    """Spell options in messages for this reader until the end of the block."""
    global _reader
    before, _reader = _reader, one
    try:
        yield
    finally:
        _reader = before


def flag(name: str) -> str:
    """Return an option that is a flag in both: "--design2a11y-timeout" in pytest, else "--timeout"."""
    return f"{'--' if _reader == 'command' else '--design2a11y-'}{name.replace('_', '-')}"


def setting(name: str) -> str:
    """Return an option that is a key in both: "-o design2a11y_settle" in pytest, else "--set settle"."""
    return f"--set {name}" if _reader == "command" else f"-o design2a11y_{name}"


def command_flag(name: str) -> str:
    """Return an option that is a flag in the command alone, and a key in pytest."""
    return flag(name) if _reader == "command" else setting(name)

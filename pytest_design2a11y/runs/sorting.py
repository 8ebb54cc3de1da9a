"""Rows in order: a few in memory, any number of them in a temporary file."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import chain, islice
from typing import TYPE_CHECKING

from pytest_design2a11y.exceptions import ConfigurationError
from pytest_design2a11y.runs.encoding import natural_key

if TYPE_CHECKING:
    from sqlite3 import Connection

#: A key that rows are sorted by, and a text.
Row = tuple[bytes, str]

_IN_MEMORY = 10_000


class SortedRows:
    """Rows in order of their keys, then of their texts; they can be read again and again."""

    def __init__(self, rows: Iterable[Row]) -> None:
        """Sort rows."""
        remaining = iter(rows)
        first = sorted(islice(remaining, _IN_MEMORY))
        self._rows = first if len(first) < _IN_MEMORY else _OnDisk(chain(first, remaining))

    def __iter__(self) -> Iterator[Row]:
        """Return the rows in order."""
        return iter(self._rows)


class _OnDisk:
    """SQLite sorts them, in a file that goes with the connection."""

    def __init__(self, rows: Iterable[Row]) -> None:
        from sqlite3 import Error, connect

        # Who reads the rows may do so in another thread, one at a time.
        self._table: Connection = connect("", check_same_thread=False)
        try:
            self._table.execute("PRAGMA journal_mode = OFF")
            self._table.execute("CREATE TABLE rows (key BLOB, text TEXT)")
            self._table.executemany("INSERT INTO rows VALUES (?, ?)", rows)
        except Error as error:
            raise ConfigurationError(
                f"Cannot sort the names of files in the folder for temporary files: {error}.",
                advice="Have TMPDIR name a folder with room: 1 kB a page.",
            ) from None

    def __iter__(self) -> Iterator[Row]:
        return self._table.execute("SELECT key, text FROM rows ORDER BY key, text")


def natural_bytes(text: str) -> bytes:
    """Return bytes in whose order texts are in that of `natural_key`; the text has no NUL."""
    return b"".join(
        part.encode("utf-8", "surrogatepass") + b"\0"
        if is_text
        else b"\1" + num_digits.to_bytes(4, "big") + part.encode("ascii")
        for is_text, num_digits, part in natural_key(text)
    )

"""Tables as CSV, in which no text is a formula."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from pytest_design2a11y.escaping import csv_cell


def csv_lines(columns: Sequence[str], rows: Iterable[Mapping[str, Any]]) -> Iterator[str]:
    """Return the lines of a table, its head first, without line ends."""
    yield _line(columns)
    for row in rows:
        yield _line([row[column] for column in columns])


def _line(values: Iterable[Any]) -> str:
    text = io.StringIO()
    cells = [csv_cell(value) if isinstance(value, str) else value for value in values]
    csv.writer(text, lineterminator="").writerow(cells)
    return text.getvalue()

"""A ranking as a table of cells: one axis across, the others down."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from pytest_design2a11y.comparing.ranking import Place, RankedMetric, Ranking


@dataclass(frozen=True, slots=True)
class Matrix:
    """The contenders of a ranking by the values of the axes that they were grouped by.

    Attributes:
        across: Name of the axis whose values are the columns.
        down: Names of the axes whose values are the rows, such as "prompt".
        rows: Values of the axes down, joined.
        contenders: Number of the contender, by row and column; where there is none, the cell is missing.
    """

    across: str
    down: str
    columns: tuple[str, ...]
    rows: tuple[str, ...]
    contenders: Mapping[tuple[str, str], int]

    def place(self, metric: RankedMetric, row: str, column: str) -> Place | None:
        """Return what a cell shows of a metric; None where there is no such contender."""
        number = self.contenders.get((row, column))
        return None if number is None else metric.place_of(number)


def matrix_of(ranking: Ranking) -> Matrix | None:
    """Arrange the contenders by their axes; None where they were grouped by fewer than two."""
    names = ranking.grouped_by
    if len(names) < 2:
        return None
    across = 1 if names[0] == "run" else 0
    cells: dict[tuple[str, str], int] = {}
    for number, contender in enumerate(ranking.contenders):
        values = [value or "(none)" for _name, value in contender.axes]
        column = values.pop(across)
        cells[", ".join(values), column] = number
    return Matrix(
        across=names[across],
        down=", ".join(name for place, name in enumerate(names) if place != across),
        columns=tuple(sorted({column for _row, column in cells})),
        rows=tuple(dict.fromkeys(row for row, _column in cells)),
        contenders=cells,
    )


def is_among_the_best(place: Place, metric: RankedMetric) -> bool:
    """Tell whether a contender is the best of those that have the content, or not surely worse."""
    best = next(one for one in metric.places if not one.lacks_content)
    return metric.has_verdicts and not place.lacks_content and best.rank not in place.beaten_by


def content_text(place: Place) -> str:
    """Tell how much of the designs' text is there, where that differs much; "" elsewhere."""
    if place.block_match is None:
        return ""
    why = ": text is missing, which cannot fail" if place.lacks_content else ""
    return f"block_match {place.block_match:.4f}{why}"


def ranks_text(ranks: tuple[int, ...]) -> str:
    """Write ranks, runs of them as "1-3"."""
    parts: list[list[int]] = []
    for rank in sorted(set(ranks)):
        if parts and rank == parts[-1][-1] + 1:
            parts[-1].append(rank)
        else:
            parts.append([rank])
    return ", ".join(f"{part[0]}-{part[-1]}" if len(part) > 1 else f"{part[0]}" for part in parts)

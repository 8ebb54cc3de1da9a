"""Comparisons and rankings as LaTeX tables, typeset with booktabs."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from pytest_design2a11y.comparing.comparison import Comparison
from pytest_design2a11y.comparing.gates import GateOutcome
from pytest_design2a11y.comparing.pairing import AxisValues, axes_text
from pytest_design2a11y.comparing.rank import Place, RankedMetric, Ranking
from pytest_design2a11y.escaping import latex
from pytest_design2a11y.report.comparison.rows import cells_of, is_among_the_best, matrix_of, shown_rows
from pytest_design2a11y.report.comparison.sentences import marks_rule, verdicts_rule
from pytest_design2a11y.wording import counted

_HEAD = (
    "% Needs \\usepackage{booktabs}. Names that are not Latin need LuaLaTeX or XeLaTeX, and "
    "a font that has them."
)


def comparison_latex(
    groups: Iterable[tuple[AxisValues, Comparison, Sequence[GateOutcome]]],
) -> Iterator[str]:
    """Return the lines of one table per comparison, captioned with the axes that it is restricted to."""
    yield _HEAD
    for axes, comparison, outcomes in groups:
        names = f"{comparison.old.name} → {comparison.new.name}"
        group = f" ({axes_text(axes)})" if axes else ""
        rule = marks_rule(comparison)
        cases = counted(comparison.num_cases, "case")
        caption = f"{names}{group}, {cases}. {rule[:1].upper()}{rule[1:]}."
        rows = []
        for name, row in shown_rows(comparison, outcomes).items():
            if row["state"] == "compared":
                old, new, change, *_, mark = cells_of(row)
                interval = ", ".join(f"${end:+.4f}$" for end in row["interval"] or ())
                numbers = [old, new, f"${change}$", f"[{interval}]" if interval else ""]
                rows.append([latex(name), *numbers, latex(mark)])
        head = ["metric", "old", "new", "change", "95 % interval", ""]
        yield from _table("lrrrrl", head, rows, caption)


def ranking_latex(ranking: Ranking) -> Iterator[str]:
    """Return the lines of a ranking's tables: one matrix per metric, or else one table of all metrics."""
    yield _HEAD
    metrics = [metric for metric in ranking.metrics.values() if metric.state == "compared"]
    matrix = matrix_of(ranking)
    if matrix is None:
        rows = []
        for place in metrics[0].places if metrics else ():
            cells = (_cell(metric, metric.place_of(place.contender)) for metric in metrics)
            rows.append([latex(ranking.contenders[place.contender].name), *cells])
        # The number of cases behind the means: those for which all contenders have a value.
        numbers: dict[int, list[str]] = {}
        for metric in metrics:
            numbers.setdefault(len(metric.cases), []).append(metric.metric)
        texts = [(counted(number, "case"), ", ".join(names)) for number, names in numbers.items()]
        cases = texts[0][0] if len(texts) == 1 else "; ".join(f"{cases} ({names})" for cases, names in texts)
        head = ["", *(_head(metric) for metric in metrics)]
        yield from _table("l" + "r" * len(metrics), head, rows, f"Means over {cases}. {_note(ranking)}")
        return
    for metric in metrics:
        rows = []
        for row in matrix.rows:
            places = (matrix.place(metric, row, column) for column in matrix.columns)
            rows.append([latex(row), *("--" if place is None else _cell(metric, place) for place in places)])
        caption = f"{_head(metric)}, mean over {counted(len(metric.cases), 'case')}. {_note(ranking)}"
        yield from _table("l" + "r" * len(matrix.columns), [matrix.down, *matrix.columns], rows, caption)


def _note(ranking: Ranking) -> str:
    lacking = any(place.lacks_content for metric in ranking.metrics.values() for place in metric.places)
    starred = " * Text of the designs is missing, which cannot fail: never bold." if lacking else ""
    rule = verdicts_rule(ranking)
    return f"In brackets, 95 % intervals. Bold: the best, or not significantly worse ({rule}).{starred}"


def _head(metric: RankedMetric) -> str:
    return f"{metric.metric} {'↑' if metric.is_higher_better else '↓'}"


def _cell(metric: RankedMetric, place: Place) -> str:
    mean = f"{place.mean:.4f}"
    shown = f"\\textbf{{{mean}}}" if is_among_the_best(place, metric) else mean
    shown += "$^*$" if place.lacks_content else ""
    if place.interval is None:
        return shown
    return shown + " {{\\footnotesize [{:.4f}, {:.4f}]}}".format(*place.interval)


def _table(columns: str, head: Sequence[str], rows: Iterable[Sequence[str]], caption: str) -> Iterator[str]:
    """Yield the lines of a table; the head and caption are escaped here, the cells are LaTeX already."""
    escaped = " ".join(latex(word) for word in caption.split())  # the caption may be long
    yield from ("", "\\begin{table}", "\\centering", f"\\caption{{{escaped}}}")
    yield from (f"\\begin{{tabular}}{{{columns}}}", "\\toprule")
    yield " & ".join(map(latex, head)) + " \\\\"
    yield "\\midrule"
    yield from (" & ".join(row) + " \\\\" for row in rows)
    yield from ("\\bottomrule", "\\end{tabular}", "\\end{table}")

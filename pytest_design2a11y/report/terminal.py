"""The table at the end of a pytest run, as lines that the plugin prints."""

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from pytest_design2a11y.escaping import sanitize
from pytest_design2a11y.models.evaluation import Evaluation
from pytest_design2a11y.models.metrics import METRICS, number_of, shown_in
from pytest_design2a11y.models.run import Run, shown_page
from pytest_design2a11y.models.verdicts import limit_text, reasons
from pytest_design2a11y.report.notes import (
    limited_metrics,
    producer_texts,
    severity_lines,
    summary_of_engines,
    summary_of_probes,
)
from pytest_design2a11y.report.run_pages import state_of, worst_first
from pytest_design2a11y.wording import counted, flag

if TYPE_CHECKING:
    from pytest_design2a11y.comparing.table import RunTable
    from pytest_design2a11y.comparing.variants import Variant, Variants

_VERDICT = 9
#: Verdicts whose name differs from the page's state; below, the markup of lines by state.
_VERDICTS = {"none": "-"}
_MARKUP = {"error": {"red": True}, "pass": {"green": True}, "fail": {"red": True}}
#: Minimum width of a mean with its interval, in characters.
_MEAN = 11
#: Names get up to 40 characters before optional columns are dropped, and never fewer than 8.
_LONGEST_NAME, _LEAST_NAME = 40, 8
#: Number of things listed that are wrong with several pages.
_MOST_SHARED = 5


@dataclass(frozen=True, slots=True)
class Line:
    """A line of text, and the markup for pytest's terminal writer."""

    text: str
    markup: dict[str, bool] = field(default_factory=dict)


def summary_lines(
    evaluations: Sequence[Evaluation],
    *,
    width: int,
    is_brief: bool,
    most: int | None = None,
) -> Iterator[Line]:
    """Return the summary: the results of each variant, one line per page, the environment, warnings.

    Args:
        evaluations: What was measured; at least one.
        width: Width of a line in characters.
        is_brief: Leave the single pages out (`-q`).
        most: How many pages to list, the worst first; None: all, in their order.
    """
    from pytest_design2a11y.comparing.variants import find_variants
    from pytest_design2a11y.report.comparison.ranking_sentences import standing_lines

    variants = find_variants(evaluations)
    if len(evaluations) > 1:
        yield from _means(variants, width)
        yield from map(Line, standing_lines(variants.judged, variants.choices))
        yield Line("")
    if not is_brief:
        yield from _pages(evaluations, width, most)
    yield from _broken_lines(evaluations)
    yield from map(Line, _shared_lines(evaluations))
    again = [f"{sanitize(page.id, limit=200)} (try {page.tries})" for page in evaluations if page.tries > 1]
    if again:
        more = f" and {len(again) - 3} more" if len(again) > 3 else ""
        text = f"run again: {', '.join(again[:3])}{more}; the last try of a test counts"
        yield Line(text, {"yellow": True})
    yield from (Line(text, {"yellow": True}) for text in severity_lines(evaluations))
    yield from map(Line, summary_of_engines(evaluations))
    yield from map(Line, summary_of_probes(evaluations))
    for evaluation in evaluations:
        if evaluation.error is not None:
            page = shown_page(evaluation, evaluation.error.role or "candidate")
            text = f"error: {page}: {evaluation.error}"
            yield Line(sanitize(text, limit=500), {"red": True})
    warned: dict[str, dict[str, None]] = {}  # A design is warned about once for all pages
    for evaluation in evaluations:
        for warning in evaluation.told_warnings:
            page = shown_page(evaluation, warning.role or "candidate")
            warned.setdefault(warning.code, {})[f"{page}: {warning.message}"] = None
    for code, messages in sorted(warned.items()):
        more = f" (and {len(messages) - 1} more)" if len(messages) > 1 else ""
        yield Line(sanitize(f"warning: {code}: {next(iter(messages))}", limit=300) + more, {"yellow": True})
    yield from (Line(text, {"light": True}) for text in producer_texts(evaluations))


def _means(variants: "Variants", width: int) -> Iterator[Line]:
    """Return one line per variant, or one for the whole run: means with intervals, pages, broken limits."""
    names = [variant.name or cases_text(variant.table) for variant in variants.all]
    heads = ["pages".rjust(max(len(variant.pages) for variant in variants.all))]
    heads += ["broken"] if any(variant.num_broken is not None for variant in variants.all) else []
    room = width - sum(len(head) + 2 for head in heads)
    pages = [page for variant in variants.all for page in variant.evaluations]
    needed = {name for page in pages for name in page.metrics} | limited_metrics(pages)
    columns = _fitting(variants.columns, room - _LEAST_NAME, needed, _MEAN)
    label = "mean (95 % CI)"
    longest = max(map(len, [label, *names]))
    name_width = min(longest, max(_LEAST_NAME, room - _width_of(columns, _MEAN)))
    label = label if len(label) <= name_width else "mean ±CI"

    def line(name: str, cells: Mapping[str, str], ends: Iterable[str]) -> str:
        means = "".join(f"{cell:>{_width_of([column], _MEAN)}}" for column, cell in cells.items())
        numbers = zip(heads, ends, strict=False)
        return f"{name:<{name_width}}{means}" + "".join(f"{end:>{len(head) + 2}}" for head, end in numbers)

    yield Line(line(label, {column: f"{column} " for column in columns}, heads))
    for variant, name in zip(variants.all, names, strict=True):
        best = [column for column in columns if variants.is_best(variant, column)]
        cells = {
            column: f"{mean_text(variant, column)}{'*' if column in best else ' '}" for column in columns
        }
        text, is_whole = sanitize(name, limit=1000), len(name) <= name_width
        if not is_whole:
            yield Line(text, {"bold": True})
        ends = variant.pages, "-" if variant.num_broken is None else str(variant.num_broken)
        yield Line(line(text if is_whole else "", cells, ends), {"bold": True})
    if any(variants.is_best(variant, column) for variant in variants.all for column in columns):
        yield Line("(* surely better than every other)")


def mean_text(variant: "Variant", metric: str) -> str:
    """Return a variant's mean and half the width of its interval: "0.62 ±.04"."""
    summary = variant.summaries.get(metric)
    if summary is None:
        return "-"
    low, high = summary.interval or (summary.mean, summary.mean)
    half = max(high - summary.mean, summary.mean - low)
    digits = 1 if summary.metric.upper is None else 2
    interval = "" if summary.interval is None else f" ±{half:.{digits}f}".replace("±0.", "±.")
    return f"{summary.mean:.{digits}f}{interval}"


def cases_text(table: "RunTable") -> str:
    """Return the number of cases, and how many of them were measured."""
    cases = counted(len(table.cases), "case")
    return cases if table.num_measured == len(table.cases) else f"{table.num_measured} of {cases}"


def _pages(evaluations: Sequence[Evaluation], width: int, most: int | None) -> Iterator[Line]:
    limited = limited_metrics(evaluations)
    longest = max(len(page.id) for page in evaluations)
    columns = columns_that_fit(width, _columns_with_values(evaluations, limited), longest, limited)
    name_width = min(longest, max(_LEAST_NAME, width - _width_of(columns) - _VERDICT))
    yield Line(_row("", {column: f"{column} " for column in columns}, "verdict", name_width))
    shown = list(evaluations)
    if most is not None and len(shown) > most:
        shown = [row.evaluation for row in worst_first(Run("", "", True, tuple(evaluations)))[:most]]
    for page in shown:
        broken = {verdict.metric for verdict in page.verdicts if not verdict.is_passed}
        cells = {column: f"{_number(page, column)}{'!' if column in broken else ' '}" for column in columns}
        state = state_of(page)
        yield Line(_row(page.id, cells, _VERDICTS.get(state, state), name_width), _MARKUP.get(state, {}))
    if len(shown) < len(evaluations):
        yield Line(f"and {counted(len(evaluations) - len(shown), 'page')} that did better")


def _broken_lines(evaluations: Sequence[Evaluation]) -> Iterator[Line]:
    broken = [page for page in evaluations if state_of(page) == "fail"]
    if broken:
        verdicts = (verdict for page in broken for verdict in page.verdicts if not verdict.is_passed)
        limits = Counter(map(limit_text, verdicts)).most_common()
        counts = ", ".join(f"{text} in {number}" for text, number in limits)
        verb = "breaks" if len(broken) == 1 else "break"
        samples = Counter(page.case_key for page in evaluations)
        is_together = any(samples[page.case_key] > 1 for page in broken)
        together = " (samples of a case are judged together)" if is_together else ""
        pages = f"{len(broken)} of {counted(len(evaluations), 'page')}"
        yield Line(f"! {pages} {verb} a limit: {counts}{together}")


def _shared_lines(evaluations: Sequence[Evaluation]) -> Iterator[str]:
    from pytest_design2a11y.report.run_pages import shared_causes

    causes = shared_causes(evaluations)
    if causes:
        yield "the same on several pages, the most costly first:"
        yield from (f"  {sanitize(cause.sentence, limit=200)}" for cause in causes[:_MOST_SHARED])
    if (rest := len(causes) - _MOST_SHARED) > 0:
        yield f"  and {rest} more ({flag('html')} lists all, with their pages)"


def _columns() -> list[str]:
    """Return the columns for single pages, the most important first; narrow terminals drop the last ones."""
    wide = sorted(shown_in("wide"), key=lambda name: ("", "fidelity", "visual").index(METRICS[name].of))
    return [*shown_in("summary"), *wide]


def columns_that_fit(
    width: int,
    columns: Sequence[str] | None = None,
    longest: int = _LONGEST_NAME,
    limited: Collection[str] = (),
) -> list[str]:
    """Return the columns that fit a terminal's width; those with a limit always stay."""
    room = width - min(longest, _LONGEST_NAME) - _VERDICT
    return _fitting(columns or _columns(), room, {*shown_in("summary"), *limited})


def _fitting(columns: Sequence[str], room: int, needed: Collection[str], least: int = 8) -> list[str]:
    chosen = list(columns)
    for name in reversed(columns):
        if _width_of(chosen, least) > room and name not in needed:
            chosen.remove(name)
    return chosen


def _width_of(columns: Iterable[str], least: int = 8) -> int:
    return sum(max(least, len(column) + 2) for column in columns)


def _columns_with_values(evaluations: Sequence[Evaluation], limited: Collection[str]) -> list[str]:
    """Return the columns that some page has a value for; all of them if there are none."""
    columns = _columns()
    columns += [name for name in METRICS if name in limited and name not in columns]
    measured = [name for name in columns if any(page.value(name) is not None for page in evaluations)]
    return measured or columns


def page_line(evaluation: Evaluation) -> str:
    """Return one page as a line: verdict, name, broken limits and values, or why there are none."""
    state, error = state_of(evaluation), evaluation.error
    columns = () if error else _columns_with_values([evaluation], limited_metrics([evaluation]))
    values = (f"{column} {_number(evaluation, column)}" for column in columns)
    broken, name = ", ".join(reasons(evaluation.verdicts)), sanitize(evaluation.id, limit=200)
    parts = [f"{_VERDICTS.get(state, state):<5}", name, broken, *values, str(error or "")]
    return "  ".join(filter(None, parts)).rstrip()


def _row(name: str, cells: Mapping[str, str], verdict: str, name_width: int) -> str:
    numbers = "".join(f"{cell:>{_width_of([column])}}" for column, cell in cells.items())
    text = sanitize(name, limit=1000)
    if len(text) > name_width:
        # Shortened at the start: test names differ at their ends.
        text = f"…{text[1 - name_width :]}"
    return f"{text:<{name_width}}{numbers}{verdict:>{_VERDICT}}"


def _number(evaluation: Evaluation, metric: str) -> str:
    value = evaluation.value(metric)
    return "-" if value is None else number_of(metric, value)

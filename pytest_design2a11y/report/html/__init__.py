"""The HTML report: a single file that opens from disk, loads nothing, and runs only its own scripts."""

import hashlib
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cache
from importlib import resources
from pathlib import Path
from typing import Any

import jinja2
from markupsafe import Markup

from pytest_design2a11y.comparing.aggregate import MetricSummary
from pytest_design2a11y.comparing.table import LEFT_OUT, repetitions
from pytest_design2a11y.comparing.variants import find_variants
from pytest_design2a11y.escaping import shown
from pytest_design2a11y.files import STANDARD_OUTPUT, write_text
from pytest_design2a11y.javascript import namespace_of
from pytest_design2a11y.models.audit import Accepted
from pytest_design2a11y.models.evaluation import Evaluation
from pytest_design2a11y.models.metrics import ERRORS, shown_in
from pytest_design2a11y.models.run import Run
from pytest_design2a11y.models.verdicts import CaseJudgement, CaseKey, reasons
from pytest_design2a11y.models.visual import SEVERITIES
from pytest_design2a11y.report import template_environment
from pytest_design2a11y.report.comparison import sure_changes
from pytest_design2a11y.report.comparison.ranking_sentences import standing_lines
from pytest_design2a11y.report.html.islands import (
    LONGEST_MESSAGE,
    MAX_LISTED,
    numbers_of,
    page_record,
    script_json,
)
from pytest_design2a11y.report.html.overview import (
    ROLES,
    Overview,
    PictureStore,
    data_url,
    find_changes,
    in_base64,
    make_overview,
)
from pytest_design2a11y.report.notes import producer_facts
from pytest_design2a11y.report.run_pages import STATES, count_states
from pytest_design2a11y.runs.pictures import load_picture

#: Above this many pages, fewer findings per kind are listed, so that 1,000 pages fit.
MANY_PAGES, MAX_LISTED_OF_MANY = 200, 8

NUM_BINS = 40

#: Headings of metrics if they differ from their names.
_LABELS = {ERRORS.name: "not measured"}
_CHIPS = {"error": "warn", "fail": "bad", "pass": "good", "none": "plain"}


def write_report(path: Path, run: Run, *, picture_folder: Path, **more: Any) -> None:
    """Write the report of a run, atomically; OSError if it cannot be written.

    Larger pictures that do not fit into `MAX_REPORT_BYTES` are written beside it, to FILE-pictures.
    """
    beside = None if path == STANDARD_OUTPUT else path.with_name(f"{path.stem}-pictures")
    write_text(path, render_report(run, picture_folder=picture_folder, beside=beside, **more))


def render_report(
    run: Run,
    *,
    picture_folder: Path,
    beside: Path | None = None,
    compared: tuple[Run, Run] | None = None,
    comparison: Mapping[str, Any] | None = None,
    policy: str = "mean",
    judgements: Sequence[CaseJudgement] = (),
    accepted: Accepted | None = None,
) -> Iterator[str]:
    """Return the report of a run piece by piece.

    The overview and the scripts come first, so that a browser can show and run them while it still reads the
    pages and their pictures, which follow as inert data, the worst page first. Pictures that do not fit are
    written to `beside`, or left out. `compared` are the old and new pages that `comparison`, as returned by
    `page_values`, compares, with their details; `judgements` the verdicts on cases by a policy; `accepted`
    the number of accepted failing elements, by evaluation and rule.
    """
    overview = make_overview(run)
    pages, accepted = run.evaluations, accepted or {}
    standing = find_variants(pages)
    store = PictureStore(overview, picture_folder, beside)
    names = sorted({name for page in pages for name in page.axes})
    axes = {name: sorted({page.axes.get(name, "") for page in pages} - {""}) for name in names}
    severities = Counter(severity for card in overview.cards for severity in card.severities)
    facts = dict.fromkeys(tuple(producer_facts(page)) for page in pages)
    num_columns = len(overview.variants) or 1
    has_files = any(not place.startswith("#") for place in store.places.values())
    frame = _frame(has_files=has_files, num_columns=num_columns)
    yield from (
        environment()
        .get_template("report.html.j2")
        .generate(
            **frame,
            run=run,
            overview=overview,
            thumbnail=store.thumbnail,
            state_counts=count_states(card.row for card in overview.cards),
            severity_counts={name: severities[name] for name in SEVERITIES if severities[name]},
            axes={name: values for name, values in axes.items() if len(values) > 1},
            all_axes=axes,
            columns=shown_in("report"),
            standing=standing,
            standing_lines=list(standing_lines(standing.judged, standing.choices)),
            left_out=LEFT_OUT,
            repetitions=repetitions(pages),
            num_cases=len({page.case for page in pages}),
            environments=[list(distinct) for distinct in facts if distinct],
            comparison=comparison,
            **_change_values(compared, comparison, picture_folder, store.places),
            policy=policy,
            judgements=judgements,
            accepted={id: sum(counts.values()) for id, counts in accepted.items()},
            islands=_islands(overview, store, judgements, accepted, run.name),
        )
    )


def _change_values(
    runs: tuple[Run, Run] | None,
    comparison: Mapping[str, Any] | None,
    folder: Path,
    places: Mapping[str, str],
) -> dict[str, Any]:
    """Return the values for the template of changes, which shows nothing without both runs.

    Pictures stored in or beside the report are shown from there; others become part of the markup.
    """
    changes = None
    if runs is not None and comparison is not None:
        changes = find_changes(*runs, changed_axes={change["axis"] for change in comparison["changes"]})

    def pictured(evaluations: Iterable[Evaluation], role: str, is_large: bool) -> str | None:
        """Return the address of the first picture that was kept, either the full picture or only its top."""
        for evaluation in evaluations:
            if place := places.get(evaluation.pictures.get(role, "")):
                return place
            if picture := load_picture(evaluation, role, folder):
                return data_url(picture.full if is_large else picture.small)
        return None

    return {"changes": changes, "pictured": pictured}


def _islands(
    overview: Overview,
    store: PictureStore,
    judgements: Iterable[CaseJudgement],
    accepted: Accepted,
    run_name: str,
) -> Iterator[tuple[str, str, Markup]]:
    """Return id, type and content of every data element: each page follows its pictures not yet returned."""
    by_case: dict[CaseKey, list[CaseJudgement]] = defaultdict(list)
    for judgement in judgements:
        by_case[judgement.case_key].append(judgement)
    for card in overview.cards:
        yield from store.islands(card)
        evaluation = card.row.evaluation
        names = {role: evaluation.pictures.get(role, "") for role in ROLES}
        record = page_record(
            card,
            {role: store.places[name] for role, name in names.items() if name in store.places},
            judgements=by_case[evaluation.case_key],
            accepted=accepted.get(evaluation.id, {}),
            evidence=store.places,
            max_listed=MAX_LISTED if len(overview.cards) <= MANY_PAGES else MAX_LISTED_OF_MANY,
            run_name=run_name,
        )
        yield f"page-{card.row.number}", "application/json", Markup(script_json(record))


def _frame(*, has_files: bool, num_columns: int) -> dict[str, Any]:
    """Return what the frame of the report needs: style, script, and the policy that allows them.

    It allows these by their digests, pictures in the file (with `has_files` also beside it), nothing else.
    """
    sheet = resources.files(__package__).joinpath("assets", "report.css").read_text(encoding="utf-8")
    style = f"{sheet}:root {{ --columns: {num_columns}; }}\n"
    script = report_script()
    pictures = "data: 'self' file:" if has_files else "data:"
    policy = (
        f"default-src 'none'; img-src {pictures}; "
        f"style-src '{_digest(style)}'; script-src '{_digest(script)}'; "
        "base-uri 'none'; form-action 'none'; require-trusted-types-for 'script'; trusted-types 'none'"
    )
    return {"style": Markup(style), "script": Markup(script), "content_policy": policy}


def _digest(text: str) -> str:
    return f"sha256-{in_base64(hashlib.sha256(text.encode()).digest())}"


def report_script() -> str:
    """Return the script of a report."""
    return f"{namespace_of('report/html/assets/report.js')};\n"


def histogram(summary: MetricSummary) -> Markup:
    """Return an SVG histogram of a metric over the cases, with its mean and the mean's interval."""
    template = environment().get_template("_histogram.svg.j2")
    end, bins = upper_end(summary), cases_per_bin(summary)
    return Markup(template.render(summary=summary, bins=bins, end=end, width=240))


def upper_end(summary: MetricSummary) -> float:
    """Return the end of the last bin: the metric's upper bound, or the largest value."""
    return summary.metric.upper or max(summary.values[-1], 1.0)


def cases_per_bin(summary: MetricSummary) -> list[int]:
    """Return the number of cases in every bin, from 0 to `upper_end`."""
    end, last = upper_end(summary), NUM_BINS - 1
    counts = Counter(min(last, int(value / end * NUM_BINS)) for value in summary.values)
    return [counts[number] for number in range(NUM_BINS)]


_FILTERS: dict[str, Callable[..., object]] = {
    "shown": lambda value: shown(str(value)),
    "told": lambda value: shown(str(value), limit=LONGEST_MESSAGE),
    "number": lambda value: "–" if value is None else f"{value:.4f}",
    "figure": lambda value: "–" if value is None else f"{value:.2f}" if value % 1 else f"{value:.0f}",
    "signed": "{:+.4f}".format,
    # Jinja's own `capitalize` lower-cases the rest of a text, including names.
    "capitalize": lambda text: text[:1].upper() + text[1:],
    "moment": lambda created: shown(created[:16].replace("T", " ") + " UTC"),
    "mean": lambda value, summary: f"{value:.{1 if summary.metric.upper is None else 2}f}",
    "numbers": numbers_of,
    "answer": sure_changes,
    "reasons": reasons,
    "histogram": histogram,
    "upper_end": upper_end,
}


@cache
def environment() -> jinja2.Environment:
    """Return the environment that renders the report's templates, each of which is slow to compile."""
    made = template_environment(__package__, autoescape=True)
    made.filters.update(_FILTERS)
    made.globals.update(states=STATES, chips=_CHIPS, labels=_LABELS)
    return made

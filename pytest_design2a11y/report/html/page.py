"""The HTML report: a single file that opens from disk, loads nothing, and runs only its own scripts."""

from __future__ import annotations

import base64
import hashlib
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cache
from importlib import resources
from pathlib import Path
from types import MappingProxyType
from typing import Any
from urllib.parse import quote

import jinja2
from markupsafe import Markup

from pytest_design2a11y.comparing.aggregate import MetricSummary
from pytest_design2a11y.comparing.table import FailedPages, repetitions, rule_text
from pytest_design2a11y.comparing.variants import find_variants
from pytest_design2a11y.escaping import shown
from pytest_design2a11y.files import STANDARD_OUTPUT, write_text, write_whole
from pytest_design2a11y.javascript import namespace_of
from pytest_design2a11y.models.audit import Accepted
from pytest_design2a11y.models.evaluation import CaseJudgement, CaseKey
from pytest_design2a11y.models.metrics import ERRORS, shown_in
from pytest_design2a11y.models.run import Evaluation, Run
from pytest_design2a11y.models.verdict_words import reasons
from pytest_design2a11y.models.visual import SEVERITIES
from pytest_design2a11y.report.comparison.ranking_sentences import standing_lines
from pytest_design2a11y.report.comparison.sentences import sure_changes
from pytest_design2a11y.report.html.changes import find_changes
from pytest_design2a11y.report.html.islands import (
    LONGEST_MESSAGE,
    MAX_LISTED,
    numbers_of,
    page_record,
    producer_facts,
    script_json,
)
from pytest_design2a11y.report.html.overview import Card, Overview, make_overview
from pytest_design2a11y.report.states import STATES, count_states
from pytest_design2a11y.runs.pictures import evidence_names, is_picture_name, load_evidence, load_picture

ROLES = ("reference", "candidate")

#: Maximum size of a report, and of each page's part of it without its larger pictures, both in bytes.
MAX_REPORT_BYTES, BYTES_PER_PAGE = 55_000_000, 48_000

#: Above this many pages, fewer findings per kind are listed, so that 1,000 pages fit.
MANY_PAGES, MAX_LISTED_OF_MANY = 200, 8

NUM_BINS = 40

#: Headings of metrics if they differ from their names.
_LABELS = {ERRORS.name: "not measured"}
_CHIPS = {"error": "warn", "fail": "bad", "pass": "good", "none": "plain"}


def write_report(path: Path, run: Run, *, picture_folder: Path, **more: Any) -> None:
    """Write the report of a run, atomically; pictures pass through memory one page at a time.

    Larger pictures that do not fit into `MAX_REPORT_BYTES` are written beside it, to FILE-pictures.

    Raises:
        OSError: The file cannot be written.
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
    failed_pages: FailedPages = "exclude",
) -> Iterator[str]:
    """Return the report of a run piece by piece.

    The overview and the scripts come first, so that a browser can show and run them while it still reads the
    pages and their pictures, which follow as inert data, the worst page first.

    Args:
        run: What was measured.
        picture_folder: Where `store_pictures` kept the pictures.
        beside: Folder for pictures that do not fit into the report; None: they are left out.
        compared: The old and the new pages that `comparison` compares, with their details.
        comparison: As returned by `page_values`.
        policy: How a case with several samples is judged.
        judgements: Its verdicts.
        accepted: Number of accepted failing elements, by evaluation and rule.
        failed_pages: How a candidate that failed by its own fault counts.
    """
    overview = make_overview(run)
    pages, accepted = run.evaluations, accepted or {}
    standing = find_variants(pages, failed_pages=failed_pages)
    store = PictureStore(overview, picture_folder, beside)
    names = sorted({name for page in pages for name in page.axes})
    axes = {name: sorted({page.axes.get(name, "") for page in pages} - {""}) for name in names}
    severities = Counter(severity for card in overview.cards for severity in card.severities)
    facts = dict.fromkeys(tuple(producer_facts(page)) for page in pages)
    num_columns = len(overview.variants) or 1
    frame = page_frame(has_scripts=True, has_files=not store.holds_all, num_columns=num_columns)
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
            failed_pages=rule_text(failed_pages, standing.num_zeros),
            repetitions=repetitions(pages),
            num_cases=len({page.case for page in pages}),
            environments=[list(distinct) for distinct in facts if distinct],
            comparison=comparison,
            **change_values(compared, comparison, picture_folder, store.places),
            policy=policy,
            judgements=judgements,
            accepted={id: sum(counts.values()) for id, counts in accepted.items()},
            islands=_islands(overview, store, judgements, accepted, run.name),
        )
    )


class PictureStore:
    """The pictures of a report: small ones in its overview, larger ones after it or beside it."""

    def __init__(self, overview: Overview, folder: Path, beside: Path | None) -> None:
        """Choose which larger pictures fit into the report, starting with those of the worst pages."""
        self._folder = folder
        self._beside = beside
        self._given: set[str] = set()
        #: Where larger pictures are, by name: "#id" of an element of the report, or an address beside it.
        self.places: dict[str, str] = {}
        room = MAX_REPORT_BYTES - BYTES_PER_PAGE * len(overview.cards)
        pictures = (card.row.evaluation.pictures.get(role, "") for card in overview.cards for role in ROLES)
        for name in dict.fromkeys(pictures):
            path = folder / name
            if is_picture_name(name) and path.is_file():
                room -= path.stat().st_size * 4 // 3
                if room > 0:
                    self.places[name] = _place(name)
                elif beside is not None:
                    self.places[name] = quote(f"{beside.name}/{name}")

    @property
    def holds_all(self) -> bool:
        """Whether no picture lies beside the report."""
        return all(place.startswith("#") for place in self.places.values())

    def thumbnail(self, card: Card, role: str) -> str | None:
        """Return the address of a picture of the top of a page; None if no picture was kept."""
        picture = load_picture(card.row.evaluation, role, self._folder)
        return None if picture is None else _data_url(picture.small)

    def islands(self, card: Card) -> Iterator[tuple[str, str, Markup]]:
        """Return id, type and content of the data elements for a page's pictures not returned before."""
        evaluation = card.row.evaluation
        for role in ROLES:
            picture = load_picture(evaluation, role, self._folder)
            if picture is None or picture.name in self._given or picture.name not in self.places:
                continue
            self._given.add(picture.name)
            if (place := self.places[picture.name]).startswith("#"):
                yield _island(place, picture.full)
            elif self._beside is not None:
                write_whole(self._beside / picture.name, picture.full)
        for name in evidence_names(evaluation):
            data = None if name in self.places else load_evidence(name, self._folder)
            if data is not None:
                self.places[name] = _place(name)
                yield _island(self.places[name], data)


def _place(name: str) -> str:
    return f"#picture-{name.removesuffix('.webp')}"


def _island(place: str, data: bytes) -> tuple[str, str, Markup]:
    return place[1:], "text/plain", Markup(_base64(data))


def _base64(data: bytes) -> str:
    return base64.b64encode(data).decode("ascii")


def change_values(
    runs: tuple[Run, Run] | None,
    comparison: Mapping[str, Any] | None,
    folder: Path | None,
    places: Mapping[str, str] = MappingProxyType({}),
) -> dict[str, Any]:
    """Return the values for the template of changes; without both runs and their pictures it shows nothing.

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
            if picture := load_picture(evaluation, role, folder or Path()):
                return _data_url(picture.full if is_large else picture.small)
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


def _data_url(data: bytes) -> str:
    return f"data:image/webp;base64,{_base64(data)}"


def page_frame(*, has_scripts: bool, has_files: bool = False, num_columns: int = 1) -> dict[str, Any]:
    """Return what the frame of each of our pages needs: style, script, and the policy that allows them.

    The policy allows our own style and script by their digests, pictures in the file (with `has_files` also
    beside it), and nothing else.
    """
    sheet = resources.files(__package__).joinpath("assets", "report.css").read_text(encoding="utf-8")
    style = f"{sheet}:root {{ --columns: {num_columns}; }}\n"
    script = report_script() if has_scripts else ""
    pictures = "data: 'self' file:" if has_files else "data:"
    policy = (
        f"default-src 'none'; img-src {pictures}; "
        f"style-src '{_digest(style)}'; script-src '{_digest(script)}'; "
        "base-uri 'none'; form-action 'none'; require-trusted-types-for 'script'; trusted-types 'none'"
    )
    return {"style": Markup(style), "script": Markup(script), "content_policy": policy}


def _digest(text: str) -> str:
    return f"sha256-{_base64(hashlib.sha256(text.encode()).digest())}"


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
    return [counts[place] for place in range(NUM_BINS)]


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
    made = jinja2.Environment(
        loader=jinja2.PackageLoader(__package__),
        autoescape=True,
        trim_blocks=True,
        lstrip_blocks=True,
        undefined=jinja2.StrictUndefined,
    )
    made.filters.update(_FILTERS)
    made.globals.update(states=STATES, chips=_CHIPS, labels=_LABELS)
    return made

"""The HTML report: one file that opens from disk, loads nothing, and runs nothing but its own scripts."""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from importlib import resources
from pathlib import Path
from typing import Any

import jinja2
from markupsafe import Markup

from pytest_design2a11y.comparing.aggregate import summarize_table
from pytest_design2a11y.comparing.distinct import repetition_text
from pytest_design2a11y.comparing.failed_pages import FailedPages, rule_text
from pytest_design2a11y.comparing.table import make_table
from pytest_design2a11y.files import replacing
from pytest_design2a11y.models.audit import Accepted
from pytest_design2a11y.models.metrics import METRICS
from pytest_design2a11y.models.run import CaseJudgement, CaseKey, Evaluation, Run
from pytest_design2a11y.report.html import overview
from pytest_design2a11y.report.html.islands import case_island, producer_facts, script_json, shown
from pytest_design2a11y.report.html.plots import histogram, upper_end
from pytest_design2a11y.report.html.renderings import renderings_of
from pytest_design2a11y.report.pictures import Picture, evidence_names, load_evidence, load_picture

ROLES = ("reference", "candidate")

_STYLE = "report.css"
_SCRIPTS = ("elements.js", "table.js", "stage.js", "findings.js", "case.js", "report.js")


def write_report(path: Path, run: Run, *, picture_folder: Path, **more: Any) -> None:
    """Write the report of a run, atomically; pictures pass through memory one case at a time.

    Args:
        path: Where; its folder is made where it is missing.
        run: What was measured.
        picture_folder: Where `store_pictures` kept the pictures.
        **more: As for `render_report`.

    Raises:
        OSError: The file cannot be written.
    """
    with (
        replacing(path) as temporary,
        temporary.open("w", encoding="utf-8", errors="replace", newline="\n") as file,
    ):
        file.writelines(render_report(run, picture_folder=picture_folder, **more))


def render_report(
    run: Run,
    *,
    picture_folder: Path,
    comparison: Mapping[str, Any] | None = None,
    policy: str = "mean",
    judgements: Sequence[CaseJudgement] = (),
    accepted: Accepted | None = None,
    failed_pages: FailedPages = "exclude",
) -> Iterator[str]:
    """Return the report of a run piece by piece.

    The overview and the scripts come first, so that a browser shows and runs them while it still reads
    the cases and the pictures, which lie behind them as inert data.

    Args:
        run: What was measured.
        picture_folder: Where `store_pictures` kept the pictures.
        comparison: The run against an older one, as `comparison_to_dict` gives it.
        policy: How a case with several samples is judged.
        judgements: What it comes to.
        accepted: How many failing elements are accepted, by evaluation and rule; None: none are.
        failed_pages: What a candidate that failed by its own fault counts as.
    """
    style, script = asset(_STYLE), "".join(asset(name) for name in _SCRIPTS)
    rows = overview.worst_first(run)
    table = make_table(run, failed_pages=failed_pages)
    template = environment().get_template("report.html.j2")
    yield from template.generate(
        run=run,
        style=Markup(style),
        script=Markup(script),
        content_policy=content_policy(style, script),
        summaries=list(summarize_table(table).values()),
        failed_pages=rule_text(failed_pages, table.num_zeros),
        repetitions=repetition_text(table.num_samples, table.num_distinct),
        rows=_table_rows(rows, picture_folder),
        num_cases=len({evaluation.case for evaluation in run.evaluations}),
        states=overview.count_states(rows),
        state_labels=overview.STATES,
        columns=[METRICS[column] for column in overview.COLUMNS],
        statuses=_distinct(one.accessibility.status for one in run.evaluations if one.accessibility),
        axes=_axes(run),
        environments=_environments(run),
        comparison=comparison,
        policy=policy,
        judgements=judgements,
        accepted={id: sum(counts.values()) for id, counts in (accepted or {}).items()},
        labels={metric.id: metric.label for metric in METRICS.values()} | {"errors": "not measured"},
        islands=_islands(run, picture_folder, judgements, accepted or {}),
    )


@dataclass(frozen=True, slots=True)
class TableRow:
    """A row of the table of cases with its small pictures, as data URLs by role."""

    row: overview.Row
    pictures: Mapping[str, str]


def _table_rows(rows: Iterable[overview.Row], folder: Path) -> Iterator[TableRow]:
    for row in rows:
        pictures = _pictures(row.evaluation, folder)
        yield TableRow(row, {role: _data_url(picture.small) for role, picture in pictures.items()})


def _islands(
    run: Run,
    folder: Path,
    judgements: Iterable[CaseJudgement],
    accepted: Accepted,
) -> Iterator[tuple[str, str, Markup]]:
    """Return id, type and content of every data element: the cases, each behind pictures not given before."""
    by_case: dict[CaseKey, list[CaseJudgement]] = {}
    for judgement in judgements:
        by_case.setdefault(judgement.case_key, []).append(judgement)
    given: set[str] = set()
    renderings = renderings_of(run.evaluations)
    for number, evaluation in enumerate(run.evaluations):
        pictures = _pictures(evaluation, folder)
        for picture in pictures.values():
            if picture.name not in given:
                given.add(picture.name)
                content = base64.b64encode(picture.full).decode("ascii")
                yield _picture_id(picture), "text/plain", Markup(content)
        evidence = {name: f"picture-{name.removesuffix('.webp')}" for name in evidence_names(evaluation)}
        for name, place in list(evidence.items()):
            data = load_evidence(name, folder)
            if data is None:
                del evidence[name]
            elif name not in given:
                given.add(name)
                yield place, "text/plain", Markup(base64.b64encode(data).decode("ascii"))
        ids = {role: _picture_id(picture) for role, picture in pictures.items()}
        island = case_island(
            evaluation,
            ids,
            judgements=by_case.get(evaluation.case_key, ()),
            accepted=accepted.get(evaluation.id, {}),
            evidence=evidence,
            renderings=renderings.get(number, ()),
        )
        yield f"case-{number}", "application/json", Markup(script_json(island))


def _pictures(evaluation: Evaluation, folder: Path) -> dict[str, Picture]:
    found = ((role, load_picture(evaluation, role, folder)) for role in ROLES)
    return {role: picture for role, picture in found if picture is not None}


def _picture_id(picture: Picture) -> str:
    return f"picture-{picture.name.removesuffix('.webp')}"


def _data_url(data: bytes) -> str:
    return "data:image/webp;base64," + base64.b64encode(data).decode("ascii")


def content_policy(style: str, script: str) -> str:
    """Allow our own style and script by their digests, pictures in the file, and nothing else."""
    return (
        f"default-src 'none'; img-src data:; style-src '{_digest(style)}'; script-src '{_digest(script)}'; "
        "base-uri 'none'; form-action 'none'; require-trusted-types-for 'script'; trusted-types 'none'"
    )


def _digest(text: str) -> str:
    return "sha256-" + base64.b64encode(hashlib.sha256(text.encode()).digest()).decode("ascii")


def _environments(run: Run) -> list[list[tuple[str, str]]]:
    distinct = dict.fromkeys(tuple(producer_facts(one)) for one in run.evaluations)
    return [list(facts) for facts in distinct if facts]


def _distinct(values: Iterable[str | None]) -> list[str]:
    return sorted({value for value in values if value})


def _axes(run: Run) -> dict[str, list[str]]:
    """Return the values of every axis, by its name."""
    names = sorted({name for evaluation in run.evaluations for name in evaluation.axes})
    return {name: _distinct(one.axes.get(name) for one in run.evaluations) for name in names}


def _shown(value: object) -> str:
    return shown(str(value))


def _number(value: float | None) -> str:
    return "–" if value is None else f"{value:.4f}"


def _signed(value: float) -> str:
    return f"{value:+.4f}"


def _moment(created: str) -> str:
    return shown(created[:16].replace("T", " ") + " UTC")


def asset(name: str) -> str:
    """Read one of the report's styles or scripts."""
    return resources.files(__package__).joinpath("assets", name).read_text(encoding="utf-8")


_FILTERS: dict[str, Callable[..., object]] = {
    "shown": _shown,
    "number": _number,
    "signed": _signed,
    "moment": _moment,
    "histogram": histogram,
    "upper_end": upper_end,
}


def environment() -> jinja2.Environment:
    """Make what renders the report's templates."""
    made = jinja2.Environment(
        loader=jinja2.PackageLoader(__package__),
        autoescape=True,
        trim_blocks=True,
        lstrip_blocks=True,
        undefined=jinja2.StrictUndefined,
    )
    made.filters.update(_FILTERS)
    return made

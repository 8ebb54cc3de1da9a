"""`design2a11y check`, `report`, `feedback` and `accept`: what is done with a saved run."""

import argparse
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pytest_design2a11y.command.shell import say, say_json, say_written
from pytest_design2a11y.exceptions import CaptureError, ConfigurationError, MeasurementError, SourceError
from pytest_design2a11y.models.evaluation import Evaluation
from pytest_design2a11y.models.visual import Difference
from pytest_design2a11y.models.words import in_words
from pytest_design2a11y.runs import load_run, pages_of, with_details
from pytest_design2a11y.settings.options import given_to_command, make_settings, settings_from_namespace
from pytest_design2a11y.wording import counted

if TYPE_CHECKING:
    from pytest_design2a11y.fixing.fix_list import FixList
    from pytest_design2a11y.limits.known_file import Claim
    from pytest_design2a11y.models.evaluation import Evaluation


def _check(namespace: argparse.Namespace) -> int:
    from pytest_design2a11y.comparing.gates import exit_code_of
    from pytest_design2a11y.run_end import check_run

    given = given_to_command(namespace)
    run = load_run(namespace.saved, has_audit=False)  # First, as limits may name the run's metrics.
    outcome = check_run(run, make_settings(given))
    for lines in outcome.sections.values():
        say(*lines)
    return exit_code_of(is_failed=outcome.is_failed, is_unmeasured=outcome.is_unmeasured)


def _report(namespace: argparse.Namespace) -> None:
    from pytest_design2a11y.report.comparison.rows import page_values
    from pytest_design2a11y.run_end import write_html
    from pytest_design2a11y.run_end.gating import compare_groups, old_and_new

    settings = settings_from_namespace(namespace)
    run = with_details(load_run(namespace.saved))
    comparison, compared = None, None
    if namespace.against is not None:
        old, new = old_and_new(namespace.against, run, settings)
        compared = with_details(old), new
        (gated,) = compare_groups(old, new, settings).groups
        comparison = page_values(gated.comparison, gated.outcomes)
    write_html(namespace.output, run, settings, comparison=comparison, compared=compared)
    say_written(namespace.output)


def _feedback(namespace: argparse.Namespace) -> None:
    run = with_details(load_run(namespace.saved))
    for evaluation in pages_of(run, namespace.case):
        tried, why = (None, "") if namespace.no_try else _tried(evaluation, namespace)
        from pytest_design2a11y.fixing.untried import untried

        advice = tried or untried(evaluation, *([f"Not tried: {why}"] if why else []))
        most = None if namespace.full else namespace.max_items
        if namespace.json:
            say_json(advice.to_dict(most))
        else:
            say(*advice.lines(max_items=most))


def _tried(evaluation: Evaluation, namespace: argparse.Namespace) -> "tuple[FixList | None, str]":
    """Return the fix list whose edits were tried; without one, why the pages could not be opened again."""
    from pytest_design2a11y.measuring.sources import open_renderer

    if evaluation.reference is None or evaluation.visual is None:
        return None, ""
    settings = settings_from_namespace(namespace).with_choices(
        {name: value for name, value in evaluation.axes.items() if name in ("viewport", "scheme")}
    )
    earlier = {} if namespace.since is None else read_json(namespace.since)
    try:
        pages = evaluation.reference, evaluation.candidate
        with open_renderer(settings) as renderer:
            # What they need was imported while the browser started.
            from pytest_design2a11y.fixing.edit import read_edits
            from pytest_design2a11y.fixing.pages import opened

            with opened(pages, renderer=renderer, settings=settings) as page:
                return replace(page.fix_list(told=read_edits(earlier)), id=evaluation.id), ""
    except (SourceError, CaptureError, MeasurementError) as error:
        return None, str(error)


def read_json(path: Path) -> dict[str, Any]:
    """Return the object in a file of JSON; ConfigurationError if there is none that can be read."""
    try:
        if isinstance(found := json.loads(path.read_text(encoding="utf-8")), dict):
            return found
        why = "."
    except (OSError, ValueError) as error:
        why = f": {error}"
    raise ConfigurationError(
        f"{path} is not the JSON of a fix list{why}",
        advice="Save one with: design2a11y feedback RUN CASE --json > FILE.",
    )


_DEFAULT_FILE = Path("known.toml")


def _day(text: str) -> date:
    day = date.fromisoformat(text)
    if day < date.today():
        raise ValueError("that day is over")
    return day


def _accept(namespace: argparse.Namespace) -> None:
    from pytest_design2a11y.limits.known_file import claim_key, claim_of, known_or_new, save_known
    from pytest_design2a11y.models.run import evaluated_page

    run = with_details(load_run(namespace.saved))
    pages = run.evaluations if namespace.case is None else pages_of(run, namespace.case)
    if not (namespace.all or namespace.difference):
        say(*_listed(pages, namespace.saved))
        return
    if namespace.difference and len(pages) > 1:
        names = ", ".join(page.id for page in pages[:5])
        raise ConfigurationError(
            f"--difference numbers the differences of one page, and there are {len(pages)}: {names}.",
            advice="Name one of them with --case.",
        )
    path = settings_from_namespace(namespace).known or _DEFAULT_FILE
    known = known_or_new(path)
    differences: dict[str, Mapping[str, Claim]] = dict(known.differences)
    lines = []
    for page in pages:
        chosen = _chosen(page, namespace.difference)
        claims = {claim_key(one): claim_of(one, namespace.note, namespace.until) for one in chosen}
        name = evaluated_page(page, is_numbered=False)
        differences[name] = {**differences.get(name, {}), **claims}
        lines += [f"{name}: accepted: {claim.says}" for claim in claims.values()]
    save_known(replace(known, differences={name: kept for name, kept in differences.items() if kept}), path)
    say(
        *lines,
        f"wrote {path}: {counted(len(lines), 'difference')} accepted. Give --known {path} to have it count",
    )


def _chosen(page: Evaluation, numbers: Sequence[int] | None) -> list[Difference]:
    differences = _differences(page)
    if numbers and max(numbers) > len(differences):
        raise ConfigurationError(
            f"There is no difference {max(numbers)} of {page.id}: it has {len(differences)}.",
            advice="List them: design2a11y accept RUN.",
        )
    chosen = [differences[number - 1] for number in numbers] if numbers else [*differences]
    if any("digest" not in {**one.design, **one.made} for one in chosen):
        raise ConfigurationError(
            "The run does not record what the differing places look like.",
            advice="Save it again with this version: design2a11y score ... --save NAME.",
        )
    return chosen


def _differences(page: Evaluation) -> tuple[Difference, ...]:
    return () if page.visual is None else page.visual.differences


def _listed(pages: Sequence[Evaluation], saved: str) -> Iterator[str]:
    for page in pages:
        yield f"{page.id}:"
        for number, difference in enumerate(_differences(page), 1):
            note = "" if difference.accepted is None else ", accepted"
            yield f"  {number}. {in_words(difference)} ({difference.severity}{note})"
        if not _differences(page):
            yield "  no differences are known"
    yield f"Accept one: design2a11y accept {saved} --case CASE --difference N --note WHY; or all: --all"

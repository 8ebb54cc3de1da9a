"""`design2a11y accept`: records that differences are wanted, or lists those of a saved run."""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pytest_design2a11y.command.output import argument, say
from pytest_design2a11y.exceptions import ConfigurationError
from pytest_design2a11y.models.evaluation import Evaluation
from pytest_design2a11y.models.readers import count_above_zero
from pytest_design2a11y.models.visual import Difference
from pytest_design2a11y.models.words import in_words
from pytest_design2a11y.runs.store import load_run, pages_of, with_details
from pytest_design2a11y.settings.options import settings_from_namespace
from pytest_design2a11y.wording import counted

if TYPE_CHECKING:
    from pytest_design2a11y.limits.known_file import Claim

_DEFAULT_FILE = Path("known.toml")


def add_to(commands: Any) -> None:
    """Declare the command."""
    accept = commands.add_parser("accept", description="accept differences of a saved run, or list them")
    accept.add_argument("saved", metavar="RUN", help="name or file of the run")
    accept.add_argument("--case", metavar="C", help="case, or id of a page. Default: all pages")
    chosen = accept.add_mutually_exclusive_group()
    chosen.add_argument(
        "--difference",
        type=argument(count_above_zero),
        action="append",
        metavar="N",
        help="number of a difference to accept, as listed without this option; repeatable",
    )
    chosen.add_argument("--all", action="store_true", help="accept all differences")
    accept.add_argument("--note", default="", metavar="TEXT", help="why they are accepted")
    accept.add_argument(
        "--until", type=argument(_day), metavar="DATE", help="last day of it, such as 2027-01-31"
    )
    accept.set_defaults(run=_accept)


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

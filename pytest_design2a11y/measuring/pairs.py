"""Pairs of pages to score, read from records, for all viewports and other variants."""

import os
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from pytest_design2a11y.exceptions import ConfigurationError
from pytest_design2a11y.files import FileTooLarge, sha256_of
from pytest_design2a11y.measuring.page_inputs import Action, Steps, parse_steps, read_steps, steps_of
from pytest_design2a11y.measuring.records import named
from pytest_design2a11y.models.page import Answer
from pytest_design2a11y.models.verdicts import Subject, along, read_axes
from pytest_design2a11y.settings import CALL_FIELDS, Settings
from pytest_design2a11y.settings.variants import rendering_axes, variant_name, variants
from pytest_design2a11y.wording import did_you_mean

#: Errors raised by reading a record that is not a pair.
NOT_A_PAIR = (ValueError, TypeError, KeyError, AttributeError, RecursionError)

# Bytes; more than a page or a picture may have.
_MAX_DIGESTED = 200_000_000

#: Settings that a line may give for its pair.
CHOICES = ("root", "viewport", "scheme", "locale", "timezone", "wait_for")

PAIR_ADVICE = 'Write {"id": ..., "reference": ..., "candidate": ...}.'


#: A path, URL or HTML text; `Answer` marks a text as a model's answer, never a path.
Source = str | os.PathLike[str]


@dataclass(frozen=True, slots=True)
class Pair:
    """A candidate and its reference to score, or a candidate alone to audit; sources are below a folder."""

    subject: Subject
    reference: str | None
    candidate: str  # An `Answer` if the line has `candidate_html`
    folder: Path
    problem: ConfigurationError | None = None  # Why its line is invalid; nothing is rendered then
    # Settings that apply to this pair, as `Settings.with_choices` takes them
    choices: Mapping[str, Any] = field(default_factory=dict)
    steps: tuple[Action, ...] = ()  # Actions on the candidate before it is captured


def pair_of(record: Mapping[str, Any], folder: Path) -> Pair:
    """Read a line of a pairs file; TypeError, ValueError or KeyError if it is not a pair."""
    if not isinstance(record, Mapping):
        raise TypeError("it is not an object")
    subject = Subject(
        id=str(record["id"]),
        case=str(record.get("case", "")),
        sample=str(record.get("sample", "1")),
        axes=read_axes(record),
    )
    html = record.get("candidate_html")
    if not isinstance(html, str | None):
        raise TypeError("candidate_html is not text")
    steps_given = record.get("steps")
    steps: Steps = {}
    if isinstance(steps_given, str):
        steps = read_steps(folder / steps_given)
    elif steps_given is not None:
        steps = parse_steps(steps_given, "the line")
    return Pair(
        subject,
        str(record["reference"]),
        str(record["candidate"]) if html is None else Answer(html),
        folder,
        choices={name: str(record[name]) for name in CHOICES if record.get(name) is not None},
        steps=tuple(steps_of(steps, _state_of(subject, str(record["reference"])))),
    )


def pair_from(
    reference: Source | None, candidate: Source, subject: Subject, choice: Mapping[str, Any]
) -> Pair:
    """Return the pair of two sources that a program gives; without a reference, the page is only audited."""
    page, design = source_text(candidate), None if reference is None else source_text(reference)
    name = "<html>" if isinstance(page, Answer) or "<" in page or "\n" in page else page
    subject = replace(subject, id=subject.id or name)
    return Pair(subject, design, page, Path.cwd(), choices=checked_choice(choice))


def checked_choice(choice: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return the settings for one page; ConfigurationError if one is not for single pages."""
    if unknown := sorted(set(choice) - set(CALL_FIELDS)):
        raise ConfigurationError(
            f"There is no setting {', '.join(unknown)} for one page.",
            advice=f"There are: {', '.join(CALL_FIELDS)}.",
        )
    return choice


def source_text(source: Source) -> str:
    """Return a source as text; ConfigurationError if it is something else."""
    if not isinstance(source, str | os.PathLike):
        raise ConfigurationError(
            f"A scorer takes paths, URLs and HTML text, not {type(source).__name__}.",
            advice="A page that is open can be rendered in tests: render(page).",
        )
    return source if isinstance(source, str) else os.fspath(source)


def read_item(item: Any, number: int) -> Pair:
    """Return the pair of an item of `Scorer.score_many`; an invalid one has a problem instead of pages."""
    try:
        if isinstance(item, Mapping):
            return pair_of(item, Path.cwd())
        reference, candidate = item
        return pair_from(reference, candidate, Subject(str(number), ""), {})
    except NOT_A_PAIR as error:
        problem = ConfigurationError(
            f"Item {number} is not a pair: {type(error).__name__}: {error}.",
            advice=f"Give (reference, candidate), or the keys of a line in a pairs file. {PAIR_ADVICE}",
        )
        return invalid_pair(str(number), Path.cwd(), problem)


def with_steps(pair: Pair, steps: Steps) -> Pair:
    """Return a pair whose candidate takes the steps to its design's state, unless it has steps of its own."""
    return replace(pair, steps=pair.steps or tuple(steps_of(steps, _state_of_pair(pair))))


def require_states(pairs: Iterable[Pair], steps: Steps) -> None:
    """Refuse steps to a state that no page or design is in: they would never be taken."""
    states = {_state_of_pair(pair) for pair in pairs} - {""}
    for state in filter(None, steps.keys() - states):
        raise ConfigurationError(
            f"--steps leads to the state {state!r}, which no design is in.",
            advice=f"{did_you_mean(state, states)}Name the design of a state as in login~{state}.html.",
        )


def _state_of_pair(pair: Pair) -> str:
    return _state_of(pair.subject, pair.reference or pair.candidate)


def _state_of(subject: Subject, label: str) -> str:
    return named(subject, label).axes.get("state", "")


def along_variants(pairs: Iterable[Pair], settings: Settings) -> Iterator[Pair]:
    """Yield each pair that is chosen (`only`) once for every viewport, scheme, locale and time zone.

    What a pair's own line sets is kept. If there are several variants, they are part of the pairs' ids.
    ConfigurationError if no pair is chosen.
    """
    from pytest_design2a11y.runs import is_chosen, none_chosen, parse_only

    only, left_out, num_chosen = parse_only(settings.only), list[Subject](), 0
    for pair in pairs:
        case = named(pair.subject, pair.reference or pair.candidate).case
        pair = replace(pair, choices={**settings.choices_for(case), **pair.choices})
        try:
            found = [
                (variant, settings.with_choices({**pair.choices, **variant}))
                for variant in variants(settings.with_choices(pair.choices))
            ]
        except ConfigurationError as error:
            yield replace(pair, problem=pair.problem or error)
            continue
        for variant, chosen in found:
            own_id = f"{pair.subject.id}[{variant_name(variant)}]" if len(found) > 1 else pair.subject.id
            subject = replace(along(pair.subject, rendering_axes(chosen)), id=own_id)
            whole = named(subject, pair.reference or pair.candidate)
            if pair.problem is None and not is_chosen(whole, only):
                left_out.append(whole)
                continue
            num_chosen += 1
            yield replace(pair, subject=subject, choices={**pair.choices, **variant})
    if left_out and not num_chosen:
        raise none_chosen("The list of pairs", left_out, only)


def invalid_pair(name: str, folder: Path, problem: ConfigurationError) -> Pair:
    """Return a stand-in for a pair that cannot be read, which becomes an evaluation with the reason."""
    return Pair(Subject(id=name, case=""), None, "", folder, problem)


def file_digest(pair: Pair, source: str | None) -> str | None:
    """Return the digest of a file that a pair names; None if the source is not a file, or cannot be read."""
    try:
        return sha256_of(pair.folder / (source or ""), _MAX_DIGESTED)
    except (OSError, ValueError, FileTooLarge):
        return None

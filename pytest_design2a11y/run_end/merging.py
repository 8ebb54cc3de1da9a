"""Merges the runs of parallel jobs into one, and adds axes to saved runs."""

from collections import defaultdict
from collections.abc import Hashable, Iterable, Mapping
from dataclasses import replace
from itertools import chain
from pathlib import Path

from pytest_design2a11y import runs as store
from pytest_design2a11y.comparing.conditions import RULES, ReadConditions, recorded_conditions
from pytest_design2a11y.exceptions import ConfigurationError
from pytest_design2a11y.models.evaluation import Evaluation
from pytest_design2a11y.models.run import Run, origin_text
from pytest_design2a11y.models.verdicts import RENDERING_AXES, USUAL_AXES, case_name, read_axes
from pytest_design2a11y.runs.pictures import copy_pictures
from pytest_design2a11y.runs.run_file import SUFFIX, write_run
from pytest_design2a11y.settings import FOLDER
from pytest_design2a11y.wording import listed

PICTURES = "pictures"

_MAX_NAMED = 5

#: Conditions specific to a page: they may differ within a run, and so between its parts.
_OF_PAGES = frozenset({"reference", "allowed_hosts", "assets", "fonts"})

#: A condition, and the values of the axes along which it must be the same.
_ConditionKey = tuple[str, tuple[tuple[str, str], ...]]


def merge_saved_runs(names: Iterable[str], whole: str) -> tuple[Run, Path]:
    """Merge saved runs, with the details and pictures beside them, and save the result.

    Details and pictures are looked up beside each file `.design2a11y/runs/NAME.jsonl`. ConfigurationError as
    in `merge_runs`.
    """
    store.check_name(whole, folder=store.DEFAULT_FOLDER)
    parts: dict[str, Run] = {}
    folders: dict[str, Path] = {}
    for name in names:
        path = store.find_run(name)
        if name in parts or path.absolute() == (store.DEFAULT_FOLDER / f"{whole}{SUFFIX}").absolute():
            what = "is named twice" if name in parts else "is to be replaced by the whole"
            raise ConfigurationError(
                f"The run {name!r} {what}.",
                advice="Name each part once, and give the whole a name of its own.",
            )
        folders[name] = path.parent.parent
        parts[name] = store.with_details(store.load_run(path), folder=folders[name])
    parts = _with_own_ids(parts)
    run = merge_runs(parts, whole)
    file = store.save_run(run)
    store.save_details(run)
    for name, part in parts.items():
        copy_pictures(part.evaluations, folders[name] / PICTURES, FOLDER / PICTURES)
    return run, file


def merge_runs(parts: Mapping[str, Run], whole: str) -> Run:
    """Merge two runs or more, by name, into one that is complete if all are, and as recent as the last.

    Raises:
        ConfigurationError: They share a page, or differ in conditions, commit or labels.
    """
    if len(parts) < 2:
        raise ConfigurationError("There is only one run to merge.", advice="Name the runs of all jobs.")
    _refuse_overlaps(parts)
    _refuse_differences(parts)
    runs = list(parts.values())
    shared = frozenset.intersection(*(frozenset(run.labels.items()) for run in runs))
    return replace(
        runs[0],
        name=whole,
        labels={name: value for name, value in runs[0].labels.items() if (name, value) in shared},
        created=max(run.created for run in parts.values()),
        is_complete=all(run.is_complete for run in parts.values()),
        evaluations=tuple(chain.from_iterable(run.evaluations for run in parts.values())),
    )


def _with_own_ids(parts: Mapping[str, Run]) -> dict[str, Run]:
    """Add its labels to the names of a part's pages, where another part has a page of that name elsewhere."""
    places: dict[str, set[Hashable]] = defaultdict(set)
    for run in parts.values():
        for page in run.evaluations:
            places[page.id].add(page.case_key)

    def named(page: Evaluation, labels: Mapping[str, str]) -> Evaluation:
        text = ", ".join(f"{axis}={value}" for axis, value in labels.items() if page.axes.get(axis) == value)
        return replace(page, id=f"{page.id} [{text}]") if text and len(places[page.id]) > 1 else page

    return {
        name: replace(run, evaluations=tuple(named(page, run.labels) for page in run.evaluations))
        for name, run in parts.items()
    }


def _refuse_overlaps(parts: Mapping[str, Run]) -> None:
    ids: dict[Hashable, str] = {}
    samples: dict[Hashable, str] = {}
    overlaps: list[str] = []
    for name, run in parts.items():
        for page in run.evaluations:
            if (first := ids.setdefault(page.id, name)) != name:
                overlaps.append(f"{page.id} is in {first} and in {name}")
            elif (first := samples.setdefault((page.case_key, page.sample), name)) != name:
                case = case_name(page.case_key)
                overlaps.append(f"sample {page.sample} of {case} is in {first} and in {name}")
    if overlaps:
        raise ConfigurationError(
            f"The runs overlap: {listed(overlaps, most=_MAX_NAMED, separator='; ')}.",
            advice="Give each job its own part of the tests, and merge each part once.",
        )


def _refuse_differences(parts: Mapping[str, Run]) -> None:
    first: dict[_ConditionKey, tuple[str, set[str]]] = {}
    unlike: dict[str, None] = {}
    first_name, first_run = next(iter(parts.items()))
    for name, run in parts.items():
        origins = []
        for part in (first_run, run):
            # Labels that are an axis of the run's pages say themselves what differs.
            labels = {
                axis: value
                for axis, value in part.labels.items()
                if any(page.axes.get(axis) != value for page in part.evaluations)
            }
            origins.append((part.commit, labels, part.prompts))
        if origins[0] != origins[1]:
            texts = [origin_text(*origin) or "none" for origin in origins]
            unlike[f"commit, labels or prompt files: {texts[0]} in {first_name}, {texts[1]} in {name}"] = None
        for condition, values in _condition_values(run.evaluations).items():
            other, known = first.setdefault(condition, (name, values))
            if known.isdisjoint(values):
                label = RULES[condition[0]].label if condition[0] in RULES else f"condition {condition[0]}"
                old, new = (" or ".join(sorted(texts)) for texts in (known, values))
                unlike[f"{label}: {old} in {other}, {new} in {name}"] = None
    if unlike:
        raise ConfigurationError(
            f"The runs were measured differently: {listed([*unlike], most=_MAX_NAMED, separator='; ')}.",
            advice="Run all jobs with the same options and versions.",
        )


def _condition_values(evaluations: Iterable[Evaluation]) -> dict[_ConditionKey, set[str]]:
    """Return the values of each condition along all axes but model and prompt, which affect pages alone."""
    values_of: dict[_ConditionKey, set[str]] = defaultdict(set)
    known: ReadConditions = {}
    for conditions, axes in {(recorded_conditions(page, known), page.case_key[1]) for page in evaluations}:
        measuring = tuple((name, value) for name, value in axes if name not in USUAL_AXES)
        for condition, value in conditions:
            if condition not in _OF_PAGES:
                values_of[condition, measuring].add(value)
    return values_of


_FIXED = frozenset({*RENDERING_AXES, "case", "sample"})


def label_saved_run(name: str, labels: Iterable[tuple[str, str]]) -> tuple[Run, Path]:
    """Add an axis value to all pages of a saved run, and a label to the run, and overwrite it.

    Raises:
        ConfigurationError: A name is not valid for an axis, or pages already have another value of it.
    """
    path, added = store.find_run(name), dict(labels)
    try:
        axes = read_axes({"axes": added})
    except ValueError as error:
        raise ConfigurationError(f"{name} cannot be labeled: {error}.", advice="Write KEY=VALUE.") from None
    if fixed := sorted(_FIXED & axes.keys()):
        raise ConfigurationError(
            f"{fixed[0]!r} is recorded when pages are measured, so it cannot be a label.",
            advice="Choose another name.",
        )
    if path.is_dir():
        raise ConfigurationError(
            f"{name} is a folder that --out fills.",
            advice='Score the pages again with the axis in the lines of --pairs, {"axes": {...}}, or in its '
            'pattern, such as "{prompt}/{case}.html".',
        )
    run = store.load_run(path)
    for axis, value in axes.items():
        others = sorted({page.axes[axis] for page in run.evaluations if axis in page.axes} - {value})
        if others:
            raise ConfigurationError(
                f"Pages of {name} have {axis}={', '.join(others)} already.", advice="Choose another name."
            )
    folder = path.parent.parent
    detailed = store.with_details(run, folder=folder)
    pages = tuple(replace(page, axes={**page.axes, **axes}) for page in detailed.evaluations)
    labeled = replace(run, labels={**run.labels, **axes}, evaluations=pages)
    write_run(labeled, path)
    if detailed is not run:
        store.save_details(labeled, folder=folder)
    return labeled, path

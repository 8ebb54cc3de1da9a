"""Saved runs by name, and their pages with chosen values of axes."""

import os
import re
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from itertools import chain
from pathlib import Path

import msgspec

from pytest_design2a11y import files
from pytest_design2a11y.escaping import json_line, whole_characters
from pytest_design2a11y.exceptions import ConfigurationError, RunNotFound, RunUnreadable
from pytest_design2a11y.models.evaluation import Evaluation
from pytest_design2a11y.models.records import saved_fields
from pytest_design2a11y.models.run import Run, from_dict
from pytest_design2a11y.models.verdicts import Subject
from pytest_design2a11y.runs.encoding import without_collecting
from pytest_design2a11y.runs.run_file import DAMAGE, INDEX, SUFFIX, load_chunks, name_of, read_run, write_run
from pytest_design2a11y.wording import command_flag, did_you_mean, flag, listed

DEFAULT_FOLDER = Path(".design2a11y") / "runs"

_DETAILS_SUFFIX = ".details.jsonl"
#: Stored beside a run, not in it: individual blocks and elements, and paths of pictures.
_DETAILS = (
    "visual",
    *(one.name for one in saved_fields(Evaluation) if {"is_detail", "is_in_runs"} & one.metadata.keys()),
)

_NAME = re.compile(r"\w[\w.+@-]{0,99}")


def check_name(name: str, *, folder: Path | None = None) -> str:
    """Return the name if a run can be saved under it in the folder, if any; else ConfigurationError."""
    if not _NAME.fullmatch(name) or name.endswith((".", SUFFIX)) or files.is_reserved(name):
        raise ConfigurationError(
            f"{name!r} cannot be the name of a run.",
            advice="Take up to 100 letters, digits and . _ - + @, beginning with a letter or digit, "
            "without .jsonl, and no device of Windows (con, nul, ...).",
        )
    others = [] if folder is None or not folder.is_dir() else sorted(path.name for path in folder.iterdir())
    file = f"{name}{SUFFIX}"
    like = [other for other in others if other.casefold() == file.casefold()]
    if like and file not in like:
        raise ConfigurationError(
            f"A run {like[0].removesuffix(SUFFIX)!r} is there, and {name!r} would be the same file on "
            "Windows and macOS.",
            advice="Write it exactly so to replace that run, or choose another name.",
        )
    return name


def save_run(run: Run, *, folder: Path = DEFAULT_FOLDER) -> Path:
    """Write a run to its file atomically; an earlier run of the same name is replaced."""
    path = folder / f"{check_name(run.name)}{SUFFIX}"
    write_run(run, path)
    return path


@without_collecting()
def load_run(
    name_or_path: str | os.PathLike[str],
    *,
    only: Sequence[str] = (),
    folder: Path = DEFAULT_FOLDER,
    has_audit: bool = True,
) -> Run:
    """Read a saved run, or the part of it with some values of axes, such as `only=["model=large"]`.

    It is given by name, or by the path of a file or folder of chunks, and named after its file. A file with a
    truncated last line, or with fewer lines than its header says, is an incomplete run. Comparing does not
    need counts per rule (`has_audit`).

    Raises:
        RunNotFound: There is no such run.
        RunUnreadable: It is damaged, or not a saved run.
        ConfigurationError: It has no pages with these values.
    """
    path = find_run(name_or_path, folder=folder)
    return select((load_chunks if path.is_dir() else read_run)(path, has_audit=has_audit), parse_only(only))


def find_run(name_or_path: str | os.PathLike[str], *, folder: Path = DEFAULT_FOLDER) -> Path:
    """Return the file of a saved run, or its folder; RunNotFound if there is none."""
    text = os.fspath(name_or_path)
    by_name = folder / f"{text}{SUFFIX}"
    if _NAME.fullmatch(text) and by_name.is_file():
        return by_name
    with suppress(OSError, ValueError):
        if Path(text).is_file() or (Path(text) / INDEX).is_file():
            return Path(text)
    names = sorted(name_of(path) for path in folder.glob(f"*{SUFFIX}"))
    advice = f"None has been saved yet; save one with {flag('save')} NAME."
    if names:
        advice = f"{did_you_mean(text, names)}Saved: {listed(names, most=20)}."
    raise RunNotFound(f"There is no saved run {text!r} in {folder}.", advice=advice)


def load_runs(folder: Path = DEFAULT_FOLDER) -> tuple[list[Run], list[RunUnreadable]]:
    """Read all saved runs, the oldest first, without their audits, and the errors of unreadable ones."""
    runs, problems = [], []
    for path in sorted(folder.glob(f"*{SUFFIX}")):
        try:
            runs.append(load_run(path, has_audit=False))
        except RunNotFound:
            problems.append(RunUnreadable(f"{path} is not a file."))
        except RunUnreadable as error:
            problems.append(error)
        except OSError as error:
            problems.append(RunUnreadable(f"{path} cannot be read: {error.strerror}."))
    return sorted(runs, key=lambda run: (run.created, run.name)), problems


def save_details(run: Run, *, folder: Path = DEFAULT_FOLDER.parent) -> Path:
    """Write the details of a run atomically, into a folder beside that of the runs."""
    path = folder / "details" / f"{run.name}{_DETAILS_SUFFIX}"
    pages = (page.to_dict(has_details=True) for page in run.evaluations)
    records = chain([{"created": run.created}], pages)
    files.write_text(path, (json_line(record) + "\n" for record in records))
    return path


def with_details(run: Run, *, folder: Path = DEFAULT_FOLDER.parent) -> Run:
    """Return a loaded run with its details, if this machine has them and they belong to it."""
    try:
        with files.open_regular(folder / "details" / f"{run.name}{_DETAILS_SUFFIX}") as file:
            lines = files.limited_lines(file)
            if msgspec.json.decode(next(lines))["created"] != run.created:
                return run
            kept = [from_dict(msgspec.json.decode(line)) for line in lines]
    except (*DAMAGE, OSError, StopIteration):
        return run
    details = {
        (page.id, page.case_key, page.sample): {name: getattr(page, name) for name in _DETAILS}
        for page in kept
    }
    pages = (
        replace(page, **details.get((page.id, page.case_key, page.sample), {})) for page in run.evaluations
    )
    return replace(run, evaluations=tuple(pages))


def pages_of(run: Run, name: str) -> tuple[Evaluation, ...]:
    """Return a case's pages by its name or its end, or the page with that id; ConfigurationError if none."""
    case, cases = whole_characters(name), sorted({page.case for page in run.evaluations})
    chosen = tuple(page for page in run.evaluations if case in (page.case, page.id))
    if not chosen and len(ending := [known for known in cases if known.endswith(f"/{case}")]) == 1:
        chosen = tuple(page for page in run.evaluations if page.case == ending[0])
    if not chosen:
        raise ConfigurationError(
            f"{run.name} has no case {case!r}.",
            advice=f"{did_you_mean(case, cases)}It has: {listed(cases, most=20)}.",
        )
    return chosen


#: Axis -> the values to keep.
Chosen = Mapping[str, frozenset[str]]
Page = Evaluation | Subject


def parse_only(texts: Sequence[str]) -> Chosen:
    """Parse "model=large"; several values of one axis are alternatives; ConfigurationError if malformed."""
    chosen: dict[str, set[str]] = {}
    for text in texts:
        name, mark, value = text.partition("=")
        if not (name.strip() and mark):
            raise ConfigurationError(
                f"{command_flag('only')} does not take {text!r}.",
                advice=f"Write AXIS=VALUE, such as {command_flag('only')}=model=large.",
            )
        chosen.setdefault(name.strip(), set()).add(value.strip())
    return {name: frozenset(values) for name, values in chosen.items()}


def select(run: Run, chosen: Chosen) -> Run:
    """Return a run's pages with a chosen value in every chosen axis; ConfigurationError if there are none."""
    if not chosen:
        return run
    kept = tuple(page for page in run.evaluations if is_chosen(page, chosen))
    if not kept:
        raise none_chosen(f"The run {run.name!r}", run.evaluations, chosen, run=run.name)
    return replace(run, evaluations=kept)


def is_chosen(page: Page, chosen: Chosen) -> bool:
    """Check whether a page has a chosen value in every axis; a case may be named by the end of its path."""
    return all(
        any(value == _value(page, name) for value in values)
        or (name == "case" and any(page.case.endswith(f"/{value}") for value in values))
        for name, values in chosen.items()
    )


def none_chosen(what: str, pages: Iterable[Page], chosen: Chosen, *, run: str = "") -> ConfigurationError:
    """Return the error that no page has the chosen values, which also lists the existing ones.

    If `run`, the name of a saved run, is given, the advice says how to add an axis that its pages lack.
    """
    pages = list(pages)
    wanted = ", ".join(f"{name}={' or '.join(sorted(values))}" for name, values in chosen.items())
    there = {name: sorted({_value(page, name) for page in pages} - {""}) for name in chosen}
    known = "; ".join(f"{name}: {listed(values, most=20)}" for name, values in there.items() if values)
    unnamed = [name for name, values in there.items() if not values]
    advice = [f"It has {known}."] * bool(known)
    advice += [f"None of its pages has an axis {name!r}." for name in unnamed]
    if unnamed and run:
        label = f"design2a11y runs label {run} {unnamed[0]}={min(chosen[unnamed[0]])}"
        advice.append(f"Add it: {label}; for a folder of --out, score the pages again.")
    return ConfigurationError(f"{what} has no page with {wanted}.", advice=" ".join(advice))


def _value(page: Page, axis: str) -> str:
    return page.axes.get(axis) or {"case": page.case, "sample": page.sample}.get(axis, "")

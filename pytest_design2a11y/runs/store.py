"""Where runs are kept: a file a run, `.design2a11y/runs/NAME.jsonl`; beside it details that reports need."""

from __future__ import annotations

import json
import os
import re
from contextlib import suppress
from dataclasses import replace
from itertools import chain
from pathlib import Path

from pytest_design2a11y.exceptions import ConfigurationError, RunNotFound, RunUnreadable
from pytest_design2a11y.files import limited_lines, open_regular, write_text
from pytest_design2a11y.models.paths import is_reserved
from pytest_design2a11y.models.run import Run, from_dict, without_collecting
from pytest_design2a11y.models.serialization import to_dict
from pytest_design2a11y.runs.chunks import INDEX, load_chunks
from pytest_design2a11y.runs.run_file import SUFFIX, name_of, read_run, write_run
from pytest_design2a11y.wording import did_you_mean, listed

DEFAULT_FOLDER = Path(".design2a11y") / "runs"

_DETAILS_SUFFIX = ".details.jsonl"
#: What is kept beside a run and not in it: blocks and elements one by one, and where pictures lie.
_DETAILS = ("visual", "audit", "further_audits", "probe_findings", "metric_findings", "pictures")
_DAMAGE = (
    OSError, ValueError, LookupError, TypeError, AttributeError, RecursionError, OverflowError, StopIteration
)  # fmt: skip

_NAME = re.compile(r"\w[\w.+@-]{0,99}")


def check_name(name: str, *, folder: Path | None = None) -> str:
    """Return the name back if a run can be saved under it.

    None as the folder: the runs that are there are not looked at.
    """
    if not _NAME.fullmatch(name) or name.endswith((".", SUFFIX)) or is_reserved(name):
        raise ConfigurationError(
            f"{name!r} cannot be the name of a run.",
            advice="Take up to 100 letters, digits and . _ - + @, beginning with a letter or digit, "
            "without .jsonl, and no device of Windows (con, nul, ...).",
        )
    others = [] if folder is None or not folder.is_dir() else sorted(one.name for one in folder.iterdir())
    file = f"{name}{SUFFIX}"
    like = [one for one in others if one.casefold() == file.casefold()]
    if like and file not in like:
        raise ConfigurationError(
            f"A run {like[0].removesuffix(SUFFIX)!r} is there, and {name!r} would be the same file on "
            "Windows and macOS.",
            advice="Take its very name to replace it, or another one.",
        )
    return name


def save_run(run: Run, *, folder: Path = DEFAULT_FOLDER) -> Path:
    """Write a run to its file, all of it or nothing; an earlier run of the same name is replaced."""
    path = folder / f"{check_name(run.name)}{SUFFIX}"
    write_run(run, path)
    return path


@without_collecting()
def load_run(
    name_or_path: str | os.PathLike[str], *, folder: Path = DEFAULT_FOLDER, has_audit: bool = True
) -> Run:
    """Read a saved run.

    It is named, or the path of a file or of a folder of chunks is given; it goes by its file's name. A file
    whose last line broke off, or that has fewer lines than its header says, is an incomplete run. Comparing
    needs no counts per rule (`has_audit`).
    """
    path = find_run(name_or_path, folder=folder)
    return (load_chunks if path.is_dir() else read_run)(path, has_audit=has_audit)


def find_run(name_or_path: str | os.PathLike[str], *, folder: Path = DEFAULT_FOLDER) -> Path:
    """Return the file of a saved run, or its folder."""
    text = os.fspath(name_or_path)
    by_name = folder / f"{text}{SUFFIX}"
    if _NAME.fullmatch(text) and by_name.is_file():
        return by_name
    with suppress(OSError, ValueError):
        if Path(text).is_file() or (Path(text) / INDEX).is_file():
            return Path(text)
    names = sorted(name_of(path) for path in folder.glob(f"*{SUFFIX}"))
    advice = "None has been saved yet; save one with --design2a11y-save NAME."
    if names:
        advice = f"{did_you_mean(text, names)}Saved: {listed(names, most=20)}."
    raise RunNotFound(f"There is no saved run {text!r} in {folder}.", advice=advice)


def load_runs(folder: Path = DEFAULT_FOLDER) -> tuple[list[Run], list[RunUnreadable]]:
    """Read all saved runs, without their audits.

    The oldest come first; beside them, why others could not be read.
    """
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
    """Write the details of a run, all of them or nothing, into a folder beside that of the runs."""
    path = folder / "details" / f"{run.name}{_DETAILS_SUFFIX}"
    records = chain([{"created": run.created}], map(to_dict, run.evaluations))
    write_text(path, (json.dumps(record) + "\n" for record in records))
    return path


def with_details(run: Run, *, folder: Path = DEFAULT_FOLDER.parent) -> Run:
    """Give a loaded run its details back, where they are kept on this machine and belong to it."""
    try:
        with open_regular(folder / "details" / f"{run.name}{_DETAILS_SUFFIX}") as file:
            lines = limited_lines(file)
            if json.loads(next(lines))["created"] != run.created:
                return run
            kept = [from_dict(json.loads(line)) for line in lines]
    except _DAMAGE:
        return run
    found = {
        (one.id, one.case_key, one.sample): {name: getattr(one, name) for name in _DETAILS} for one in kept
    }
    return replace(
        run,
        evaluations=tuple(
            replace(one, **found.get((one.id, one.case_key, one.sample), {})) for one in run.evaluations
        ),
    )

"""Which constants of the differences matter: each is moved by 20 % both ways, over stored captures.

    python -m studies.ablation store PAIRS.jsonl FOLDER    render pairs once: {"id", "reference", "candidate"}
    python -m studies.ablation run FOLDER [NAME ...]       move each constant, or those named; no browser

A constant that changes no pair is not needed; one that changes a single pair was made for that page.
"""

from __future__ import annotations

import importlib
import json
import pickle
import pkgutil
import sys
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from pathlib import Path
from types import ModuleType
from typing import Any

from pytest_design2a11y import Scorer
from pytest_design2a11y.exceptions import TimeLimit
from pytest_design2a11y.measuring import measures
from pytest_design2a11y.measuring.whole_page import with_whole_page
from pytest_design2a11y.models.words import in_words

PACKAGE, ROOMS = "pytest_design2a11y.visual", ("scene", "match", "differences")
STEP = 0.2
SECONDS = 60.0

#: A constant: its module, its name, the place in a tuple or None, and its value.
Constant = tuple[str, str, int | None, float]


def store(pairs: Path, folder: Path) -> None:
    """Render pairs of pages, and keep what the differences are found from."""
    folder.mkdir(parents=True, exist_ok=True)
    kept: list[Any] = []

    def keep(*given: Any) -> Any:
        kept.append(given[:3])
        return given[0]

    vars(measures)["with_whole_page"] = keep
    with Scorer(audit=False) as scorer:
        for line in pairs.read_text().splitlines():
            pair = json.loads(line)
            scorer.score(pair["reference"], pair["candidate"])
            name = str(pair["id"]).replace("/", "__")
            (folder / f"{name}.pickle").write_bytes(pickle.dumps(kept.pop()))


def constants() -> Iterator[Constant]:
    """Yield the numbers that decide about differences."""
    for name, module in _modules():
        for key, value in vars(module).items():
            values = value if isinstance(value, tuple) else (value,)
            if key.strip("_").isupper() and all(type(each) in (int, float) for each in values):
                for at, each in enumerate(values):
                    yield name, key, at if isinstance(value, tuple) else None, each


def _modules() -> list[tuple[str, ModuleType]]:
    rooms = [importlib.import_module(f"{PACKAGE}.{room}") for room in ROOMS]
    names = [
        f"{room.__name__}.{found.name}" for room in rooms for found in pkgutil.iter_modules(room.__path__)
    ]
    return [(name, importlib.import_module(name)) for name in names]


def told(folder: Path, constant: Constant | None = None, factor: float = 1.0) -> dict[str, list[str]]:
    """Return what is told of each stored pair, with one constant times a factor."""
    if constant is not None:
        _, key, at, value = constant
        new = round(value * factor) if isinstance(value, int) else value * factor
        old = getattr(importlib.import_module(constant[0]), key)
        changed = new if at is None else (*old[:at], new, *old[at + 1 :])
        for _, module in _modules():
            if vars(module).get(key) == old:
                setattr(module, key, changed)
    found = {}
    for file in sorted(folder.glob("*.pickle")):
        given, reference, candidate = pickle.loads(file.read_bytes())
        score = with_whole_page(given, reference, candidate, TimeLimit(SECONDS))
        found[file.stem] = [f"{one.severity}: {in_words(one)}" for one in score.differences]
    return found


def run(folder: Path, names: Sequence[str]) -> None:
    """Print for each constant how many pairs are told otherwise if it is a fifth smaller, and larger."""
    usual = told(folder)
    chosen = [constant for constant in constants() if not names or constant[1] in names]
    # Each in a process of its own, which forgets the change.
    with ProcessPoolExecutor(max_tasks_per_child=1) as pool:
        changed = pool.map(partial(_changed, folder, usual), chosen)
        for (module, key, at, value), counts in zip(chosen, changed, strict=True):
            place = "" if at is None else f"[{at}]"
            name = f"{module.removeprefix(PACKAGE + '.')}.{key}{place}"
            print(f"{name} = {value:g}: {counts[0]} {counts[1]}", flush=True)


def _changed(folder: Path, usual: dict[str, list[str]], constant: Constant) -> tuple[str, str]:
    """Return how many pairs are told otherwise if a constant is a fifth smaller, and larger.

    "error" stands for a constant that cannot be moved, such as the size of a table.
    """
    counts = []
    for factor in (1 - STEP, 1 + STEP):
        try:
            found = told(folder, constant, factor)
        except (ArithmeticError, LookupError, TypeError, ValueError) as error:
            counts.append(f"error ({type(error).__name__})")
        else:
            counts.append(str(sum(found[name] != usual[name] for name in usual)))
    return counts[0], counts[1]


if __name__ == "__main__":
    match sys.argv[1:]:
        case ["store", pairs, folder]:
            store(Path(pairs), Path(folder))
        case ["run", folder, *names]:
            run(Path(folder), names)
        case _:
            raise SystemExit(__doc__)

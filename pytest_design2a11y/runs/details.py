"""Blocks and elements one by one, kept beside a saved run: reports need them, comparisons do not."""

from __future__ import annotations

import json
from dataclasses import replace
from itertools import chain
from pathlib import Path

from pytest_design2a11y.files import limited_lines, open_regular, write_text
from pytest_design2a11y.models.run import CaseKey, Evaluation, Run, from_dict
from pytest_design2a11y.models.serialization import to_dict

SUFFIX = ".details.jsonl"

_DAMAGE = (OSError, ValueError, LookupError, TypeError, AttributeError, RecursionError, OverflowError)


def save_details(run: Run, *, folder: Path) -> Path:
    """Write the details of a run, all of them or nothing."""
    path = folder / f"{run.name}{SUFFIX}"
    records = chain([{"created": run.created}], map(to_dict, run.evaluations))
    write_text(path, (json.dumps(record) + "\n" for record in records))
    return path


def with_details(run: Run, *, folder: Path) -> Run:
    """Return a loaded run its details back, where they are kept on this machine and belong to it."""
    try:
        with open_regular(folder / f"{run.name}{SUFFIX}") as file:
            lines = limited_lines(file)
            if json.loads(next(lines))["created"] != run.created:
                return run
            detailed = [from_dict(json.loads(line)) for line in lines]
    except (*_DAMAGE, StopIteration):
        return run
    found = {_key(one): one for one in detailed}
    return replace(run, evaluations=tuple(_detailed(one, found) for one in run.evaluations))


def _key(evaluation: Evaluation) -> tuple[str, CaseKey, str]:
    return evaluation.id, evaluation.case_key, evaluation.sample


def _detailed(evaluation: Evaluation, found: dict[tuple[str, CaseKey, str], Evaluation]) -> Evaluation:
    detailed = found.get(_key(evaluation))
    if detailed is None:
        return evaluation
    return replace(
        evaluation,
        visual=detailed.visual,
        audit=detailed.audit,
        further_audits=detailed.further_audits,
        probe_findings=detailed.probe_findings,
        pictures=detailed.pictures,
    )

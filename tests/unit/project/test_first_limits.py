"""The limits to begin with stand in `which-number.md`; what else names a limit names one of them."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[3]
TABLE = (ROOT / "docs" / "which-number.md").read_text("utf-8").partition("## First limits")[2]
FIRST = TABLE.partition("Why these")[0]
#: A limit as an option, an argument, a key or a requirement, by metric.
LIMITS = {
    "fidelity": r"min[-_]fidelity(?: |=| = )([\d.]+)",
    "ir": r"max[-_]ir(?: |=| = )([\d.]+)",
    "iwir": r"max[-_]iwir(?: |=| = )([\d.]+)",
    "weighted_ir": r"weighted_ir<=([\d.]+)",
    "gate": r"(?:fail[-_]on=?\s*\"?|^\s+)fidelity:([\d.]+)",
}


def pages() -> list[Path]:
    folders = [path for suffix in ("md", "py", "yml") for path in (ROOT / "examples").rglob(f"*.{suffix}")]
    single = [ROOT / name for name in ("README.md", "gitlab.yml", "action.yml", "scripts/demo")]
    return [*single, *(ROOT / "docs").glob("*.md"), *folders]


@pytest.mark.parametrize("metric", LIMITS)
def test_every_limit_that_is_suggested_is_one_to_begin_with(metric: str) -> None:
    pattern = re.compile(LIMITS[metric], re.MULTILINE)
    advised = set(pattern.findall(FIRST))
    named = {page.name: set(pattern.findall(page.read_text("utf-8"))) for page in pages()}

    assert advised
    assert len([page for page, found in named.items() if found]) > 3
    assert {page: found for page, found in named.items() if not found <= advised} == {}

"""Nothing visible goes unreported: real kinds of pages, changed in ways whose severity was given before."""

from __future__ import annotations

import json
import tarfile
from pathlib import Path

import pytest

from pytest_design2a11y import Scorer

PAGES = Path(__file__).parents[3] / "shared" / "real-pages" / "pages.tar.xz"
#: From this severity on a person notices the change.
NOTICED = 2

pytestmark = [
    pytest.mark.slow(is_long=True),
    pytest.mark.skipif(not PAGES.exists(), reason=f"{PAGES} is not there"),
]


def test_every_change_that_a_person_notices_is_a_difference(tmp_path: Path) -> None:
    with tarfile.open(PAGES) as archive:
        archive.extractall(tmp_path, filter="data")
    manifest = next(tmp_path.rglob("manifest.json"))
    pairs = json.loads(manifest.read_text(encoding="utf-8"))["pairs"]
    unseen, alarms = [], []
    for viewport in sorted({pair["viewport"] for pair in pairs}):
        with Scorer(viewport=viewport, audit=False, timeout=60) as scorer:
            for pair in pairs:
                if pair["viewport"] != viewport:
                    continue
                paths = (manifest.parent / pair[role] for role in ("reference", "candidate"))
                visual = scorer.score(*paths).visual
                assert visual is not None, pair["change"]
                name = f"{pair['design']}/{pair['change']}"
                if pair["severity"] >= NOTICED and not visual.differences:
                    unseen.append(name)
                if pair["severity"] == 0 and any(
                    one.severity in {"critical", "serious"} for one in visual.differences
                ):
                    alarms.append(name)
    assert unseen == []
    assert alarms == []

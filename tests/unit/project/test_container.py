"""How the container is run: in Chromium's sandbox, without any capability more than the engine gives."""

from __future__ import annotations

import re
from pathlib import Path

ROOT = Path(__file__).parents[3]
PROFILE = "seccomp_profile.json"
PLACES = ("Dockerfile", ".github/workflows/tests.yml", "docs/ci.md", "studies/platforms.md")


def test_every_run_of_the_container_has_the_profile_and_no_capability() -> None:
    runs = [
        line
        for place in PLACES
        for line in (ROOT / place).read_text(encoding="utf-8").splitlines()
        if "docker run" in line
    ]

    assert len(runs) >= len(PLACES)
    assert [run for run in runs if f"--security-opt seccomp={PROFILE} " not in run] == []
    assert [run for run in runs if "--cap-add" in run or "--privileged" in run] == []


def test_the_profile_is_of_one_release_wherever_it_is_loaded() -> None:
    texts = [(ROOT / place).read_text(encoding="utf-8") for place in PLACES[:3]]
    addresses = [re.findall(rf"curl -fO (https://\S+/v[\d.]+/\S+/{PROFILE})", text) for text in texts]

    assert [len(found) for found in addresses] == [1, 1, 1]
    assert len({found for (found,) in addresses}) == 1

"""How much feedback tells: `--max-items` counts things to do, `--full` is all."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tests.integration.conftest import Finished, Project


def items(told: Finished) -> list[str]:
    return [line for line in told.stdout.splitlines() if line[0].isdigit()]


def test_all_things_are_told_where_all_are_asked_for(project: Project) -> None:
    assert project.command("score", "designs", "worse", "--save", "main").returncode == 0

    short, full = (
        project.command("feedback", "main", "login", "--no-try", *more)
        for more in (("--max-items", "1"), ("--full",))
    )

    assert len(items(short)) == 1 < len(items(full))
    assert f"And {len(items(full)) - 1} more items (--full)." in short.stdout
    assert short.stdout.splitlines()[:3] == full.stdout.splitlines()[:3]

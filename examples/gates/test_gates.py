"""Gate a prompt: the limits come from the command line, see scripts/demo."""

from __future__ import annotations

from pathlib import Path

from pytest_design2a11y import Render, visual_similarity


def test_generated_page(design: Path, generated: Path, render: Render) -> None:
    visual_similarity(render(design, role="reference"), render(generated))

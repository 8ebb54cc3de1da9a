"""`assets clip` fetches the chosen model."""

from __future__ import annotations

from pathlib import Path

import pytest

from pytest_design2a11y.command.main import main
from pytest_design2a11y.visual import clip


@pytest.mark.parametrize(
    ("given", "name"), [([], "clip"), (["--appearance", "clip:ViT-L-14/openai"], "clip:ViT-L-14/openai")]
)
def test_the_model_that_is_chosen_is_fetched(
    given: list[str], name: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.chdir(tmp_path)
    fetched: list[object] = []
    monkeypatch.setattr(clip, "fetch_weights", lambda choice, *, say: fetched.append(choice))

    main(["assets", "clip", *given])

    assert fetched == [clip.parse_appearance(name)]

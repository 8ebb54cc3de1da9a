"""`assets prune` removes nothing where a page is not known; `assets clip` fetches the chosen model."""

from __future__ import annotations

from pathlib import Path

import pytest

from pytest_design2a11y.command import assets
from pytest_design2a11y.command.main import main
from pytest_design2a11y.exceptions import RenderTimeout
from pytest_design2a11y.visual import clip


def test_where_a_page_cannot_be_rendered_nothing_is_pruned(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    lost = RenderTimeout("The page hung.", stage="load")
    monkeypatch.setattr(assets, "_captures", lambda *_, **__: iter([("page.html", lost)]))

    with pytest.raises(SystemExit) as ended:
        main(["assets", "prune", "page.html"])

    assert ended.value.code == 2
    told = capsys.readouterr().err
    assert "page.html could not be rendered, so that what it asks for is not known: The page hung." in told
    assert "Nothing was removed." in told


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

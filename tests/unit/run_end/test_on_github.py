"""Whether a run knows that it is on GitHub."""

from __future__ import annotations

import pytest

from pytest_design2a11y import run_end


@pytest.mark.parametrize(("value", "is_there"), [("true", True), ("false", False), (None, False)])
def test_github_is_known_by_its_variable(
    value: str | None, is_there: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("GITHUB_ACTIONS", raising=False)
    if value is not None:
        monkeypatch.setenv("GITHUB_ACTIONS", value)

    assert run_end._is_on_github() is is_there

"""The options of a pytest run, read once."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from pytest_design2a11y.settings.values import Settings

settings_key: pytest.StashKey[Settings] = pytest.StashKey()


def settings_of(config: pytest.Config) -> Settings:
    """Return the options of a run, read when they are first asked for."""
    if settings_key not in config.stash:
        from pytest_design2a11y.settings.options import settings_from_pytest

        config.stash[settings_key] = settings_from_pytest(config)
    return config.stash[settings_key]

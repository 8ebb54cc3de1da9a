"""The situations: which page, how it is served, how one sees that it has settled."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

APPS = Path(__file__).parents[3] / "tests" / "apps"


@dataclass(frozen=True)
class Situation:
    """One page and how it is served; the fields are explained in `tests/apps/situations.toml`."""

    name: str
    site: str = ""
    page: str = "index.html"
    served: str = "file"
    delays: Mapping[str, float] = field(default_factory=dict)
    fallback: bool = False
    ready: str = "[data-ready]"
    settle: float | None = None
    assets: str | None = None

    @property
    def root(self) -> Path:
        return APPS / (self.site or f"{self.name}/site")


def read_situations() -> list[Situation]:
    table = tomllib.loads((APPS / "situations.toml").read_text("utf-8"))
    return [Situation(**each) for each in table["situation"]]

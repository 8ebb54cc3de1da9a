"""README.md as PyPI shows it: relative links hold on a forge and on the site, but not there."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from hatchling.metadata.plugin.interface import MetadataHookInterface


class CustomMetadataHook(MetadataHookInterface):
    """Gives the README with links into the repository."""

    def update(self, metadata: dict[str, Any]) -> None:
        """Set the readme."""
        text = (Path(self.root) / "README.md").read_text(encoding="utf-8")
        address = metadata["urls"]["Repository"]
        metadata["readme"] = {"content-type": "text/markdown", "text": with_absolute_links(text, address)}


def with_absolute_links(text: str, address: str) -> str:
    """Point a Markdown text's relative links to files of a repository on GitHub.

    >>> with_absolute_links("[a](docs/a.md#b) ![p](p.png) [c](https://c/)", "https://g/o/r")
    '[a](https://g/o/r/blob/main/docs/a.md#b) ![p](https://g/o/r/raw/main/p.png) [c](https://c/)'
    """
    text = re.sub(r"(!\[[^]]*\]\()(?!https?:)", rf"\1{address}/raw/main/", text)
    return re.sub(r"(\]\()(?!https?:|#)", rf"\1{address}/blob/main/", text)

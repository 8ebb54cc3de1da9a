"""README.md as PyPI shows it: relative links hold on a forge and on the site, but not there."""

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
        linked = with_absolute_links(text, address, f"v{metadata['version']}")
        metadata["readme"] = {"content-type": "text/markdown", "text": linked}


def with_absolute_links(text: str, address: str, tag: str) -> str:
    """Point a Markdown text's relative links to files of a repository on GitHub, as they are at a tag.

    >>> with_absolute_links("[a](docs/a.md#b) ![p](p.png) [c](https://c/)", "https://g/o/r", "v1.0")
    '[a](https://g/o/r/blob/v1.0/docs/a.md#b) ![p](https://g/o/r/raw/v1.0/p.png) [c](https://c/)'
    """
    text = re.sub(r"(!\[[^]]*\]\()(?!https?:)", rf"\1{address}/raw/{tag}/", text)
    return re.sub(r"(\]\()(?!https?:|#)", rf"\1{address}/blob/{tag}/", text)

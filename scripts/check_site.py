"""Check that everything a built site refers to exists: `check_site.py build/site`.

MkDocs checks links between pages; this checks its output, including style sheets, scripts and anchors.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from urllib.parse import unquote, urlsplit

from bs4 import BeautifulSoup


@cache
def read(page: Path) -> BeautifulSoup:
    """Parse a page, cached."""
    return BeautifulSoup(page.read_text(encoding="utf-8"), "html.parser")


def broken(page: Path, site: Path) -> Iterator[str]:
    """Yield the references of a page whose targets do not exist; other hosts are not contacted."""
    for attribute in ("href", "src"):
        for element in read(page).select(f"[{attribute}]"):
            address = urlsplit(str(element[attribute]))
            if (
                not address.scheme
                and not address.netloc
                and not _is_there(page, site, address.path, address.fragment)
            ):
                yield f"{page.relative_to(site)}: {element[attribute]}"


def _is_there(page: Path, site: Path, path: str, fragment: str) -> bool:
    target = site / unquote(path).lstrip("/") if path.startswith("/") else page.parent / unquote(path)
    target = page if not path else target / "index.html" if target.is_dir() else target
    if not target.is_file():
        return False
    return not fragment or target.suffix != ".html" or _has(target, unquote(fragment))


@cache
def _has(page: Path, fragment: str) -> bool:
    return read(page).find(id=fragment) is not None


def main() -> None:
    """Check all pages of a site."""
    site = Path(sys.argv[1])
    pages = sorted(site.rglob("*.html"))
    found = [line for page in pages if page.name != "404.html" for line in broken(page, site)]
    print(f"{len(pages)} pages, {len(found)} broken links")
    sys.exit("\n".join(found) or 0)


if __name__ == "__main__":
    main()

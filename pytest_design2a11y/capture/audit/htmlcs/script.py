"""The script of HTML_CodeSniffer: the one beside this module, or a file of the user's."""

from __future__ import annotations

import re
from functools import lru_cache
from pathlib import Path

from pytest_design2a11y.exceptions import HtmlcsError

#: Version 2.5.1, as built for the npm package html_codesniffer; its licence lies beside it.
SHIPPED = Path(__file__).parent / "vendor" / "HTMLCS.js"

_VERSION = re.compile(r"/\*! (?:@pa11y/)?html_codesniffer - v(\d+\.\d+\.\d+)\b")
_ADVICE = "Give build/HTMLCS.js of the npm package html_codesniffer (--design2a11y-htmlcs-script)."


def read_htmlcs_script(path: Path | None) -> tuple[str, str]:
    """Read the script to audit with.

    Args:
        path: A built file of HTML_CodeSniffer; None: the one that this package ships.
    """
    source = path if path is not None else SHIPPED
    try:
        return _read(source, source.stat().st_mtime_ns)
    except (OSError, UnicodeDecodeError) as error:
        raise HtmlcsError(
            f"The HTML_CodeSniffer script {source} cannot be read: {error}.", advice=_ADVICE
        ) from error


@lru_cache(maxsize=4)
def _read(source: Path, modified: int) -> tuple[str, str]:
    text = source.read_text(encoding="utf-8")
    version = _VERSION.match(text)
    if version is None:
        raise HtmlcsError(f"{source} is not a built HTML_CodeSniffer.", advice=_ADVICE)
    return text, version[1]

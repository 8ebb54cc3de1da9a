"""Style sheets that no script may read: after scripts are stopped, they are to say what they said before."""

from __future__ import annotations

import re

_PRELUDE = re.compile(rb"@(?:media|import)\b[^{;]*", re.IGNORECASE)
_QUERY = re.compile(rb"\(\s*scripting\s*(?::\s*([\w-]+)\s*)?\)", re.IGNORECASE)


def with_scripts(sheet: bytes) -> bytes:
    """Put in place of each question whether scripts run one that has the answer of when they do."""
    return _PRELUDE.sub(lambda prelude: _QUERY.sub(_answer, prelude[0]), sheet)


def _answer(query: re.Match[bytes]) -> bytes:
    is_true = (query[1] or b"enabled").lower() == b"enabled"
    return b"(min-width: 0px)" if is_true else b"(min-width: 9999999px)"

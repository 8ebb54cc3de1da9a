"""Handing content to the browser: whole, or the range that it asks for."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from playwright.sync_api import Request

_RANGE = re.compile(r"bytes=(\d{0,15})-(\d{0,15})\Z")


def delivery(
    request: Request, body: bytes, kind: str, headers: Mapping[str, str] | None = None
) -> dict[str, Any]:
    """Return what fulfills a request with content of a type; media players ask for ranges of it."""
    span = range_of(request.headers.get("range", ""), len(body))
    sent = {"content-type": kind, "accept-ranges": "bytes", **(headers or {})}
    if span is None:
        return {"status": 200, "headers": sent, "body": body}
    start, end = span
    sent["content-range"] = f"bytes {start}-{end - 1}/{len(body)}"
    return {"status": 206, "headers": sent, "body": body[start:end]}


def range_of(header: str, size: int) -> tuple[int, int] | None:
    """Return where a range starts and ends, the end excluded; None if none is asked for that exists."""
    asked = _RANGE.match(header)
    if asked is None or not (asked.group(1) or asked.group(2)):
        return None
    if not asked.group(1):
        start, end = max(0, size - int(asked.group(2))), size
    else:
        start, end = int(asked.group(1)), min(size, int(asked.group(2) or size - 1) + 1)
    return (start, end) if start < end else None

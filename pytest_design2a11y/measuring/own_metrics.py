"""Metrics from outside, measured; one that fails is null with a reason, for its pages alone."""

from __future__ import annotations

import asyncio
import hashlib
import inspect
import json
import math
import threading
from contextlib import suppress
from dataclasses import dataclass, fields, replace
from pathlib import Path
from typing import Any

from pytest_design2a11y.escaping import terminal_line
from pytest_design2a11y.files import write_whole
from pytest_design2a11y.models.from_json import Amount, Unfit, from_json, refuse_constant
from pytest_design2a11y.models.metric import Finding, Measured, Metric, Pages
from pytest_design2a11y.models.page import Capture
from pytest_design2a11y.models.serialization import to_json

#: What tells nothing of what a page shows, or is told by other fields.
_NOT_CONTENT = frozenset({"label", "warnings", "environment", "image", "document", "digest", "seconds"})


@dataclass(frozen=True, slots=True)
class Result:
    """What a metric came to, checked."""

    value: Amount | None
    reason: str = ""
    findings: tuple[Finding, ...] = ()
    warnings: tuple[str, ...] = ()


def measure_own(metric: Metric, pages: Pages, cache_folder: Path | None) -> Result:
    """Measure pages by a metric from outside; a value that is kept lies in the cache folder."""
    kept = None if cache_folder is None or not metric.keep else cache_folder / "metrics" / _key(metric, pages)
    if kept is not None:
        with suppress(OSError, ValueError, Unfit):
            return from_json(Result, json.loads(kept.read_text("utf-8"), parse_constant=refuse_constant))
    try:
        result = checked(metric, _in_time(metric, pages))
    except Exception as error:
        return Result(None, terminal_line(f"{type(error).__name__}: {error}".rstrip(".: ")))
    if kept is not None and result.value is not None:
        with suppress(OSError):
            write_whole(kept, json.dumps(to_json(result)).encode())
    return result


def _in_time(metric: Metric, pages: Pages) -> Any:
    """Call `measure` in a thread of its own, with an event loop of its own where it is a coroutine."""
    given: list[Any] = []
    errors: list[Exception] = []

    def work() -> None:
        try:
            assert metric.measure is not None
            value = metric.measure(pages)
            given.append(asyncio.run(_awaited(value)) if inspect.isawaitable(value) else value)
        except Exception as error:
            errors.append(error)

    thread = threading.Thread(target=work, name=f"design2a11y-{metric.name}", daemon=True)
    thread.start()
    thread.join(metric.timeout)
    if errors:
        raise errors[0]
    if not given:
        raise TimeoutError(f"measuring took more than {metric.timeout:g} s")
    return given[0]


async def _awaited(value: Any) -> Any:
    return await value


def checked(metric: Metric, given: Any) -> Result:
    """Return what `measure` gave as a result.

    Raises:
        ValueError: It is not a number from 0 to the metric's upper bound.
    """
    measured = given if isinstance(given, Measured) else Measured(given)
    findings = tuple(map(_checked_finding, measured.findings))
    result = Result(None, measured.reason, findings, tuple(map(str, measured.warnings)))
    value = measured.value
    if value is None:
        return replace(result, reason=result.reason or "it gave no value for this page")
    if isinstance(value, str | bytes | bool) or not hasattr(value, "__float__"):
        raise ValueError(f"measure returned {value!r:.80}, which is not a number")
    number: float = value if isinstance(value, int) else float(value)
    upper = math.inf if metric.upper is None else metric.upper
    if not (math.isfinite(number) and 0 <= number <= upper):
        bounds = "0 up" if metric.upper is None else f"0 to {upper:g}"
        raise ValueError(f"measure returned {number:g}, and {metric.name} goes from {bounds}")
    return replace(result, value=number)


def _checked_finding(given: Any) -> Finding:
    """Return a finding as it is saved and read again."""
    if not isinstance(given, Finding):
        raise ValueError(f"measure found {given!r:.80}, which is not a Finding")
    try:
        box = None if given.box is None else tuple(map(float, given.box))
        return from_json(Finding, to_json(replace(given, box=box)))  # type: ignore[arg-type]
    except (Unfit, TypeError, ValueError) as error:
        raise ValueError(f"measure found something that is not valid: {error}") from None


def _key(metric: Metric, pages: Pages) -> str:
    digest = hashlib.blake2b(repr((metric.name, metric.version)).encode(), digest_size=16)
    for page in pages:
        digest.update(b"none" if page is None else _content(page))
    return f"{metric.name}-{digest.hexdigest()}.json"


def _content(page: Capture) -> bytes:
    """Return what a metric can see of a page."""
    seen = [(one.name, getattr(page, one.name)) for one in fields(page) if one.name not in _NOT_CONTENT]
    html = page.document.html if page.document is not None else None
    return b"\0".join(
        [repr(seen).encode("utf-8", "surrogatepass"), html or b"", page.image.png if page.image else b""]
    )

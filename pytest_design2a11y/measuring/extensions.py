"""Engines and metrics from outside; if one fails, its own result alone is lost, with a reason."""

import hashlib
import inspect
import json
import math
import threading
from collections.abc import Callable
from contextlib import suppress
from dataclasses import fields, replace
from pathlib import Path
from typing import Any

import msgspec

from pytest_design2a11y.exceptions import MeasurementError
from pytest_design2a11y.extending import AuditEngine, Engine
from pytest_design2a11y.files import write_whole
from pytest_design2a11y.measuring.records import failure_of
from pytest_design2a11y.models.audit import Audit, AuditChoice
from pytest_design2a11y.models.metric import Finding, Measured, Metric, Pages
from pytest_design2a11y.models.option import AXE
from pytest_design2a11y.models.page import Capture, CaptureWarning
from pytest_design2a11y.models.records import to_json
from pytest_design2a11y.registry import available
from pytest_design2a11y.settings import Settings


def engines_of(settings: Settings) -> tuple[AuditEngine, ...]:
    """Return the audit engines that the settings name."""
    chosen, engines = settings.engines.split(","), available(Engine, settings.metrics)
    return tuple(
        engine.make(settings) if name in _OUR_ENGINES else OwnEngine(engine, settings)
        for name, engine in engines.items()
        if name in chosen
    )


_OUR_ENGINES = frozenset({AXE, "htmlcs"})


class OwnEngine:
    """An `AuditEngine` around one that may lack `source` and `prepare`."""

    def __init__(self, engine: Engine, settings: Any) -> None:
        """Create the engine; an error is raised when it is to audit."""
        self.name = engine.name
        self._made: AuditEngine | None = None
        self._error = self._tried(lambda: setattr(self, "_made", engine.make(settings)))

    def _tried(self, act: Callable[[], object]) -> MeasurementError | None:
        try:
            act()
        except MeasurementError as error:
            return error
        except Exception as error:
            return MeasurementError(
                f"The engine {self.name} failed: {type(error).__name__}: {error}", stage=self.name
            )
        return None

    def source(self) -> str:
        """Return its script, or nothing if it has none."""
        return self._made.source() if hasattr(self._made, "source") else ""  # type: ignore[union-attr]

    def prepare(self, page: Any = None) -> None:
        """Prepare, if it has to; an error is raised when it is to audit."""
        if self._error is None and (prepare := getattr(self._made, "prepare", None)):
            self._error = self._tried(lambda: prepare(page))

    def audit(self, page: Any, choice: AuditChoice) -> tuple[Audit, tuple[CaptureWarning, ...]]:
        """Return its findings on a page."""
        if self._error is not None or self._made is None:
            raise self._error or MeasurementError(f"The engine {self.name} was not made.", stage=self.name)
        return self._made.audit(page, choice)


#: A value may exceed its bounds by this much: the last digits of a sum.
_ROUNDING = 1e-9
#: Fields of a capture that do not describe what a page shows, or that repeat other fields.
_NOT_CONTENT = {"label", "warnings", "environment", "image", "document", "digest", "seconds"}
_CONTENT = [field.name for field in fields(Capture) if field.name not in _NOT_CONTENT]


def measure_own(metric: Metric, pages: Pages, cache_folder: Path | None) -> Measured:
    """Measure pages by a metric from outside; a value worth keeping is stored in the cache folder."""
    kept = None if cache_folder is None or not metric.keep else cache_folder / "metrics" / _key(metric, pages)
    if kept is not None:
        with suppress(OSError, ValueError):
            return msgspec.json.decode(kept.read_bytes(), type=Measured)
    ended: list[Measured] = []

    def work() -> None:
        try:
            assert metric.measure is not None
            given: Any = metric.measure(pages)
            if inspect.iscoroutine(given):
                import asyncio

                given = asyncio.run(given)
            try:
                ended.append(_checked(metric, given))
            except ValueError as error:
                ended.append(Measured(None, f"measure returned something invalid: {error}"))
        except BaseException as error:  # Including those that would end a program
            failure = failure_of(error)
            ended.append(Measured(None, f"{failure.type}: {failure.message}".rstrip(".: ")))

    thread = threading.Thread(target=work, name=f"design2a11y-{metric.name}", daemon=True)
    thread.start()
    thread.join(metric.timeout)
    result = ended[0] if ended else Measured(None, f"measuring took more than {metric.timeout:g} s")
    if kept is not None and result.value is not None:
        with suppress(OSError):
            write_whole(kept, json.dumps(to_json(result)).encode())
    return result


def _checked(metric: Metric, given: Any) -> Measured:
    """Return the result of `measure` as it will be saved and read again; ValueError if it is not valid."""
    measured = given if isinstance(given, Measured) else Measured(given)
    value = None if measured.value is None else _number(metric, measured.value)
    findings = []
    for finding in measured.findings:
        if not isinstance(finding, Finding):
            raise ValueError(f"findings has {finding!r:.80}, which is not a Finding")
        # NumPy's numbers are allowed, too.
        box = finding.box and tuple(map(float, finding.box))
        findings.append({**to_json(finding), "box": box})
    record = {"value": value, "reason": measured.reason, "findings": findings, "warnings": measured.warnings}
    result = msgspec.convert(record, Measured)
    if result.value is None and not result.reason:
        return replace(result, reason="it gave no value for this page")
    return result


def _number(metric: Metric, value: Any) -> float:
    if isinstance(value, str | bytes | bool) or not hasattr(value, "__float__"):
        raise ValueError(f"value is {value!r:.80}, not a number")
    number: float = value if isinstance(value, int) else float(value)
    upper = math.inf if metric.upper is None else metric.upper
    nearest = min(max(number, 0), upper)
    if not abs(number - nearest) <= _ROUNDING:
        bounds = "0 up" if metric.upper is None else f"0 to {upper:g}"
        raise ValueError(f"value is {number:.10g}, not from {bounds}")
    return nearest


def _key(metric: Metric, pages: Pages) -> str:
    """Return a key of a metric and everything that it can see of the pages."""
    digest = hashlib.blake2b(repr((metric.name, metric.version)).encode(), digest_size=16)
    for page in pages:
        if page is None:
            digest.update(b"none")
            continue
        content = [(name, getattr(page, name)) for name in _CONTENT]
        html = page.document.html if page.document is not None else None
        png = page.image.png if page.image else b""
        digest.update(b"\0".join([repr(content).encode("utf-8", "surrogatepass"), html or b"", png]))
    return f"{metric.name}-{digest.hexdigest()}.json"

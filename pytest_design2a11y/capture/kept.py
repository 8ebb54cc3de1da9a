"""What a capture must pass before it is returned, and where one is kept that may stand for equal pages."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, replace
from typing import Any

from pytest_design2a11y import exceptions
from pytest_design2a11y.capture.cache import (
    CaptureCache,
    MemoryStore,
    ReferenceStore,
    content_digest,
)
from pytest_design2a11y.capture.isolation.recordings import Recordings
from pytest_design2a11y.capture.mask import cut_out
from pytest_design2a11y.capture.page.visit import VisitSettings
from pytest_design2a11y.capture.read_page import PageContents, PageReader
from pytest_design2a11y.capture.warning_log import NOT_SERVED, nothing_shown
from pytest_design2a11y.extending import Probe
from pytest_design2a11y.files import CacheFolder
from pytest_design2a11y.models.page import Capture, CaptureWarning, Document, Role
from pytest_design2a11y.wording import setting

#: Capture warnings that might not recur on another attempt.
UNREPEATABLE = frozenset({"load_unfinished", "requests_pending", "scripts_stopped", "retried"})
#: Warnings of pages that were stopped by real time.
CUT_SHORT = frozenset({"load_unfinished", "scripts_stopped"})

Files = Mapping[str, str | None]


Slot = tuple[CaptureCache, Mapping[str, Any]]
"""Where a capture is looked for and kept, and all that it depends on."""


class KeptCaptures:
    """Captures of designs, for many runs, and of this session's pages."""

    def __init__(
        self,
        references: CacheFolder | None,
        recordings: Recordings | None,
        conditions: Callable[[], dict[str, Any]],
    ) -> None:
        """Keep designs in `references`, under the machine's `conditions`; without these, nothing is kept."""
        self._references = None if references is None else CaptureCache(ReferenceStore(references))
        self._recent = CaptureCache(MemoryStore())
        self._recordings = recordings
        self._conditions = conditions

    def slot_of(
        self,
        document: Document,
        role: Role,
        reader: PageReader,
        settings: VisitSettings,
        probes: Sequence[Probe],
    ) -> Slot | None:
        """Return the slot of a page's capture; None if it is not kept."""
        if self._references is None or document.html is None or settings.state.steps:
            return None
        if role == "candidate" and any(probe.compares for probe in probes):
            return None
        is_plain = not probes and role == "reference"
        if is_plain and reader == PageReader(None, reader.engines, mask=reader.mask, part=reader.part):
            conditions = {
                **self._conditions(),
                "viewport": asdict(settings.viewport),
                "state": settings.state.conditions,
                "limits": asdict(settings.limits),
                "assets": self._recordings and self._recordings.digest,
            }
            return self._references, conditions
        how = (role, reader, settings.viewport, settings.state, [probe.name for probe in probes])
        return self._recent, {"how": repr(how)}


def is_repeatable(capture: Capture) -> bool:
    """Return whether another attempt would give the same capture."""
    is_broken = capture.image_error or capture.audit_errors or capture.probe_errors
    return not (is_broken or UNREPEATABLE & _codes(capture))


def is_cut_short(capture: Capture) -> bool:
    """Return whether a page was stopped by real time."""
    return bool(CUT_SHORT & _codes(capture))


def checked(
    contents: PageContents,
    document: Document,
    settings: VisitSettings,
    warnings: tuple[CaptureWarning, ...],
) -> tuple[Capture, Files | None]:
    """Return the capture if it is valid, with `warnings` first, and the files of an equal page, if known."""
    capture = contents.capture
    lacking = [warning.message for warning in capture.warnings if warning.code in NOT_SERVED]
    if settings.limits.strict_assets and lacking:
        advice = f"Without {setting('strict_assets')}=true this is a warning."
        raise exceptions.CaptureError(" ".join(lacking), stage="load", advice=advice)
    if not capture.text_runs and lacking:
        warnings = (*warnings, nothing_shown())
    files = capture.files if contents.is_repeatable else None
    is_candidate = capture.role == "candidate"
    has_digest = is_candidate and not settings.state.steps
    capture = replace(
        capture,
        warnings=(*warnings, *capture.warnings),
        digest=content_digest(document, files) if has_digest and files is not None else None,
        files=capture.files if is_candidate else {},
    )
    return cut_out(capture, contents.part_box), files


def _codes(capture: Capture) -> set[str]:
    return {warning.code for warning in capture.warnings}

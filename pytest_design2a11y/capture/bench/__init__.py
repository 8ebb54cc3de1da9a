"""A page that stays open: edits are applied to it, read, and taken back, without loading it again."""

from dataclasses import dataclass, replace
from typing import Any

from pytest_design2a11y.capture.mask import cut_out
from pytest_design2a11y.capture.page import frames
from pytest_design2a11y.capture.page.frames import FrozenPage
from pytest_design2a11y.capture.page.screenshot import captured_extent
from pytest_design2a11y.capture.page.visit import Visit, VisitSettings
from pytest_design2a11y.capture.read_page import PageReader
from pytest_design2a11y.javascript import functions_of
from pytest_design2a11y.models.audit import AuditChoice
from pytest_design2a11y.models.page import Capture

_SCRIPT = "capture/bench/edits.js"


@dataclass(frozen=True)
class Bench:
    """An open page, and how to read it."""

    visit: Visit
    page: FrozenPage
    settings: VisitSettings
    reader: PageReader
    empty: Capture

    def call(self, name: str, *given: Any) -> Any:
        """Call a function that `edits.js` exports, which says what it takes and returns."""
        self.visit.deadline.extend(self.settings.limits.timeout)
        return self.page.worlds[0].call_long(functions_of(_SCRIPT), _SCRIPT, name, *given)

    def size(self) -> tuple[int, int]:
        """Return width and height of the page as it stands, px."""
        width, limits = self.settings.viewport.width, self.settings.limits
        return captured_extent(self.page.channel, width, limits, self.visit.log).size

    def capture(self, audit: AuditChoice | None = None) -> Capture:
        """Read the page as it stands, with an audit if one is chosen."""
        channel = self.page.channel
        self.visit.deadline.extend(self.settings.limits.timeout)
        extent = captured_extent(channel, self.settings.viewport.width, self.settings.limits, self.visit.log)
        origin: tuple[float, float] = self.page.worlds[0].offset
        worlds = frames.placed(self.page.worlds, (extent.origin[0] + origin[0], extent.origin[1] + origin[1]))
        page = replace(
            self.page, worlds=worlds, page_size=extent.size, start=extent.start, whole=extent.whole
        )
        contents = replace(self.reader, audit=audit).read_open(self.visit, page, self.empty)
        return cut_out(contents.capture, contents.part_box)

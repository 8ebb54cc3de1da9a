"""A page that stays open: edits are applied to it, read, and taken back, without loading it again."""

from collections.abc import Mapping, Sequence
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
from pytest_design2a11y.models.geometry import Box
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

    def locate(self, things: Sequence[Mapping[str, Any]]) -> list[dict[str, Any] | None]:
        """Return the selector, and what else an edit needs, of each thing of the page; None if it is gone."""
        found: list[dict[str, Any] | None] = self._call("locate", things)
        return found

    def named(self, targets: Sequence[str]) -> list[str | None]:
        """Return the selectors of what an accessibility engine found; None for what is in a frame."""
        found: list[str | None] = self._call("named", targets)
        return found

    def mended(self, rule: str, selector: str) -> list[str]:
        """Return the selectors of the elements whose edit mends that one breaks a rule."""
        found: list[str] = self._call("mended", rule, selector)
        return found

    def common(self, groups: Sequence[Mapping[str, Any]]) -> list[dict[str, Any] | None]:
        """Return the lowest element around each group, and whether it holds that group's text alone."""
        found: list[dict[str, Any] | None] = self._call("common", groups)
        return found

    def contents(self, selector: str, groups: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
        """Return the numbers of the groups that an element holds, and whether it holds nothing else."""
        found: dict[str, Any] = self._call("contents", selector, groups)
        return found

    def pruned(self, edits: Sequence[Mapping[str, Any]], always: Sequence[str] = ()) -> list[dict[str, str]]:
        """Return the CSS of each edit that changes something, once all of them are applied."""
        left: list[dict[str, str]] = self._call("pruned", edits, always)
        return left

    def holders(self, selectors: Sequence[str], inner: Sequence[str]) -> list[str]:
        """Return which of some elements hold one of others."""
        found: list[str] = self._call("holders", selectors, inner)
        return found

    def clippers(self, selectors: Sequence[str]) -> list[str]:
        """Return the elements that cut off one of others."""
        found: list[str] = self._call("clippers", selectors)
        return found

    def covers(self, places: Sequence[Mapping[str, Any]], known: Mapping[str, int | None]) -> dict[str, Any]:
        """Return unknown elements whose fills cover things in their places, and CSS that raises things."""
        found: dict[str, Any] = self._call("covers", places, known)
        return found

    def measure(self, selector: str) -> dict[str, Any] | None:
        """Return selector, number, box, text, lines and style of an element; None without one."""
        found: dict[str, Any] | None = self._call("measure", selector)
        return found

    def main_part(self) -> str:
        """Return the selector of the page's main landmark; "" if it has none."""
        return str(self._call("mainPart"))

    def families(self, fonts: Sequence[Mapping[str, Any]], names: Sequence[str]) -> list[str | None]:
        """Return the one of the names that draws letters as wide as each font's; None if none does."""
        found: list[str | None] = self._call("families", fonts, names)
        return found

    def apply(self, edits: Sequence[Mapping[str, Any]]) -> None:
        """Edit the page as it came; what was applied before is taken back."""
        self._call("apply", edits)

    def settle(self, places: Sequence[Mapping[str, Any]]) -> dict[str, dict[str, str]]:
        """Return the CSS that moves things to their places, by selector, given all that is applied."""
        moves: dict[str, dict[str, str]] = self._call("settle", places)
        return moves

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
        reader = replace(self.reader, audit=audit)
        contents = reader.read_frozen(self.visit, page, self.empty, after_screenshot=lambda: None)
        part: Box | None = contents.part_box
        return cut_out(contents.capture, part)

    def _call(self, name: str, *given: Any) -> Any:
        self.visit.deadline.extend(self.settings.limits.timeout)
        return self.page.worlds[0].call_long(functions_of(_SCRIPT), _SCRIPT, name, *given)

"""What one page may load, run and take up."""

from pathlib import Path
from typing import Any, Literal

from pytest_design2a11y.exceptions import ConfigurationError, PageTooLarge
from pytest_design2a11y.files import file_path
from pytest_design2a11y.models.option import Options, option
from pytest_design2a11y.models.readers import (
    count_above_zero,
    existing_file,
    host_name,
    number_above_zero,
    one_of,
    read_header,
)
from pytest_design2a11y.wording import flag, setting

_COMMANDS = frozenset({"score", "audit", "assets record", "assets add", "describe", "mcp"})
_MEASURING = frozenset({"score", "audit", "mcp"})


class CaptureLimits(Options):
    """Limits of one capture; anything beyond is clipped with a warning or refused with an error."""

    # fmt: off
    timeout: float = option(
        30.0, "Time limit for each page, in seconds.",
        read=number_above_zero, metavar="SECONDS", commands=_COMMANDS, flag="pages")
    settle: float = option(
        7.0, "Time for a page to come to rest, in seconds of its own clock.",
        read=number_above_zero, metavar="SECONDS", commands=_COMMANDS)
    allow_host: tuple[str, ...] = option(
        (), "Host that pages may load from, such as a CDN; any port unless one is given. Default: none.",
        read=host_name, metavar="HOST", commands=_COMMANDS, flag="pages")
    assets: Path | None = option(
        None, "Folder of recorded assets that pages load from.",
        read=file_path, metavar="FOLDER", commands=_MEASURING | {"describe"}, flag="pages")
    placeholders: Literal["draw"] | None = option(
        None, "draw: show plain pictures for placehold.co, picsum.photos, unsplash.com and their like.",
        read=one_of("draw"), metavar="draw", commands=_COMMANDS)
    record_assets: bool = option(
        False, "Record what pages load from allowed hosts, in the folder of `assets`.",
        commands=_MEASURING)
    strict_assets: bool = option(
        False, "Refuse a page that does not get every file it asks for (otherwise a warning).",
        commands=_MEASURING)
    storage_state: Path | None = option(
        None, "Playwright storage state (cookies, local storage) for addresses behind a login.",
        read=existing_file, metavar="FILE", commands=_MEASURING)
    header: tuple[tuple[str, str], ...] = option(
        (), 'Header to send, such as "Authorization: Bearer ...", to the hosts of '
        "`allow_host`, or without that option to the address's own host.",
        read=read_header, metavar="'NAME: VALUE'", commands=_MEASURING, flag="pages", is_of_command=True)
    javascript: bool = option(True, "Render without running the pages' scripts.", commands=_COMMANDS)
    max_nodes: int = option(
        30_000, "Maximum number of elements in a page.",
        read=count_above_zero, metavar="N", commands=_COMMANDS)
    max_frames: int = option(
        100, "Maximum number of frames in a page.", read=count_above_zero, metavar="N", commands=_COMMANDS)
    max_height: int = option(
        16_000, "Height in pixels at which a taller page is clipped, with a warning.",
        read=count_above_zero, metavar="N", commands=_COMMANDS)
    max_width: int = option(
        4_000, "Width in pixels above which a page is clipped to the window, with a warning.",
        read=count_above_zero, metavar="N", commands=_COMMANDS)
    # fmt: on
    # Megabytes that all the browser's processes may hold, else `MemoryLimit`. Chosen so that they, this
    # process and Playwright's driver stay below 2 GB together.
    max_memory: int = 1_400

    def __post_init__(self) -> None:
        if self.record_assets and self.assets is None:
            raise ConfigurationError(
                f"{setting('record_assets')}=true needs a folder to record in.",
                advice=f"Give {flag('assets')}=FOLDER, too.",
            )

    @property
    def conditions(self) -> dict[str, Any]:
        """The limits that change numbers, for `Capture.conditions`; the others refuse."""
        return {"max_height": self.max_height, "max_width": self.max_width}

    @property
    def login(self) -> dict[str, Any]:
        """How a user is logged in on addresses, for `Capture.conditions`; never who it is."""
        given = {"storage state": self.storage_state, "headers": self.header}
        return {"login": ways} if (ways := [way for way, value in given.items() if value]) else {}

    def check_nodes(self, number: int) -> None:
        """Refuse a page with too many elements."""
        _refuse_above(self.max_nodes, number, "elements", "max_nodes")

    def check_frames(self, number: int) -> None:
        """Refuse a page with too many frames."""
        _refuse_above(self.max_frames, number, "frames", "max_frames")


STANDARD_LIMITS = CaptureLimits()

#: Share of `timeout` after which a page is taken as it is, even if still loading or busy.
LOAD_SHARE = 1 / 3


def _refuse_above(limit: int, number: int, things: str, name: str) -> None:
    if number > limit:
        raise PageTooLarge(
            f"The page has {number} {things}; the limit is {limit}.",
            stage="freeze",
            advice=f"Look for content that repeats, or raise the limit with {setting(name)}=N.",
        )

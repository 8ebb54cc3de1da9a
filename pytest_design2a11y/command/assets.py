"""`design2a11y assets`: fetch resources of other hosts, CLIP's weights and texts of Figma, once."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from dataclasses import replace
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pytest_design2a11y.command import figma
from pytest_design2a11y.command.output import EXIT_MEASURED, EXIT_UNMEASURED, say
from pytest_design2a11y.exceptions import ConfigurationError, Design2a11yError
from pytest_design2a11y.settings import options
from pytest_design2a11y.wording import counted

if TYPE_CHECKING:
    from pytest_design2a11y.capture.assets import Recordings
    from pytest_design2a11y.models.page import Capture
    from pytest_design2a11y.settings.values import Settings

FOLDER = Path("assets")

#: Pages may request more after their first requests succeed, and their time runs while hosts answer.
_MOST_PASSES = 4
_LACKING = frozenset({"blocked_requests", "unrecorded_assets", "unreachable_hosts", "asset_limits"})


def add_to(commands: Any) -> None:
    """Declare the command and its parts."""
    parser = commands.add_parser(
        "assets",
        description="record or list what pages load from other hosts; figma; clip",
    )
    parts = parser.add_subparsers(required=True, metavar="record | list | figma | clip")
    record = _add(parts, "record", "record what pages load from allowed hosts", _record)
    record.add_argument("pages", nargs="+", type=Path, metavar="PAGE", help="pages, or folders of them")
    _add(parts, "list", "list what is recorded", _list)
    figma.add_to(parts)
    clip = parts.add_parser("clip", help="download the CLIP weights, once")
    clip.set_defaults(run=_fetch_clip)


def _add(parts: Any, name: str, help_text: str, run: Any) -> argparse.ArgumentParser:
    parser: argparse.ArgumentParser = parts.add_parser(name, help=help_text)
    parser.add_argument(
        "-o", "--output", type=Path, default=FOLDER, metavar="FOLDER", help=f"default: {FOLDER}/"
    )
    parser.set_defaults(run=run)
    return parser


def _record(namespace: argparse.Namespace) -> int:
    settings = options.settings_from_namespace(namespace)
    if not settings.capture.allow_host:
        raise ConfigurationError(
            "No host is named to record from.", advice="Give --allow-host HOST, once for each."
        )
    before = {record.url for record, is_sound in _recordings(namespace).entries() if is_sound}
    is_complete = True
    for page, capture in _captures(namespace, settings):
        if isinstance(capture, Design2a11yError):
            problems = [str(capture)]
        else:
            problems = [warning.message for warning in capture.warnings if warning.code in _LACKING]
        for problem in problems:
            say(f"{page}: {problem}")
        is_complete &= not problems
    for record, _ in _recordings(namespace).entries():
        if record.url not in before:
            say(f"recorded {record.url} ({_content(record.status, record.type, record.size)})")
    _print_total(namespace)
    return EXIT_MEASURED if is_complete else EXIT_UNMEASURED


def _list(namespace: argparse.Namespace) -> None:
    for record, is_sound in _recordings(namespace).entries():
        state = "" if is_sound else "  CHANGED since it was recorded: not used"
        content = _content(record.status, record.type, record.size)
        say(f"{record.date[:10]}  {record.url}  {content}{state}")
    _print_total(namespace)


def _recordings(namespace: argparse.Namespace) -> Recordings:
    from pytest_design2a11y.capture.assets import Recordings

    return Recordings(namespace.output)


def _captures(
    namespace: argparse.Namespace, settings: Settings
) -> Iterator[tuple[Path, Capture | Design2a11yError]]:
    """Render each page until it requests nothing new; yield its capture or error."""
    from pytest_design2a11y.measuring.sources import capture_source, open_renderer

    limits = replace(settings.capture, assets=namespace.output, record_assets=True)
    settings = replace(settings, capture=limits, cache_folder=None)
    pages = (
        sorted(page for page in path.rglob("*.htm*") if page.is_file()) if path.is_dir() else [path]
        for path in namespace.pages
    )
    with open_renderer(settings) as renderer:
        recordings = renderer.recordings
        assert recordings is not None
        for page in chain.from_iterable(pages):
            num_before = -1
            for _ in range(_MOST_PASSES):
                if num_before == len(recordings.used):
                    break
                num_before = len(recordings.used)
                try:
                    capture: Capture | Design2a11yError = capture_source(
                        page, role="reference", renderer=renderer, settings=settings, folders=(Path.cwd(),)
                    )
                except Design2a11yError as error:
                    capture = error
            yield page, capture


def _content(status: int, kind: str, size: int) -> str:
    return f"{kind.partition(';')[0]}, {size:,} bytes" if status == 200 else f"error {status}"


def _print_total(namespace: argparse.Namespace) -> None:
    records = [record for record, _ in _recordings(namespace).entries()]
    total = sum(record.size for record in records)
    say(f"{counted(len(records), 'asset')}, {counted(total, 'byte')} in {namespace.output}")


def _fetch_clip(namespace: argparse.Namespace) -> None:
    from pytest_design2a11y.visual.clip import fetch_weights, parse_appearance

    settings = options.settings_from_namespace(namespace)
    name = "clip" if settings.appearance == "embedded" else settings.appearance
    fetch_weights(parse_appearance(name), say=say)

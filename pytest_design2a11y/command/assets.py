"""`design2a11y assets`: fetch resources of other hosts, CLIP's weights and texts of Figma, once."""

import argparse
from collections.abc import Iterator
from dataclasses import replace
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING

from pytest_design2a11y.command.shell import EXIT_MEASURED, EXIT_UNMEASURED, say
from pytest_design2a11y.exceptions import ConfigurationError, Design2a11yError
from pytest_design2a11y.files import write_text
from pytest_design2a11y.settings import options
from pytest_design2a11y.wording import counted

if TYPE_CHECKING:
    from pytest_design2a11y.capture.assets import Hosts, Recordings
    from pytest_design2a11y.models.page import Capture
    from pytest_design2a11y.settings import Settings


#: Pages may request more after their first requests succeed, and their time runs while hosts answer.
_MOST_PASSES = 4
_SECONDS_WITH_NPM = 300.0
_LACKING = frozenset({"blocked_requests", "unrecorded_assets", "unreachable_hosts", "asset_limits"})


def _record(namespace: argparse.Namespace) -> int:
    settings = options.settings_from_namespace(namespace)
    if not settings.capture.allow_host:
        raise ConfigurationError(
            "No host is named to record from.", advice="Give --allow-host HOST, once for each."
        )
    return _recorded(namespace, settings)


def _add_packages(namespace: argparse.Namespace) -> int:
    from pytest_design2a11y.capture.assets import NpmPackages

    settings = options.settings_from_namespace(namespace)
    # Downloading a package takes longer than a host takes for a file.
    limits = replace(settings.capture, timeout=max(settings.capture.timeout, _SECONDS_WITH_NPM))
    return _recorded(namespace, replace(settings, capture=limits), hosts=NpmPackages())


def _recorded(namespace: argparse.Namespace, settings: "Settings", hosts: "Hosts | None" = None) -> int:
    """Record what pages request, print it and what is missing, and return the exit code."""
    before = {record.url for record, is_sound in _recordings(namespace).entries() if is_sound}
    is_complete = True
    for page, capture in _captures(namespace, settings, hosts):
        if isinstance(capture, Design2a11yError):
            problems = [str(capture)]
        else:
            lacking = [warning for warning in capture.warnings if warning.code in _LACKING]
            unnamed = (name for one in lacking for name in one.names if name not in one.message)
            problems = [*(warning.message for warning in lacking), *unnamed]
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


def _recordings(namespace: argparse.Namespace) -> "Recordings":
    from pytest_design2a11y.capture.assets import Recordings

    return Recordings(namespace.output)


def _captures(
    namespace: argparse.Namespace, settings: "Settings", hosts: "Hosts | None"
) -> "Iterator[tuple[Path, Capture | Design2a11yError]]":
    """Render and record pages, repeatedly until nothing new is requested; yield each capture or error."""
    from pytest_design2a11y.measuring.sources import capture_source, open_renderer

    limits = replace(settings.capture, assets=namespace.output, record_assets=True)
    settings = replace(settings, capture=limits, cache_folder=None)
    pages = (
        sorted(page for page in path.rglob("*.htm*") if page.is_file()) if path.is_dir() else [path]
        for path in namespace.pages
    )
    with open_renderer(settings, hosts=hosts) as renderer:
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


def _import(namespace: argparse.Namespace) -> None:
    from pytest_design2a11y.source.figma import import_figma
    from pytest_design2a11y.source.picture import SUFFIX, write_blocks

    output: Path = namespace.output
    if not output.name.endswith(SUFFIX):
        raise ConfigurationError(
            f"{output} would not be found beside a picture.",
            advice=f"Name it like the picture: login{SUFFIX}.",
        )
    imported = import_figma(namespace.nodes.read_bytes(), label=str(namespace.nodes), node=namespace.node)
    write_text(output, [write_blocks(imported.blocks)])
    width, height = imported.blocks.size
    texts = counted(len(imported.blocks.texts), "text")
    say(f"wrote {output}: {texts} of {imported.name} ({width}x{height} px)")
    say(*(f"  {count} {_WHY[why]}" for why, count in sorted(imported.left_out.items())))


_WHY = {
    "hidden": "left out: hidden, fully transparent, without a fill, or a part of a shape or mask",
    "outside": "left out: outside of the frame, or cut off",
    "shortened": "may end in … in the picture: their whole text was taken, look at them",
}

"""`design2a11y fetch-clip`: the CLIP weights, once."""

from __future__ import annotations

import argparse
from typing import Any

from pytest_design2a11y.command.output import EXIT_MEASURED, say
from pytest_design2a11y.settings.options import settings_from_namespace


def add_to(commands: Any) -> None:
    """Declare the command."""
    fetch = commands.add_parser("fetch-clip", help="download the CLIP weights, once")
    fetch.set_defaults(run=_fetch_clip)


def _fetch_clip(namespace: argparse.Namespace) -> int:
    from pytest_design2a11y.visual.clip import fetch_weights, parse_appearance

    settings = settings_from_namespace(namespace)
    name = "clip" if settings.appearance == "embedded" else settings.appearance
    fetch_weights(parse_appearance(name), say=say)
    return EXIT_MEASURED

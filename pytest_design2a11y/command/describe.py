"""`design2a11y describe`: the contents of a design in words, for prompts and people."""

from __future__ import annotations

import argparse
import sys
from dataclasses import asdict
from pathlib import Path
from typing import Any

from pytest_design2a11y.command.output import EXIT_MEASURED, EXIT_UNMEASURED, say, say_json
from pytest_design2a11y.exceptions import CaptureError, MeasurementError, SourceError
from pytest_design2a11y.models.metrics import SCHEMA_VERSION
from pytest_design2a11y.settings.options import settings_from_namespace


def add_to(commands: Any) -> None:
    """Declare the command."""
    describe = commands.add_parser(
        "describe", description="list what a design consists of: page, colors, fonts, texts, elements"
    )
    describe.add_argument("design", metavar="DESIGN", help="path or URL of a page or picture")
    describe.add_argument("--json", action="store_true", help="print JSON and nothing else")
    describe.set_defaults(run=_describe)


def _describe(namespace: argparse.Namespace) -> int:
    from pytest_design2a11y.measuring.sources import capture_source, open_renderer
    from pytest_design2a11y.report.design_words import inventory_lines
    from pytest_design2a11y.visual.inventory import inventory_of

    settings = settings_from_namespace(namespace)
    try:
        with open_renderer(settings) as renderer:
            page = capture_source(
                namespace.design,
                role="reference",
                renderer=renderer,
                settings=settings,
                folders=(Path.cwd(),),
            )
        inventory = inventory_of(page)
    except (SourceError, CaptureError, MeasurementError) as error:
        if namespace.json:
            failure = {"type": type(error).__name__, "message": str(error)}
            say_json({"schema": SCHEMA_VERSION, "design": namespace.design, "error": failure})
        else:
            say(f"design2a11y: {type(error).__name__}: {error}", file=sys.stderr)
        return EXIT_UNMEASURED
    for warning in page.warnings:
        say(f"warning: {warning.message}", file=sys.stderr)
    if namespace.json:
        record = asdict(inventory)
        record["colors"] = [{"color": color, "share": share} for color, share in inventory.colors]
        record["fonts"] = [{**font, "share": share} for font, share in inventory.fonts]
        say_json({"schema": SCHEMA_VERSION, **record})
    else:
        say(*inventory_lines(inventory))
    return EXIT_MEASURED

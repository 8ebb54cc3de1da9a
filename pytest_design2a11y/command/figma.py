"""`design2a11y assets figma`: takes a design's texts from Figma instead of reading them in its picture."""

from __future__ import annotations

import argparse
import os
from pathlib import Path
from typing import Any

from pytest_design2a11y.command.output import say
from pytest_design2a11y.exceptions import ConfigurationError
from pytest_design2a11y.files import write_text
from pytest_design2a11y.wording import counted


def add_to(parts: Any) -> None:
    """Declare this part of `assets`."""
    importer = parts.add_parser("figma", help="write the blocks file of a Figma frame")
    importer.add_argument(
        "nodes", type=Path, nargs="?", metavar="FILE", help="JSON response of GET /v1/files/KEY/nodes?ids=ID"
    )
    importer.add_argument("--file", metavar="KEY", help="fetch --node of this file from Figma instead")
    importer.add_argument(
        "--token-env",
        default="FIGMA_TOKEN",
        metavar="NAME",
        help="environment variable that holds the Figma token. Default: FIGMA_TOKEN.",
    )
    importer.add_argument(
        "--node", metavar="ID", help="id of the frame, such as 1:2. Default: the only frame in the file."
    )
    importer.add_argument(
        "-o",
        "--output",
        type=Path,
        required=True,
        metavar="FILE",
        help="file to write: NAME.blocks.json, beside NAME.png",
    )
    importer.set_defaults(run=_import)


def _import(namespace: argparse.Namespace) -> None:
    from pytest_design2a11y.source.design_kit.figma import import_figma
    from pytest_design2a11y.source.design_kit.picture import SUFFIX, write_blocks

    output: Path = namespace.output
    if not output.name.endswith(SUFFIX):
        raise ConfigurationError(
            f"{output} would not be found beside a picture.",
            advice=f"Name it like the picture: login{SUFFIX}.",
        )
    label = str(namespace.nodes or f"Figma's answer about {namespace.file}")
    imported = import_figma(_answer(namespace), label=label, node=namespace.node)
    write_text(output, [write_blocks(imported.blocks)])
    width, height = imported.blocks.size
    texts = counted(len(imported.blocks.texts), "text")
    say(f"wrote {output}: {texts} of {imported.name} ({width}x{height} px)")
    say(*(f"  {count} {_WHY[why]}" for why, count in sorted(imported.left_out.items())))


def _answer(namespace: argparse.Namespace) -> bytes:
    if (namespace.nodes is None) == (namespace.file is None):
        raise ConfigurationError(
            "One of FILE and --file KEY is needed.",
            advice="Give Figma's saved answer, or the key of its file.",
        )
    if namespace.nodes is not None:
        content: bytes = namespace.nodes.read_bytes()
        return content
    from pytest_design2a11y.source.design_kit.figma import fetch_nodes

    if namespace.node is None:
        raise ConfigurationError(
            "--file needs --node ID.", advice="Take it from the frame's address: node-id=1-2."
        )
    token = os.environ.get(namespace.token_env)
    if not token:
        raise ConfigurationError(
            f"The environment variable {namespace.token_env} is not set.",
            advice="Put a token of Figma into it, or name another variable by --token-env.",
        )
    return fetch_nodes(namespace.file, namespace.node, token)


_WHY = {
    "hidden": "left out: hidden, fully transparent, without a fill, or a part of a shape or mask",
    "outside": "left out: outside of the frame, or cut off",
    "shortened": "may end in … in the picture: their whole text was taken, look at them",
}

"""`design2a11y mcp`: a server for agents, over standard input and output."""

from __future__ import annotations

import argparse
from typing import Any

from pytest_design2a11y.exceptions import ConfigurationError
from pytest_design2a11y.settings.options import settings_from_namespace


def add_to(commands: Any) -> None:
    """Declare the command."""
    mcp = commands.add_parser("mcp", description="serve agents that write pages (Model Context Protocol)")
    mcp.set_defaults(run=_mcp)


def _mcp(namespace: argparse.Namespace) -> None:
    from pytest_design2a11y.limits.known_file import load_known

    settings = settings_from_namespace(namespace)
    if settings.known is not None:
        load_known(settings.known)
    try:
        from pytest_design2a11y.agents.server import make_server
    except ModuleNotFoundError as error:
        raise ConfigurationError(
            f"The server needs the package {error.name}, which is not installed.",
            advice='Run `pip install "pytest-design2a11y[mcp]"`.',
        ) from None
    make_server(settings).run()

"""Probes on pages written for them."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import pytest

from pytest_design2a11y.extending import Probe
from pytest_design2a11y.models.audit import ProbeResult
from pytest_design2a11y.models.page import Document
from pytest_design2a11y.registry import available

if TYPE_CHECKING:
    from pytest_design2a11y.capture.renderer import Renderer

Try = Callable[[str, str], ProbeResult]


@pytest.fixture(scope="session")
def try_out(renderer: Renderer) -> Try:
    """Runs a probe on HTML text; what ends the probe is raised."""

    def try_page(name: str, html: str) -> ProbeResult:
        page = f'<!doctype html><html lang="en"><title>Page</title><body>{html}'
        document = Document(label="<html>", html=page.encode())
        probe = available(Probe)[name]
        capture = renderer.capture(
            document, role="candidate", audit=None, has_image=probe.needs_screenshot, probes=[probe]
        )
        for error in capture.probe_errors.values():
            raise error
        return capture.probes[name]

    return try_page


def told(result: ProbeResult, check: str, outcome: str = "failed") -> list[str]:
    """Return the elements that a check is told of, by their selectors."""
    rules = [rule for rule in result.findings.rules if rule.rule == check]
    kind = "violations" if outcome == "failed" else "incomplete"
    return [node.target for rule in rules for node in getattr(rule, kind)]


def passes(result: ProbeResult, check: str) -> int:
    """Count the elements that passed a check."""
    return sum(rule.num_passes for rule in result.findings.rules if rule.rule == check)

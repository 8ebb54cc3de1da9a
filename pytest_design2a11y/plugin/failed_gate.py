"""A failing case for what fails a run beyond its tests: a gate, a limit over samples, a file not written."""

from __future__ import annotations

from collections.abc import Sequence
from types import SimpleNamespace
from typing import Any

import pytest

from pytest_design2a11y.escaping import terminal_line

#: Plugins that choose tests by what failed last time: this is not a test that could be chosen.
_CHOOSERS = ("lfplugin", "stepwiseplugin")


class _Reasons(str):
    """Why it fails, in lines, in the form in which pytest and its plugins print it."""

    @property
    def reprcrash(self) -> Any:
        """Where pytest reads what it shows in one line."""
        return SimpleNamespace(message=self.splitlines()[0], path="", lineno=0)

    def toterminal(self, out: Any) -> None:
        """Print the reasons."""
        for line in self.splitlines():
            out.line(f"E   {line}", red=True)


def log_failure(config: pytest.Config, heading: str, reasons: Sequence[str]) -> None:
    """Report a failing case to pytest's summary, to JUnit XML and whatever else listens."""
    name = f"design2a11y::{heading}"
    told = _Reasons("\n".join(map(terminal_line, reasons)) or "see above")
    choosers = [plugin for one in _CHOOSERS if (plugin := config.pluginmanager.get_plugin(one)) is not None]
    log = config.pluginmanager.subset_hook_caller("pytest_runtest_logreport", remove_plugins=choosers)
    for when, longrepr in (("call", told), ("teardown", None)):
        outcome: Any = "failed" if longrepr else "passed"
        report = pytest.TestReport(
            name,
            ("design2a11y", 0, heading),
            {},
            outcome,
            longrepr,
            when,  # type: ignore[arg-type]
        )
        log(report=report)

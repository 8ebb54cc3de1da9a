"""IBM Equal Access as a further accessibility engine: its counts stand beside axe-core's.

`npm pack accessibility-checker-engine`, unpack it, and name its ace.js in the variable ACE_SCRIPT. In a
conftest.py: `from engine import pytest_design2a11y_engines`; then `pytest --design2a11y-engines=axe,ibm`.
"""

from __future__ import annotations

import json
import os
from collections import defaultdict
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pytest_design2a11y.exceptions import MeasurementError
from pytest_design2a11y.extending import Audit, CheckedNode, Engine, RuleOutcome

if TYPE_CHECKING:
    from pytest_design2a11y.extending import AuditChoice, CaptureWarning

CHECK = """async () => {
  const report = await new ace.Checker().check(document.documentElement, ["IBM_Accessibility"]);
  const failed = report.results.filter((one) => one.value[0] === "VIOLATION" && one.value[1] === "FAIL");
  return failed.map((one) => {
    const { left, top, width, height } = one.bounds ?? { left: 0, top: 0, width: 0, height: 0 };
    return { rule: one.ruleId, message: one.message, path: one.path.dom, html: one.snippet ?? "",
             box: [left, top, width, height] };
  });
}"""


@dataclass(frozen=True)
class Ibm:
    """Checks the main frame; what the tool calls a violation that is sure is a failed check."""

    script: Path
    name: str = "ibm"

    def source(self) -> str:
        """Return the script that it loads into pages."""
        try:
            return self.script.read_text("utf-8")
        except OSError as error:
            raise MeasurementError(f"ACE_SCRIPT cannot be read: {error}", stage="ibm") from error

    def version(self) -> str:
        """Return the version that npm's package tells: runs of two versions are not compared."""
        return str(json.loads(self.script.with_name("package.json").read_text("utf-8"))["version"])

    def prepare(self, page: Any = None) -> None:
        """Refuse a script that is not there."""
        self.source()

    def audit(self, page: Any, choice: AuditChoice) -> tuple[Audit, tuple[CaptureWarning, ...]]:
        """Run the checker in the page's isolated world; all that fails counts as serious."""
        with page.stage("ibm"):
            world = page.worlds[0]
            world.load(self.source() + "\n;globalThis.ace = ace")
            found: list[dict[str, Any]] = world.call(CHECK)
        nodes = defaultdict(list)
        for one in found:
            node = CheckedNode(one["path"], one["html"][:400], "serious", one["message"], tuple(one["box"]))
            nodes[one["rule"]].append(node)
        rules = tuple(
            RuleOutcome(
                rule, failed[0].summary, "", (), "serious", num_violations=len(failed),
                violations_by_impact={"serious": len(failed)}, violations=tuple(failed),
            )
            for rule, failed in sorted(nodes.items())
        )  # fmt: skip
        elements = len({one["path"] for one in found})
        return Audit(self.version(), rules, None, elements, engine=self.name, has_passes=False), ()


def pytest_design2a11y_engines() -> list[Engine]:
    return [
        Engine("ibm", "IBM Equal Access", lambda settings: Ibm(Path(os.environ.get("ACE_SCRIPT", "ace.js"))))
    ]

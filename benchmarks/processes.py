"""Processor time of this process and all that it started, as Linux reports them in /proc."""

from __future__ import annotations

import os
from pathlib import Path

from pytest_design2a11y.capture.browser.processes import command_line, descendants

TICKS = os.sysconf("SC_CLK_TCK")
#: Kinds of processes: ours, Playwright's driver, the browser's own (including painting), its renderers.
KINDS = ("ours", "driver", "browser", "renderers")


def kind_of(process: int) -> str:
    """Return the kind of a process that is this one or was started by it."""
    words = command_line(process)
    program = Path(words[0]).name if words else ""
    if "python" in program:
        return "ours"
    if "node" in program:
        return "driver"
    # A newly forked process still has the command line of its parent, the zygote that starts renderers.
    is_renderer = not words or any(word in ("--type=renderer", "--type=zygote") for word in words)
    return "renderers" if is_renderer else "browser"


def processor_seconds() -> float:
    """Return the time used by this process and all that it started, including those that have ended."""
    ticks = 0
    for process in descendants(os.getpid()):
        try:
            fields = Path(f"/proc/{process}/stat").read_text().rsplit(")", 1)[1].split()
        except OSError:
            continue
        ticks += sum(map(int, fields[11:15]))
    return ticks / TICKS

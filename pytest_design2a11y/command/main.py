"""The `design2a11y` command: parses arguments and runs the pipeline; Ctrl-C ends it with one line.

Exit codes: 0 measured; 1 a given limit or gate fails; 2 usage error; 3 nothing fails, but a page could not be
measured, or a limit or gate could not be judged; 130 interrupted.
"""

import gc
import sys
from collections.abc import Sequence

EXIT_INTERRUPTED = 130

#: Number of new objects between two searches for unused ones: what is imported stays in use.
_OBJECTS = 50_000


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command and return its exit code."""
    gc.set_threshold(_OBJECTS)
    # Imports must be interruptible, too.
    try:
        from pytest_design2a11y.interrupts import interruptible_once

        with interruptible_once():
            if (sys.argv[1:] if arguments is None else [*arguments]) == ["--version"]:
                # Skip the commands, whose import takes most of the time.
                from importlib.metadata import version

                sys.stdout.write(version("pytest-design2a11y") + "\n")
                return 0
            from pytest_design2a11y.command.shell import run
            from pytest_design2a11y.wording import read_by

            with read_by("command"):
                return run(arguments)
    except KeyboardInterrupt:
        sys.stderr.write("design2a11y: interrupted\n")
        return EXIT_INTERRUPTED

"""What the command prints: options are named as its users type them."""

from __future__ import annotations

import sys
from typing import TextIO

from pytest_design2a11y.settings.options import in_command


def say(text: str, *, file: TextIO | None = None, end: str = "\n") -> None:
    """Print a text, at once; to standard output, unless another file is named."""
    print(in_command(text), file=file or sys.stdout, end=end, flush=True)

"""The fonts of this machine, as fontconfig tells them, which is whom browsers on Linux ask."""

from __future__ import annotations

import hashlib
import shutil
import subprocess
import sys

FONTS_ADVICE = (
    "Install some, such as by `apt-get install fonts-liberation fonts-noto-core`; where they are installed,"
    " look at what the environment variables FONTCONFIG_FILE and FONTCONFIG_PATH name."
)

# Seconds; the first listing after an installation reads every font.
_PATIENCE = 60


def list_fonts() -> tuple[str, ...] | None:
    """Return the font files of this machine, sorted; None where fontconfig cannot be asked."""
    command = shutil.which("fc-list")
    if command is None or sys.platform != "linux":
        return None
    try:
        answer = subprocess.run([command, ":", "file"], capture_output=True, timeout=_PATIENCE, check=True)
    except (OSError, subprocess.SubprocessError):
        return None
    return tuple(sorted(answer.stdout.decode(errors="replace").splitlines()))


def fonts_digest() -> str | None:
    """Return what tells the fonts of this machine apart from others; None if unknown."""
    fonts = list_fonts()
    return None if fonts is None else hashlib.sha256("\n".join(fonts).encode()).hexdigest()

"""Which commit of the user's repository a run belongs to."""

from __future__ import annotations

import subprocess
from pathlib import Path

_SECONDS = 10.0


def current_commit(folder: Path) -> str:
    """Return the commit that is checked out in a folder, "-dirty" after it where files differ from it.

    "" where there is no git, no repository or no commit, or git takes too long.
    """
    command = ("git", "-C", str(folder), "describe", "--always", "--dirty", "--abbrev=40", "--exclude=*")
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=_SECONDS, check=True)
    except (OSError, subprocess.SubprocessError, UnicodeDecodeError):
        return ""
    return done.stdout.strip()

"""Files of accessibility violations, in the format of their suffix."""

from __future__ import annotations

import json
from pathlib import Path

from pytest_design2a11y.files import write_text, write_whole
from pytest_design2a11y.models.audit import Accepted
from pytest_design2a11y.models.run import Run
from pytest_design2a11y.report.long_table import findings_csv
from pytest_design2a11y.report.sarif import code_quality, sarif

_MAKERS = {".sarif": sarif, ".json": code_quality}


def write_findings(path: Path, run: Run, accepted: Accepted) -> None:
    """Write a run's violations as SARIF, as GitLab's Code Quality report (.json), or else as CSV."""
    if make := _MAKERS.get(path.suffix.lower()):
        write_whole(path, (json.dumps(make(run, accepted), indent=1) + "\n").encode())
    else:
        write_text(path, (f"{line}\n" for line in findings_csv(run, accepted)))

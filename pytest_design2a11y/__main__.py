"""`python -m pytest_design2a11y`: the `design2a11y` command."""

from __future__ import annotations

import sys

from pytest_design2a11y.command.main import main

sys.exit(main())

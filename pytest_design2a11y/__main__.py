"""`python -m pytest_design2a11y`: the `design2a11y` command."""

import sys

from pytest_design2a11y.command.main import main

sys.exit(main())

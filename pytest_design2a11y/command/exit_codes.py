"""Exit codes of the `design2a11y` command."""

EXIT_MEASURED, EXIT_LIMIT, EXIT_USAGE, EXIT_UNMEASURED = 0, 1, 2, 3

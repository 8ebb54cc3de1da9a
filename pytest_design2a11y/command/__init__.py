"""The `design2a11y` command."""

"""Accessibility findings by audit engines."""

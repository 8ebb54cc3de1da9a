"""The text that a person can read on a page."""

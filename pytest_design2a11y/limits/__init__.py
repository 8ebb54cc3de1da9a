"""Limits, policies over samples, verdicts of pages and cases."""

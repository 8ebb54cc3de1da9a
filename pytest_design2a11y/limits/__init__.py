"""Limits, policies over samples, and verdicts on pages and cases."""

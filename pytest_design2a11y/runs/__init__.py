"""Saved runs: stored as files, grouped into cases, compared with statistics, gated, followed over time."""

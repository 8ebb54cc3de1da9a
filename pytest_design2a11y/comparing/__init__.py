"""Summaries of runs and how runs differ: means, intervals, conditions, gates."""

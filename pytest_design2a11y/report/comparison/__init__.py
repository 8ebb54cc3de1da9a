"""Comparisons of runs, for people and machines."""

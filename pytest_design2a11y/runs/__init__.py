"""Saved runs: storing them as files and assigning files to cases."""

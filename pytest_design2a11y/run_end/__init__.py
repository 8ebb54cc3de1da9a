"""The end of a run, for plugin and command: judging, saving, comparing, reporting."""

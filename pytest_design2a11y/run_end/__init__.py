"""The end of a run, for plugin and command: judged, saved, compared, reported."""

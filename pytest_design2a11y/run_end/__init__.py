"""What a finished run comes to: judged, saved, compared, reported; the same for plugin and command."""

"""Pages as real tools build them, each scored against its own settled picture."""

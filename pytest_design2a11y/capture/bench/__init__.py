"""A page that stays open while edits are tried on it."""

"""A page that still runs, and what is tried on it."""

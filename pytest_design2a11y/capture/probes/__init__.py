"""Probes: open a page, act on it, and tell what cannot be done or seen any more."""

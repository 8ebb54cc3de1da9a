"""The stages in order, pairs of pages, and who runs them."""

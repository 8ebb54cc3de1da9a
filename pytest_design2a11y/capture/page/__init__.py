"""Open a page, let it load, freeze it."""

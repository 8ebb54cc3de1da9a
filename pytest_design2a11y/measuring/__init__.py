"""The stages in order, pairs of pages, and the executors that run them."""

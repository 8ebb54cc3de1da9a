"""The clock of a page, which moves only when the page is driven."""

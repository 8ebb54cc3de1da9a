"""One page as a person sees it: its texts, its things, what is where, and where two pages differ."""

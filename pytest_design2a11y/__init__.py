"""Visual similarity and accessibility rates of generated pages, in pytest."""

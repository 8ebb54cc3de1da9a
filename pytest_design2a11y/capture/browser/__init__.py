"""Find, start, watch and end the browser."""

"""A picture of a design becomes a capture: decoded, scaled, read, grouped into paragraphs."""

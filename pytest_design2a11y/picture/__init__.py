"""Turn a picture of a design into a capture: decode it, scale it, read it, group its text into paragraphs."""

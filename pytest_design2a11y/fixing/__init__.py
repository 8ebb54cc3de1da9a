"""What to change on a page so that it shows its design: edits that were tried before they are told."""

"""What a page may load, and from where."""

"""Results as text that people read and files that machines read."""

"""All code that depends on pytest."""

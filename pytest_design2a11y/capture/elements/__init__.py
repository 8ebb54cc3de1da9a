"""What a page shows besides its text."""

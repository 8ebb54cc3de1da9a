"""Records that the stages hand on, their JSON, and metrics as data: no behaviour, no browser."""

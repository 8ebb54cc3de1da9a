"""Records passed between stages, their JSON, and metrics as data: no behaviour, no browser."""

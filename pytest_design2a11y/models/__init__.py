"""Records passed between stages, their JSON, and metrics as data: no behavior, no browser."""

"""Records passed between stages, their JSON, differences in words, metrics as data; no behavior."""

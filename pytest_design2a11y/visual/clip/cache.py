"""Embeddings kept on disk, shared by processes."""

from __future__ import annotations

import os
from pathlib import Path

import numpy
from numpy.typing import NDArray

from pytest_design2a11y.files import FileTooLarge, read_regular, remove_least_recent, write_whole

_WRITES_BETWEEN_SWEEPS = 256
# No model gives so many numbers.
_MAX_BYTES = 1_000_000


class EmbeddingCache:
    """Embeddings by content in a folder, which processes share; those used longest ago go first."""

    def __init__(self, folder: Path, *, dimensions: int | None = None, max_bytes: int = 64 * 2**20) -> None:
        """Prepare; the folder is made with the first embedding."""
        self._folder = folder
        self._dimensions = dimensions
        self._max_bytes = max_bytes
        self._writes = 0

    def get(self, key: str) -> NDArray[numpy.float32] | None:
        """The embedding stored under that name, or None."""
        path = self._path(key)
        try:
            embedding = numpy.frombuffer(read_regular(path, _MAX_BYTES), dtype="<f4")
            os.utime(path)
        except (OSError, FileTooLarge, ValueError):
            return None
        if embedding.size != (self._dimensions or embedding.size):
            return None
        exact = embedding.astype(numpy.float64)
        is_whole = embedding.size > 0 and abs(float(exact @ exact) - 1.0) < 1e-3
        return embedding.astype(numpy.float32) if is_whole else None

    def put(self, key: str, embedding: NDArray[numpy.float32]) -> None:
        """Store a normalised embedding; a folder that cannot be written to is left as it is."""
        path = self._path(key)
        try:
            write_whole(path, embedding.astype("<f4").tobytes())
        except OSError:
            return
        if self._writes % _WRITES_BETWEEN_SWEEPS == 0:
            self.sweep()
        self._writes += 1

    def sweep(self) -> None:
        """Delete the least recently used files until the folder is within its limit."""
        entries = ([path] for path in self._folder.glob("??/*"))
        remove_least_recent(entries, max_bytes=self._max_bytes)

    def _path(self, key: str) -> Path:
        return self._folder / key[:2] / f"{key}.f32"

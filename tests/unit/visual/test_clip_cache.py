"""Embeddings on disk: shared, bounded, and never believed when damaged."""

from __future__ import annotations

import os
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path

import numpy
import pytest
from numpy.typing import NDArray

from pytest_design2a11y.visual.clip.backend import EmbeddingCache
from tests.posix import make_pipe

_KEY = "ab" * 32


def _embedding(seed: int) -> NDArray[numpy.float32]:
    row = numpy.random.default_rng(seed).normal(size=512).astype(numpy.float32)
    return (row / numpy.linalg.norm(row)).astype(numpy.float32)


def _files(folder: Path) -> list[Path]:
    return sorted(path for path in folder.rglob("*") if path.is_file())


def test_what_was_stored_comes_back_bit_by_bit_in_another_object(tmp_path: Path) -> None:
    EmbeddingCache(tmp_path / "new" / "folder").put(_KEY, _embedding(1))

    found = EmbeddingCache(tmp_path / "new" / "folder").get(_KEY)

    assert found is not None
    numpy.testing.assert_array_equal(found, _embedding(1))


def test_what_was_not_stored_is_not_there(tmp_path: Path) -> None:
    assert EmbeddingCache(tmp_path).get(_KEY) is None


@pytest.mark.parametrize("content", [b"", b"abc", bytes(2048), numpy.full(512, numpy.nan, "<f4").tobytes()])
def test_a_damaged_file_counts_as_not_there(tmp_path: Path, content: bytes) -> None:
    cache = EmbeddingCache(tmp_path)
    cache.put(_KEY, _embedding(1))
    (file,) = _files(tmp_path)
    file.write_bytes(content)

    assert cache.get(_KEY) is None


def test_a_shortened_file_counts_as_not_there(tmp_path: Path) -> None:
    cache = EmbeddingCache(tmp_path)
    cache.put(_KEY, _embedding(1))
    (file,) = _files(tmp_path)
    file.write_bytes(file.read_bytes()[:1000])

    assert cache.get(_KEY) is None


def test_the_least_recently_used_go_first(tmp_path: Path) -> None:
    cache = EmbeddingCache(tmp_path)
    keys = [f"{number:02d}" + "f" * 62 for number in range(5)]
    for age, key in enumerate(keys):
        cache.put(key, _embedding(age))
        os.utime(tmp_path / f"{key}.f32", ns=(age, age))
    assert cache.get(keys[0]) is not None  # and is the most recently used from now on

    EmbeddingCache(tmp_path, max_bytes=3 * 2048).put(_KEY, _embedding(9))

    assert [cache.get(key) is not None for key in keys] == [True, False, False, False, True]


def test_the_folder_is_swept_when_a_process_starts_to_write(tmp_path: Path) -> None:
    filled = EmbeddingCache(tmp_path)
    for number in range(10):
        filled.put(f"{number:02d}" + "e" * 62, _embedding(number))

    EmbeddingCache(tmp_path, max_bytes=4 * 2048).put(_KEY, _embedding(99))

    assert len(_files(tmp_path)) == 4


def test_a_folder_that_cannot_be_written_to_changes_nothing(tmp_path: Path) -> None:
    occupied = tmp_path / "file"
    occupied.write_text("not a folder", encoding="utf-8")
    cache = EmbeddingCache(occupied)

    cache.put(_KEY, _embedding(1))

    assert cache.get(_KEY) is None
    assert occupied.read_text(encoding="utf-8") == "not a folder"


def _write_and_read(folder: Path, seed: int) -> int:
    """How many of many reads saw something else than a whole embedding."""
    cache = EmbeddingCache(folder)
    num_wrong = 0
    for _ in range(150):
        cache.put(_KEY, _embedding(seed))
        found = cache.get(_KEY)
        num_wrong += found is None or not any(numpy.array_equal(found, _embedding(one)) for one in (1, 2))
    return num_wrong


def test_processes_that_write_the_same_name_never_see_half_a_file(tmp_path: Path) -> None:
    with ProcessPoolExecutor(2, mp_context=get_context("spawn")) as pool:
        wrong = list(pool.map(_write_and_read, [tmp_path, tmp_path], [1, 2]))

    assert wrong == [0, 0]
    assert len(_files(tmp_path)) == 1


def test_an_embedding_of_another_model_counts_as_not_there(tmp_path: Path) -> None:
    """Numbers of another length could not be compared, and would end every run."""
    EmbeddingCache(tmp_path).put(_KEY, _embedding(1))

    assert EmbeddingCache(tmp_path, dimensions=512).get(_KEY) is not None
    assert EmbeddingCache(tmp_path, dimensions=768).get(_KEY) is None


def test_a_pipe_among_the_embeddings_is_not_waited_for(tmp_path: Path) -> None:
    cache = EmbeddingCache(tmp_path)
    cache.put(_KEY, _embedding(1))
    (file,) = _files(tmp_path)
    file.unlink()
    make_pipe(file)

    assert cache.get(_KEY) is None

"""A clone with nothing beside it: the files of conformance load, and skip."""

from __future__ import annotations

import shutil
from contextlib import suppress
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path

import pytest

FILES = sorted(Path(__file__).parents[2].glob("conformance/test_*.py"))


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_it_loads_where_no_corpus_lies(tmp_path: Path, file: Path) -> None:
    folder = tmp_path / "clone" / "tests" / "conformance"
    folder.mkdir(parents=True)
    found = spec_from_file_location(f"alone_{file.stem}", shutil.copy(file, folder))
    assert found
    assert found.loader
    module = module_from_spec(found)

    with suppress(pytest.skip.Exception):
        found.loader.exec_module(module)

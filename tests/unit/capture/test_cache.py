"""Captures of references on disk: found only where nothing that they depend on has changed."""

from __future__ import annotations

import hashlib
import io
import json
import os
import shutil
from dataclasses import MISSING, fields, replace
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

import pytest_design2a11y.capture as capture_stage
from pytest_design2a11y.capture.cache import CaptureCache, ReferenceStore, code_digest, scripts_digest
from pytest_design2a11y.capture.isolation.site_files import SiteFiles
from pytest_design2a11y.files import CacheFolder
from pytest_design2a11y.models.elements import Element, Screenshot, Trouble, Veil
from pytest_design2a11y.models.page import (
    Capture,
    CaptureWarning,
    Document,
    Environment,
    SourceText,
    TextRun,
    Unseen,
)
from pytest_design2a11y.models.viewport import Viewport
from tests.posix import make_pipe

#: What only candidates have, or only a capture that is not kept: with audits, probes or pictures, or broken.
NOT_KEPT = {"audits", "audit_errors", "probes", "probe_errors", "picture_boxes", "image_error"}
NOT_KEPT |= {"digest", "files", "lost_files", "document", "seconds"}
CONDITIONS = {"chromium": "156", "viewport": (1280, 720)}


def png(width: int, height: int) -> bytes:
    stream = io.BytesIO()
    Image.new("RGB", (width, height), "white").save(stream, "PNG")
    return stream.getvalue()


@pytest.fixture
def document(tmp_path: Path) -> Document:
    (tmp_path / "style.css").write_text("body {}")
    own = (CaptureWarning("quirks_mode", "No doctype."),)
    return Document("design.html", b"<h1>Hello</h1>", folder=str(tmp_path), warnings=own)


@pytest.fixture
def capture(document: Document) -> Capture:
    return Capture(
        label=document.label,
        role="reference",
        image=Screenshot(png(1280, 720)),
        page_size=(1280, 720),
        text_runs=(
            TextRun("Hello", ((1.5, 2.25, 3.0, 4.0),), (1, 2, 3), 7, 0.5),
            TextRun("Gradient", ((1.5, 8.0, 3.0, 4.0),), None, 8, source=SourceText("Gra\n dient", True)),
        ),
        elements=(
            Element("line", "hr", (0.0, 9.0, 90.0, 1.0), (1, 2, 3)),
            Element(
                *("icon", "i::before", (1.0, 2.0, 16.0, 16.0), (9, 8, 7)),
                thumbnail=((9, 8, 7),) * 36,
                texture=tuple(range(256)) + (5,) * 320,
                shown=0.5,
                is_fill_seen=False,
                fills=((1, 1, 1), (2, 2, 2)),
                natural_size=(640, 480),
                states=("checked", "disabled"),
            ),
        ),
        ground=(250, 250, 250),
        veils=(Veil((0.0, 0.0, 1280.0, 720.0), (0, 0, 0), 0.5),),
        mask_boxes=((10.0, 20.0, 30.0, 40.0),),
        unseen=(Unseen("Row 9", (1.0, 2.0, 3.0, 4.0), (0.0, 0.0, 9.0, 9.0), is_read=False, look="a"),),
        overlaps=(Trouble("covered", (1.0, 2.0, 3.0, 4.0), "Total", (0.0, 0.0, 9.0, 9.0), 0.25),),
        warnings=(*document.warnings, CaptureWarning("missing_files", "a.png", 2)),
        environment=Environment("156", None, "0.1"),
        viewport=Viewport(375, 812, 3.0, touch=True, scheme="dark"),
        conditions={"javascript": False, "allowed_hosts": ["cdn"], "max_height": 16_000},
    )


@pytest.fixture
def cache(tmp_path: Path) -> CaptureCache:
    return CaptureCache(ReferenceStore(CacheFolder(tmp_path / "cache")))


def keep(cache: CaptureCache, document: Document, capture: Capture, **files: str | None) -> None:
    assert document.folder is not None
    digests = {"/style.css": SiteFiles(document).digest("/style.css"), **files}
    cache.keep(document, CONDITIONS, capture, digests)


def optional() -> list[Any]:
    """Return the fields of a capture that have a default: a new one is to be kept, and filled above."""
    return [
        one for one in fields(Capture) if one.default is not MISSING or one.default_factory is not MISSING
    ]


def test_a_kept_capture_is_found_as_it_was(cache: CaptureCache, document: Document, capture: Capture) -> None:
    usual = {one.name: one.default_factory() if one.default is MISSING else one.default for one in optional()}
    assert {name for name, value in usual.items() if getattr(capture, name) == value} == NOT_KEPT
    keep(cache, document, capture)

    found = cache.find(document, CONDITIONS)

    assert found is not None
    assert vars(found) == vars(capture)


def test_other_content_or_conditions_are_another_entry(
    cache: CaptureCache, document: Document, capture: Capture
) -> None:
    keep(cache, document, capture)
    other = Document("design.html", b"<h1>Other</h1>", folder=document.folder)

    assert cache.find(other, CONDITIONS) is None
    assert cache.find(document, {**CONDITIONS, "chromium": "157"}) is None


def test_a_changed_file_of_the_page_makes_the_entry_stale(
    cache: CaptureCache, document: Document, capture: Capture, tmp_path: Path
) -> None:
    keep(cache, document, capture)
    (tmp_path / "style.css").write_text("body { color: red }")

    assert cache.find(document, CONDITIONS) is None


def test_a_file_that_was_missing_and_is_there_now_makes_the_entry_stale(
    cache: CaptureCache, document: Document, capture: Capture, tmp_path: Path
) -> None:
    keep(cache, document, capture, **{"/logo.png": None})
    assert cache.find(document, CONDITIONS) is not None

    (tmp_path / "logo.png").write_bytes(b"picture")

    assert cache.find(document, CONDITIONS) is None


def test_a_linked_file_that_leads_elsewhere_makes_the_entry_stale(
    cache: CaptureCache, document: Document, capture: Capture, tmp_path: Path
) -> None:
    (tmp_path / "red.css").write_text("body { color: red }")
    (tmp_path / "blue.css").write_text("body { color: blue }")
    link = tmp_path / "theme.css"
    link.symlink_to("red.css")
    keep(cache, document, capture, **{"/theme.css": SiteFiles(document).digest("/theme.css")})
    assert cache.find(document, CONDITIONS) is not None

    link.unlink()
    link.symlink_to("blue.css")

    assert cache.find(document, CONDITIONS) is None


@pytest.mark.parametrize("damage", [b"", b"short", b"x" * 1000])
def test_a_damaged_entry_is_not_used(
    cache: CaptureCache, document: Document, capture: Capture, tmp_path: Path, damage: bytes
) -> None:
    keep(cache, document, capture)
    (entry,) = (tmp_path / "cache").iterdir()
    entry.write_bytes(damage)

    assert cache.find(document, CONDITIONS) is None
    keep(cache, document, capture)
    assert cache.find(document, CONDITIONS) is not None


def test_every_script_of_the_capture_stage_is_part_of_the_entries_key(tmp_path: Path) -> None:
    """Rules that it shares with other stages too: a number would be kept after its rule changed."""
    source = Path(capture_stage.__file__).parent
    folders = [tmp_path / "capture", tmp_path / "picture", tmp_path / "models"]
    for folder in folders:
        shutil.copytree(source.with_name(folder.name), folder, ignore=shutil.ignore_patterns("__pycache__"))
    assert scripts_digest(*folders) == code_digest()
    scripts = [path for path in tmp_path.rglob("*.*") if path.suffix in (".py", ".js", ".json")]
    assert {path.parent.name for path in scripts} >= {"page", "text", "audit", "isolation", "models"}

    for path in scripts:
        text = path.read_bytes()
        path.write_bytes(text + b" ")
        assert scripts_digest(*folders) != code_digest(), path
        path.write_bytes(text)


def test_the_entries_used_longest_ago_make_room(document: Document, capture: Capture, tmp_path: Path) -> None:
    cache = CaptureCache(ReferenceStore(CacheFolder(tmp_path / "cache", max_bytes=15_000)))
    documents = [Document("d", bytes([number]), folder=document.folder) for number in range(5)]
    for age, one in enumerate(documents):
        cache.keep(one, CONDITIONS, capture, {})
        for path in (tmp_path / "cache").iterdir():
            if path.stat().st_mtime > 10**9:
                os.utime(path, (age, age))

    kept = [cache.find(one, CONDITIONS) is not None for one in documents]

    assert kept == sorted(kept)
    assert 0 < sum(kept) < 5


def test_a_folder_that_cannot_be_written_is_no_error(
    document: Document, capture: Capture, tmp_path: Path
) -> None:
    (tmp_path / "file").write_text("")
    cache = CaptureCache(ReferenceStore(CacheFolder(tmp_path / "file" / "cache")))

    keep(cache, document, capture)

    assert cache.find(document, CONDITIONS) is None


ODD: dict[str, tuple[Any, ...]] = {
    "page_size": ([], [1], ["a", "b"], [1e999, 1], {}, [4000, 720]),
    "files": ([], ["a"], None, 5),
    "text_runs": ([5], [{}], "abc", [{"text": 5}]),
    "warnings": ([{"code": []}], [{"code": 5, "message": "x", "count": "y"}], "x"),
    "environment": ({}, [], {"chromium": [], "axe": None, "package": 5}),
    "mask_boxes": ([[1]], [["a", "b", "c", "d"]], 5, [[1e999, 1, 1, 1]]),
    "viewport": ({"width": "x"}, []),
    "conditions": ([], "x", 5),
}


@pytest.mark.parametrize("name", ODD)
def test_an_entry_that_somebody_made_up_is_made_again(
    name: str, cache: CaptureCache, document: Document, capture: Capture, tmp_path: Path
) -> None:
    """Its digest fits, its values do not: whoever may write to a shared folder could end all runs with it."""
    keep(cache, document, capture)
    (entry,) = (tmp_path / "cache").iterdir()
    line, _, picture = entry.read_bytes()[32:].partition(b"\n")
    for value in ODD[name]:
        content = json.dumps({**json.loads(line), name: value}).encode() + b"\n" + picture
        entry.write_bytes(hashlib.sha256(content).digest() + content)

        assert cache.find(document, CONDITIONS) is None, value


@pytest.mark.parametrize("picture", [b"", b"GIF89a", png(1280, 721), b"[" * 100_000], ids=len)
def test_an_entry_with_another_picture_is_made_again(
    picture: bytes, cache: CaptureCache, document: Document, capture: Capture
) -> None:
    keep(cache, document, replace(capture, image=Screenshot(picture)))

    assert cache.find(document, CONDITIONS) is None


def test_a_pipe_among_the_entries_is_not_waited_for(
    cache: CaptureCache, document: Document, capture: Capture, tmp_path: Path
) -> None:
    keep(cache, document, capture)
    (entry,) = (tmp_path / "cache").iterdir()
    entry.unlink()
    make_pipe(entry)

    assert cache.find(document, CONDITIONS) is None

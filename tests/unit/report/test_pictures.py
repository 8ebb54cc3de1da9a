from __future__ import annotations

import io
import os
from dataclasses import replace
from pathlib import Path

import numpy
import pytest
from PIL import Image

from pytest_design2a11y.models.elements import Screenshot
from pytest_design2a11y.models.evaluation import Evaluation
from pytest_design2a11y.models.page import Capture, Environment, Role
from pytest_design2a11y.runs.pictures import (
    MAX_BYTES,
    MAX_HEIGHT,
    SMALL_SIZE,
    load_picture,
    prune_pictures,
    store_pictures,
)


def make_capture(image: Image.Image, role: Role = "candidate") -> Capture:
    buffer = io.BytesIO()
    image.save(buffer, "PNG")
    return Capture(
        "page.html",
        role,
        Screenshot(buffer.getvalue()),
        image.size,
        (),
        (),
        Environment("1", None, "1"),
    )


def noise(width: int, height: int) -> Image.Image:
    pixels = numpy.random.default_rng(7).integers(0, 256, (height, width, 3), dtype=numpy.uint8)
    return Image.fromarray(pixels)


def opened(data: bytes) -> Image.Image:
    image = Image.open(io.BytesIO(data))
    image.load()
    return image


def test_pictures_come_back_by_role(tmp_path: Path) -> None:
    captures = [
        make_capture(Image.new("RGB", (1280, 720), "red"), "reference"),
        make_capture(Image.new("RGB", (1280, 900), "blue")),
    ]

    pictures = store_pictures(captures, tmp_path / "new" / "folder")

    evaluation = Evaluation(id="t", case="c", candidate="page.html", pictures=pictures)
    reference = load_picture(evaluation, "reference", tmp_path / "new" / "folder")
    candidate = load_picture(evaluation, "candidate", tmp_path / "new" / "folder")
    assert reference is not None
    assert candidate is not None
    assert opened(reference.full).size == (1280, 720)
    assert opened(candidate.full).size == (1280, 900)
    red, _, blue = opened(reference.small).convert("RGB").getpixel((5, 5))  # type: ignore[misc]
    assert red > 200 > 60 > blue


def test_the_same_page_is_kept_once_whoever_keeps_it(tmp_path: Path) -> None:
    capture = make_capture(noise(300, 200))

    first = store_pictures([capture], tmp_path)
    before = {path: path.stat().st_ino for path in tmp_path.iterdir()}
    second = store_pictures([capture], tmp_path)

    assert first == second
    assert {path: path.stat().st_ino for path in tmp_path.iterdir()} == before
    assert len(before) == 2


@pytest.mark.parametrize("size", [(1280, 1500), (40, 16_000), (3, 2000), (1280, 1)])
def test_no_picture_is_larger_than_allowed(tmp_path: Path, size: tuple[int, int]) -> None:
    pictures = store_pictures([make_capture(noise(*size))], tmp_path)

    full = (tmp_path / pictures["candidate"]).read_bytes()
    assert len(full) <= MAX_BYTES
    assert opened(full).height <= MAX_HEIGHT


def test_a_small_picture_shows_the_top_whatever_the_shape(tmp_path: Path) -> None:
    flat = Image.new("RGB", (1280, 10), "black")

    pictures = store_pictures([make_capture(flat)], tmp_path)

    evaluation = Evaluation(id="t", case="c", candidate="page.html", pictures=pictures)
    picture = load_picture(evaluation, "candidate", tmp_path)
    assert picture is not None
    small = opened(picture.small).convert("L")
    assert small.size == SMALL_SIZE
    bottom = small.getpixel((50, SMALL_SIZE[1] - 1))
    assert isinstance(bottom, int)
    assert bottom > 240


@pytest.mark.parametrize("name", ["../secret.webp", "/etc/passwd", "a" * 40 + ".png", "", "CON", "x\0.webp"])
def test_only_names_of_stored_pictures_are_read(tmp_path: Path, name: str) -> None:
    (tmp_path / "secret.webp").write_bytes(b"secret")
    evaluation = Evaluation(id="t", case="c", candidate="p", pictures={"candidate": name})

    assert load_picture(evaluation, "candidate", tmp_path / "pictures") is None


def test_a_picture_that_is_gone_is_none(tmp_path: Path) -> None:
    pictures = store_pictures([make_capture(noise(20, 20))], tmp_path)
    evaluation = Evaluation(id="t", case="c", candidate="p", pictures=pictures)
    for path in tmp_path.iterdir():
        path.unlink()

    assert load_picture(evaluation, "candidate", tmp_path) is None
    assert load_picture(replace(evaluation, pictures={}), "candidate", tmp_path) is None


def test_pictures_that_were_used_longest_ago_go_first(tmp_path: Path) -> None:
    captures = [make_capture(Image.new("RGB", (1280, 720), color)) for color in ("red", "green", "blue")]
    names = [store_pictures([capture], tmp_path)["candidate"] for capture in captures]
    for age, name in enumerate(reversed(names)):
        for path in tmp_path.glob(name.replace(".webp", "*")):
            os.utime(path, (1_000_000 - age, 1_000_000 - age))
    size = sum(path.stat().st_size for path in tmp_path.iterdir())

    store_pictures([captures[0]], tmp_path)
    prune_pictures(tmp_path, max_bytes=size)
    assert len(list(tmp_path.iterdir())) == 6
    prune_pictures(tmp_path, max_bytes=size - 1)

    left = {path.name.replace("-small", "") for path in tmp_path.iterdir()}
    assert left == {names[0], names[2]}
    assert len(list(tmp_path.iterdir())) == 4


def test_a_picture_of_which_a_part_is_gone_is_kept_anew(tmp_path: Path) -> None:
    capture = make_capture(Image.new("RGB", (1280, 720), "red"))
    name = store_pictures([capture], tmp_path)["candidate"]
    (tmp_path / name.replace(".webp", "-small.webp")).unlink()

    store_pictures([capture], tmp_path)

    evaluation = Evaluation(id="t", case="c", candidate="page.html", pictures={"candidate": name})
    assert load_picture(evaluation, "candidate", tmp_path) is not None


def test_a_folder_that_is_not_there_needs_no_pruning(tmp_path: Path) -> None:
    prune_pictures(tmp_path / "nowhere")

    assert not (tmp_path / "nowhere").exists()


def test_a_failed_write_leaves_nothing_behind(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(self: Path, target: Path) -> Path:
        raise OSError("disk full")

    monkeypatch.setattr(Path, "replace", refuse)
    with pytest.raises(OSError, match="disk full"):
        store_pictures([make_capture(noise(20, 20))], tmp_path)

    assert list(tmp_path.iterdir()) == []

"""A screenshot's pixels, as the browser writes them fast and as others write them."""

from __future__ import annotations

import io
import struct
import zlib

import numpy as np
import pytest
from PIL import Image

from pytest_design2a11y.models import elements
from pytest_design2a11y.models.elements import Screenshot

PIXELS = np.random.default_rng(7).integers(0, 256, (9, 5, 3)).astype(np.uint8)


def png_of(header: tuple[int, ...], lines: bytes) -> bytes:
    """Return a PNG with this header and these lines, each after the number of its filter."""
    parts = ((b"IHDR", struct.pack(">IIBBBBB", *header)), (b"IDAT", zlib.compress(lines)), (b"IEND", b""))
    told = (
        struct.pack(">I", len(part)) + name + part + struct.pack(">I", zlib.crc32(name + part))
        for name, part in parts
    )
    return b"\x89PNG\r\n\x1a\n" + b"".join(told)


def told_by_the_line_above() -> bytes:
    flat = PIXELS.reshape(9, -1)
    steps = flat - np.vstack([np.zeros_like(flat[:1]), flat[:-1]])
    return b"".join(b"\x02" + line.tobytes() for line in steps)


def test_a_picture_that_the_browser_writes_fast_is_read_without_pillow(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    png = png_of((5, 9, 8, 2, 0, 0, 0), told_by_the_line_above())
    assert (np.asarray(Image.open(io.BytesIO(png))) == PIXELS).all()

    monkeypatch.setattr(Image, "open", None)
    read = Screenshot(png).pixels

    assert (read == PIXELS).all()
    assert not read.flags.writeable


@pytest.mark.parametrize(
    "header",
    [
        pytest.param((5, 9, 8, 2, 0, 0, 1), id="interlaced"),
        pytest.param((4, 9, 8, 6, 0, 0, 0), id="with opacity"),
        pytest.param((5, 8, 8, 2, 0, 0, 0), id="shorter than told"),
        pytest.param((5, 90_000_000, 8, 2, 0, 0, 0), id="more than there can be"),
    ],
)
def test_any_other_picture_is_left_to_pillow(header: tuple[int, ...]) -> None:
    assert elements._written_fast(png_of(header, told_by_the_line_above())) is None


@pytest.mark.parametrize("mode", ["RGB", "RGBA", "P", "L"])
def test_pictures_of_all_kinds_are_read(mode: str) -> None:
    file = io.BytesIO()
    Image.fromarray(PIXELS).convert(mode).save(file, "PNG")

    expected = np.asarray(Image.fromarray(PIXELS).convert(mode).convert("RGB"))
    assert (Screenshot(file.getvalue()).pixels == expected).all()
    assert elements._written_fast(b"no picture") is None

"""A picture file becomes pixels as a person sees them; what it is not, is said."""

from __future__ import annotations

import io
import struct
from typing import Any

import numpy as np
import pytest
from PIL import Image, ImageCms

from pytest_design2a11y.exceptions import PictureTooLarge, PictureUnreadable
from pytest_design2a11y.picture import decode
from pytest_design2a11y.picture.decode import decode_picture


def file_of(image: Image.Image, format: str = "PNG", **options: Any) -> bytes:
    file = io.BytesIO()
    image.save(file, format, **options)
    return file.getvalue()


def codes(content: bytes) -> list[str]:
    return [warning.code for warning in decode_picture(content, label="design").warnings]


def test_a_plain_png_is_taken_as_it_is() -> None:
    picture = decode_picture(file_of(Image.new("RGB", (3, 2), (10, 20, 30))), label="design.png")

    assert picture.pixels.shape == (2, 3, 3)
    assert picture.pixels[0, 0].tolist() == [10, 20, 30]
    assert (picture.scale, picture.warnings) == (None, ())


def test_what_is_transparent_is_laid_on_white_and_said() -> None:
    content = file_of(Image.new("RGBA", (2, 2), (0, 0, 0, 0)))

    assert decode_picture(content, label="design").pixels[0, 0].tolist() == [255, 255, 255]
    assert codes(content) == ["picture_transparent"]


def test_an_opaque_alpha_channel_is_not_worth_a_word() -> None:
    assert codes(file_of(Image.new("RGBA", (2, 2), (9, 9, 9, 255)))) == []


def test_a_picture_that_lies_on_its_side_is_turned_upright() -> None:
    exif = Image.Exif()
    exif[0x0112] = 6
    content = file_of(Image.new("RGB", (4, 2)), "JPEG", exif=exif)

    assert decode_picture(content, label="design").pixels.shape == (4, 2, 3)
    assert codes(content) == ["picture_lossy"]


def test_an_animation_gives_its_first_frame() -> None:
    frames = [Image.new("RGB", (2, 2), color) for color in ("red", "blue")]
    content = file_of(frames[0], "WEBP", save_all=True, append_images=frames[1:], lossless=True)

    assert decode_picture(content, label="design").pixels[0, 0].tolist() == [255, 0, 0]
    assert codes(content) == []


@pytest.mark.parametrize(
    ("image", "format"),
    [(Image.fromarray(np.zeros((2, 2), dtype=np.uint16)), "PNG"), (Image.new("CMYK", (2, 2)), "JPEG")],
    ids=["16 bits", "CMYK"],
)
def test_colors_of_print_and_of_photographs_are_refused(image: Image.Image, format: str) -> None:
    with pytest.raises(PictureUnreadable, match=r"has colors in .*Export it in RGB, 8 bits a channel"):
        decode_picture(file_of(image, format), label="design")


def test_a_profile_other_than_srgb_is_converted() -> None:
    profile = ImageCms.ImageCmsProfile(ImageCms.createProfile("LAB")).tobytes()
    content = file_of(Image.new("RGB", (2, 2), (9, 9, 9)), icc_profile=profile)

    assert codes(content) == ["picture_profile"]


def display_p3() -> bytes:
    """Make the profile of Apple's screens: its primaries for D50, gamma 2.2."""

    def fixed(*values: float) -> bytes:
        return struct.pack(f">{len(values)}i", *(round(value * 65536) for value in values))

    primaries = {
        b"rXYZ": (0.51512, 0.2412, -0.00105),
        b"gXYZ": (0.29198, 0.69225, 0.04189),
        b"bXYZ": (0.1571, 0.06657, 0.78407),
    }
    tags = {
        b"desc": b"desc\0\0\0\0\0\0\0\x0bDisplay P3\0" + bytes(80),
        b"wtpt": b"XYZ \0\0\0\0" + fixed(0.9642, 1, 0.8249),
        **{name: b"XYZ \0\0\0\0" + fixed(*values) for name, values in primaries.items()},
        **dict.fromkeys((b"rTRC", b"gTRC", b"bTRC"), b"curv\x00\x00\x00\x00\x00\x00\x00\x01\x023\x00\x00"),
    }
    start, table, data = 128 + 4 + 12 * len(tags), b"", b""
    for name, content in tags.items():
        table += name + struct.pack(">II", start + len(data), len(content))
        data += content + bytes(-len(content) % 4)
    size = start + len(data)
    head = struct.pack(">I4sI", size, bytes(4), 0x02400000) + b"mntrRGB XYZ " + bytes(12) + b"acsp"
    return head + bytes(128 - len(head)) + struct.pack(">I", len(tags)) + table + data


@pytest.mark.parametrize("mode", ["RGB", "RGBA"])
def test_colours_of_a_wide_gamut_become_those_of_srgb(mode: str) -> None:
    red = Image.new("RGB", (2, 2), (234, 51, 35)).convert(mode)
    decoded = decode_picture(file_of(red, icc_profile=display_p3()), label="design")

    assert np.abs(decoded.pixels[0, 0].astype(int) - (255, 0, 0)).max() <= 6
    assert [(one.code, one.message) for one in decoded.warnings] == [
        ("picture_profile", "The picture's colors were converted from Display P3 to sRGB.")
    ]


def test_the_usual_profile_changes_nothing() -> None:
    profile = ImageCms.ImageCmsProfile(ImageCms.createProfile("sRGB")).tobytes()

    assert codes(file_of(Image.new("RGB", (2, 2)), icc_profile=profile)) == []


@pytest.mark.parametrize(("density", "scale"), [((144, 144), 2.0), ((72, 72), None), ((216, 216), 3.0)])
def test_the_density_of_a_png_tells_its_scale(density: tuple[int, int], scale: float | None) -> None:
    content = file_of(Image.new("RGB", (2, 2)), dpi=density)

    assert decode_picture(content, label="design").scale == scale


@pytest.mark.parametrize("content", [b"", b"<h1>page</h1>", b"GIF89a" + bytes(40)])
def test_what_is_not_a_picture_is_said(content: bytes) -> None:
    with pytest.raises(
        PictureUnreadable, match=r"design\.png is not a picture that can be read here.*Export a PNG"
    ):
        decode_picture(content, label="design.png")


def test_a_truncated_picture_is_damaged() -> None:
    noise = np.random.default_rng(1).integers(0, 255, (64, 64, 3), dtype=np.uint8)
    content = file_of(Image.fromarray(noise))

    with pytest.raises(PictureUnreadable, match=r"The picture design\.png is damaged: .*Export it again"):
        decode_picture(content[: len(content) // 2], label="design.png")


def test_a_bomb_is_refused_before_it_is_decoded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(decode, "MAX_PIXELS", 100)

    with pytest.raises(PictureTooLarge, match=r"design\.png has 20x20 pixels; at most 100 "):
        decode_picture(file_of(Image.new("RGB", (20, 20))), label="design.png")


def test_a_side_of_thirty_thousand_pixels_is_the_longest() -> None:
    content = file_of(Image.new("1", (30_001, 1)))

    with pytest.raises(PictureTooLarge, match="30001x1 pixels"):
        decode_picture(content, label="design.png")

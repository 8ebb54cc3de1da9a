"""A picture file becomes pixels as a person sees them; what it is not, is said."""

from __future__ import annotations

import io
from typing import Any

import numpy as np
import pytest
from PIL import Image, ImageCms

from pytest_design2a11y.capture.picture import decode
from pytest_design2a11y.capture.picture.decode import decode_picture
from pytest_design2a11y.exceptions import PictureTooLarge, PictureUnreadable


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
    assert (picture.scale, picture.is_lossy, picture.warnings) == (None, False, ())


def test_what_is_transparent_is_laid_on_white_and_said() -> None:
    content = file_of(Image.new("RGBA", (2, 2), (0, 0, 0, 0)))

    assert decode_picture(content, label="design").pixels[0, 0].tolist() == [255, 255, 255]
    assert codes(content) == ["picture_transparent"]


def test_an_opaque_alpha_channel_is_not_worth_a_word() -> None:
    assert codes(file_of(Image.new("RGBA", (2, 2), (9, 9, 9, 255)))) == []


def test_sixteen_bits_are_scaled_not_cut_off() -> None:
    levels = np.full((2, 2), 128 * 257, dtype=np.uint16)
    content = file_of(Image.fromarray(levels))

    assert decode_picture(content, label="design").pixels[0, 0].tolist() == [128, 128, 128]
    assert codes(content) == ["picture_16bit"]


def test_a_picture_that_lies_on_its_side_is_turned_upright() -> None:
    exif = Image.Exif()
    exif[0x0112] = 6
    content = file_of(Image.new("RGB", (4, 2)), "JPEG", exif=exif)

    assert decode_picture(content, label="design").pixels.shape == (4, 2, 3)
    assert codes(content) == ["picture_rotated", "picture_lossy"]


def test_an_animation_gives_its_first_frame() -> None:
    frames = [Image.new("RGB", (2, 2), color) for color in ("red", "blue")]
    content = file_of(frames[0], "WEBP", save_all=True, append_images=frames[1:], lossless=True)

    assert decode_picture(content, label="design").pixels[0, 0].tolist() == [255, 0, 0]
    assert codes(content) == ["picture_animated"]


def test_cmyk_without_a_profile_is_an_estimate() -> None:
    content = file_of(Image.new("CMYK", (2, 2), (0, 255, 255, 0)), "JPEG", quality=100)

    red, green, blue = decode_picture(content, label="design").pixels[0, 0].tolist()
    assert red > 200 > 60 > max(green, blue)
    assert "picture_cmyk" in codes(content)


def test_a_profile_other_than_srgb_is_converted() -> None:
    profile = ImageCms.ImageCmsProfile(ImageCms.createProfile("LAB")).tobytes()
    content = file_of(Image.new("RGB", (2, 2), (9, 9, 9)), icc_profile=profile)

    assert codes(content) == ["picture_profile"]


def test_the_usual_profile_changes_nothing() -> None:
    profile = ImageCms.ImageCmsProfile(ImageCms.createProfile("sRGB")).tobytes()

    assert codes(file_of(Image.new("RGB", (2, 2)), icc_profile=profile)) == []


@pytest.mark.parametrize(("density", "scale"), [((144, 144), 2.0), ((72, 72), None), ((216, 216), 3.0)])
def test_the_density_of_a_png_tells_its_scale(density: tuple[int, int], scale: float | None) -> None:
    content = file_of(Image.new("RGB", (2, 2)), dpi=density)

    assert decode_picture(content, label="design").scale == scale


@pytest.mark.parametrize("content", [b"", b"<h1>page</h1>", b"GIF89a" + bytes(40)])
def test_what_is_not_a_picture_is_said(content: bytes) -> None:
    with pytest.raises(PictureUnreadable, match=r"design\.png is not a picture.*Give a PNG"):
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

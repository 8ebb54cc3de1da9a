"""Decode a picture into pixels as a person sees them: upright, opaque, sRGB."""

import io
import warnings
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageCms, ImageOps, UnidentifiedImageError

from pytest_design2a11y.exceptions import PictureTooLarge, PictureUnreadable
from pytest_design2a11y.models.page import CaptureWarning

#: Accepted formats; Pillow reads many more, each an entry point for hostile files.
FORMATS = ("PNG", "JPEG", "WEBP")
_MODES = ("1", "L", "LA", "P", "PA", "RGB", "RGBA")
MAX_PIXELS = 80_000_000
MAX_SIDE = 30_000

# PNG files of screens declare 72 or 96 dots per inch at scale 1.
_DENSITIES = {144: 2.0, 192: 2.0, 216: 3.0, 288: 3.0}


@dataclass(frozen=True, slots=True)
class DecodedPicture:
    """A picture as pixels, shape (height, width, 3), sRGB.

    `scale`: pixels of the file per px of the layout, if the file's density gives it.
    """

    pixels: NDArray[np.uint8]
    scale: float | None
    warnings: tuple[CaptureWarning, ...]


def decode_picture(content: bytes, *, label: str) -> DecodedPicture:
    """Decode a file in one of `FORMATS`, its first frame."""
    try:
        with warnings.catch_warnings():
            # Our own limit is checked before anything is decoded.
            warnings.simplefilter("ignore", Image.DecompressionBombWarning)
            with Image.open(io.BytesIO(content), formats=FORMATS) as image:
                _refuse_large(image.size, label)
                return _decoded(image, label)
    except UnidentifiedImageError:
        raise PictureUnreadable(
            f"{label} is not a picture that can be read here.", advice="Export a PNG (or JPEG, WebP)."
        ) from None
    except Image.DecompressionBombError as error:
        raise PictureTooLarge(f"{label} is too large: {error}.") from None
    except (OSError, ValueError, SyntaxError, EOFError) as error:
        raise PictureUnreadable(
            f"The picture {label} is damaged: {error}.", advice="Export it again."
        ) from None


def _refuse_large(size: tuple[int, int], label: str) -> None:
    """Refuse a picture by its size, before decoding it."""
    width, height = size
    if width * height > MAX_PIXELS or max(width, height) > MAX_SIDE:
        raise PictureTooLarge(
            f"The picture {label} has {width}x{height} pixels; "
            f"at most {MAX_PIXELS:,} and {MAX_SIDE:,} on a side are read.",
            advice="Export it at scale 1, or a part of it.",
        )


def _decoded(image: Image.Image, label: str) -> DecodedPicture:
    warnings: list[CaptureWarning] = []

    def warn(code: str, message: str) -> None:
        warnings.append(CaptureWarning(code, message))

    density = image.info.get("dpi")
    scale = _DENSITIES.get(round(float(density[0]))) if density and image.format == "PNG" else None
    profile = image.info.get("icc_profile")
    plain: Image.Image = ImageOps.exif_transpose(image)
    if plain.mode not in _MODES:
        raise PictureUnreadable(
            f"The picture {label} has colors in {plain.mode}.", advice="Export it in RGB, 8 bits a channel."
        )
    if profile:
        plain = _in_srgb(plain, profile, warn)
    if plain.mode in ("RGBA", "LA", "PA") or "transparency" in plain.info:
        plain = plain.convert("RGBA")
        least, _ = plain.getchannel("A").getextrema()
        if least != 255:
            warn("picture_transparent", "The picture is transparent in parts: it was laid on white.")
            plain = Image.alpha_composite(Image.new("RGBA", plain.size, "white"), plain)
    if image.format == "JPEG":
        warn("picture_lossy", "JPEG loses detail: color and appearance are slightly low.")
    return DecodedPicture(np.asarray(plain.convert("RGB")), scale, tuple(warnings))


def _in_srgb(image: Image.Image, profile: bytes, warn: Callable[[str, str], None]) -> Image.Image:
    try:
        source = ImageCms.ImageCmsProfile(io.BytesIO(profile))
        name = ImageCms.getProfileDescription(source).strip()
        if "srgb" in name.lower():
            return image
        alpha = image.getchannel("A") if image.mode == "RGBA" else None
        base = image if image.mode in ("RGB", "L") else image.convert("RGB")
        converted = ImageCms.profileToProfile(base, source, ImageCms.createProfile("sRGB"), outputMode="RGB")
    except (ImageCms.PyCMSError, OSError, ValueError) as error:
        warn("picture_profile", f"The picture's color profile cannot be used ({error}): taken as sRGB.")
        return image
    warn("picture_profile", f"The picture's colors were converted from {name} to sRGB.")
    if converted is None:
        return image
    if alpha is not None:
        converted.putalpha(alpha)
    return converted

"""Pictures for reports, small enough that hundreds fit into one file, shared by all processes of a run."""

import hashlib
import io
import math
import os
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from pytest_design2a11y.files import FileTooLarge, read_regular, remove_least_recent, write_whole
from pytest_design2a11y.models.evaluation import Evaluation
from pytest_design2a11y.models.page import Capture, CaptureWarning

if TYPE_CHECKING:
    from PIL.Image import Image

#: Maximum bytes of a picture of a page: two each (base64) for 50 pages leave room for the rest in 8 MB.
MAX_BYTES = 44_000

#: Maximum bytes of a picture of a page's top: two per page, for 1,000 pages, leave room in 60 MB.
MAX_SMALL_BYTES = 9_000

#: Maximum bytes of a picture of what a probe found.
MAX_EVIDENCE_BYTES = 6_000

#: Maximum size of the folder, in bytes, when a run ends: some 15,000 pictures.
MAX_FOLDER_BYTES = 512 * 1024 * 1024

# Files larger than any of ours are not shown.
_MAX_READ = 1_000_000

#: Maximum width and height of a picture in pixels; WebP itself allows 16383.
MAX_WIDTH, MAX_HEIGHT = 1280, 12_000

#: Size of a picture in the overview, which shows the top of the page.
SMALL_SIZE = (320, 180)

_QUALITY = 45
_SHRINK = 0.95
# Pixels between the lines that hatch masked regions.
_HATCH = 12
_NAME = re.compile(r"[0-9a-f]{40}\.webp")


@dataclass(frozen=True, slots=True)
class StoredPicture:
    """A stored picture of a page and a small one of its top, both WebP."""

    name: str  # Equal for equal pages, in any process
    full: bytes
    small: bytes  # The page's top, `SMALL_SIZE` pixels


def store_pictures(captures: Iterable[Capture], folder: Path) -> dict[str, str]:
    """Keep pictures of rendered pages for a report, named by contents: processes may share the folder."""
    folder.mkdir(parents=True, exist_ok=True)
    return {capture.role: _stored(capture, folder) for capture in captures}


def kept_pictures(
    captures: Sequence[Capture], folder: Path
) -> tuple[dict[str, str], tuple[CaptureWarning, ...]]:
    """Store the pictures of pages; return file names by role, or a warning if they could not be written."""
    pictured = [capture for capture in captures if capture.image is not None]
    try:
        for capture in captures:
            for result in capture.probes.values():
                store_evidence(result.pictures, folder)
        return store_pictures(pictured, folder), ()
    except OSError as error:
        message = f"The report shows no pictures of the page: they could not be written ({error})."
        return {}, (CaptureWarning("pictures_not_kept", message),)


def prune_pictures(folder: Path, *, max_bytes: int = MAX_FOLDER_BYTES) -> None:
    """Remove the least recently used pictures until the rest fits; reports then lack the removed ones."""
    names = (path.name for path in folder.glob("*.webp") if _NAME.fullmatch(path.name))
    pictures = ((folder / name, folder / _small_name(name)) for name in names)
    there = ([path for path in paths if path.exists()] for paths in pictures)
    remove_least_recent((paths for paths in there if paths), max_bytes=max_bytes)


def is_picture_name(name: str) -> bool:
    """Return whether a name has the form of the names that `store_pictures` gives."""
    return _NAME.fullmatch(name) is not None


def load_picture(evaluation: Evaluation, role: str, folder: Path) -> StoredPicture | None:
    """Read a stored picture; None if there is none, or it has no name of ours: it might be any file."""
    name = evaluation.pictures.get(role, "")
    if not is_picture_name(name):
        return None
    full, small = _read(folder / name), _read(folder / _small_name(name))
    return None if full is None or small is None else StoredPicture(name, full, small)


def store_evidence(pictures: Mapping[str, bytes], folder: Path) -> None:
    """Store pictures of what probes found, PNG by name, as `store_pictures` stores those of pages."""
    from PIL import Image

    folder.mkdir(parents=True, exist_ok=True)
    for name, png in pictures.items():
        if not (folder / name).exists():
            with Image.open(io.BytesIO(png)) as picture:
                write_whole(folder / name, _encoded_within(picture.convert("RGB"), MAX_EVIDENCE_BYTES))


def load_evidence(name: object, folder: Path) -> bytes | None:
    """Read what `store_evidence` stored; None if it has been removed, or the name is not one of its names."""
    return _read(folder / name) if isinstance(name, str) and is_picture_name(name) else None


def _read(path: Path) -> bytes | None:
    try:
        return read_regular(path, _MAX_READ)
    except (OSError, FileTooLarge):
        return None


def evidence_names(evaluation: Evaluation) -> Iterator[str]:
    """Yield the names of the pictures of what probes found on a page."""
    for findings in evaluation.probe_findings.values():
        for rule in findings.rules:
            for node in (*rule.violations, *rule.incomplete):
                if "picture" in node.data:
                    yield str(node.data["picture"])


def copy_pictures(evaluations: Iterable[Evaluation], source: Path, target: Path) -> None:
    """Copy the pictures of evaluations from one folder to another; pictures that it lacks are left out."""
    if source.absolute() == target.absolute():
        return
    for evaluation in evaluations:
        for role in evaluation.pictures:
            if picture := load_picture(evaluation, role, source):
                write_whole(target / picture.name, picture.full)
                write_whole(target / _small_name(picture.name), picture.small)
        for name in evidence_names(evaluation):
            if (evidence := load_evidence(name, source)) is not None:
                write_whole(target / name, evidence)


def _stored(capture: Capture, folder: Path) -> str:
    screenshot, masks = capture.screenshot, capture.mask_boxes
    masked = repr(masks).encode() if masks else b""
    kind = repr((MAX_WIDTH, MAX_BYTES, SMALL_SIZE)).encode()
    name = hashlib.sha256(kind + screenshot.png + masked).hexdigest()[:40] + ".webp"
    paths = folder / _small_name(name), folder / name
    try:
        for path in paths:
            os.utime(path)
    except FileNotFoundError:
        from PIL import Image, ImageDraw

        page = Image.fromarray(screenshot.pixels)
        for box in masks:
            x, y, width, height = (round(side) for side in box)
            part = Image.new("RGB", (max(width, 1), max(height, 1)), "#e8e8e8")
            draw = ImageDraw.Draw(part)
            for start in range(-height, width, _HATCH):
                draw.line((start, height, start + height, 0), fill="#9a9a9a")
            draw.rectangle((0, 0, part.width - 1, part.height - 1), outline="#6a6a6a")
            page.paste(part, (x, y))
        # The part that shows first, cut to the shape of a small picture and padded with white.
        width, height = SMALL_SIZE
        shown = min(page.height, round(page.width * height / width))
        top = page.crop((0, 0, page.width, shown))
        size = width, max(1, round(shown * width / page.width))
        small = Image.new("RGB", SMALL_SIZE, "white")
        small.paste(top.resize(size, Image.Resampling.LANCZOS), (0, 0))
        contents = _encoded_within(small, MAX_SMALL_BYTES), _encoded_within(page, MAX_BYTES)
        for path, data in zip(paths, contents, strict=True):
            write_whole(path, data)
    return name


def _small_name(name: str) -> str:
    return name.replace(".webp", "-small.webp")


def _encoded_within(page: "Image", max_bytes: int) -> bytes:
    """Encode a page as WebP, scaled down until it fits."""
    scale = min(1.0, MAX_WIDTH / page.width, MAX_HEIGHT / page.height)
    data = _encoded(page, scale)
    while len(data) > max_bytes and min(page.size) * scale > 1:
        scale *= min(_SHRINK, math.sqrt(max_bytes / len(data)))
        data = _encoded(page, scale)
    return data


def _encoded(picture: "Image", scale: float) -> bytes:
    from PIL.Image import Resampling

    if scale < 1:
        size = (max(1, round(picture.width * scale)), max(1, round(picture.height * scale)))
        picture = picture.resize(size, Resampling.LANCZOS, reducing_gap=2.0)
    buffer = io.BytesIO()
    picture.save(buffer, "WEBP", quality=_QUALITY, method=2)
    return buffer.getvalue()

"""Pictures that services for placeholders would draw: plain, in the size and color that an address names."""

import re
from collections.abc import Mapping, Sequence
from urllib.parse import parse_qsl, urlsplit

from pytest_design2a11y.capture.isolation.hosts import Asset

#: Services, with their subdomains: those that write a size as 600x400 or 400, and perhaps a color after it.
_WITH_COLORS = (
    "placehold.co", "placeholder.com", "placehold.it", "placehold.jp", "dummyimage.com", "fakeimg.pl",
    "pravatar.cc",
)  # fmt: skip
#: Those that write it as 600/400.
_WITH_SIDES = ("picsum.photos", "placekitten.com", "placebear.com", "placeimg.com", "loremflickr.com")
_PHOTOS = ("unsplash.com",)
#: A picture of which the address names no size, or its width alone.
USUAL_SIZE = (600, 400)
LARGEST_SIDE = 5_000

_SIZE = re.compile(r"(\d{1,4})(?:x(\d{1,4}))?(?:[.&].*)?")
_COLOR = re.compile(r"([0-9a-fA-F]{6}|[0-9a-fA-F]{3}|[a-z]{3,20})(?:[.&].*)?")
_SIDES = ("w", "h", "width", "height")
_PLAIN = "ccc"
_SVG = (
    '<svg xmlns="http://www.w3.org/2000/svg" width="{0}" height="{1}" preserveAspectRatio="none" '
    'viewBox="0 0 {0} {1}">'
    # Of a color's name or its number one is valid; of another word, such as a format's, neither.
    '<rect width="{0}" height="{1}" style="fill:#ccc;fill:{2};fill:#{2}"/></svg>'
)


def placeholder(url: str) -> Asset | None:
    """Return a plain picture for the address of a service for placeholders; None for any other address."""
    parts = urlsplit(url)
    host = parts.hostname or ""
    if not _is_of(host, (*_WITH_COLORS, *_WITH_SIDES, *_PHOTOS)):
        return None
    (width, height), color = _size_and_color(
        parts.path, dict(parse_qsl(parts.query)), _is_of(host, _WITH_SIDES)
    )
    body = _SVG.format(min(width, LARGEST_SIDE), min(height, LARGEST_SIDE), color).encode()
    return Asset(200, "image/svg+xml", body, has_cors=True, final_url=url)


def _is_of(host: str, services: Sequence[str]) -> bool:
    return any(host == name or host.endswith(f".{name}") for name in services)


def _size_and_color(path: str, query: Mapping[str, str], has_sides: bool) -> tuple[tuple[int, int], str]:
    segments = path.split("/")
    if "id" in segments[:-1]:  # picsum.photos/id/237/200/300
        del segments[segments.index("id") + 1]
    sizes = [(place, size) for place, text in enumerate(segments) if (size := _SIZE.fullmatch(text))]
    if not sizes:
        return _size_in(query), _PLAIN
    place, size = sizes[0]
    width = int(size[1]) or 1
    if has_sides and not size[2] and len(sizes) > 1:
        return (width, int(sizes[1][1][1]) or 1), _PLAIN
    color = _COLOR.fullmatch(segments[place + 1]) if place + 1 < len(segments) else None
    return (width, int(size[2] or width) or 1), color[1] if color and not has_sides else _PLAIN


def _size_in(query: Mapping[str, str]) -> tuple[int, int]:
    """Return the size that parameters name, as of photos; a missing side keeps the usual shape."""
    found = {
        name[0]: int(text)
        for name, text in query.items()
        if name in _SIDES and text.isdecimal() and int(text)
    }
    width = found.get("w") or round(found.get("h", USUAL_SIZE[1]) * USUAL_SIZE[0] / USUAL_SIZE[1])
    return width, found.get("h") or max(1, round(width * USUAL_SIZE[1] / USUAL_SIZE[0]))

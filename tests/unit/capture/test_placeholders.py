"""Addresses of services for placeholders, and the plain pictures that stand for them."""

from __future__ import annotations

import re

import pytest

from pytest_design2a11y.capture.isolation import HostClient
from pytest_design2a11y.capture.isolation.remote import Remote, placeholder
from pytest_design2a11y.capture.warning_log import WarningLog


# Sizes as each service documents its addresses.
@pytest.mark.parametrize(
    ("address", "size"),
    [
        ("placehold.co/600x400", (600, 400)),
        ("placehold.co/400", (400, 400)),
        ("placehold.co/600x400/000000/FFF.png?text=Hi", (600, 400)),
        ("placehold.co/400/000/fff", (400, 400)),
        ("placehold.co/300x200/orange/white?text=Hi", (300, 200)),
        ("placehold.co/300x200/png", (300, 200)),
        ("dummyimage.com/300x200&text=hi", (300, 200)),
        ("dummyimage.com/300x200/f09&text=hi", (300, 200)),
        ("via.placeholder.com/350x150.jpg", (350, 150)),
        ("via.placeholder.com/150/0000FF/808080", (150, 150)),
        ("dummyimage.com/320x200/abc/000", (320, 200)),
        ("picsum.photos/200/300?grayscale", (200, 300)),
        ("picsum.photos/200", (200, 200)),
        ("picsum.photos/id/237/200/300.jpg", (200, 300)),
        ("picsum.photos/seed/picsum/640/480", (640, 480)),
        ("loremflickr.com/320/240/dog", (320, 240)),
        ("i.pravatar.cc/150?img=3", (150, 150)),
        ("source.unsplash.com/random/800x600/?city", (800, 600)),
        ("images.unsplash.com/photo-1506744038136-46273834b3fb?w=900&h=300&fit=crop", (900, 300)),
        ("images.unsplash.com/photo-1506744038136-46273834b3fb?w=900", (900, 400)),
        ("images.unsplash.com/photo-1506744038136-46273834b3fb", (600, 400)),
        ("placehold.co/0x0", (1, 1)),
        ("placehold.co/9999x10", (5000, 10)),
    ],
)
def test_a_placeholder_has_the_size_of_its_address(address: str, size: tuple[int, int]) -> None:
    drawn = placeholder(f"https://{address}")

    assert drawn is not None
    found = re.search(rb'width="(\d+)" height="(\d+)"', drawn.body)
    assert found is not None
    assert (int(found[1]), int(found[2])) == size
    assert drawn == placeholder(f"https://{address}")


@pytest.mark.parametrize(
    "url", ["https://example.org/600x400", "https://notplacehold.co/600x400", "https:///600"]
)
def test_other_hosts_have_no_placeholders(url: str) -> None:
    assert placeholder(url) is None


def test_a_placeholder_fills_a_box_of_other_proportions_as_a_bitmap_does() -> None:
    drawn = placeholder("https://via.placeholder.com/150")

    assert drawn is not None
    assert b'preserveAspectRatio="none" viewBox="0 0 150 150"' in drawn.body


def test_placeholders_are_drawn_only_where_that_is_configured_and_named() -> None:
    url, log = "https://placehold.co/60x40", WarningLog()
    client = HostClient(())

    drawn = Remote(client, draws=True).answer(url, method="GET", headers={}, log=log)
    refused = Remote(client).answer(url, method="GET", headers={}, log=log)

    assert drawn is not None
    assert refused is None
    messages = {warning.code: warning.message for warning in log.warnings()}
    assert messages["placeholders_drawn"] == f"Plain pictures stand for placeholders: {url}."
    assert Remote(client, draws=True).conditions == {"allowed_hosts": [], "placeholders": "drawn"}
    assert Remote(client).conditions == {"allowed_hosts": []}

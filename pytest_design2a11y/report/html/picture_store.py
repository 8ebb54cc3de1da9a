"""The pictures of a report, in its file and beside it."""

from __future__ import annotations

import base64
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import quote

from markupsafe import Markup

from pytest_design2a11y.files import write_whole
from pytest_design2a11y.report.html.overview import Card, Overview
from pytest_design2a11y.runs.pictures import evidence_names, is_picture_name, load_evidence, load_picture

ROLES = ("reference", "candidate")

#: Maximum size of a report, and of each page's part of it without its larger pictures, both in bytes.
MAX_REPORT_BYTES, BYTES_PER_PAGE = 55_000_000, 48_000


class PictureStore:
    """The pictures of a report: small ones in its overview, larger ones after it or beside it."""

    def __init__(self, overview: Overview, folder: Path, beside: Path | None) -> None:
        """Choose which larger pictures fit into the report, starting with those of the worst pages."""
        self._folder = folder
        self._beside = beside
        self._given: set[str] = set()
        #: Where larger pictures are, by name: "#id" of an element of the report, or an address beside it.
        self.places: dict[str, str] = {}
        room = MAX_REPORT_BYTES - BYTES_PER_PAGE * len(overview.cards)
        pictures = (card.row.evaluation.pictures.get(role, "") for card in overview.cards for role in ROLES)
        for name in dict.fromkeys(pictures):
            path = folder / name
            if is_picture_name(name) and path.is_file():
                room -= path.stat().st_size * 4 // 3
                if room > 0:
                    self.places[name] = _place(name)
                elif beside is not None:
                    self.places[name] = quote(f"{beside.name}/{name}")

    def thumbnail(self, card: Card, role: str) -> str | None:
        """Return the address of a picture of the top of a page; None if no picture was kept."""
        picture = load_picture(card.row.evaluation, role, self._folder)
        return None if picture is None else data_url(picture.small)

    def islands(self, card: Card) -> Iterator[tuple[str, str, Markup]]:
        """Return id, type and content of the data elements for a page's pictures not returned before."""
        evaluation = card.row.evaluation
        for role in ROLES:
            picture = load_picture(evaluation, role, self._folder)
            if picture is None or picture.name in self._given or picture.name not in self.places:
                continue
            self._given.add(picture.name)
            if (place := self.places[picture.name]).startswith("#"):
                yield _island(place, picture.full)
            elif self._beside is not None:
                write_whole(self._beside / picture.name, picture.full)
        for name in evidence_names(evaluation):
            data = None if name in self.places else load_evidence(name, self._folder)
            if data is not None:
                self.places[name] = _place(name)
                yield _island(self.places[name], data)


def _place(name: str) -> str:
    return f"#picture-{name.removesuffix('.webp')}"


def _island(place: str, data: bytes) -> tuple[str, str, Markup]:
    return place[1:], "text/plain", Markup(in_base64(data))


def in_base64(data: bytes) -> str:
    """Return bytes as base64."""
    return base64.b64encode(data).decode("ascii")


def data_url(data: bytes) -> str:
    """Return the address of a picture that is part of the markup."""
    return f"data:image/webp;base64,{in_base64(data)}"

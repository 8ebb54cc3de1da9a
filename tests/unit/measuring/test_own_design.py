"""A page that got its design's files, as it was rendered before the design was known, is not compared."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from pytest_design2a11y.exceptions import ConfigurationError
from pytest_design2a11y.measuring.measures import require_unread
from pytest_design2a11y.models.page import Capture, Document, Site
from tests.factories import ENVIRONMENT


@pytest.fixture
def pair(tmp_path: Path) -> tuple[Capture, Capture]:
    """A page, and its design in the same folder."""
    captures = []
    for name in ("page.html", "design.html"):
        file = tmp_path / name
        file.write_text(f"<h1>{name}</h1>")
        document = Document(name, file.read_bytes(), folder=str(tmp_path), file=str(file))
        captures.append(Capture(name, "candidate", None, (1, 1), (), (), ENVIRONMENT, document=document))
    (tmp_path / "design.png").write_bytes(b"picture")
    (tmp_path / "style.css").write_text("h1 { color: red }")
    return captures[0], replace(captures[1], role="reference")


@pytest.mark.parametrize("path", ["/design.html", "/design.png"])
def test_a_page_that_shows_its_design_is_refused(pair: tuple[Capture, Capture], path: str) -> None:
    page, design = pair

    with pytest.raises(ConfigurationError, match=rf"page.html loaded {path}, .* Render the design first"):
        require_unread(replace(page, files={path: "digest", "/style.css": "digest"}), design)


def test_what_it_asked_for_and_did_not_get_is_no_harm(pair: tuple[Capture, Capture]) -> None:
    page, design = pair

    require_unread(replace(page, files={"/style.css": "digest", "/design.html": None}), design)
    with pytest.raises(ConfigurationError, match=r"loaded /design.html, which belongs to its design"):
        require_unread(replace(page, files={"/style.css": None, "/design.html": "digest"}), design)


def test_a_page_from_which_the_design_was_kept_is_not_looked_at_again(pair: tuple[Capture, Capture]) -> None:
    page, design = pair
    assert page.document is not None
    assert design.document is not None
    document = replace(page.document, site=Site(references=(str(design.document.file),)))

    require_unread(replace(page, files={"/design.html": "digest"}, document=document), design)


def test_a_page_may_be_compared_with_itself(pair: tuple[Capture, Capture]) -> None:
    page, other = pair
    read = {"/page.html": "digest"}

    require_unread(replace(page, files=read), replace(page, role="reference"))
    with pytest.raises(ConfigurationError, match=r"design.html loaded /page.html"):
        require_unread(replace(other, files=read), replace(page, role="reference"))

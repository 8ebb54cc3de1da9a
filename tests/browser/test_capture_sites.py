"""Pages of sites: builds with absolute addresses, routes, and what a page may not read."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from pytest_design2a11y.source.read_document import read_document
from pytest_design2a11y.source.site import SiteChoice

if TYPE_CHECKING:
    from pytest_design2a11y.capture.renderer import Renderer
    from pytest_design2a11y.models.page import Capture

APPS = Path(__file__).parent.parent / "apps"
PAGE = "<!doctype html><html lang=en><title>Page</title>{}</html>"


def capture(
    renderer: Renderer, source: str, folder: Path, references: tuple[str, ...] = (), **choice: Any
) -> Capture:
    document = read_document(
        source,
        max_bytes=10**6,
        folders=(folder,),
        site=SiteChoice(ceiling=folder, **choice),
        references=references,
    )
    return renderer.capture(document, role="candidate", audit=None)


def text(capture: Capture) -> str:
    return " ".join(run.text for run in capture.text_runs)


def test_a_default_vite_build_renders(renderer: Renderer) -> None:
    shown = capture(renderer, "tailwind-build/site/index.html", APPS)

    assert shown.warnings == ()
    assert "Tailwind" in text(shown)


def test_query_fragment_and_path_reach_the_page(renderer: Renderer, tmp_path: Path) -> None:
    (tmp_path / "iframe.html").write_text(PAGE.format("<script>document.write(location)</script>"))

    shown = capture(renderer, "iframe.html?id=button--primary#/settings", tmp_path)

    assert text(shown) == "http://page.test/iframe.html?id=button--primary#/settings"


def test_a_route_of_a_single_page_app(renderer: Renderer, tmp_path: Path) -> None:
    (tmp_path / "assets").mkdir()
    (tmp_path / "assets" / "app.js").write_text("document.write(location.pathname)")
    (tmp_path / "index.html").write_text(PAGE.format("<script src='/assets/app.js'></script>"))

    shown = capture(renderer, "settings/profile", tmp_path, single_page=True)

    assert text(shown) == "/settings/profile"


def test_a_page_cannot_show_the_design_that_it_is_compared_with(renderer: Renderer, tmp_path: Path) -> None:
    (tmp_path / "designs").mkdir()
    for name in ("design.html", "designs/design.html"):
        (tmp_path / name).write_text(PAGE.format("<h1>The design</h1>"))
    (tmp_path / ".env").write_text("SECRET")
    cheat = (
        "<p>Own</p><iframe src=design.html></iframe><iframe src=/designs/design.html></iframe>"
        "<script>for (const name of ['design.html', 'designs/design.html', '.env'])"
        "fetch(name).then((answer) => answer.text()).then((text) => document.body.append(text))</script>"
    )
    (tmp_path / "page.html").write_text(PAGE.format(cheat))

    same = capture(renderer, "page.html", tmp_path, ("design.html",))
    other = capture(renderer, "page.html", tmp_path, ("designs/design.html",))

    for shown, refused in ((same, "design.html"), (other, "designs/design.html")):
        (warning,) = [one for one in shown.warnings if one.code == "refused_files"]
        assert refused in warning.message
        assert ".env" in warning.message
        assert "SECRET" not in text(shown)
    assert "The design" not in text(
        capture(renderer, "page.html", tmp_path, ("design.html", "designs/design.html"))
    )


def test_a_page_that_shows_nothing_for_want_of_its_files_says_so_first(
    renderer: Renderer, tmp_path: Path
) -> None:
    (tmp_path / "page.html").write_text(PAGE.format("<div id=app></div><script src='/assets/a.js'></script>"))

    first, *others = capture(renderer, "page.html", tmp_path).warnings

    assert first.code == "nothing_shown"
    assert "-o design2a11y_root" in first.message
    assert "assets/a.js" in next(one.message for one in others if one.code == "missing_files")

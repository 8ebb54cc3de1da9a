"""Text is drawn with fonts: none at all is an error, what was used is recorded, boxes are told."""

from __future__ import annotations

import base64
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from pytest_design2a11y.capture.live_page import capture_page
from pytest_design2a11y.capture.page import snapshot
from pytest_design2a11y.exceptions import CaptureError
from pytest_design2a11y.models.page import Document
from studies.trials.attack_table import BARS

if TYPE_CHECKING:
    from playwright.sync_api import Browser

    from pytest_design2a11y.capture.page.frames import FrameContext
    from pytest_design2a11y.capture.renderer import Renderer

NO_FONTS = '<?xml version="1.0"?><fontconfig><cachedir prefix="cwd">cache</cachedir></fontconfig>'


def test_a_machine_without_fonts_is_an_error_that_says_so(
    make_renderer: Callable[..., Renderer], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    configuration = tmp_path / "fonts.conf"
    configuration.write_text(NO_FONTS)
    monkeypatch.setenv("FONTCONFIG_FILE", str(configuration))
    document = Document(label="page", html=b"<!doctype html><p>Text</p>")

    with pytest.raises(CaptureError, match=r"no fonts on this machine.*apt-get install fonts-liberation"):
        make_renderer(is_fresh=True).capture(document, role="reference", audit=None)


def test_the_fonts_that_text_is_drawn_with_are_a_condition(renderer: Renderer) -> None:
    html = """<!doctype html><p style="font-family: Nowhere, monospace">Text</p>
    <p style="font-family: sans-serif">Text, \N{SNOWMAN}</p><p hidden style="font-family: serif">Text</p>"""

    capture = renderer.capture(Document(label="page", html=html.encode()), role="reference", audit=None)

    families = capture.conditions["fonts"]
    assert families == sorted(set(families))
    assert any("Mono" in family for family in families)
    assert len(families) >= 2
    assert not any("Serif" in family for family in families)


def test_an_optional_font_shows_as_if_it_had_come_in_time(renderer: Renderer, tmp_path: Path) -> None:
    (tmp_path / "bars.woff").write_bytes(base64.b64decode(BARS.partition(",")[2]))
    shown = []
    for display in ("block", *["optional"] * 3):
        html = f"""<!doctype html><style>
          @layer a {{ @font-face {{ font-family: bars; src: url(bars.woff); font-display: {display} }} }}
        </style><p style="font-family: bars; width: max-content">LLL<p>LLL</p>"""
        page = Document(label="page", html=html.encode(), folder=str(tmp_path))
        shown.append(renderer.capture(page, role="candidate", audit=None))

    assert [capture.screenshot for capture in shown] == [shown[0].screenshot] * 4
    in_bars, plain = (run.boxes for run in shown[0].text_runs)
    assert in_bars[0][2] != plain[0][2]


def test_characters_that_no_font_has_are_named(renderer: Renderer) -> None:
    html = "<!doctype html><p>Caf\u00e9 \u2014 \u201cText\u201d \u2192 \U000fabcd</p>"

    capture = renderer.capture(Document(label="page", html=html.encode()), role="reference", audit=None)

    (warning,) = (one for one in capture.warnings if one.code == "missing_glyphs")
    assert "No installed font has these characters, which show as boxes: U+FABCD. Install" in warning.message
    assert warning.count == 1


def slides(number: int) -> str:
    return "".join(
        f"<div style='min-width: 300px'>Slide {at} has a number of words of its own</div>"
        for at in range(number)
    )


CLIPPED = "position: absolute; width: 1px; height: 1px; overflow: hidden; clip: rect(0, 0, 0, 0)"
MENU = "<ul hidden>" + "<li>Entry" * 29 + "</ul>"


@pytest.mark.alike(6, is_long=True)
@pytest.mark.parametrize(
    ("body", "said"),
    [
        (
            f"<div style='display:flex; overflow: hidden; width:300px'>{slides(5)}</div>",
            "40 of the page's 51",
        ),
        (
            f"<section style='display:none'>{slides(4)}<script>a b c</script></section>",
            "40 of the page's 41",
        ),
        (f"<section style='opacity: 0'>{slides(4)}</section>", "40 of the page's 41"),
        (f"<details><summary>More</summary>{slides(4)}</details>", "40 of the page's 42"),
        (f"{slides(17)}<section hidden>{slides(4)}</section>", None),
        (MENU, None),
        (f"{slides(4)}<div style='{CLIPPED}'>{slides(4)}</div>", None),
        (f"<div style='{CLIPPED}'>Read by screen readers alone: {slides(4)}</div>", None),
        (f"{slides(4)}<section hidden>{slides(4)}</section>", None),
        (f"<input aria-describedby='hint more'><section hidden id=hint>{slides(4)}</section>", None),
        (f"<math><semantics><mi>x</mi><annotation>{'alpha ' * 40}</annotation></semantics></math>", None),
        (
            f"<input aria-describedby=hint><section hidden id=other>{slides(4)}</section>",
            "40 of the page's 41",
        ),
    ],
    ids=[
        *("carousel", "not-displayed", "transparent", "details", "small-share", "menu"),
        *("a clipped copy", "for screen readers", "a copy that is not displayed"),
        *("a description", "the source of a formula", "hidden, and no description"),
    ],
)
def test_much_text_that_stays_hidden_is_told(renderer: Renderer, body: str, said: str | None) -> None:
    html = f"<!doctype html><h1>Title</h1>{body}"

    capture = renderer.capture(Document(label="page", html=html.encode()), role="reference", audit=None)

    messages = [one.message for one in capture.warnings if one.code == "hidden_text"]
    assert [said in message for message in messages if said] == ([True] if said else [])
    assert len(messages) == (said is not None)


def test_text_that_a_live_page_takes_away_meanwhile_is_no_error(
    chromium: Browser, monkeypatch: pytest.MonkeyPatch
) -> None:
    page = chromium.new_page()
    page.set_content("<!doctype html><h1>Title</h1><p style='font-family: monospace'>Text</p>")
    answers: list[list[str]] = []

    def remove_first(world: FrameContext) -> list[str]:
        answers.append(real(world))
        if len(answers) == 1:
            page.evaluate("document.querySelector('p').remove()")
        return answers[-1]

    real = snapshot._samples
    monkeypatch.setattr(snapshot, "_samples", remove_first)

    capture = capture_page(page, role="candidate", audit=None)

    assert [run.text for run in capture.text_runs] == ["Title"]
    assert (len(answers[0]), len(answers[1])) == (2, 1)
    page.close()

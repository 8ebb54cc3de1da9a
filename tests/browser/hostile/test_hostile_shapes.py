"""Group E: frames, shadow roots, and documents of an odd shape."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import pytest

from pytest_design2a11y.exceptions import (
    Design2a11yError,
    EmptyDocument,
    NavigatedAway,
    NotHtml,
    RenderTimeout,
)
from pytest_design2a11y.source.read_document import read_document

if TYPE_CHECKING:
    from pytest_design2a11y.capture.renderer import Renderer

IMAGE = "<img src='data:image/gif;base64,R0lGODlhAQABAAAAACwAAAAAAQABAAA='>"
HEAD = "<!doctype html><html lang=en><head><title>Case</title>"

# Name: the page, its warnings, what it shows.
SCORED: dict[str, tuple[str, tuple[str, ...], str]] = {
    "iframe_srcdoc": ("<iframe srcdoc='<p>Inner text'></iframe>", (), "Inner text"),
    "iframe_sandbox": ("<iframe sandbox srcdoc='<p>Inner text'></iframe>", (), "Inner text"),
    "iframe_data": ("<iframe src='data:text/html,<p>Inner text'></iframe>", (), "Inner text"),
    "iframe_nested": (
        "<iframe srcdoc='<iframe srcdoc=\"<p>Inner text\"></iframe>'></iframe>",
        (),
        "Inner text",
    ),
    "frameset": (
        f"{HEAD}</head><frameset cols='50%,50%'><frame src='data:text/html,<p>Left side'>"
        "<frame src='data:text/html,<p>Right side'></frameset></html>",
        (),
        "Left side Right side",
    ),
    "shadow_open": (
        "<div id=host></div><script>host.attachShadow({ mode: 'open' }).innerHTML = '<p>In shadow'</script>",
        (),
        "In shadow",
    ),
    "shadow_declared": ("<div><template shadowrootmode=open><p>In shadow</template></div>", (), "In shadow"),
    # Elements that have the names of HTML's, and nothing of what these can do.
    "foreign_names": (
        "<style>* { content-visibility: auto }</style><svg width=300 height=50><input value=a />"
        "<select></select><textarea></textarea><text y=20>Drawn</text></svg><script>"
        "for (const space of ['http://www.w3.org/2000/svg', 'http://www.w3.org/1998/Math/MathML', 'urn:x'])"
        "for (const name of ['img', 'video', 'svg', 'input', 'select', 'li', 'details', 'slot', 'dialog'])"
        "document.body.append(document.createElementNS(space, name))</script>",
        (),
        "Shown Drawn",
    ),
    "template": (
        "<template><p>Template</template><noscript>No script</noscript><dialog>Dialog</dialog>",
        (),
        "Shown",
    ),
    "details_closed": ("<details><summary>Summary</summary>Inside</details>", (), "Shown Summary"),
    "nested_documents": (
        f"{HEAD}</head><body><h1>Shown</h1></body></html>{HEAD}</head><body><p>Second</p></body></html>",
        ("several_pages",),
        "Second",
    ),
    "truncated_tag": (
        f"{HEAD}</head><body><h1>Shown</h1><p>Text</p><div class='a",
        ("truncated_html",),
        "Shown Text",
    ),
    "duplicate_ids": ("<p id=a>one<p id=a>two<p id=a>three", (), "Shown one two three"),
    "unclosed_comment": (
        "<p>Before</p><!-- never closed <p>After</p>",
        ("unclosed_element",),
        "Shown Before",
    ),
    "unclosed_textarea": ("<textarea><p>After</p></body>", ("unclosed_element",), "Shown"),
    "unclosed_script": (
        "<p>Before</p><script>let a = 1; <p>After</p></body>",
        ("unclosed_element",),
        "Shown Before",
    ),
}

REFUSED: dict[str, tuple[str, type[Design2a11yError], str]] = {
    "no_body": (
        f"{HEAD}<script>onload = () => document.body.remove()</script></head><body>x</body></html>",
        EmptyDocument,
        "body is empty",
    ),
    "sent_on": (
        f"{HEAD}<script>location = 'next.html'</script>",
        NavigatedAway,
        "on to http://page.test/next.html",
    ),
    "script_failed": (
        f"{HEAD}</head><body><script>render()</script></body></html>",
        EmptyDocument,
        "body is empty. Scripts of the page threw errors: render is not defined",
    ),
    "xhtml_as_html": (
        "<!doctype html><html lang=en><head><title/></head><body><p>After</p></body></html>",
        EmptyDocument,
        "unclosed <title>",
    ),
    "no_root": (
        f"{HEAD}<script>onload = () => document.documentElement.remove()</script></head><body>x</html>",
        EmptyDocument,
        "body is empty",
    ),
    "never_ending_first_script": (
        f"{HEAD}</head><body><script type=module>for (;;);</script></body></html>",
        RenderTimeout,
        "A script of the page did not end, and the page shows nothing without it",
    ),
    "root_replaced": (
        f"{HEAD}<script>onload = () => document.documentElement.replaceWith("
        "document.createElementNS('http://www.w3.org/2000/svg', 'svg'))</script></head><body>x</html>",
        NotHtml,
        "root is <svg>",
    ),
    "selfclosed_script": (
        f"{HEAD}<script src='a.js'/></head><body><p>After</p></body></html>",
        EmptyDocument,
        "unclosed <script>",
    ),
    "unclosed_style": (
        f"{HEAD}<style>p {{ color: red }}</head><body><p>After</p></body></html>",
        EmptyDocument,
        "unclosed <style>",
    ),
    "unclosed_head_comment": (
        f"{HEAD}<!-- never closed </head><body><p>After</p></body></html>",
        EmptyDocument,
        "unclosed comment",
    ),
}


TAKES_ALL_TIME = {"sent_on", "never_ending_first_script"}


# Of each way to hold content, one.
TELLING = (
    *("iframe_nested", "iframe_sandbox", "frameset", "shadow_open", "shadow_declared", "foreign_names"),
    *("nested_documents", "unclosed_comment"),
)


@pytest.mark.alike(len(TELLING), is_long=True)
@pytest.mark.parametrize("name", dict.fromkeys((*TELLING, *SCORED)))
def test_odd_shapes_are_read_as_a_person_sees_them(trial: Any, name: str) -> None:
    page, codes, shows = SCORED[name]
    # Through the source stage, which warns of what the browser fixes in silence.
    document = read_document(page, max_bytes=10_000) if "<html" in page else page
    capture = trial.scored(document, *codes, shows=shows)

    text = " ".join(run.text for run in capture.text_runs)
    for hidden in ("Template", "No script", "Dialog", "Inside"):
        assert hidden not in text


@pytest.mark.alike(4)
@pytest.mark.parametrize("name", REFUSED)
def test_what_leaves_no_page_is_refused_with_a_hint(
    trial: Any, renderer_of: Callable[[float], Renderer], name: str
) -> None:
    page, error, words = REFUSED[name]
    if name in TAKES_ALL_TIME:
        trial = trial.with_renderer(renderer_of(6.0))
    trial.refused(page, error, words)


def test_shadow_closed(trial: Any) -> None:
    """Text in closed shadow roots is read; the audit cannot enter them, which a warning says."""
    page = (
        "<div id=host></div><script>host.attachShadow({ mode: 'closed' }).innerHTML = '<p>In closed shadow'"
        "</script>"
    )
    codes = ("closed_shadow", "unaudited_text")
    capture = trial.scored(page, *codes, shows="Shown In closed shadow", audit=True)

    assert next(one.count for one in capture.warnings if one.code == "closed_shadow") == 1


def test_shadow_closed_beside_deep_nesting(trial: Any) -> None:
    """Deeper than the protocol tells as a tree."""
    capture = trial.scored(
        f"<h2 id=host></h2><script>host.attachShadow({{ mode: 'closed' }}).innerHTML = '<p>In closed shadow'"
        f"</script>{'<div>' * 300}deep",
        "closed_shadow",
    )

    assert [run.text for run in capture.text_runs] == ["Shown", "In closed shadow", "deep"]


@pytest.mark.parametrize("attributes", ["srcdoc", "sandbox srcdoc"])
def test_violations_inside_frames_are_found(trial: Any, attributes: str) -> None:
    outcome = trial.read(f'<iframe title=a {attributes}="{IMAGE}"></iframe>', audit=True)

    assert not isinstance(outcome, Design2a11yError), outcome
    assert {rule.rule: rule.num_violations for rule in outcome.audit.rules}["image-alt"] == 1


def test_quirks(trial: Any) -> None:
    capture = trial.scored("<html lang=en><title>Case</title><body><p>Shown</p></body></html>")

    assert [warning.code for warning in capture.warnings] == ["quirks_mode"]


def test_noscript_shows_without_scripts(trial: Any) -> None:
    trial.scored("<noscript>No script</noscript>", javascript=False, shows="Shown No script")


@pytest.mark.parametrize("fill", ["", "both"])
def test_animations_that_scrolling_drives_are_at_rest(trial: Any, fill: str) -> None:
    """A picture of the whole page changes how far there is to scroll, and so what they show."""
    trial.scored(
        "<style>@keyframes grow { from { height: 100px } to { height: 3000px } }"
        f"#grows {{ animation: grow linear {fill}; animation-timeline: scroll(root) }}"
        "@keyframes show { from { opacity: 0 } to { opacity: 1 } }"
        "#seen { animation: show linear both; animation-timeline: view() }</style>"
        "<div id=grows>Grows</div><div style='height: 1500px'>Tall</div><p id=seen>Revealed</p>",
        shows="Revealed",
    )

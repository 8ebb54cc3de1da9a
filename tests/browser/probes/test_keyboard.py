"""The keyboard probe: for every criterion a page that fails and one that passes, and pages that resist."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from pytest_design2a11y.capture.renderer import Renderer
from pytest_design2a11y.exceptions import NavigatedAway, ProbeError
from pytest_design2a11y.extending import Probe
from pytest_design2a11y.models.page import Document
from pytest_design2a11y.probes import keyboard
from pytest_design2a11y.registry import available
from tests.browser.probes.conftest import Try, passes, told

GOOD = """<style>:focus { outline: 3px solid #000 } label input { opacity: 0 }
input:focus + i { outline: 3px solid #000 }</style><h1>Form</h1>
<p><a href="#more">More</a> <label><input type="checkbox"><i>Agree</i></label></p>
<p><input aria-label="Name"></p><div role="tablist"><button role="tab">One</button>
<button role="tab" tabindex="-1">Two</button></div>
<ul id="list"><li><button>In a list that listens</button></li></ul>
<iframe title="inner"
srcdoc="<style>:focus { outline: 3px solid red }</style><button>In a frame</button>"></iframe>
<x-host></x-host><p><button id="last">Last</button>
<script>list.addEventListener("click", () => 1); document.addEventListener("click", () => 1);
const root = document.querySelector("x-host").attachShadow({mode: "open"});
root.innerHTML = "<button>In a shadow</button>"</script>"""

BAD = """<style>* { margin: 0 } :focus { outline: none } span, [role] { cursor: pointer }
.bar { position: fixed; top: 0; left: 0; width: 100%; height: 60px; background: #fff }
.away { position: absolute; left: -999px }</style><div class="bar">Bar</div>
<a id="under" href="#under">Under the bar</a><div style="height: 90px"></div>
<p><span id="menu">Menu</span> <b id="watched">Words</b> <i id="fake" role="button">Fake</i></p>
<p><button id="plain">Plain</button></p><p><button id="asks">Asks</button></p>
<a id="away" class="away" href="#away">Away</a>
<div style="height: 100px"></div><p><button id="first" tabindex="1">First</button></p>
<script>for (const id of ["menu", "watched"]) document.getElementById(id).addEventListener("click", () => 1);
asks.addEventListener("focus", () => alert("Hello"))</script>"""

TRAPS = {
    "one": """<button>Before</button><input id="held" aria-label="x"><button>After</button>
    <script>held.onkeydown = (event) => event.preventDefault()</script>""",
    "circle": """<button id="held">One</button><button id="two">Two</button><script>
    for (const [one, other] of [[two, held], [held, two]]) one.onkeydown = (event) => {
    if (event.key === "Tab") { event.preventDefault(); other.focus(); } };</script>""",
}
EXITS = {
    "shift": """<button>Before</button><input id="held" aria-label="x"><script>held.onkeydown = (event) => {
    if (!event.shiftKey) event.preventDefault(); }</script>""",
    "escape": """<div id="held"><button>One</button><button>Two</button></div><script>let isOpen = true;
    const [one, two] = held.children; addEventListener("keydown", (event) => {
    if (event.key === "Escape") isOpen = false; if (!isOpen || event.key !== "Tab") return;
    event.preventDefault(); (document.activeElement === one ? two : one).focus(); })</script>""",
}


def test_a_page_for_the_keyboard_passes_every_check(try_out: Try) -> None:
    result = try_out("keyboard", GOOD)

    assert [(rule.rule, rule.num_violations, rule.num_incomplete) for rule in result.findings.rules] == [
        ("keyboard-operable", 0, 0),
        ("keyboard-trap", 0, 0),
        ("keyboard-order", 0, 0),
        ("keyboard-focus-visible", 0, 0),
        ("keyboard-focus-obscured", 0, 0),
        ("keyboard-on-focus", 0, 0),
    ]
    assert passes(result, "keyboard-focus-visible") == 8


def test_a_page_for_the_mouse_fails_check_by_check(try_out: Try) -> None:
    result = try_out("keyboard", BAD)

    assert told(result, "keyboard-operable") == ["#menu", "#fake"]
    assert told(result, "keyboard-operable", "unsure") == ["#watched"]
    assert told(result, "keyboard-focus-visible") == ["#first", "#under", "#plain", "#asks", "#away"]
    assert told(result, "keyboard-focus-obscured") == ["#under"]
    assert told(result, "keyboard-order") == ["#under"]
    assert told(result, "keyboard-on-focus") == ["#asks"]
    assert told(result, "keyboard-trap") == []


@pytest.mark.slow
def test_a_page_gives_the_same_twice(try_out: Try) -> None:
    first, second = (try_out("keyboard", BAD) for _ in range(2))

    assert (first.findings, first.pictures) == (second.findings, second.pictures)


@pytest.mark.alike(1)
@pytest.mark.parametrize("page", TRAPS.values(), ids=TRAPS)
def test_focus_that_no_key_leads_away_is_trapped(try_out: Try, page: str) -> None:
    assert told(try_out("keyboard", page), "keyboard-trap") == ["#held"]


@pytest.mark.slow
@pytest.mark.parametrize("page", EXITS.values(), ids=EXITS)
def test_a_usual_way_out_is_enough(try_out: Try, page: str) -> None:
    result = try_out("keyboard", page)

    assert (told(result, "keyboard-trap"), passes(result, "keyboard-trap")) == ([], 1)


@pytest.mark.alike(1)
@pytest.mark.parametrize(
    ("script", "words"),
    [
        ("location = 'http://elsewhere.test/'", "left for http://elsewhere.test/"),
        ("location = 'about:blank'", "left for another document"),
        ("location.reload()", "left for http://page.test/"),
    ],
)
def test_a_page_that_resists_ends_the_probe_by_name(try_out: Try, script: str, words: str) -> None:
    page = f"<button>One</button><script>addEventListener('focusin', () => {{ {script} }})</script>"

    with pytest.raises(NavigatedAway, match=words):
        try_out("keyboard", page)


@pytest.mark.slow
def test_focus_that_goes_on_without_end_ends_the_probe(make_renderer: Callable[..., Renderer]) -> None:
    """250 elements are pictured, for which a slow machine needs more time than probes have by default."""
    append = "document.body.append(document.createElement('button'))"
    html = f"<title>x</title><button>One</button><script>addEventListener('focusin', () => {append})</script>"
    document = Document(label="<html>", html=html.encode())

    captured = make_renderer(timeout=240.0).capture(
        document, role="candidate", audit=None, has_image=False, probes=[available(Probe)["keyboard"]]
    )

    assert "than 250 elements" in str(captured.probe_errors["keyboard"])


@pytest.mark.slow
def test_where_the_focus_is_at_first_does_not_matter(try_out: Try) -> None:
    page = "<button>One</button><p><input autofocus aria-label='x'></p><button>Two</button>"

    result = try_out("keyboard", page)

    assert passes(result, "keyboard-operable") == 3
    assert passes(result, "keyboard-order") == 1
    assert result.findings.failed == 0


def test_what_lies_behind_a_modal_dialog_or_in_an_inert_frame_is_not_missed(try_out: Try) -> None:
    page = """<button>Behind</button><iframe inert title="x" srcdoc="<a href='/'>Home</a>"></iframe>
    <dialog id="front"><button>In front</button></dialog><script>front.showModal()</script>"""

    result = try_out("keyboard", page)

    assert (result.findings.failed, passes(result, "keyboard-operable")) == (0, 1)


@pytest.mark.slow
def test_the_caret_shows_where_the_focus_is(try_out: Try) -> None:
    field = "<style>:focus {{ outline: none }} input {{ color: {} }}</style><input aria-label='x' {}>"

    black = try_out("keyboard", field.format("#000", ""))
    unseen = try_out("keyboard", field.format("#000; caret-color: transparent", "id='unseen'"))

    assert passes(black, "keyboard-focus-visible") == 1
    assert told(unseen, "keyboard-focus-visible") == ["#unseen"]


@pytest.mark.slow
def test_a_trap_on_a_page_that_tells_of_keys_is_for_a_person_to_judge(try_out: Try) -> None:
    result = try_out("keyboard", f"<p>Press Ctrl+M to leave</p>{TRAPS['one']}")

    assert (told(result, "keyboard-trap"), told(result, "keyboard-trap", "unsure")) == ([], ["#held"])


def test_what_listens_is_found_beside_a_frame(try_out: Try) -> None:
    """Asked to go into frames, Chromium took nodes for those of the frame, missed them, or crashed."""
    page = """<h1 id="count">0</h1><input id="name" aria-label="Name">
    <span id="menu" style="cursor: pointer">Menu</span>
    <iframe title="x" srcdoc="<a href='/'>Home</a>"></iframe><script>let number = 0;
    setInterval(() => { count.textContent = ++number; }, 200);
    document.getElementById("name").addEventListener("blur", () => 1);
    document.getElementById("menu").addEventListener("click", () => 1)</script>"""

    assert told(try_out("keyboard", page), "keyboard-operable") == ["#menu"]


@pytest.mark.parametrize(("number", "is_refused"), [(5, False), (6, True)])
def test_a_page_may_have_as_many_stops_as_it_says(
    try_out: Try, monkeypatch: pytest.MonkeyPatch, number: int, is_refused: bool
) -> None:
    monkeypatch.setattr(keyboard, "MAX_STOPS", 5)
    links = "".join(f'<a href="#{place}">Link {place}</a> ' for place in range(number))
    if is_refused:
        with pytest.raises(ProbeError, match="Tab led to more than 5 elements"):
            try_out("keyboard", links)
    else:
        assert passes(try_out("keyboard", links), "keyboard-focus-visible") == number

"""The responds probe: on a page of every kind of control, and on apps with and without dead controls."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from pytest_design2a11y.measuring.sources import capture_source
from pytest_design2a11y.settings import Settings
from tests.browser.probes.conftest import Try, told
from tests.browser.test_capture_unbuilt import served

if TYPE_CHECKING:
    from pytest_design2a11y.capture.renderer import Renderer

HEAD = '<!doctype html><html lang="en"><title>Page</title>'
APPS = Path(__file__).parents[2] / "apps"

WORKING = """<style>.on { color: red } button:hover { background: #eee } button:focus { outline: 3px solid }
</style>
<p id=clock>0</p><script>let n = 0; setInterval(() => { clock.textContent = ++n; }, 100)</script>
<button onclick="list.hidden = !list.hidden">Menu</button><ul id=list hidden><li>One</ul>
<button onclick="this.classList.toggle('on')">Like</button><button onclick="alert(1)">Alert</button>
<button onclick="window.open('x.html')">Window</button><button onclick="location = 'away.html'">Go</button>
<a href="#end">To the end</a><a href="other.html">Other</a><input placeholder=Email>
<form onsubmit="event.preventDefault(); said.textContent = 'Sent'"><button>Send</button></form><p id=said></p>
<div style="height: 2000px"></div><h2 id=end>The end</h2>"""
DEAD = """<style>button:hover { background: #eee } button:focus { outline: 3px solid }
</style>
<p id=clock>0</p><script>let n = 0; setInterval(() => { clock.textContent = ++n; }, 100)</script>
<button id=idle>Idle</button><a id=hash href="#">Hash</a><a id=lost href="#nowhere">Nowhere</a>
<div id=fake role=button tabindex=0>Fake</div><button id=fails onclick="gone()">Fails</button>"""


def test_controls_of_every_kind_respond(try_out: Try) -> None:
    result = try_out("responds", WORKING)

    assert told(result, "responds-nothing", "unsure") == []
    assert {finding.data["name"]: finding.data["what"] for finding in result.observed} == {
        "Menu": "shows “One”",
        "Like": "changes the look of “Like”",
        "Alert": "opens a dialog of the browser",
        "Window": "opens a window",
        "Go": "leaves the page",
        "To the end": "scrolls the page",
        "Other": "leaves the page",
        "Email": "takes the focus",
        "Send": "shows “Sent”",
    }


def test_without_a_design_dead_controls_are_for_a_person_to_judge(try_out: Try) -> None:
    result = try_out("responds", DEAD)

    assert result.observed == ()
    assert told(result, "responds-nothing", "unsure") == ["#idle", "#hash", "#lost", "#fake", "#fails"]
    assert told(result, "responds-nothing") == []


#: For each app: what is taken out of its page, what takes its place, and the controls that are then dead.
BROKEN = [
    ("stimulus-form", ' data-action="order#help"', "", ["Help"]),
    (
        "alpine-accordion",
        '@click="isOpen = !isOpen" :aria-expanded="isOpen">Can',
        ">Can",
        ["Can I bring a dog?"],
    ),
    ("bootstrap-tabs", ' data-bs-toggle="tab" data-bs-target="#costs"', "", ["Costs"]),
    ("a11y-dialog", ' data-a11y-dialog-show="share"', "", ["Share a bed"]),
    ("petite-vue-menu", '@click="isOpen = !isOpen" :aria-expanded="isOpen"', "", ["Menu"]),
]


@pytest.mark.alike(1)
@pytest.mark.parametrize(
    ("app", "old", "new", "dead"),
    BROKEN,
)
def test_beside_a_design_every_dead_control_is_found_and_no_other(
    renderer: Renderer, tmp_path: Path, app: str, old: str, new: str, dead: list[str]
) -> None:
    site = shutil.copytree(APPS / app / "site", tmp_path / "site")
    design = (site / "index.html").read_text(encoding="utf-8")
    assert old in design
    (site / "broken.html").write_text(design.replace(old, new), encoding="utf-8")

    failed, passed = tried(renderer, site / "index.html", site / "broken.html")

    assert [name for name, why in failed.items() if "does nothing when it is clicked" in why] == dead
    assert list(failed) == dead
    assert passed


def test_a_control_that_leaves_the_page_where_it_should_open_something_does_something_else(
    renderer: Renderer, tmp_path: Path
) -> None:
    design, page = tmp_path / "design.html", tmp_path / "page.html"
    design.write_text(f"{HEAD}<details><summary>More</summary><p>Much more</p></details>", encoding="utf-8")
    page.write_text(f"{HEAD}<a href=more.html>More</a>", encoding="utf-8")

    failed, passed = tried(renderer, design, page)

    assert failed == {
        "More": "“More” leaves the page when it is clicked; in the design it shows “Much more”."
    }
    assert passed == 0


def tried(renderer: Renderer, design: Path, page: Path) -> tuple[dict[str, str], int]:
    """Try a page out beside its design: what is said of controls that fail, by name, and how many pass."""
    settings = Settings(audit=False, probes="responds", cache_folder=None)
    reference = capture_source(design, role="reference", renderer=renderer, settings=settings)
    capture = capture_source(page, role="candidate", renderer=renderer, settings=settings, beside=reference)
    assert not capture.probe_errors
    rules = capture.probes["responds"].findings.rules
    said = [node.summary for rule in rules for node in rule.violations]
    return {why[1 : why.index("”")]: why for why in said}, sum(rule.num_passes for rule in rules)


def test_pages_on_a_server_are_not_clicked(renderer: Renderer, tmp_path: Path) -> None:
    (tmp_path / "index.html").write_text(f"{HEAD}<button>Delete all</button>", encoding="utf-8")
    settings = Settings(audit=False, probes="responds")

    with served(tmp_path) as address:
        capture = capture_source(address, role="candidate", renderer=renderer, settings=settings)

    assert str(capture.probe_errors["responds"]).startswith(
        "Its controls are not clicked: the page is on a server, where a click may change something."
    )

"""Names: for every check a page that fails and one that passes."""

from __future__ import annotations

from tests.browser.probes.conftest import Try, passes, told

PIXEL = "data:image/gif;base64,R0lGODlhAQABAAAAACw="
NAMED = f"""<button aria-label="Search: find it">Find it</button><button aria-label="Close">X</button>
<button aria-label="Menu"><span style="position: absolute; clip: rect(0 0 0 0); width: 1px; height: 1px;
overflow: hidden">Hidden</span>☰</button><img width="50" height="50" alt="A dog" src="{PIXEL}">
<img width="50" height="50" alt="" src="{PIXEL}"><a href="#x">Annual report</a>
<a href="#y" aria-label="Read more of the report">Read more</a>"""
MISNAMED = f"""<button id="find" aria-label="Search">Find it</button>
<style>img {{ width: 50px; height: 50px }}</style><img id="says" alt="Image" src="{PIXEL}">
<img id="file" alt="dog.jpg" src="{PIXEL}">
<img class="same" alt="A cat" src="{PIXEL}"><img class="same" alt="A cat" src="{PIXEL}">
<img class="same" alt="A cat" src="{PIXEL}"><a id="here" href="#x">here</a>"""


def test_what_is_called_as_it_shows_passes(try_out: Try) -> None:
    result = try_out("names", NAMED)

    assert not any(rule.num_violations or rule.num_incomplete for rule in result.findings.rules)
    assert [passes(result, f"names-{check}") for check in ("label", "picture", "link")] == [2, 1, 2]


def test_another_name_than_the_label_fails_and_words_that_say_nothing_are_unsure(try_out: Try) -> None:
    result = try_out("names", MISNAMED)

    assert told(result, "names-label") == ["#find"]
    assert told(result, "names-picture", "unsure")[:2] == ["#says", "#file"]
    assert len(told(result, "names-picture", "unsure")) == 5
    assert told(result, "names-link", "unsure") == ["#here"]
    assert result.findings.failed == 1

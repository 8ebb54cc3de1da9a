"""Which text a failed check is about: by elements, never by where they lie."""

from __future__ import annotations

from typing import Any

import pytest

from pytest_design2a11y.models.audit import AuditChoice
from pytest_design2a11y.models.page import Capture, Document

PALE = "color: #bbb; background: #fff"


@pytest.fixture
def capture(renderer: Any) -> Any:
    def of(body: str, attributes: str = "") -> Capture:
        html = (
            f"<!doctype html><html lang=en><head><title>Texts</title></head><body {attributes}>{body}</body>"
        )
        found: Capture = renderer.capture(
            Document("texts", html.encode()), role="candidate", audit=AuditChoice()
        )
        return found

    return of


def texts(capture: Capture, rule: str) -> list[tuple[set[str], set[str]]]:
    """Of every failure of a rule, the texts that it is about, and those that lie within."""
    assert capture.audit is not None
    assert capture.audit.failures is not None
    named: dict[int, str] = {}
    for run in capture.text_runs:
        named[run.owner] = f"{named.get(run.owner, '')} {run.text}".strip()
    return [
        ({named[owner] for owner in one.owners}, {named[owner] for owner in one.around})
        for one in capture.audit.failures
        if one.rule == rule
    ]


@pytest.mark.alike(4, is_long=True)
@pytest.mark.parametrize(
    ("body", "rule", "own", "around"),
    [
        (
            "<h1>h</h1><h4><span>all of</span><br><span>a heading</span></h4>",
            "heading-order",
            {"all of", "a heading"},
            set(),
        ),
        ("<ul><li>one</li><div>two</div></ul>", "list", set(), {"one", "two"}),
        ("<p>words</p><input>", "label", set(), set()),
        ("<p>words <img src='data:,'></p>", "image-alt", set(), set()),
        (
            "<div id=host></div><p>light</p><script>host.attachShadow({ mode: 'open' }).innerHTML ="
            f" `<p style='{PALE}'>in the shadow</p>`</script>",
            "color-contrast",
            {"in the shadow"},
            set(),
        ),
        (
            "<ul><li>a</li><x-slot><p>slotted</p></x-slot></ul><script>document.querySelector('x-slot')"
            ".attachShadow({ mode: 'open' }).innerHTML = '<div><slot></slot></div>'</script>",
            "list",
            set(),
            {"a", "slotted"},
        ),
    ],
)  # fmt: skip
def test_a_failure_is_about_the_text_of_its_element(
    capture: Any, body: str, rule: str, own: set[str], around: set[str]
) -> None:
    assert texts(capture(body), rule) == [(own, around)]


def test_a_contrast_failure_is_about_the_text_in_its_colour(capture: Any) -> None:
    found = capture(
        f"<p style='{PALE}'>pale</p><p>dark</p><p>dark <b style='{PALE}'>and pale</b></p>"
        f"<p>with <i style='{PALE}'>pale</i></p><a href=x style='{PALE}'><span>link</span></a>"
    )

    assert [own for own, _ in texts(found, "color-contrast")] == [
        {"pale"}, {"and pale"}, {"with pale"}, {"link"}
    ]  # fmt: skip


def test_a_contrast_failure_of_the_body_is_about_its_own_text(capture: Any) -> None:
    found = capture("loose<p style='color: #000'>in a paragraph</p>", f"style='{PALE}'")

    assert texts(found, "color-contrast") == [({"loose"}, set())]
    assert [one.is_page for one in found.audit.failures if one.rule == "color-contrast"] == [True]


def test_frames_have_owners_of_their_own(capture: Any) -> None:
    inner = (
        f"&lt;html lang=en>&lt;title>i&lt;/title>&lt;p>fine&lt;/p>&lt;p style=&quot;{PALE}&quot;>inner&lt;/p>"
    )
    found = capture(f"<p>outer</p><iframe title=x srcdoc='{inner}'></iframe>")

    assert texts(found, "color-contrast") == [({"inner"}, set())]


def test_all_failures_have_their_text_however_many_are_described(capture: Any) -> None:
    found = capture("".join(f"<p style='{PALE}'>text {number}</p>" for number in range(150)))

    assert found.audit.failed == len(found.audit.failures)
    assert texts(found, "color-contrast") == [({f"text {number}"}, set()) for number in range(150)]


@pytest.mark.slow
def test_lists_without_end_are_not_made(capture: Any) -> None:
    """250 failing lists around 900 texts are more pairs than are noted: which text is failed is not known."""
    found = capture("<ul><div>" * 250 + "<p>t</p>" * 900)

    assert found.audit.failed >= 250
    assert found.audit.failures is None

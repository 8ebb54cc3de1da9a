"""HTML_CodeSniffer beside axe-core on real pages: every frame, what it may not see, and how it fails."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from pytest_design2a11y.capture.audit.axe import Axe
from pytest_design2a11y.capture.audit.htmlcs import SHIPPED, Htmlcs
from pytest_design2a11y.exceptions import HtmlcsError
from pytest_design2a11y.measuring.pipeline import evaluate
from pytest_design2a11y.models.audit import AuditChoice
from pytest_design2a11y.models.evaluation import Evaluation
from pytest_design2a11y.models.option import AXE
from pytest_design2a11y.models.page import Capture, Document
from pytest_design2a11y.models.verdicts import Subject
from pytest_design2a11y.settings import Settings

HTMLCS = "htmlcs"

if TYPE_CHECKING:
    from pytest_design2a11y.capture.renderer import Renderer

BOTH = (Axe(), Htmlcs())

# What a page says of HTML_CodeSniffer itself must not matter.
PAGE = """<!doctype html><html lang="en"><head><title>Case</title>
<script>window.HTMLCS = {process() {}, getMessages: () => []}; window.HTMLCS_WCAG2AA = {sniffs: []};</script>
</head><body><main><h1>Shown</h1><p style="color:#bbb;background:#fff">Pale</p>
<div id="part"><img src="data:image/gif;base64,R0lGODlhAQABAAAAACw="></div>
<iframe title="outer" width="300" height="200" srcdoc="<!doctype html><html lang='en'><body>
  <img src='data:image/gif;base64,R0lGODlhAQABAAAAACw='>
  <iframe title='inner' srcdoc='<html lang=en><p style=color:#ccc;background:#fff>Deep</p></html>'></iframe>
</body></html>"></iframe>
<iframe title="hidden" hidden srcdoc="<img src='data:,'>"></iframe>
</main></body></html>"""


def capture(
    renderer: Renderer, html: str = PAGE, *, engines: tuple[object, ...] = BOTH, **choice: object
) -> Capture:
    document = Document(label="<html>", html=html.encode())
    return renderer.capture(document, role="candidate", audit=AuditChoice(**choice), engines=engines)  # type: ignore[arg-type]


def evaluation_of(candidate: Capture) -> Evaluation:
    return evaluate(
        Subject(id="test", case="case"),
        reference=candidate,
        candidate=candidate,
        settings=Settings(engines="axe,htmlcs"),
    )


def found(captured: Capture) -> dict[str, list[str]]:
    return {
        rule.rule.rpartition("_")[2].partition(".")[2]: [node.target for node in rule.violations]
        for rule in captured.audits[HTMLCS].rules
    }


@pytest.fixture(scope="module")
def captured(renderer: Renderer) -> Capture:
    """The page with both engines."""
    return capture(renderer)


def test_every_frame_is_checked_and_elements_are_named_as_axe_names_them(captured: Capture) -> None:
    assert found(captured) == {
        "H37": ["img", 'iframe[title="outer"] >>> img'],
        "G18.Fail": ["p", 'iframe[title="outer"] >>> iframe >>> p'],
    }
    axe = {rule.rule: [node.target for node in rule.violations] for rule in captured.audits[AXE].rules}
    assert axe["image-alt"] == found(captured)["H37"]
    assert axe["color-contrast"] == found(captured)["G18.Fail"]
    boxes = {
        node.target: node.box
        for name in (AXE, HTMLCS)
        for rule in captured.audits[name].rules
        if rule.rule in ("image-alt", "WCAG2AA.Principle1.Guideline1_1.1_1_1.H37")
        for node in rule.violations
    }
    assert len(boxes) == 2
    assert [warning.code for warning in captured.warnings] == []
    assert captured.conditions["engines"] == {"htmlcs": "2.5.1"}


def test_both_engines_stand_beside_each_other(renderer: Renderer, captured: Capture) -> None:
    alone = evaluation_of(capture(renderer, engines=(Axe(),)))
    both = evaluation_of(captured)

    assert alone.accessibility == both.accessibility
    assert alone.engines == {AXE: both.engines[AXE]}
    assert (both.engines[HTMLCS].checked, both.engines[HTMLCS].failed) == (None, 4)
    assert both.engines[HTMLCS].by_impact == {"serious": 2, "critical": 2}
    assert evaluation_of(capture(renderer)) == both


def test_parts_of_the_page_can_be_chosen(renderer: Renderer) -> None:
    assert found(capture(renderer, include=("#part",))) == {"H37": ["img"]}
    assert found(capture(renderer, exclude=("iframe", "p"))) == {"H37": ["img"]}


def test_a_selector_that_matches_nothing_gives_no_count(renderer: Renderer) -> None:
    captured = capture(renderer, include=("#gone",))

    assert captured.audits == {}
    assert "Nothing on the page matches #gone" in str(captured.audit_errors[HTMLCS])


def changed(tmp_path: Path, addition: str) -> Path:
    path = tmp_path / "HTMLCS.js"
    path.write_text(f"{SHIPPED.read_text(encoding='utf-8')}\n;{addition}", encoding="utf-8")
    return path


def test_an_engine_that_fails_leaves_the_others_findings_and_the_visual_score(
    renderer: Renderer, tmp_path: Path
) -> None:
    script = changed(tmp_path, "HTMLCS.process = () => { throw new Error('no way'); };")

    evaluation = evaluation_of(capture(renderer, engines=(Axe(), Htmlcs(script))))

    assert evaluation.accessibility is not None
    assert evaluation.visual is not None
    assert evaluation.visual.score == 1.0
    assert evaluation.engines.keys() == {AXE}
    assert evaluation.error is not None
    assert evaluation.error.type == "HtmlcsError"
    assert evaluation.error.message == "HTML_CodeSniffer failed: no way (stage: htmlcs)"


@pytest.mark.slow
def test_fields_that_say_what_they_are_for_do_not_end_it(renderer: Renderer) -> None:
    """Version 2.5.1 looks for a text that it does not have where such a field's type is not "text"."""
    fields = (
        "<label>Name <input autocomplete=name></label>"
        "<label>User <input id=user type=email autocomplete=username></label>"
    )
    page = f"<!doctype html><html lang=en><title>Form</title><main><h1>Form</h1><form>{fields}</form></main>"

    audit = capture(renderer, page).audits[HTMLCS]

    (rule,) = (rule for rule in audit.rules if "1_3_5" in rule.rule)
    assert [(node.target, node.summary[:40]) for node in rule.incomplete] == [
        ("#user", "Invalid autocomplete value: username. El")
    ]


@pytest.mark.slow
def test_an_engine_that_does_not_end_is_ended(make_renderer: Callable[..., Renderer], tmp_path: Path) -> None:
    script = changed(tmp_path, "HTMLCS.process = () => { for (;;); };")
    slow = make_renderer(timeout=6.0)

    evaluation = evaluation_of(capture(slow, engines=(Axe(), Htmlcs(script))))

    assert evaluation.accessibility is not None
    assert evaluation.visual is not None
    assert evaluation.error is not None
    assert evaluation.error.type == "HtmlcsError"
    assert "--design2a11y-timeout" in evaluation.error.message
    assert capture(slow).audits.keys() == {AXE, HTMLCS}


def test_axe_failing_leaves_what_the_other_found(renderer: Renderer, tmp_path: Path) -> None:
    broken = tmp_path / "axe.js"
    broken.write_text('globalThis.axe = {}; axe.version="4.10.3";')

    evaluation = evaluation_of(capture(renderer, engines=(Axe(broken), Htmlcs())))

    assert evaluation.error is not None
    assert evaluation.error.type == "AxeError"
    assert evaluation.accessibility is None
    assert evaluation.engines[HTMLCS].failed == 4
    targets = [node.target for rule in evaluation.audits[HTMLCS].rules for node in rule.violations]
    assert "html > body:nth-child(2) > main:nth-child(1) > p:nth-child(2)" in targets


@pytest.mark.parametrize(
    ("text", "message"), [(None, "cannot be read"), ("var HTMLCS = {};", "is not a built HTML_CodeSniffer")]
)
def test_a_script_that_is_not_the_engine_is_refused(
    renderer: Renderer, tmp_path: Path, text: str | None, message: str
) -> None:
    path = tmp_path / "HTMLCS.js"
    if text is not None:
        path.write_text(text)

    with pytest.raises(HtmlcsError, match=message):
        capture(renderer, engines=(Axe(), Htmlcs(path)))

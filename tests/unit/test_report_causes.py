from __future__ import annotations

from dataclasses import replace

import pytest

from pytest_design2a11y.capture.warning_log import WarningLog, names_in
from pytest_design2a11y.models.run import Failure
from pytest_design2a11y.models.visual import Block, Match
from pytest_design2a11y.report.causes import causes_of, page_causes
from tests.factories import make_audited, make_evaluation, make_visual, with_differences


def block(text: str, y: float = 0.1) -> Block:
    return Block(text, (0.1, y, 0.3, 0.05), (20, 20, 20))


def asked(**names: str) -> WarningLog:
    log = WarningLog()
    for code, name in names.items():
        log.note(code, name)
    return log


@pytest.mark.parametrize(
    "name", ["https://cdn.example/site.css", "images/hero.png", "TypeError: x is not a function"]
)
@pytest.mark.parametrize("code", ["blocked_requests", "missing_files", "unrecorded_assets", "js_errors"])
def test_a_warning_gives_back_what_it_names(code: str, name: str) -> None:
    assert names_in(asked(**{code: name}).warnings()[0]) == [name]


def test_an_error_that_ends_as_a_sentence_does_has_one_full_stop() -> None:
    (warning,) = asked(js_errors='References must start with "./".').warnings()

    assert warning.message == 'Scripts of the page threw errors: References must start with "./".'


def test_files_that_did_not_load_are_named_style_sheets_and_scripts_first() -> None:
    log = asked(missing_files="img/hero.png", blocked_requests="https://cdn.example/a/site.css?v=2")
    log.note("missing_files", "img/logo.svg")
    log.note("blocked_requests", "https://cdn.tailwindcss.com/")
    log.note("missing_files", "/src/main.jsx")
    evaluation = make_evaluation(visual=None, ir=None, warnings=log.warnings())

    assert [cause.text for cause in causes_of(evaluation)] == [
        "2 style sheets blocked, such as cdn.example/…/site.css",
        "script /src/main.jsx not found",
        "2 pictures not found, such as img/hero.png",
    ]


def test_a_host_that_is_asked_for_nothing_in_particular_is_named_alone() -> None:
    evaluation = make_evaluation(warnings=asked(blocked_requests="https://cdn.tailwindcss.com/").warnings())

    assert page_causes(evaluation)[0].text == "style sheet cdn.tailwindcss.com blocked"


def test_what_the_design_lacks_is_not_a_cause_of_the_generated_page() -> None:
    (warning,) = asked(missing_files="site.css").warnings()
    evaluation = make_evaluation(warnings=(replace(warning, role="reference"),))

    assert page_causes(evaluation) == []
    assert [cause.text for cause in page_causes(evaluation, "reference")] == [
        "style sheet site.css not found"
    ]


def test_likes_are_told_together_and_the_most_costly_come_first() -> None:
    moved = (Match(block(text), block(text, 0.5), 1.0, 0.6, 1.0) for text in ("Sign in", "Terms"))
    visual = make_visual(0.8, matches=tuple(moved), missing=(block("Help"),))
    page = make_audited("login", 0.8)

    causes = causes_of(replace(page, visual=with_differences(visual, page.page_sizes)))

    assert [cause.text for cause in causes] == ["2 contrast failures", "texts moved", "text missing"]
    assert [cause.cost for cause in causes] == sorted((cause.cost for cause in causes), reverse=True)
    assert {cause.key for cause in causes} == {"text moved", "text missing", "color-contrast"}


def test_why_a_page_was_not_measured_is_its_first_cause() -> None:
    lost = make_evaluation(visual=None, ir=None, error=Failure("RenderTimeout", "The page hung. Try again."))

    assert [cause.text for cause in causes_of(lost)] == ["not measured: The page hung"]

from __future__ import annotations

from dataclasses import replace

import pytest

from pytest_design2a11y.capture.warning_log import WarningLog
from pytest_design2a11y.models.verdicts import Failure
from pytest_design2a11y.models.visual import Block, Difference, Match
from pytest_design2a11y.models.words import in_words
from pytest_design2a11y.report.causes import causes_of, group_differences, page_causes
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
    assert asked(**{code: name}).warnings()[0].names == (name,)


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


def test_a_host_that_gives_no_answer_is_one_host_however_often_and_why() -> None:
    log = asked(
        unreachable_hosts="fonts.example ([SSL: CERTIFICATE_VERIFY_FAILED] certificate verify failed)"
    )
    log.note("unreachable_hosts", "fonts.example (no whole answer in time)")

    (cause,) = page_causes(make_evaluation(warnings=log.warnings()))

    assert cause.text == "host fonts.example gave no answer"


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

    assert [cause.phrase for cause in causes] == [
        'texts are in other places, such as text "Sign in"',
        "2 contrast failures",
        'text "Help" at 10, 10 is missing',
    ]
    assert [cause.cost for cause in causes] == sorted((cause.cost for cause in causes), reverse=True)
    assert {cause.key for cause in causes} == {"text moved", "text missing", "color-contrast"}


def test_why_a_page_was_not_measured_is_its_first_cause() -> None:
    lost = make_evaluation(visual=None, ir=None, error=Failure("RenderTimeout", "The page hung. Try again."))

    assert [cause.text for cause in causes_of(lost)] == ["not measured: The page hung"]


def test_small_things_never_lead_however_much_they_cost_together() -> None:
    small = Difference("moved", "page", cost=0.4, property="small")
    lost = Difference("missing", "control", cost=0.05)
    visual = replace(make_visual(0.5), differences=(small, lost))

    causes = causes_of(make_evaluation("a", visual, None))

    assert [(cause.text, cause.group) for cause in causes] == [
        ("control is missing", "control"),
        ("small differences of place, size, color or font", "layout"),
    ]


def test_small_things_are_counted_by_kind_and_said_to_be_where() -> None:
    counts = {"text moved": 250, "panel missing": 120, "text font": 40, "control resized": 2, "line moved": 1}
    facts = {"counts": counts, "extent": [240, 5400]}
    small = Difference("moved", "page", 0.4, "minor", "small", None, 413, facts)

    (cause,) = causes_of(make_evaluation("a", replace(make_visual(0.5), differences=(small,)), None))

    told = "413 smaller differences: 250 texts moved, 120 boxes missing, 40 texts in another font, "
    assert in_words(small) == told + "2 controls resized and other things, from 240 to 5400 px down the page"
    assert cause.text == in_words(small)


def test_what_sums_up_small_things_is_the_last_group_of_a_page() -> None:
    small = Difference("moved", "page", cost=0.4, property="small")
    lost = Difference("missing", "control", cost=0.05, reference={"name": "link", "label": "Discord"})

    groups = group_differences((small, lost))

    assert [group.message for group in groups] == [
        'link "Discord" is missing',
        "small differences of place, size, color or font",
    ]


def test_a_single_thing_goes_by_its_name_and_one_of_several_is_an_example() -> None:
    lost = Difference("missing", "control", cost=0.05, reference={"name": "link", "label": "Discord"})

    texts = [
        cause.phrase
        for found in ((lost,), (lost, lost))
        for cause in causes_of(make_evaluation("a", replace(make_visual(0.5), differences=found), None))
    ]

    assert texts == ['link "Discord" is missing', '2 controls are missing, such as link "Discord"']


def test_a_designer_reads_of_boxes_not_of_panels() -> None:
    visual = replace(make_visual(0.5), differences=(Difference("missing", "panel", cost=0.05),) * 2)

    (cause,) = causes_of(make_evaluation("a", visual, None))

    assert (cause.text, cause.key) == ("2 boxes are missing", "panel missing")

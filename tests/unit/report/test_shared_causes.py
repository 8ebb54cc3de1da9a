"""What is wrong with several pages in the same way is one cause, with its pages and its whole cost."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from pytest_design2a11y.models.evaluation import Evaluation
from pytest_design2a11y.models.page import CaptureWarning
from pytest_design2a11y.models.visual import Difference
from pytest_design2a11y.report.run_pages import fault_of, join_faults, shared_causes
from tests.factories import AUDIT, CONTRAST, make_evaluation, make_visual

HEADER = {"name": "panel", "role": "banner", "fill": "#16324f"}


def recolored(
    side: dict[str, Any], *, what: Any = "panel", cost: float = 0.01, actual: str = "#333333"
) -> Difference:
    box = {"box": [0, 0, 1280, 70]}
    return Difference(
        "recolored",
        what,
        cost,
        "serious",
        "fill",
        "#16324f",
        actual,
        box | side,
        box | side | {"fill": actual},
    )


def icon(top: int) -> Difference:
    side = {"name": "icon", "box": [10, top, 20, 20]}
    return Difference("missing", "picture", 0.02, "serious", reference=side)


def page(*differences: Difference, **more: Any) -> Evaluation:
    return make_evaluation("a", replace(make_visual(0.5), differences=differences), None, **more)


def blocked(address: str) -> CaptureWarning:
    return CaptureWarning("blocked_requests", "Blocked.", 1, "candidate", (address,))


def sentences(*pages: Evaluation) -> list[str]:
    return [cause.sentence for cause in shared_causes(pages)]


def test_a_landmark_of_one_color_is_one_cause_wherever_it_stands() -> None:
    lower = recolored(HEADER | {"box": [0, 40, 1280, 90]})
    footer = recolored({"name": "panel", "role": "contentinfo", "label": "Acme"})

    (cause,) = shared_causes([page(recolored(HEADER)), page(lower), page(footer)])

    assert cause.sentence == "2 of 3 pages: header is #333333 instead of #16324f"
    assert cause.pages == (0, 1)
    assert cause.cost == 0.02


def test_things_of_a_kind_with_other_names_are_told_as_a_kind() -> None:
    buttons = [recolored({"name": "button", "label": label}, what="control") for label in ("Buy", "Send")]

    assert sentences(*map(page, buttons)) == ["2 of 2 pages: buttons are #333333 instead of #16324f"]
    assert sentences(*map(page, buttons[:1] * 2)) == [
        '2 of 2 pages: button "Buy" is #333333 instead of #16324f'
    ]


def test_another_value_or_another_thing_is_another_cause() -> None:
    pages = (
        page(recolored(HEADER)),
        page(recolored(HEADER, actual="#444444")),
        page(recolored({"name": "card"})),
    )

    assert sentences(*pages) == []


def test_a_sentence_without_a_place_is_equal_at_other_places() -> None:
    """The same line is missing, once further down."""
    lines = [
        Difference("missing", "line", 0.01, "minor", reference={"box": [20, top, 300, 1]}) for top in (30, 80)
    ]

    assert sentences(*map(page, lines)) == ["2 of 2 pages: line of 300 px is missing"]
    assert sentences(page(lines[0]), page(lines[0])) == ["2 of 2 pages: line of 300 px at 20, 30 is missing"]


def test_missing_icons_name_the_file_that_brings_them() -> None:
    script = blocked("https://unpkg.com/lucide@latest")
    failed = CaptureWarning("js_errors", "lucide is not defined", 1, "candidate", ("lucide is not defined",))
    lacking = [page(icon(top), warnings=(script, failed)) for top in (10, 300)]

    assert sentences(*lacking, page()) == [
        "2 of 3 pages: icons missing (script unpkg.com/lucide@latest blocked)"
    ]
    assert sentences(page(icon(1)), page(icon(2), icon(5))) == ["2 of 2 pages: icons missing"]


def test_each_file_is_a_cause_of_its_own() -> None:
    both = (blocked("https://a.example/one.css"), blocked("https://a.example/two.css"))

    assert sentences(page(warnings=both), page(warnings=both[:1])) == [
        "2 of 2 pages: style sheet a.example/one.css blocked"
    ]


def test_failures_of_a_rule_are_counted_over_the_pages() -> None:
    audits = [replace(AUDIT, rules=(replace(CONTRAST, num_violations=number),)) for number in (2, 3)]
    pages = [page(audit=audit) for audit in audits]

    assert sentences(*pages) == ["2 of 2 pages: 5 contrast failures"]


def test_the_most_costly_over_all_pages_comes_first() -> None:
    """One that costs much on few pages, beside one that costs little on many: .08 is less than .09."""
    dear, cheap = recolored(HEADER, cost=0.04), icon(3)
    pages = [page(replace(cheap, cost=0.03)) for _ in range(3)] + [page(dear)] * 2

    assert [cause.cost for cause in shared_causes(pages)] == [0.09, 0.08]


def test_what_is_accepted_and_what_one_page_has_is_no_shared_cause() -> None:
    wanted = replace(recolored(HEADER), accepted="")

    assert sentences(page(wanted), page(wanted), page(recolored(HEADER))) == []
    assert join_faults([[fault_of(recolored(HEADER)), fault_of(recolored(HEADER))], []]) == []

"""The fix list that a saved run gives at once: exact values of its differences, and failed checks."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest

from pytest_design2a11y.fixing.edit import Edit
from pytest_design2a11y.fixing.fix_list import FixList, Item, State
from pytest_design2a11y.fixing.untried import untried
from pytest_design2a11y.models.audit import Audit, CheckedNode, RuleOutcome
from pytest_design2a11y.models.evaluation import Evaluation
from pytest_design2a11y.models.verdicts import Failure
from pytest_design2a11y.models.visual import Block, Difference
from tests.factories import make_evaluation, make_visual

PLAIN = {"font_size": 16, "family": "serif", "weight": 400, "color": "#222222", "ground": "#ffffff"}
BOX = {"name": "panel", "fill": "#ffffff", "has_fill": True, "has_border": False, "has_shadow": False}
FAINT = CheckedNode(
    "#help", "<p>", "serious", "Fix it", (40, 100, 90, 20),
    {"fgColor": "#999999", "bgColor": "#ffffff", "contrastRatio": 2.85, "expectedContrastRatio": "4.5:1"},
)  # fmt: skip


def side(*box: int, **facts: Any) -> dict[str, Any]:
    return {"box": [*box], **facts}


def listed(*differences: Difference, rules: tuple[RuleOutcome, ...] = (), **changes: Any) -> FixList:
    visual = make_visual(0.8, elements=0.6, typography=0.7, fidelity=0.7, differences=differences)
    page = Evaluation("t", "c", "gen.html", reference="ref.html", visual=replace(visual, **changes))
    return untried(replace(page, audit=Audit("4.10.3", rules, 10, 1) if rules else None))


def only(*differences: Difference) -> Edit:
    (item,) = listed(*differences).items
    (edit,) = item.edits
    return edit


def failing(name: str, *nodes: CheckedNode) -> RuleOutcome:
    return RuleOutcome(
        name, f"Help for {name}", "", (), "serious", 3, len(nodes), 0, {"serious": len(nodes)}, nodes
    )


def font(design: dict[str, Any], made: dict[str, Any], name: str = "font_size") -> Difference:
    return Difference("font", "text", 0.02, "serious", name, design.get(name), made.get(name), design, made)


def test_all_that_differs_in_one_text_is_one_edit_with_one_value_each() -> None:
    design = side(40, 100, 90, 20, text="Help", **PLAIN, is_underlined=True)
    made = side(52, 130, 70, 16, text="Help", **{**PLAIN, "font_size": 12, "color": "#999999"})
    moved = Difference("moved", "text", 0.01, "moderate", "place", None, None, design, made)

    edit = only(font(design, made), moved)

    assert edit.css == {
        "font-size": "16px",
        "text-decoration-line": "underline",
        "color": "#222222",
        "translate": "-12px -30px",
    }
    assert edit.name == 'text "Help" at 52, 130, 70 x 16 px'
    assert (edit.design_box, edit.page_box) == ((40, 100, 90, 20), (52, 130, 70, 16))


def test_of_facts_that_one_side_may_lack_only_those_of_both_are_changed() -> None:
    design = side(40, 100, 90, 20, text="Help", font_size=16, weight=700)
    made = side(40, 100, 90, 20, text="Help", font_size=12)

    assert only(font(design, made)).css == {"font-size": "16px"}


def test_a_text_gets_the_nearest_color_that_can_be_read_on_its_ground() -> None:
    design = side(40, 100, 90, 20, text="Help", **{**PLAIN, "color": "#aaaaaa"})
    made = side(40, 100, 90, 20, text="Help", **{**PLAIN, "color": "#ff0000"})

    color = only(Difference("recolored", "text", 0.02, "moderate", "color", "#a", "#f", design, made)).css[
        "color"
    ]

    assert color == "#757575"  # 4.6:1 on white, by WCAG's formula; #aaaaaa has 2.3:1


def test_a_box_gets_fill_border_corners_and_size() -> None:
    design = side(40, 40, 300, 80, **BOX, radius=6.0) | {
        "has_border": True,
        "border": "2 px #cc0000 at the top",
    }
    made = side(40, 40, 200, 80, **{**BOX, "fill": "#eeeeee"})
    looks = Difference("restyled", "panel", 0.02, "moderate", "marks", None, None, design, made)
    sized = Difference("resized", "panel", 0.02, "moderate", "size", "300 x 80", "200 x 80", design, made)

    css = only(looks, sized).css

    assert css["background"] == "#ffffff"
    assert (css["border-top"], "border-left" in css) == ("2px solid #cc0000", False)
    assert (css["border-radius"], css["width"], "translate" in css) == ("6px", "300px", False)


def test_the_place_of_a_thing_on_the_page_is_named_once() -> None:
    design, made = side(40, 40, 300, 80, **BOX), side(90, 60, 300, 80, **BOX)
    moved = Difference("moved", "panel", 0.02, "moderate", "place", None, None, design, made)
    lost = Difference("missing", "text", 0.03, "serious", reference=side(500, 300, 200, 24, text="Prices"))

    assert [only(one).name for one in (moved, lost)] == [
        "panel 300 x 80 at 90, 60",
        'text "Prices" at 500, 300, 200 x 24 px',
    ]


def test_what_is_missing_is_markup_and_what_is_extra_goes() -> None:
    text = side(500, 300, 200, 24, text="Prices & plans", **PLAIN)
    lost = Difference("missing", "text", 0.03, "serious", reference=text)
    more = Difference(
        "extra", "control", 0.02, "moderate", candidate=side(0, 0, 9, 9, name="button", label="Buy")
    )
    around = Difference("extra", "panel", 0.01, "moderate", candidate=side(0, 0, 99, 99, name="panel"))

    first, second, third = (item.edits[0] for item in listed(around, more, lost).items)

    assert "position: absolute; left: 500px; top: 300px" in first.html
    assert "font-size: 16px" in first.html
    assert ": normal" not in first.html
    assert ": none" not in first.html
    assert first.html.endswith(">Prices &amp; plans</p>")
    assert second.css == {"visibility": "hidden"}
    assert "visibility" not in third.css  # What lies in it may be the design's.


def test_the_worst_comes_first_and_what_no_edit_mends_remains_with_its_share() -> None:
    def of(severity: Any, cost: float, text: str) -> Difference:
        design, made = (side(0, 0, 9, 9, text=text, font_size=size) for size in (20, 10))
        return Difference("font", "text", cost, severity, "font_size", 20, 10, design, made)

    looks = Difference("unexplained", "page", 0.09, "serious", actual=0.3, candidate=side(0, 0, 9, 9))

    found = listed(of("minor", 0.2, "a"), of("serious", 0.01, "b"), of("serious", 0.02, "c"), looks)

    assert [item.edits[0].name.split('"')[1] for item in found.items] == ["c", "b", "a"]
    (rest,) = found.remaining
    assert rest.share == pytest.approx(0.09 / 0.3)
    assert rest.message.startswith("something looks different")


def test_words_and_values_are_as_the_design_has_them() -> None:
    said, read = (side(0, 0, 9, 9, text=text) for text in ("Continue", "Go on"))
    full, bare = (side(0, 40, 9, 9, name="text field", placeholder=text) for text in ("Name", ""))
    reads = Difference("reworded", "text", 0.02, "serious", "text", "Continue", "Go on", said, read)
    asks = Difference("state", "control", 0.01, "moderate", "placeholder", "Name", None, full, bare)

    first, second = listed(reads, asks).items

    assert list(first.lines()) == ['its own text is to be "Continue"']
    assert second.edits[0].attributes == {"placeholder": "Name"}


def test_a_new_ground_is_the_pages() -> None:
    sides = {"behind": "#eef1f8", "fill": "#ffffff"}, {"fill": "#ff00ff"}
    edit = only(Difference("ground", "page", 0.1, "serious", "fill", "#eef1f8", "#ff00ff", *sides))

    assert (edit.name, edit.css) == ("page", {"background": "#eef1f8"})


def test_of_another_theme_the_ground_comes_first_then_the_texts() -> None:
    sides = [side(0, 0, 9, 9, text="a", **{**PLAIN, "color": color}) for color in ("#222222", "#eeeeee")]
    text = Difference("recolored", "text", 0.0, "serious", "color", "#222222", "#eeeeee", sides[0], sides[1])
    grounds = {"fill": "#ffffff"}, {"fill": "#111111"}
    theme = Difference("ground", "page", 0.3, "critical", "theme", "light", "dark", *grounds, (text,))

    first, second = listed(theme).items

    assert (first.edits[0].css, second.edits[0].css) == ({"background": "#ffffff"}, {"color": "#222222"})


def test_what_moved_as_a_whole_is_one_item() -> None:
    design, made = side(40, 40, 200, 60), side(40, 90, 200, 60)
    members = tuple(
        Difference(
            "moved",
            "text",
            0.0,
            "serious",
            "place",
            None,
            None,
            side(40, y, 9, 9, text="a"),
            side(40, y + 50, 9, 9, text="a"),
        )
        for y in (40, 70)
    )
    edit = only(Difference("moved", "text", 0.1, "serious", "place", None, None, design, made, members))

    assert edit.css == {"translate": "0px -50px"}
    assert edit.name.startswith("2 texts between")


def test_a_contrast_failure_of_a_text_that_gets_a_color_is_part_of_that_edit() -> None:
    design = side(40, 100, 90, 20, text="Help", **PLAIN)
    made = side(40, 100, 90, 20, text="Help", **{**PLAIN, "color": "#999999"})

    (item,) = listed(font(design, made, "color"), rules=(failing("color-contrast", FAINT),)).items

    assert item.repairs == ("color-contrast",)
    assert (item.edits[0].selector, item.edits[0].css) == ("#help", {"color": "#222222"})
    assert list(item.lines()) == ["#help { color: #222222 !important; }"]


def test_a_failed_rule_is_one_item_with_what_repairs_each_element() -> None:
    rule = failing(
        "label",
        CheckedNode("#mail", "<input>", "serious", "x"),
        CheckedNode("#age", "<input>", "serious", "x"),
    )
    other = failing("scope-attr-valid", CheckedNode("#cell", "<th>", "serious", "Wrong:\n  use scope"))

    labels, scope = listed(rules=(rule, other)).items

    assert list(labels.lines()) == ['#mail: set aria-label="mail"', '#age: set aria-label="age"']
    assert labels.name == "label: Give every form control a <label for=...>, or an aria-label."
    assert list(scope.lines()) == ["#cell: use scope."]
    (contrast,) = listed(rules=(failing("color-contrast", FAINT),)).items
    assert contrast.edits[0].css == {"color": "#757575"}


def test_items_are_limited_and_the_json_holds_the_same() -> None:
    found = listed(
        *(
            font(side(at, 0, 9, 9, text="a", font_size=20), side(at, 0, 9, 9, text="a", font_size=9))
            for at in range(4)
        )
    )

    lines = list(found.lines(max_items=2))
    record = json.loads(json.dumps(found.to_dict(2)))

    assert lines[0] == "t: gen.html against ref.html"
    assert lines[-1] == "And 2 more items (--full)."
    assert "costs 0.0200 of fidelity; not tried" in lines[3]
    assert (len(record["items"]), record["num_items"], record["after"]) == (2, 4, None)
    assert list(found.lines(max_items=2, prefix="1."))[-1] == "And 2 more items (max_items)."


def test_a_part_of_a_list_says_what_its_gain_counts_besides() -> None:
    top, bottom = (
        Edit(name, {"color": "#000000"}, page_box=(0, y, 9, 9)) for name, y in (("a", 0), ("b", 500))
    )
    item = Item((top, bottom), 0.2, advice="2 elements")
    state = State(0.5, 0.5, 1, 0, 0.9)
    found = FixList("gen.html", "ref.html", state, state, (item, Item((bottom,), 0.1)))

    part, short = found.within((0, 0, 100, 100)), found.shortened(1)

    first = [
        "a { color: #000000 !important; }",
        "and 1 more edit, which its gain counts: ask for their region",
    ]
    assert [list(one.lines()) for one in part.items] == [first]
    assert [list(one.lines()) for one in short.items] == [first, ["b { color: #000000 !important; }"]]
    assert (part.items[0].name, part.items[0].to_dict("1.1")["more"]) == ("2 elements", 1)
    assert "; with all items of the page: fidelity 0.5000" in list(part.lines())[1]


def test_errors_pictures_and_runs_without_details_are_said_first() -> None:
    lost = make_evaluation(visual=None, ir=None, error=Failure("RenderTimeout", "The page hung."))
    read = listed(missing=(Block("a", (0.1, 0.1, 0.1, 0.1), (0, 0, 0), confidence=0.9),))

    assert untried(lost).remarks[0] == "Not measured: RenderTimeout: The page hung."
    assert "read by a machine: single letters may be misread" in read.remarks[0]
    assert "Save one here: design2a11y score ref.html gen.html --save NAME." in listed().remarks[0]
    assert untried(make_evaluation(visual=None, ir=None), "Not tried: no file").remarks == (
        "Not tried: no file",
    )


def test_a_perfect_page_has_nothing_to_fix() -> None:
    (*_, last) = untried(make_evaluation(visual=make_visual(1.0), ir=None)).lines()

    assert last.startswith("Nothing was found to fix. ")


def test_a_page_given_as_html_is_called_by_the_name_of_its_pair() -> None:
    page = make_evaluation(visual=make_visual(1.0), ir=None)

    assert untried(replace(page, candidate="<html>", id="answer 7")).page == "answer 7"


def test_hostile_texts_stay_on_their_line() -> None:
    hostile = "a\n::error::\x1b[31m</p><script>"
    found = listed(Difference("missing", "text", 0.02, "serious", reference=side(0, 0, 9, 9, text=hostile)))

    told = "\n".join(found.lines())

    assert "\x1b" not in told
    assert "\n::error" not in told
    assert "&lt;script&gt;</p>" in told

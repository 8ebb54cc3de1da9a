from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from pytest_design2a11y.accessibility import rates
from pytest_design2a11y.measuring.measures import score_blocks
from pytest_design2a11y.models.audit import Audit, CheckedNode, RuleOutcome
from pytest_design2a11y.models.evaluation import Failure
from pytest_design2a11y.models.run import Evaluation, Run
from pytest_design2a11y.models.visual import (
    Block,
    Difference,
    DifferenceKind,
    DifferenceSubject,
    Match,
    VisualScore,
)
from pytest_design2a11y.report.feedback import feedback
from pytest_design2a11y.runs.run_file import read_run, write_run
from tests.factories import make_visual, report_record, with_differences

SIZES = {"reference": (1000, 500), "candidate": (1000, 1000)}


def block(text: str, x: float, y: float, color: tuple[int, int, int] = (0, 0, 0)) -> Block:
    return Block(text, (x, y, 0.2, 0.1), color)


def visual_evaluation(
    reference: list[Block], candidate: list[Block], sizes: dict[str, tuple[int, int]] = SIZES
) -> Evaluation:
    visual = with_differences(score_blocks(reference, candidate), sizes)
    return Evaluation("t", "c", "gen.html", reference="ref.html", visual=visual, page_sizes=sizes)


def rule(name: str, *nodes: CheckedNode, count: int | None = None) -> RuleOutcome:
    impacts = [node.impact for node in nodes if node.impact]
    by_impact = {impact: impacts.count(impact) for impact in impacts} or {"serious": count or 0}
    return RuleOutcome(
        name, f"Help for {name}", "", (), "serious", 3, count or len(nodes), 0, by_impact, nodes
    )


def audit_evaluation(*rules: RuleOutcome) -> Evaluation:
    audit = Audit("4.10.3", rules, 10, 1)
    return Evaluation("t", "c", "gen.html", audit=audit, accessibility=rates(audit))


def sentences(evaluation: Evaluation, kind: str) -> list[str]:
    return [
        place["sentence"] for fix in feedback(evaluation).fixes if fix.kind == kind for place in fix.places
    ]


KEPT = block("a heading that stays", 0.1, 0.1)


def of_differences(*differences: Difference, fidelity: float = 0.7, **changes: Any) -> Evaluation:
    """Make an evaluation whose score tells of differences, as those of pages do."""
    visual = make_visual(0.8, elements=0.6, typography=0.7, fidelity=fidelity, differences=differences)
    whole = replace(visual, blocking=len(visual.blockers), **changes)
    return Evaluation("t", "c", "gen.html", reference="ref.html", visual=whole, page_sizes=SIZES)


def side(box: list[int], **facts: Any) -> dict[str, Any]:
    return {"box": box, **facts}


def missing(what: DifferenceSubject, design: dict[str, Any], cost: float = 0.02) -> Difference:
    return Difference("missing", what, cost, "serious", reference=design)


def extra(what: DifferenceSubject, made: dict[str, Any]) -> Difference:
    return Difference("extra", what, 0.01, "moderate", candidate=made)


WRITTEN = {"font_size": 16, "family": "serif", "weight": 400, "color": "#222222", "ground": "#ffffff"}


def test_a_missing_text_is_given_whole_with_its_own_case_place_font_colour_and_links() -> None:
    text = "Prices for all plans are in 2023. " * 20
    design = side(
        [500, 300, 200, 50],
        text=text,
        **WRITTEN,
        line_height=20.0,
        parts=[{"text": "all plans", "weight": 700, "color": "#0000ee"}],
    )

    (told,) = sentences(of_differences(missing("text", design)), "add")

    assert told == (
        f'"{text.strip()}" at 500, 300, 200 x 50 px: 16 px, lines 20 px apart, serif, weight 400, '
        '#222222 on #ffffff, "all plans" weight 700 #0000ee'
    )


def test_texts_stand_in_reading_order_and_those_of_one_row_on_one_line() -> None:
    cells = [("Ann", 40, 101), ("33", 140, 100), ("Name", 40, 60), ("Age", 140, 60), ("City", 240, 61)]
    found = [missing("text", side([x, y, 50, 20], text=text, **WRITTEN)) for text, x, y in cells]

    lines = list(feedback(of_differences(*found)).lines())

    assert lines[-3:] == [
        '   - in one row 60 px down, 20 px high: "Name" at 40 (50 px), "Age" at 140 (50 px), "City" at '
        "240 (50 px): 16 px, serif, weight 400, #222222 on #ffffff",
        '   - "Ann" at 40, 101, 50 x 20 px: 16 px, serif, weight 400, #222222 on #ffffff',
        '   - "33" at 140, 100, 50 x 20 px: 16 px, serif, weight 400, #222222 on #ffffff',
    ]


def test_an_element_comes_with_fill_border_corners_and_shadow_and_the_texts_that_it_needs() -> None:
    button = side(
        [90, 40, 300, 80], name="button", label="Send", fill="#003366", has_fill=True, has_border=True,
        border="1 px #cccccc", radius=6.0, has_shadow=True,
    )  # fmt: skip
    inside = Match(block("send", 0.1, 0.1, (255, 255, 255)), block("send", 0.1, 0.1, (0, 0, 0)), 1, 1, 0)
    outside = replace(inside, reference=block("else", 0.7, 0.7, (255, 255, 255)))

    (told,) = sentences(of_differences(missing("control", button), matches=(inside, outside)), "add")

    assert told == (
        'button "Send" at 90, 40, 300 x 80 px: fill #003366, border 1 px #cccccc, corners of 6 px, a shadow; '
        "and with it the text #ffffff (it is #000000)"
    )


def test_all_that_differs_in_one_thing_is_one_edit_that_names_it() -> None:
    design = side([40, 320, 140, 44], tag="button", label="Buy", fill="#0066cc", has_fill=True)
    made = side([40, 300, 120, 40], tag="button", label="Buy", fill="#cccccc", has_fill=True)
    kinds: list[tuple[DifferenceKind, str]] = [("moved", "place"), ("resized", "size"), ("recolored", "fill")]
    found = [
        Difference(kind, "control", 0.01, "serious", name, reference=design, candidate=made)
        for kind, name in kinds
    ]

    assert sentences(of_differences(*found), "change") == [
        'your <button> "Buy" at 40, 300 (120 x 40 px): move 20 px down, to 40, 320; make it 140 x 44 px '
        "(it is 120 x 40 px); style it so: fill #0066cc"
    ]


def test_what_stands_in_the_place_of_something_missing_is_to_become_it() -> None:
    panel = side([40, 300, 200, 100], name="panel", fill="#eeeeee", has_fill=True)
    image = side([40, 300, 200, 104], tag="img", name="picture", fill="#777777")

    evaluation = of_differences(missing("panel", panel), extra("picture", image))

    assert sentences(evaluation, "change") == [
        "your <img> at 40, 300 (200 x 104 px): it is to be a panel: 200 x 100 px, at 40, 300; "
        "style it so: fill #eeeeee"
    ]
    assert not sentences(evaluation, "add") + sentences(evaluation, "remove")


@pytest.mark.parametrize(
    ("made", "said"),
    [
        ("Sign in", 'your text "Sign in" at 40, 90: move 10 px down, to 40, 100'),
        ("SIGN IN", 'your text "SIGN IN" at 40, 90: it is to read "Sign in" at 40, 100, 80 x 60 px: 16 px, '
         "serif, weight 400, #222222 on #ffffff"),
        ("Log on", 'your text "Log on" at 40, 90: it is to read "Sign in" at 40, 100, 80 x 60 px: 16 px, '
         "serif, weight 400, #222222 on #ffffff"),
    ],
)  # fmt: skip
def test_one_text_never_stands_under_add_and_remove(made: str, said: str) -> None:
    design = side([40, 100, 80, 60], text="Sign in", **WRITTEN)
    own = side([40, 90, 80, 60], text=made, **WRITTEN)

    evaluation = of_differences(missing("text", design), extra("text", own))

    assert [fix.kind for fix in feedback(evaluation).fixes] == ["change"]
    assert sentences(evaluation, "change") == [said]


def test_what_has_no_counterpart_is_to_be_removed() -> None:
    text = extra("text", side([500, 600, 90, 20], text="Lorem ipsum"))
    box = extra("panel", side([0, 0, 50, 40], tag="div", label="Ad"))

    told = sentences(of_differences(text, box), "remove")

    assert told == ['your text "Lorem ipsum" at 500, 600', 'your <div> "Ad" at 0, 0 (50 x 40 px)']


def recolored(design: tuple[str, str], made: tuple[str, str], **changes: Any) -> Difference:
    first, second = (
        side([0, 0, 9, 9], text="Price", color=color, ground=ground, **changes)
        for color, ground in (design, made)
    )
    return Difference("recolored", "text", 0.05, "minor", "color", design[0], made[0], first, second)


@pytest.mark.parametrize(
    ("design", "made", "told"),
    [
        (("#222222", "#ffffff"), ("#fefefe", "#111111"), "#222222 on #ffffff (it is #fefefe on #111111)"),
        (
            ("#aaaaaa", "#ffffff"),
            ("#222222", "#ffffff"),
            "#767676 on #ffffff (it is #222222 on #ffffff; the design's #aaaaaa has too little contrast)",
        ),
    ],
)
def test_a_colour_of_text_is_told_with_its_ground_and_never_below_what_can_be_read(
    design: tuple[str, str], made: tuple[str, str], told: str
) -> None:
    assert sentences(of_differences(recolored(design, made)), "change") == [
        f'your text "Price" at 0, 0: color {told}'
    ]


def test_what_is_done_already_is_not_asked_for() -> None:
    readable = recolored(("#aaaaaa", "#ffffff"), ("#767676", "#ffffff"))

    assert feedback(of_differences(readable)).fixes == ()


def test_the_part_of_a_text_that_has_another_colour_is_named() -> None:
    part = recolored(("#0000ee", "#ffffff"), ("#222222", "#ffffff"), part="here")

    assert sentences(of_differences(part), "change")[0].endswith(
        'color of "here" #0000ee on #ffffff (it is #222222 on #ffffff)'
    )


def test_a_new_background_comes_with_the_colours_of_the_texts_that_could_not_be_read_on_it() -> None:
    old, new = (side([0, 0, 1000, 500], fill=fill) for fill in ("#ffffff", "#111111"))
    ground = Difference("ground", "page", 0.12, "serious", "fill", "#ffffff", "#111111", old, new)
    white, dark = (254, 254, 254), (34, 34, 34)
    matches = tuple(
        Match(block(text, 0.1, 0.1, design), block(text, 0.1, 0.1, made), 1, 1, 0)
        for text, design, made in (("a", dark, white), ("b", dark, white), ("on a button", white, white))
    )

    assert sentences(of_differences(ground, matches=matches), "page") == [
        "background of the page: #ffffff (it is #111111); and with it the text #222222 (it is #fefefe)"
    ]


def test_what_moved_as_a_whole_goes_back_as_a_whole() -> None:
    sides = side([40, 200, 500, 200]), side([40, 220, 500, 200])
    texts = tuple(Difference("moved", "text", 0.0, "minor", "place", None, None, *sides) for _ in range(8))
    whole = Difference("moved", "text", 0.05, "moderate", "place", None, None, *sides, texts)

    assert sentences(of_differences(whole), "move") == [
        "everything from 220 to 420 px down your page (8 texts): move 20 px up, to begin at 40, 200"
    ]


def test_each_member_of_likes_is_named_but_what_all_text_has_in_common_is_said_once() -> None:
    def bolder(x: int, **changes: Any) -> Difference:
        bold, own = (side([x, 0, 50, 20], text=f"Text {x}", weight=at, **changes) for at in (700, 400))
        return Difference("font", "text", 0.01, "minor", "weight", 700, 400, bold, own)

    some = replace(bolder(0), members=(bolder(0), bolder(60)))
    every = replace(bolder(0, is_all=True), members=(bolder(0), bolder(60)))

    assert sentences(of_differences(some), "change") == [
        f'your text "Text {x}" at {x}, 0: font weight 700 (it is 400)' for x in (0, 60)
    ]
    assert sentences(of_differences(every), "change") == ["all text: font weight 700 (it is 400)"]


def test_a_run_without_details_names_the_difference_for_its_members(tmp_path: Path) -> None:
    bigger, smaller = (side([0, 0, 50, 20], text="Total", font_size=size) for size in (20, 16))
    one = Difference("font", "text", 0.02, "serious", "font_size", 20.0, 16.0, bigger, smaller)
    likes = replace(one, members=(one, replace(one, reference=side([0, 60, 50, 20], text="Sum"))))
    write_run(Run("r", "", is_complete=True, evaluations=(of_differences(likes),)), tmp_path / "r.jsonl")
    (saved,) = read_run(tmp_path / "r.jsonl", has_audit=True).evaluations

    assert sentences(saved, "change") == ['your text "Total" at 0, 0: font size 20 px (it is 16 px)']


def test_what_concerns_the_whole_page_comes_first_and_sizes_are_said_once() -> None:
    whole = Difference("restyled", "page", 0.3, "critical", "style", "4 boxes of 5 are gone")
    height = Difference("moved", "page", 0.1, "minor", "height", 500, 1000)

    lines = list(feedback(of_differences(whole, height)).lines())

    assert lines[1] == "fidelity 0.7000, visual 0.8000, blocking 1"
    assert lines[2] == (
        "The design is 1000 x 500 px, your page 1000 x 1000 px. Places are px from the left and top to the "
        r"top left corner; texts are written as the design shows them, with \n where a line ends early; a "
        "text is as wide as its longest line, which needs 1 px more so as not to break."
    )
    assert lines[3].startswith("Overall, the page is unstyled: 4 boxes of 5 are gone")
    assert len(lines) == 4


def test_items_are_limited_and_places_never_are() -> None:
    node = CheckedNode("a", "<a>", "serious", "Fix")
    many = feedback(audit_evaluation(*(rule(f"rule-{number}", *[node] * 12) for number in range(30))))

    three, every = list(many.lines(max_items=3)), list(many.lines())

    assert [line[:2] for line in three if line[0].isdigit()] == ["1.", "2.", "3."]
    assert len(three) == 2 + 3 * 13 + 1
    assert three[-1] == "And 27 more things to do (--full)."
    assert len(every) == 2 + 30 * 13


def test_the_worst_comes_first_then_the_most_costly() -> None:
    mild = replace(extra("panel", side([0, 0, 5, 5], tag="div")), severity="minor", cost=0.5)
    bad = missing("text", side([0, 0, 5, 5], text="Total", **WRITTEN), cost=0.001)

    first, second = feedback(of_differences(mild, bad)).fixes

    assert (first.kind, first.severity, second.kind) == ("add", "serious", "remove")


def test_the_json_is_json_and_holds_the_same() -> None:
    design = side([500, 300, 200, 50], text="Contact us", **WRITTEN)

    record = json.loads(
        json.dumps(feedback(of_differences(missing("text", design))).to_dict(), allow_nan=False)
    )

    (fix,) = record["fixes"]
    assert (record["schema"], record["blocking"], fix["kind"], fix["num_places"]) == (1, 1, "add", 1)
    (place,) = fix["places"]
    assert (place["reference"], place["candidate"], place["severity"]) == (design, None, "serious")


def test_a_contrast_failure_is_told_with_both_colours_ratio_and_what_is_needed() -> None:
    data = {
        "fgColor": "#777777",
        "bgColor": "#ffffff",
        "contrastRatio": 4.47,
        "expectedContrastRatio": "4.5:1",
    }
    node = CheckedNode("p", "<p>Hello</p>", "serious", "Fix", None, data)

    (fix,) = feedback(audit_evaluation(rule("color-contrast", node))).fixes

    assert fix.places[0]["sentence"] == (
        "<p>Hello</p>: contrast 4.47:1, needs 4.5:1: text #777777 on #ffffff; text #767676 has enough"
    )
    assert fix.advice == "Change one of the two colours until the contrast is at least what is required."
    assert fix.cost == pytest.approx(0.6 / 4)


def test_no_rule_is_told_of_a_text_that_is_to_go() -> None:
    nodes = [CheckedNode("p", f"<p>{text}</p>", "serious", "Fix") for text in ("Lorem <b>ipsum</b>", "Hello")]
    gone = extra("text", side([500, 600, 90, 20], text="Lorem ipsum"))
    hidden = Difference("unreadable", "text", 0.0, "serious", "contrast", candidate=gone.candidate)
    evaluation = replace(
        audit_evaluation(rule("color-contrast", *nodes)), visual=of_differences(gone, hidden).visual
    )

    fixes = {fix.kind: fix for fix in feedback(evaluation).fixes}

    assert fixes.keys() == {"remove", "color-contrast"}
    assert [place["sentence"] for place in fixes["color-contrast"].places] == ["<p>Hello</p>"]
    assert fixes["color-contrast"].num_places == 1


@pytest.mark.parametrize(
    ("kind", "name", "told"),
    [
        ("covered", None, "uncover it: something at 5, 6 lies over it"),
        ("overflowing", None, "let it end within its box, whole"),
        ("unreadable", "contrast", "give it a contrast of at least 4.5:1 with what is behind it"),
    ],
)
def test_what_went_wrong_on_the_page_alone_is_told_as_what_to_do(
    kind: DifferenceKind, name: str | None, told: str
) -> None:
    made = side([40, 90, 80, 60], text="Sign in", by_box=[5, 6, 7, 8])
    one = Difference(kind, "text", 0.01, "serious", name, candidate=made)

    assert sentences(of_differences(one), "change") == [f'your text "Sign in" at 40, 90: {told}']


def test_a_text_with_early_line_ends_is_given_line_by_line() -> None:
    design = side(
        [40, 100, 80, 60], text="Mo 9-5 Tu 9-6", **WRITTEN, lines=["Mo 9-5", "Tu 9-6"], align="right"
    )

    assert sentences(of_differences(missing("text", design)), "add") == [
        r'"Mo 9-5\nTu 9-6" at 40, 100, 80 x 60 px: 16 px, right, serif, weight 400, #222222 on #ffffff'
    ]


def test_white_on_green_stays_white_and_the_button_gets_the_green_on_which_it_can_be_read() -> None:
    label = side([50, 110, 60, 20], text="Buy", **{**WRITTEN, "color": "#ffffff", "ground": "#008b00"})
    button = side([40, 100, 80, 60], name="button", fill="#008b00", has_fill=True, texts=[label])

    (told,) = sentences(of_differences(missing("control", button), missing("text", label)), "add")[:1]

    assert told == (
        'button at 40, 100, 80 x 60 px: fill #008a00; in it "Buy" at 50, 110, 60 x 20 px: 16 px, serif, '
        "weight 400, #ffffff on #008a00"
    )


def test_a_text_can_be_read_on_the_fill_that_its_link_is_to_have_though_its_ground_is_lighter() -> None:
    words = side([53, 1234, 174, 22], text="Holidays", font_size=20.0, color="#6b92a7", ground="#f6eeda")
    link = side([33, 1223, 280, 44], name="link", tag="a", fill="#f5ecd7", has_fill=True, texts=[words])

    (told,) = sentences(of_differences(missing("control", link)), "add")

    assert "fill #f5ecd7" in told
    assert told.endswith('"Holidays" at 53, 1234, 174 x 22 px: 20 px, #516f7f on #f5ecd7')


def test_nothing_is_said_of_a_panel_that_looks_like_the_line_in_its_place() -> None:
    design = side([283, 355, 10, 5], name="line", tag="span", fill="#6b92a7")
    made = side([283, 355, 10, 5], name="panel", tag="div", fill="#6b92a7", has_fill=True)
    same = Difference("restyled", "panel", 0.02, "minor", "marks", reference=design, candidate=made)
    other = replace(same, candidate={**made, "fill": "#ffffff"})

    assert sentences(of_differences(same), "change") == []
    assert sentences(of_differences(other), "change") == [
        "your <div> at 283, 355 (10 x 5 px): style it so: #6b92a7"
    ]


def test_elements_go_into_the_panel_on_which_they_lie() -> None:
    panel, field = (side(box, name="panel", has_fill=True) for box in ([0, 0, 400, 300], [20, 20, 100, 40]))
    evaluation = of_differences(missing("panel", panel), missing("control", field))

    assert [fix.advice for fix in feedback(evaluation).fixes] == [
        "Add these elements, as the design has them, each within the panel on which it lies."
    ]


def test_a_button_is_not_told_to_show_a_value_that_the_design_hides() -> None:
    button = side([40, 100, 32, 38], name="button", fill="#ffffff", has_fill=True, value="Go", label="Search")

    assert sentences(of_differences(missing("control", button)), "add") == [
        'button "Search" at 40, 100, 32 x 38 px: fill #ffffff'
    ]


def test_another_typeface_comes_with_by_how_much_the_letters_are_narrower() -> None:
    pairs = [([20, 20, 107, 16], [20, 20, 100, 16]), ([20, 60, 400, 60], [20, 60, 100, 60])]
    members = tuple(
        Difference("font", "text", 0.0, "minor", "typeface", None, "narrower", design, made)
        for design, made in (
            tuple(side(box, text="Add to basket", font_size=14.0) for box in pair) for pair in pairs
        )
    )
    whole = {**(members[0].reference or {}), "is_all": True}
    font = replace(members[0], reference=whole, members=members)

    assert sentences(of_differences(font), "change") == [
        "all text: another typeface, the design’s: yours is narrower by 7%"
    ]


def test_an_icon_is_told_by_how_it_is_drawn_and_never_beside_the_text_of_which_it_is_a_sign() -> None:
    facts = {"name": "icon", "fill": "#36454e", "rows": ["........", "..####.."], "ground": "#ffffff"}
    icon = missing("picture", side([40, 100, 14, 13], **facts))
    sign = missing("picture", side([205, 104, 9, 9], **facts))
    arrow = missing("text", side([200, 100, 80, 20], text="→ Next", **WRITTEN))

    assert sentences(of_differences(icon, sign, arrow), "add") == [
        "icon at 40, 100, 14 x 13 px: mostly #36454e, drawn as ......../..####.. on #ffffff",
        '"→ Next" at 200, 100, 80 x 20 px: 16 px, serif, weight 400, #222222 on #ffffff',
    ]


def test_a_link_to_which_the_design_gives_no_name_is_to_get_one() -> None:
    link = side([40, 100, 80, 60], name="link", has_fill=True, fill="#eeeeee")

    assert sentences(of_differences(missing("control", link)), "add") == [
        "link at 40, 100, 80 x 60 px: fill #eeeeee; the design gives it no name: say in an aria-label what "
        "it does"
    ]


def test_what_has_no_tag_is_named_as_what_it_is() -> None:
    one = Difference(
        "covered", "panel", 0.0, "serious", "cover", candidate=side([1, 2, 30, 40], by_box=[5, 6, 7, 8])
    )

    assert sentences(of_differences(one), "change") == [
        "your panel at 1, 2 (30 x 40 px): uncover it: something at 5, 6 lies over it"
    ]


def test_large_text_keeps_the_colour_of_the_design_at_a_contrast_of_three() -> None:
    large = recolored(("#808080", "#ffffff"), ("#222222", "#ffffff"), font_size=24)

    assert sentences(of_differences(large), "change")[0].endswith(
        "color #808080 on #ffffff (it is #222222 on #ffffff)"
    )


def test_all_of_a_text_is_told_where_its_font_differs_in_one_thing() -> None:
    design = side([0, 0, 90, 20], text="Price", **WRITTEN, parts=[{"text": "ice", "is_italic": False}])
    made = side([0, 0, 80, 20], text="Price", **WRITTEN)
    found = [
        Difference("font", "text", 0.01, "minor", name, None, "narrower", design, made)
        for name in ("weight", "letter_spacing")
    ]
    found.append(
        Difference(
            "recolored", "text", 0.01, "minor", "color", None, None, design, {**made, "color": "#990000"}
        )
    )

    assert sentences(of_differences(*found), "change") == [
        'your text "Price" at 0, 0: write it in 16 px, serif, weight 400, #222222 on #ffffff, "ice" not '
        "italic; set its letters so that it is 90 px wide (it is 80 px)"
    ]


def test_a_control_without_label_is_told_by_its_snippet_and_unknown_rules_by_axes_help() -> None:
    node = CheckedNode("#email", '<input id="email">', "critical", "Fix")

    evaluation = audit_evaluation(rule("label", node), rule("brand-new-rule", replace(node, impact="minor")))
    label, unknown = feedback(evaluation).fixes

    assert (label.kind, label.places[0]["sentence"]) == ("label", '<input id="email">')
    assert label.advice == "Give every form control a <label for=...>, or an aria-label."
    assert unknown.advice == "Help for brand-new-rule"


def test_costs_of_rules_add_up_to_the_weighted_rate() -> None:
    node = CheckedNode("a", "<a>", "critical", "Fix")
    evaluation = audit_evaluation(
        rule("label", node, replace(node, impact="minor")), rule("list", replace(node, impact="moderate"))
    )
    assert evaluation.accessibility is not None

    fixes = feedback(evaluation).fixes

    assert sum(fix.cost for fix in fixes) == pytest.approx(evaluation.accessibility.weighted_ir)
    assert [fix.kind for fix in fixes] == ["label", "list"]
    assert sum(place["cost"] or 0 for place in fixes[0].places) == pytest.approx(fixes[0].cost)


def test_where_the_design_can_be_read_its_colours_are_what_a_contrast_failure_is_told() -> None:
    data = {
        "fgColor": "#aaaaaa",
        "bgColor": "#ffffff",
        "contrastRatio": 2.32,
        "expectedContrastRatio": "4.5:1",
    }
    audit = Audit(
        "4", (rule("color-contrast", CheckedNode("p", "<p>", "serious", "Fix", None, data)),), 10, 1
    )
    pair = Match(block("a", 0, 0, (28, 35, 51)), block("a", 0, 0, (170, 170, 170)), 1, 1, 0)
    evaluation = of_differences(matches=(pair,))

    (told,) = sentences(replace(evaluation, audit=audit, accessibility=rates(audit)), "color-contrast")

    assert told == "<p>: contrast 2.32:1, needs 4.5:1: text #aaaaaa on #ffffff; the design has text #1c2333"


@pytest.mark.parametrize(
    ("fidelity", "said"),
    [
        (1.0, "Nothing was found to fix. "),
        (0.9996, "No differences found that could be fixed, but fidelity lacks 0.0004 of 1. "),
        (None, "No differences found that could be fixed, but fidelity was not measured. "),
    ],
)
def test_nothing_to_fix_is_said_of_a_perfect_page_alone(fidelity: float | None, said: str) -> None:
    visual = replace(make_visual(1.0), fidelity=fidelity, matches=(Match(KEPT, KEPT, 1, 1, 1),))
    evaluation = replace(of_differences(), visual=visual)

    assert (
        list(feedback(evaluation).lines())[-1]
        == said + "Automated checks find only some accessibility barriers."
    )
    assert not report_record(evaluation)["lacksDetails"]


def test_an_error_is_said_and_no_praise() -> None:
    lost = Evaluation("t", "c", "lost.html", error=Failure("RenderTimeout", "It hung."))

    assert list(feedback(lost).lines()) == ["t: lost.html", "Not measured: RenderTimeout: It hung."]


@pytest.mark.parametrize("matches", [(), (Match(KEPT, KEPT, 1, 0.7, 0.7),)])
def test_a_run_without_details_or_of_version_02_says_that_it_lacks_what_differs(
    matches: tuple[Match, ...],
) -> None:
    visual = VisualScore(0.8, 0.9, 0.9, 0.7, 0.7, None, "indel", None, matches)
    old = Evaluation("t", "c", "gen.html", reference="ref.html", visual=visual, page_sizes=SIZES)

    assert feedback(old).remarks == (
        "Smaller differences and single elements are not in this run: a run has its details on the machine "
        "that saved it, in .design2a11y/details, and one of --out or of version 0.2 has none. Save one here: "
        "design2a11y score ref.html gen.html --save NAME.",
    )
    assert report_record(old)["lacksDetails"]


def test_counts_without_elements_still_give_the_rule() -> None:
    (fix,) = feedback(audit_evaluation(rule("label", count=4))).fixes

    assert (fix.num_places, fix.places) == (4, ())


def test_hostile_texts_stay_on_their_line() -> None:
    attack = "\x1b[2J\u202e\n::error::x" + "y" * 50_000
    node = CheckedNode(attack, attack, "serious", attack, None, {"fgColor": attack})
    audit = Audit("1", (rule("label", node),), 1, 1)
    pair = Match(block(attack, 0, 0), block("z" + attack[1:], 0, 0), 0.9, 0.9, 0.9)
    score = VisualScore(0.5, 1, 0.9, 0.9, 0.9, None, "indel", None, (pair,), (pair.reference,))
    visual = with_differences(score, SIZES)
    evaluation = Evaluation(
        "t", "c", attack, visual=visual, audit=audit, accessibility=rates(audit), page_sizes=SIZES
    )

    text = "\n".join(feedback(evaluation).lines())

    assert len(text) < 20_000
    assert all(line.isprintable() for line in text.splitlines())
    assert not [line for line in text.splitlines() if line.startswith("::")]


def test_that_a_design_was_read_from_a_picture_is_said() -> None:
    read = replace(KEPT, confidence=0.9)
    said = "The design is a picture whose texts were read by a machine: single letters may be misread."

    assert feedback(visual_evaluation([read], [KEPT])).remarks[-1] == said
    assert said not in feedback(visual_evaluation([KEPT], [KEPT])).remarks


def test_texts_that_read_alike_do_not_exchange_their_places() -> None:
    first, second = (side([927, top, 40, 16], text="Follow") for top in (314, 494))
    moves = [
        Difference("moved", "text", 0.0, "moderate", "place", None, None, design, made)
        for design, made in ((first, second), (second, first))
    ]
    third = Difference(
        "moved", "text", 0.0, "moderate", "place", None, None, first, {**first, "box": [1, 2, 40, 16]}
    )

    assert sentences(of_differences(*moves), "change") == []
    assert sentences(of_differences(third), "change") == [
        'your text "Follow" at 1, 2: move 926 px right and 312 px down, to 927, 314'
    ]


def test_a_text_in_the_color_of_its_ground_gets_its_color_and_is_not_added_once_more() -> None:
    design = side([40, 100, 80, 20], text="Home", **WRITTEN)
    faint = Difference(
        "unreadable", "text", 0.0, "serious", "contrast", candidate=side([40, 100, 80, 20], text="Home")
    )
    unwanted = replace(faint, candidate=side([40, 300, 80, 20], text="Lorem", is_extra=True))

    evaluation = of_differences(missing("text", design), faint, unwanted)

    assert sentences(evaluation, "add") == []
    assert sentences(evaluation, "change") == [
        'your text "Home" at 40, 100: write it in 16 px, serif, weight 400, #222222 on #ffffff'
    ]
    assert sentences(evaluation, "remove") == ['your text "Lorem" at 40, 300']


def test_nothing_else_is_asked_of_what_is_to_be_removed() -> None:
    made = side([618, 0, 44, 36], tag="div::before", by_box=[618, 0, 44, 36])
    covered = Difference("covered", "panel", 0.0, "serious", None, None, 1.0, None, made)

    assert {fix.kind for fix in feedback(of_differences(extra("panel", made), covered)).fixes} == {"remove"}


def test_a_box_that_is_missing_around_texts_is_to_be_added() -> None:
    table = side([379, 234, 700, 323], name="panel", tag="table", fill="#008b00", has_fill=True)
    bare = {**table, "has_fill": False, "has_border": False, "has_shadow": False}
    lost = Difference("restyled", "panel", 0.05, "moderate", "marks", "fill", None, table, bare)

    assert sentences(of_differences(lost), "add") == ["panel at 379, 234, 700 x 323 px: fill #008b00"]


def looks_different(wanted: str, own: str, *, matches: tuple[Match, ...] = ()) -> list[str]:
    design, made = side([0, 0, 1000, 40], fill=wanted), side([0, 0, 1000, 40], fill=own)
    region = Difference("unexplained", "page", 0.0, "serious", "look", None, 0.9, design, made)
    return sentences(of_differences(region, matches=matches), "look")


def test_of_a_place_that_looks_different_both_colors_are_told() -> None:
    assert looks_different("#ffffff", "#000000") == [
        "at 0, 0, 1000 x 40 px: what differs is mostly #ffffff in the design, your page #000000"
    ]
    assert looks_different("#ffffff", "#ffffff") == [
        "something looks different at 0, 0, in 1000 x 40 px (90% of it)"
    ]


def test_a_fill_that_was_changed_for_contrast_is_left_as_it_is() -> None:
    white = block("white text", 0.4, 0.0, (255, 255, 255))
    white = replace(white, box=(0.4, 0.0, 0.1, 0.03))

    assert looks_different("#828282", "#767676", matches=(Match(white, white, 1, 1, 0),)) == []
    assert looks_different("#828282", "#000000", matches=(Match(white, white, 1, 1, 0),)) != []


def test_what_is_as_it_was_asked_to_be_is_not_asked_for_again() -> None:
    text = side([40, 300, 80, 20], text="Go", **{**WRITTEN, "color": "#ffffff", "ground": "#828282"})
    panel, made = (
        side([0, 290, 900, 90], name="panel", fill=fill, has_fill=True) for fill in ("#828282", "#767676")
    )
    refilled = Difference("recolored", "panel", 0.01, "minor", "fill", "#828282", "#767676", panel, made)
    button = side([840, 160, 200, 48], name="button", label="FIND")
    value = Difference(
        "state", "control", 0.0, "moderate", "value", "Find", None, {**button, "value": "Find"}, button
    )

    assert sentences(of_differences(missing("text", text), refilled, value), "change") == []


def test_all_texts_on_a_ground_that_gets_darker_for_one_of_them_can_be_read() -> None:
    light, dark = (
        side([40, top, 80, 20], text=text, **{**WRITTEN, "color": color, "ground": "#828282"})
        for top, text, color in ((300, "Light", "#ffffff"), (340, "Dark", "#222222"))
    )
    panel = side([0, 290, 900, 90], name="panel", fill="#828282", has_fill=True)

    told = sentences(
        of_differences(missing("text", light), missing("text", dark), missing("panel", panel)), "add"
    )

    assert [one.rpartition(", ")[2] for one in told] == [
        "#ffffff on #767676",
        "#040404 on #767676",
        "900 x 90 px: fill #767676",
    ]


def test_what_is_written_otherwise_and_where_parts_of_a_line_begin_is_told() -> None:
    dots = [{"text": "•", "color": "#000000"}] * 3
    design = side(
        [40, 60, 288, 20],
        text="Blog About",
        **WRITTEN,
        letter_spacing=1.5,
        parts=dots,
        starts=[["Blog", 40], ["About", 140]],
    )

    assert sentences(of_differences(missing("text", design)), "add") == [
        '"Blog About" at 40, 60, 288 x 20 px ("Blog" at 40, "About" at 140): 16 px, serif, weight 400, '
        'letter-spacing 1.5 px, #222222 on #ffffff, "•" (3 times) #000000'
    ]


def test_the_text_of_a_field_is_told_as_its_placeholder() -> None:
    words = side([50, 45, 80, 20], text="Search", **WRITTEN)
    field = side(
        [40, 40, 200, 30],
        name="text field",
        fill="#ffffff",
        has_fill=True,
        placeholder="Search",
        texts=[words],
    )

    assert sentences(of_differences(missing("control", field)), "add") == [
        'text field at 40, 40, 200 x 30 px: fill #ffffff; placeholder "Search" at 50, 45, 80 x 20 px: 16 px, '
        "serif, weight 400, #222222 on #ffffff"
    ]


def test_an_image_in_the_place_of_a_panel_is_to_be_plain() -> None:
    panel = side([0, 0, 1000, 82], name="panel", tag="div", fill="#eeeeee", has_fill=True)
    image = side([40, 92, 174, 172], name="picture", tag="img", fill="#1c10f6")
    moved = Difference("resized", "picture", 0.1, "serious", "size", "1000 x 82", "174 x 172", panel, image)

    assert sentences(of_differences(moved), "change") == [
        "your <img> at 40, 92 (174 x 172 px): move 40 px left and 92 px up, to 0, 0; make it 1000 x 82 px "
        "(it is 174 x 172 px); it is to be a plain panel: fill #eeeeee"
    ]


def test_the_background_is_what_lies_behind_the_panels_that_cover_most_of_the_page() -> None:
    design = side([0, 0, 1000, 500], fill="#000000", behind="#ffffff")
    made = side([0, 0, 1000, 500], fill="#f2f2f2", behind="#f2f2f2")
    ground = Difference("ground", "page", 0.1, "serious", "fill", "#000000", "#f2f2f2", design, made)

    assert sentences(of_differences(ground), "page") == [
        "background of the page: #ffffff (it is #f2f2f2), most of it under panels of #000000"
    ]

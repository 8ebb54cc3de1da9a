from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest

from pytest_design2a11y.accessibility import rates
from pytest_design2a11y.measuring.measures import score_blocks
from pytest_design2a11y.models.audit import Audit, CheckedNode, RuleOutcome
from pytest_design2a11y.models.run import Evaluation, Failure
from pytest_design2a11y.models.visual import Block, Difference, Match, VisualScore
from pytest_design2a11y.report.feedback import feedback
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
    return [place.sentence for fix in feedback(evaluation).fixes if fix.kind == kind for place in fix.places]


KEPT = block("a heading that stays", 0.1, 0.1)


def test_a_missing_text_is_told_with_its_place_in_the_design_and_its_colour_on_its_ground() -> None:
    evaluation = visual_evaluation([KEPT, block("contact us", 0.5, 0.6, (17, 34, 51))], [KEPT])

    assert sentences(evaluation, "missing") == ['"contact us" at 500,300, 200x50 px, #112233 on #ffffff']


def test_an_extra_text_is_told_with_its_place_in_the_generated_page() -> None:
    evaluation = visual_evaluation([KEPT], [KEPT, block("lorem ipsum", 0.5, 0.6)])

    assert sentences(evaluation, "extra") == ['"lorem ipsum" at 500,600']


@pytest.mark.parametrize(
    ("x", "y", "sentence"),
    [
        (0.3, 0.5, '"sign in": move 100 px right, to 400,250'),
        (0.5, 0.5, '"sign in": move 100 px left, to 400,250'),
        (0.4, 0.7, '"sign in": move 100 px up, to 400,250'),
        (0.45, 0.46, '"sign in": move 50 px left and 20 px down, to 400,250'),
    ],
)
def test_a_moved_text_is_told_where_to_go_in_pixels_of_the_design(x: float, y: float, sentence: str) -> None:
    same = dict.fromkeys(SIZES, (1000, 500))
    evaluation = visual_evaluation([KEPT, block("sign in", 0.4, 0.5)], [KEPT, block("sign in", x, y)], same)

    assert sentences(evaluation, "moved") == [sentence]


def of_differences(*differences: Difference, fidelity: float = 0.7, **changes: Any) -> Evaluation:
    """Make an evaluation whose score tells of differences, as those of pages do."""
    visual = make_visual(0.8, elements=0.6, typography=0.7, fidelity=fidelity, differences=differences)
    whole = replace(visual, **changes)
    return Evaluation("t", "c", "gen.html", reference="ref.html", visual=whole, page_sizes=SIZES)


def recolored(design: tuple[str, str], made: tuple[str, str]) -> Difference:
    sides = (
        {"box": [0, 0, 9, 9], "text": "price", "color": color, "ground": ground}
        for color, ground in (design, made)
    )
    return Difference("recolored", "text", "text price is otherwise", 0.05, *sides)


@pytest.mark.parametrize(
    ("design", "made", "told"),
    [
        (
            ("#222222", "#ffffff"),
            ("#fefefe", "#111111"),
            ['"price": #222222 on #ffffff (it is #fefefe on #111111)'],
        ),
        # The design's own contrast is low: the nearest colour that can be read.
        (
            ("#aaaaaa", "#ffffff"),
            ("#222222", "#ffffff"),
            [
                '"price": #767676 on #ffffff (it is #222222 on #ffffff; the design\'s #aaaaaa has too little '
                "contrast)"
            ],
        ),
    ],
)
def test_a_colour_of_text_is_told_with_its_ground_and_never_below_what_can_be_read(
    design: tuple[str, str], made: tuple[str, str], told: list[str]
) -> None:
    assert sentences(of_differences(recolored(design, made)), "recolored") == told


def test_a_new_background_comes_with_the_colours_of_the_texts_that_could_not_be_read_on_it() -> None:
    ground = Difference(
        "ground", "page", "ground of the page (background) is #111111 instead of #ffffff", 0.12,
        {"box": [0, 0, 1000, 500], "fill": "#ffffff"}, {"box": [0, 0, 1000, 500], "fill": "#111111"},
    )  # fmt: skip
    white, dark = (254, 254, 254), (34, 34, 34)
    matches = tuple(
        Match(block(text, 0.1, 0.1, design), block(text, 0.1, 0.1, made), 1, 1, 0)
        for text, design, made in (("a", dark, white), ("b", dark, white), ("on a button", white, white))
    )

    (told,) = sentences(of_differences(ground, matches=matches), "ground")

    assert told == (
        "background of the page: #ffffff (it is #111111); and with it the text #222222 (it is #fefefe)"
    )


def test_another_theme_names_the_fills_of_panels_too() -> None:
    theme = Difference(
        "ground", "page", "the theme is dark", 0.2,
        {"fill": "#ffffff", "fills": ["#eeeeee"]}, {"fill": "#111111", "fills": ["#222222"]},
    )  # fmt: skip

    (told,) = sentences(of_differences(theme), "ground")

    assert (
        told
        == "background of the page: #ffffff (it is #111111); panels and controls #eeeeee (they are #222222)"
    )


def test_a_panel_is_not_told_to_be_filled_with_what_lies_in_it() -> None:
    def refilled(box: list[int]) -> Difference:
        sides = ({"box": box, "tag": "div", "fill": fill} for fill in ("#23408e", "#a3263a"))
        return Difference("recolored", "panel", "panel has another fill", 0.05, *sides)

    told = sentences(of_differences(refilled([0, 0, 500, 200]), refilled([10, 10, 80, 180])), "recolored")

    assert told == ["panel 80x180 px at 10,10: fill #23408e (it is #a3263a)"]


def test_what_moved_together_goes_back_together() -> None:
    together = Difference(
        "moved", "text", "8 texts between 200 and 400 px down the page moved 20 px down", 0.05,
        {"box": [0, 200, 500, 200]}, {"box": [0, 220, 500, 200]},
    )  # fmt: skip

    (told,) = sentences(of_differences(together), "moved")

    assert told == "8 texts between 200 and 400 px down the page moved 20 px down: move all of it back"


def test_a_fill_of_the_design_comes_with_the_colour_of_the_text_inside_it() -> None:
    lost = Difference(
        "missing", "control", 'button "Send" is plain text: no fill', 0.03,
        {"box": [90, 40, 300, 80], "fill": "#003366", "has_fill": True, "text": "Send"},
    )  # fmt: skip
    inside = Match(block("send", 0.1, 0.1, (255, 255, 255)), block("send", 0.1, 0.1, (0, 0, 0)), 1, 1, 0)
    outside = replace(inside, reference=block("else", 0.7, 0.7, (255, 255, 255)))

    (told,) = sentences(of_differences(lost, matches=(inside, outside)), "missing")

    assert told == (
        'button "Send" is plain text: no fill 300x80 px at 90,40: in the design fill #003366, no border, '
        "no shadow; and with it the text #ffffff (it is #000000)"
    )


def test_what_concerns_the_whole_page_comes_first_and_has_no_number() -> None:
    whole = Difference("restyled", "page", "the page is unstyled: look at its style sheets", 0.3)
    font = Difference(
        "font", "text", "all text is serif instead of sans-serif", 0.05,
        {"font_size": 16.0, "family": "sans-serif", "weight": 400}, {"family": "serif"},
    )  # fmt: skip

    lines = list(feedback(of_differences(whole, font)).lines())

    assert lines[2] == "Overall, the page is unstyled: look at its style sheets."
    assert lines[3].startswith(
        "1. Set this text in the design's font. (font: 1 place, costs 0.0500 of fidelity)"
    )
    assert lines[4] == "   - all text is serif instead of sans-serif: 16 px, sans-serif, weight 400"


def test_a_reworded_text_is_told_where_it_differs() -> None:
    long = "this sentence goes on for quite a while before it says "
    evaluation = visual_evaluation(
        [block(long + "yes to everybody who asks politely", 0.1, 0.1)],
        [block(long + "no to everybody who asks politely", 0.1, 0.1)],
    )

    assert sentences(evaluation, "reworded") == [
        '"…a while before it says no to everybody who asks p…" should read '
        '"…a while before it says yes to everybody who asks p…"'
    ]


@pytest.mark.parametrize(
    ("was", "should"), [("abc abc", "abc abc abc"), ("abc abc abc", "abc abc"), ("ab", "ba")]
)
def test_rewording_survives_repeats(was: str, should: str) -> None:
    (sentence,) = sentences(visual_evaluation([block(should, 0, 0)], [block(was, 0, 0)]), "reworded")

    assert sentence == f'"{was}" should read "{should}"'


def test_a_contrast_failure_is_told_with_both_colours_ratio_and_what_is_needed() -> None:
    data = {
        "fgColor": "#777777",
        "bgColor": "#ffffff",
        "contrastRatio": 4.47,
        "expectedContrastRatio": "4.5:1",
    }
    node = CheckedNode("p", "<p>Hello</p>", "serious", "Fix", None, data)

    (fix,) = feedback(audit_evaluation(rule("color-contrast", node))).fixes

    assert fix.places[0].sentence == (
        "<p>Hello</p>: contrast 4.47:1, needs 4.5:1: text #777777 on #ffffff; text #767676 has enough"
    )
    assert fix.advice == "Change one of the two colours until the contrast is at least what is required."
    assert fix.cost == pytest.approx(0.6 / 4)


def test_a_control_without_label_is_told_by_its_snippet_and_unknown_rules_by_axes_help() -> None:
    node = CheckedNode("#email", '<input id="email">', "critical", "Fix")

    evaluation = audit_evaluation(rule("label", node), rule("brand-new-rule", replace(node, impact="minor")))
    label, unknown = feedback(evaluation).fixes

    assert (label.kind, label.places[0].sentence) == ("label", '<input id="email">')
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
    assert sum(place.cost or 0 for place in fixes[0].places) == pytest.approx(fixes[0].cost)


def test_places_are_limited_and_all_are_counted() -> None:
    node = CheckedNode("a", "<a>", "serious", "Fix")

    result = feedback(audit_evaluation(rule("label", *[node] * 30)), limit=3)

    assert (result.fixes[0].num_places, len(result.fixes[0].places)) == (30, 3)
    assert list(result.lines())[-1] == "   - <a> (and 27 more)"


def test_the_text_has_forty_lines_at_most_and_as_many_items_as_are_asked_for() -> None:
    node = CheckedNode("a", "<a>", "serious", "Fix")
    many = feedback(audit_evaluation(*(rule(f"rule-{number}", *[node] * 12) for number in range(30))))

    lines, three = list(many.lines()), list(many.lines(max_items=3))

    assert len(lines) <= 40
    assert sum(line[0].isdigit() for line in lines) == 8
    assert lines[-1] == "And 22 more things to fix, each of less effect."
    assert [line[:2] for line in three if line[0].isdigit()] == ["1.", "2.", "3."]
    assert len(three) == 2 + 3 * 11 + 1
    assert len(lines) == 40


def test_the_most_costly_things_have_the_most_places() -> None:
    severe = CheckedNode("a", "<a>", "critical", "Fix")
    fixes = audit_evaluation(
        rule("severe", *[severe] * 12), rule("mild", *[replace(severe, impact="minor")] * 12),
        *(rule(f"rule-{number}", *[severe] * 12) for number in range(6)),
    )  # fmt: skip

    text = "\n".join(feedback(fixes).lines())

    assert text.partition("(mild")[2].count("   - ") == 1
    assert text.partition("2. ")[0].count("   - ") > 3


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


def test_lines_tell_scores_then_fixes() -> None:
    evaluation = visual_evaluation([KEPT, block("contact us", 0.5, 0.6)], [KEPT])
    assert evaluation.visual is not None

    lines = list(feedback(evaluation).lines())

    assert lines == [
        "gen.html against ref.html",
        f"visual {evaluation.visual.score:.4f}",
        "1. Add this text, as the design has it. (missing: 1 place, costs 0.0833 of visual)",
        '   - "contact us" at 500,300, 200x50 px, #000000 on #ffffff',
    ]


def test_the_json_is_json_and_holds_the_same() -> None:
    evaluation = visual_evaluation([KEPT, block("contact us", 0.5, 0.6)], [KEPT])

    record = json.loads(json.dumps(feedback(evaluation).to_dict(), allow_nan=False))

    assert record["schema"] == 1
    assert record["fixes"][0]["kind"] == "missing"
    assert record["fixes"][0]["places"][0]["details"] == {
        "reference": {
            "box": [500, 300, 200, 50], "text": "contact us", "color": "#000000", "ground": "#ffffff",
            "contrast": 21.0,
        },
        "candidate": None,
    }  # fmt: skip


@pytest.mark.parametrize(
    ("fidelity", "said"),
    [
        (1.0, "Nothing was found to fix. "),
        (0.9996, "Nothing stands out that could be fixed, but fidelity lacks 0.0004 of 1. "),
        (None, "Nothing stands out that could be fixed, but fidelity was not measured. "),
    ],
)
def test_nothing_to_fix_is_said_of_a_perfect_page_alone(fidelity: float | None, said: str) -> None:
    visual = replace(make_visual(1.0), fidelity=fidelity, matches=(Match(KEPT, KEPT, 1, 1, 1),))
    evaluation = replace(of_differences(), visual=visual)

    assert (
        list(feedback(evaluation).lines())[-1] == said + "Automated checks find a part of the barriers only."
    )
    assert not report_record(evaluation)["lacksDetails"]


def test_an_error_is_said_and_no_praise() -> None:
    lost = Evaluation("t", "c", "lost.html", error=Failure("RenderTimeout", "It hung."))

    assert list(feedback(lost).lines()) == ["lost.html", "Not measured: RenderTimeout: It hung."]


@pytest.mark.parametrize("matches", [(), (Match(KEPT, KEPT, 1, 0.7, 0.7),)])
def test_a_run_without_details_or_of_version_02_says_that_it_lacks_what_differs(
    matches: tuple[Match, ...],
) -> None:
    visual = VisualScore(0.8, 0.9, 0.9, 0.7, 0.7, None, "indel", None, matches)
    old = Evaluation("t", "c", "gen.html", reference="ref.html", visual=visual, page_sizes=SIZES)

    assert feedback(old).remarks == (
        "What differs is not in this run: a run has its details on the machine that saved it, in "
        ".design2a11y/details, and one of --out or of version 0.2 has none. Save one here: design2a11y score "
        "ref.html gen.html --save NAME.",
    )
    assert report_record(old)["lacksDetails"]


def test_counts_without_elements_still_give_the_rule() -> None:
    (fix,) = feedback(audit_evaluation(rule("label", count=4))).fixes

    assert (fix.num_places, fix.places) == (4, ())


def test_hostile_texts_stay_on_their_line() -> None:
    attack = "\x1b[2J\u202e\n::error::x" + "y" * 5_000_000
    node = CheckedNode(attack, attack, "serious", attack, None, {"fgColor": attack})
    audit = Audit("1", (rule("label", node),), 1, 1)
    pair = Match(block(attack, 0, 0), block("z" + attack[1:], 0, 0), 0.9, 0.9, 0.9)
    score = VisualScore(0.5, 1, 0.9, 0.9, 0.9, None, "indel", None, (pair,), (pair.reference,))
    visual = with_differences(score, SIZES)
    evaluation = Evaluation(
        "t", "c", attack, visual=visual, audit=audit, accessibility=rates(audit), page_sizes=SIZES
    )

    text = "\n".join(feedback(evaluation).lines())

    assert len(text) < 5000
    assert all(line.isprintable() for line in text.splitlines())
    assert not [line for line in text.splitlines() if line.startswith("::")]


def test_that_a_design_was_read_from_a_picture_is_said() -> None:
    read = replace(KEPT, confidence=0.9)
    said = "The design is a picture whose texts were read by a machine: single letters may be misread."

    assert feedback(visual_evaluation([read], [KEPT])).remarks[-1] == said
    assert said not in feedback(visual_evaluation([KEPT], [KEPT])).remarks

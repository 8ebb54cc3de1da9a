from __future__ import annotations

import json
from dataclasses import replace

import pytest

from pytest_design2a11y.accessibility import rates
from pytest_design2a11y.measuring.measures import score_blocks
from pytest_design2a11y.models.audit import Audit, CheckedNode, RuleOutcome
from pytest_design2a11y.models.run import Evaluation, Failure
from pytest_design2a11y.models.visual import Block, Match, VisualScore
from pytest_design2a11y.report.feedback import feedback

SIZES = {"reference": (1000, 500), "candidate": (1000, 1000)}


def block(text: str, x: float, y: float, color: tuple[int, int, int] = (0, 0, 0)) -> Block:
    return Block(text, (x, y, 0.2, 0.1), color)


def visual_evaluation(reference: list[Block], candidate: list[Block]) -> Evaluation:
    return Evaluation(
        "t",
        "c",
        "gen.html",
        reference="ref.html",
        visual=score_blocks(reference, candidate),
        page_sizes=SIZES,
    )


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


def test_a_missing_text_is_told_with_its_place_and_colour_in_the_design() -> None:
    evaluation = visual_evaluation([KEPT, block("contact us", 0.5, 0.6, (17, 34, 51))], [KEPT])

    assert sentences(evaluation, "missing") == ['"contact us" at 500,300, 200x50 px, #112233']


def test_an_extra_text_is_told_with_its_place_in_the_generated_page() -> None:
    evaluation = visual_evaluation([KEPT], [KEPT, block("lorem ipsum", 0.5, 0.6)])

    assert sentences(evaluation, "extra") == ['"lorem ipsum" at 500,600, 200x100 px, #000000']


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
    evaluation = visual_evaluation([KEPT, block("sign in", 0.4, 0.5)], [KEPT, block("sign in", x, y)])

    assert sentences(evaluation, "moved") == [sentence]


def test_a_recoloured_text_is_told_with_both_colours() -> None:
    evaluation = visual_evaluation(
        [block("price", 0.1, 0.1, (0, 0, 0))], [block("price", 0.1, 0.1, (255, 0, 0))]
    )

    assert sentences(evaluation, "recolored") == ['"price" is #ff0000, should be #000000']


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

    assert fix.places[0].sentence == "#777777 on #ffffff has 4.47:1, needs 4.5:1: <p>Hello</p>"
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


def test_costs_of_blocks_add_up_to_what_the_score_lacks() -> None:
    evaluation = visual_evaluation(
        [KEPT, block("sign in", 0.4, 0.5), block("gone with the wind", 0.1, 0.8)],
        [KEPT, block("sign in", 0.6, 0.5, (200, 0, 0)), block("0123456789", 0.7, 0.3)],
    )
    assert evaluation.visual is not None

    fixes = feedback(evaluation).fixes

    assert sum(fix.cost for fix in fixes) == pytest.approx(1 - evaluation.visual.score)
    assert [fix.cost for fix in fixes] == sorted((fix.cost for fix in fixes), reverse=True)


def test_places_are_limited_and_all_are_counted() -> None:
    node = CheckedNode("a", "<a>", "serious", "Fix")

    result = feedback(audit_evaluation(rule("label", *[node] * 30)), limit=3)

    assert (result.fixes[0].num_places, len(result.fixes[0].places)) == (30, 3)
    assert "   - and 27 more" in list(result.lines())


def test_lines_tell_scores_then_fixes() -> None:
    evaluation = visual_evaluation([KEPT, block("contact us", 0.5, 0.6)], [KEPT])
    assert evaluation.visual is not None

    lines = list(feedback(evaluation).lines())

    assert lines == [
        "gen.html against ref.html",
        f"visual similarity {evaluation.visual.score:.4f}",
        "The page is 1000x1000 px, the design 1000x500 px; places are compared as fractions of the page.",
        "",
        "1. Add these texts, where the design has them. "
        "(missing: 1 place, costs 0.0833 of visual similarity)",
        '   - "contact us" at 500,300, 200x50 px, #000000',
    ]


def test_the_json_is_json_and_holds_the_same() -> None:
    evaluation = visual_evaluation([KEPT, block("contact us", 0.5, 0.6)], [KEPT])

    record = json.loads(json.dumps(feedback(evaluation).to_dict(), allow_nan=False))

    assert record["schema"] == 1
    assert record["fixes"][0]["kind"] == "missing"
    assert record["fixes"][0]["places"][0]["details"] == {
        "text": "contact us",
        "box": [500, 300, 200, 50],
        "color": "#000000",
    }


def test_a_perfect_page_has_nothing_to_fix() -> None:
    evaluation = visual_evaluation([KEPT], [KEPT])

    assert list(feedback(replace(evaluation, page_sizes={})).lines())[-1] == (
        "Nothing was found to fix. Automated checks find a part of the barriers only."
    )


def test_an_error_is_said_and_no_praise() -> None:
    lost = Evaluation("t", "c", "lost.html", error=Failure("RenderTimeout", "It hung."))

    assert list(feedback(lost).lines()) == ["lost.html", "Not measured: RenderTimeout: It hung."]


def test_a_run_saved_without_details_says_so() -> None:
    bare = Evaluation(
        "t", "c", "gen.html", visual=VisualScore(0.8, 0.9, 0.9, 0.7, 0.7, None, "indel"), page_sizes=SIZES
    )

    assert "saved without details" in "\n".join(feedback(bare).lines())


def test_counts_without_elements_still_give_the_rule() -> None:
    (fix,) = feedback(audit_evaluation(rule("label", count=4))).fixes

    assert (fix.num_places, fix.places) == (4, ())


def test_hostile_texts_stay_on_their_line() -> None:
    attack = "\x1b[2J\u202e\n::error::x" + "y" * 5_000_000
    node = CheckedNode(attack, attack, "serious", attack, None, {"fgColor": attack})
    audit = Audit("1", (rule("label", node),), 1, 1)
    pair = Match(block(attack, 0, 0), block("z" + attack[1:], 0, 0), 0.9, 0.9, 0.9)
    visual = VisualScore(0.5, 1, 0.9, 0.9, 0.9, None, "indel", None, (pair,), (pair.reference,))
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

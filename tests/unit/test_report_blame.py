"""Which blocks are to blame, in words that a person can act on."""

from __future__ import annotations

from pytest_design2a11y.models import Block, Match, VisualScore
from pytest_design2a11y.report.blame import explain_visual, worst_blocks
from pytest_design2a11y.report.texts import harmless

SIZE = (1000, 500)
WELCOME = Block("welcome", (0.1, 0.1, 0.2, 0.1), (0, 0, 0))


def score(*matches: Match, missing: tuple[Block, ...] = (), extra: tuple[Block, ...] = ()) -> VisualScore:
    return VisualScore(0.5, 0.5, 0.5, 0.5, 0.5, None, "indel", None, matches, missing, extra)


def test_a_missing_block_says_where_it_was() -> None:
    (blame,) = worst_blocks(score(missing=(WELCOME,)), SIZE)

    assert blame.kind == "missing"
    assert blame.sentence == '"welcome" at 100,50, 200x50 px'


def test_a_moved_block_says_how_far_and_whither() -> None:
    moved = Block("welcome", (0.3, 0.0, 0.2, 0.1), (0, 0, 0))

    (blame,) = worst_blocks(score(Match(WELCOME, moved, 1.0, 0.8, 1.0)), SIZE)

    assert blame.sentence == '"welcome" moved 200 px right and 50 px up'


def test_a_recolored_block_names_both_colors() -> None:
    red = Block("welcome", WELCOME.box, (255, 0, 16))

    (blame,) = worst_blocks(score(Match(WELCOME, red, 1.0, 1.0, 0.5)), SIZE)

    assert blame.sentence == '"welcome" is #ff0010 instead of #000000'


def test_a_reworded_block_gives_both_texts() -> None:
    other = Block("goodbye", WELCOME.box, WELCOME.color)

    (blame,) = worst_blocks(score(Match(WELCOME, other, 0.6, 1.0, 1.0)), SIZE)

    assert blame.sentence == '"welcome" reads "goodbye"'


def test_the_worst_come_first_and_three_at_most() -> None:
    small = Block("small", (0.0, 0.0, 0.01, 0.01), (0, 0, 0))
    matches = [Match(WELCOME, WELCOME, 1.0, 1.0 - loss, 1.0) for loss in (0.1, 0.4, 0.3)]

    found = worst_blocks(score(*matches, missing=(small,)), SIZE)

    assert [round(blame.loss, 3) for blame in found] == [0.133, 0.1, 0.033]


def test_a_perfect_score_blames_nobody() -> None:
    lines = explain_visual(score(Match(WELCOME, WELCOME, 1.0, 1.0, 1.0)), SIZE)

    assert len(lines) == 1


def test_text_of_pages_cannot_act_on_a_terminal() -> None:
    assert harmless("a\x1b[2J\u202eb\n c\ud800") == "a\\x1b[2J\\u202eb c\\ud800"
    assert harmless("x" * 100, limit=10) == "xxxxxxxxx…"

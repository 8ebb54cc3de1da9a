"""Which blocks are to blame, in words that a person can act on."""

from __future__ import annotations

import pytest

from pytest_design2a11y.escaping import sanitize
from pytest_design2a11y.models.visual import Block, Match, VisualScore
from pytest_design2a11y.report.worst_blocks import explain_visual

SIZE = (1000, 500)
WELCOME = Block("welcome", (0.1, 0.1, 0.2, 0.1), (0, 0, 0))
MOVED = Block("welcome", (0.3, 0.0, 0.2, 0.1), (0, 0, 0))
RED = Block("goodbye", WELCOME.box, (255, 0, 16))


def blamed(*matches: Match, missing: tuple[Block, ...] = (), extra: tuple[Block, ...] = ()) -> list[str]:
    visual = VisualScore(0.5, 0.5, 0.5, 0.5, 0.5, None, "indel", None, matches, missing, extra)
    return [line.strip() for line in explain_visual(visual, SIZE)[2:]]


@pytest.mark.parametrize(
    ("lines", "expected"),
    [
        (blamed(missing=(WELCOME,)), 'missing   "welcome" at 100,50, 200x50 px'),
        (blamed(extra=(WELCOME,)), 'extra     "welcome" at 100,50, 200x50 px'),
        (
            blamed(Match(WELCOME, MOVED, 1.0, 0.8, 1.0)),
            'moved     "welcome" moved 200 px right and 50 px up',
        ),
        (
            blamed(Match(WELCOME, RED, 0.6, 1.0, 0.5)),
            'recolored "welcome" is #ff0010 instead of #000000, reads "goodbye"',
        ),
    ],
)
def test_a_block_says_all_that_is_wrong_with_it(lines: list[str], expected: str) -> None:
    assert lines == [expected]


def test_the_worst_come_first_and_three_at_most() -> None:
    matches = [
        Match(Block(name, WELCOME.box, (0, 0, 0)), MOVED, 1.0, 1.0 - loss, 1.0)
        for name, loss in (("a", 0.1), ("b", 0.4), ("c", 0.3), ("d", 0.2))
    ]

    assert [line.split()[1] for line in blamed(*matches)] == ['"b"', '"c"', '"d"']


def test_a_perfect_score_blames_nobody() -> None:
    assert blamed(Match(WELCOME, WELCOME, 1.0, 1.0, 1.0)) == []


def test_text_of_pages_cannot_act_on_a_terminal() -> None:
    assert sanitize("a\x1b[2J\u202eb\n c\ud800") == "a\\x1b[2J\\u202eb c\\ud800"
    assert sanitize("x" * 100, limit=10) == "xxxxxxxxx…"

"""The four components of the text, and the mean, by hand-worked cases."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pytest_design2a11y.matching import match_blocks
from pytest_design2a11y.models.visual import Block, Matching
from pytest_design2a11y.visual import score_matching

COMPONENTS = ("block_match", "text", "position", "color")

fractions = st.floats(0, 0.5)
blocks = st.builds(
    Block,
    text=st.text("abc ", min_size=1, max_size=8),
    box=st.tuples(fractions, fractions, st.floats(0.01, 0.5), st.floats(0.01, 0.5)),
    color=st.tuples(*[st.integers(0, 255)] * 3),
)
pages = st.lists(blocks, min_size=1, max_size=6, unique_by=lambda block: block.box)


def one(text: str, box: tuple[float, float, float, float], color: tuple[int, int, int] = (0, 0, 0)) -> Block:
    return Block(text, box, color)


def test_components_of_one_pair_by_hand() -> None:
    """One pair of three blocks: every component from its definition."""
    reference = (one("title", (0.0, 0.0, 0.4, 0.1)), one("lost", (0.0, 0.5, 0.2, 0.1)))
    candidate = (one("titel", (0.2, 0.1, 0.2, 0.1), (255, 255, 255)),)
    matching = Matching(reference, candidate, ((0, 0, 0.8),), "indel")

    score = score_matching(matching)

    assert score.block_match == pytest.approx((0.04 + 0.02) / (0.04 + 0.02 + 0.02))
    assert score.text == 0.8
    assert score.position == pytest.approx(1 - 0.1)  # centers (0.2, 0.05) and (0.3, 0.15)
    assert score.color == pytest.approx(0.0, abs=1e-5)  # black and white
    assert score.score == pytest.approx(sum(getattr(score, name) for name in COMPONENTS) / 4)
    assert [match.reference.text for match in score.matches] == ["title"]
    assert [block.text for block in score.missing] == ["lost"]
    assert score.extra == ()


def test_position_counts_the_larger_distance() -> None:
    """0.3 to the side and 0.1 down are 0.3."""
    first, second = one("a", (0.1, 0.1, 0.2, 0.2)), one("a", (0.4, 0.2, 0.2, 0.2))

    score = score_matching(Matching((first,), (second,), ((0, 0, 1.0),), "indel"))

    assert score.position == pytest.approx(0.7)


def test_appearance_is_the_fifth_of_five() -> None:
    """With appearance the score is the mean of five, without it of four; it may be 0."""
    matching = match_blocks([one("a", (0, 0, 1, 1))], [one("a", (0, 0, 1, 1))])

    assert score_matching(matching).score == 1.0
    assert score_matching(matching).appearance is None
    scored = score_matching(matching, appearance=0.0, appearance_backend="embedded")
    assert (scored.score, scored.appearance, scored.appearance_backend) == (0.8, 0.0, "embedded")


def test_without_pairs_the_text_components_are_0() -> None:
    """Nothing matched, or nothing there: 0, and appearance over five."""
    nothing_alike = match_blocks([one("aaaa", (0, 0, 1, 1))], [one("zzzz", (0, 0, 1, 1))])
    no_candidate = match_blocks([one("a", (0, 0, 1, 1))], [])

    for matching in (nothing_alike, no_candidate, match_blocks([], [])):
        score = score_matching(matching, appearance=0.5)
        assert [getattr(score, name) for name in COMPONENTS] == [0, 0, 0, 0]
        assert score.score == pytest.approx(0.1)


def test_blocks_without_area_are_counted() -> None:
    """Where no block has an area, the share of blocks stands for it."""
    reference, candidate = [one("a", (0, 0, 0, 0)), one("bbbb", (0, 0.5, 0, 0))], [one("a", (0, 0, 0, 0))]

    assert score_matching(match_blocks(reference, candidate)).block_match == pytest.approx(2 / 3)


@settings(max_examples=60, deadline=None)
@given(pages)
def test_a_page_against_itself_is_exactly_1(page: list[Block]) -> None:
    """Every component, whatever the blocks: equal texts and areas with long fractions among them."""
    score = score_matching(match_blocks(page, page))

    assert [getattr(score, name) for name in (*COMPONENTS, "score")] == [1, 1, 1, 1, 1]


@settings(max_examples=60, deadline=None)
@given(pages, pages)
def test_every_component_is_between_0_and_1(reference: list[Block], candidate: list[Block]) -> None:
    """Bounds hold, and unmatched blocks are told apart from matched ones."""
    score = score_matching(match_blocks(reference, candidate))

    assert all(0 <= getattr(score, name) <= 1 for name in (*COMPONENTS, "score"))


@settings(max_examples=60, deadline=None)
@given(pages, pages)
def test_components_of_a_matching_are_symmetric(reference: list[Block], candidate: list[Block]) -> None:
    """The same pairs the other way round give exactly the same components."""
    matching = match_blocks(reference, candidate)
    pairs = tuple(sorted((j, i, ratio) for i, j, ratio in matching.pairs))
    swapped = Matching(matching.candidate, matching.reference, pairs, matching.text_ratio)

    score, other = score_matching(matching), score_matching(swapped)

    for name in COMPONENTS:
        assert getattr(score, name) == pytest.approx(getattr(other, name), abs=1e-12)


def test_losing_blocks_lowers_block_match_alone() -> None:
    """Each block that goes missing takes its share; the pairs that stay are untouched."""
    words = ["alpha", "bravo!", "charlie", "delta?", "echo", "foxtrot", "golf", "hotel", "india", "juliet"]
    page = [one(word, (0.1, index / 10, 0.3, 0.05)) for index, word in enumerate(words)]

    scores = [score_matching(match_blocks(page, page[: 10 - lost])) for lost in range(9)]

    shares = [score.block_match for score in scores]
    assert shares == sorted(shares, reverse=True)
    assert shares[0] == 1
    assert shares[8] == pytest.approx(4 / 12)
    assert {(score.text, score.position, score.color) for score in scores} == {(1, 1, 1)}

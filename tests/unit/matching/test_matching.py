"""Matching against hand-worked cases and against a plain, slow implementation of the definition."""

from __future__ import annotations

import builtins
import importlib
import time
from itertools import permutations

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from pytest_design2a11y.exceptions import ConfigurationError, MeasurementTimeout, TimeLimit, TooMuchText
from pytest_design2a11y.matching import MAX_BLOCKS, costs, match_blocks
from pytest_design2a11y.matching.costs import (
    COMPARISONS_AT_ONCE,
    KnownRatios,
    assign,
    break_ties,
    difference_of_means,
    hash_texts,
    join_identical_boxes,
    merge_neighbors,
    ratio_table,
    with_context_bonus,
)
from pytest_design2a11y.models.option import TextRatio
from pytest_design2a11y.models.visual import Block

WORDS = [
    "home",
    "about us",
    "contact",
    "the quick brown fox",
    "read more",
    "fox",
    "a b",
    "price: 9",
    "",
    "home",
]


def block(text: str, index: int = 0) -> Block:
    return Block(text, (0.1, index / 100, 0.2, 0.008), (10 * index % 256, 0, 0))


def page(*texts: str) -> list[Block]:
    return [block(text, index) for index, text in enumerate(texts)]


pages = st.lists(st.sampled_from(WORDS) | st.text("abc ", max_size=12), max_size=9).map(
    lambda texts: page(*texts)
)


# The definition, step by step, one assignment solved per possible merge.


def plain_merge_search(first: list[str], second: list[str]) -> tuple[list[str], list[str]]:
    while True:
        new_first = plain_merges(first, second)
        new_second = plain_merges(second, new_first)
        if (new_first, new_second) == (first, second):
            return first, second
        first, second = new_first, new_second


def plain_merges(texts: list[str], others: list[str]) -> list[str]:
    current = plain_costs(texts, others)
    gains = {}
    for index in range(len(texts) - 1):
        merged = [*texts[:index], f"{texts[index]} {texts[index + 1]}", *texts[index + 2 :]]
        gains[index] = difference_of_means(current, plain_costs(merged, others))
    chosen: list[int] = []
    for index in sorted(gains, key=lambda index: gains[index], reverse=True):
        if gains[index] > 0.05 and all(abs(index - other) > 1 for other in chosen):
            chosen.append(index)
    result = list(texts)
    for index in sorted(chosen, reverse=True):
        result[index : index + 2] = [f"{result[index]} {result[index + 1]}"]
    return result


def plain_costs(texts: list[str], others: list[str]) -> list[float]:
    if not texts or not others:
        return []
    costs = -ratio_table(others, texts, text_ratio="indel")
    pairs = assign(break_ties(costs, hash_texts(texts), hash_texts(others)))
    listed: list[float] = costs[pairs].tolist()
    return listed


@settings(max_examples=200, deadline=None)
@given(pages, pages)
def test_merging_equals_the_plain_definition(reference: list[Block], candidate: list[Block]) -> None:
    """Judging all merges at once gives what solving each one by itself gives."""
    texts = [[" ".join(one.text.split()) for one in blocks] for blocks in (candidate, reference)]

    matching = match_blocks(reference, candidate)

    merged = [[one.text for one in blocks] for blocks in (matching.candidate, matching.reference)]
    assert merged == list(plain_merge_search(*texts))


@pytest.mark.parametrize(("num_references", "num_candidates"), [(40, 25), (25, 40), (40, 40), (41, 40)])
def test_merging_equals_the_plain_definition_on_larger_pages(
    num_references: int, num_candidates: int
) -> None:
    """Many near-ties, duplicates and fragments of one text, in tables of every shape."""
    random = np.random.default_rng(num_references * 100 + num_candidates)
    words = ["design", "page", "menu", "of", "the", "news", "item", "login", "x"]
    pick = [
        " ".join(random.choice(words, random.integers(1, 5))) for _ in range(num_references + num_candidates)
    ]
    reference, candidate = page(*pick[:num_references]), page(*pick[num_references:])

    matching = match_blocks(reference, candidate)

    plain = plain_merge_search([b.text for b in candidate], [b.text for b in reference])
    assert ([b.text for b in matching.candidate], [b.text for b in matching.reference]) == plain


def test_a_paragraph_split_in_two_is_merged() -> None:
    """The candidate's halves stand for the reference's whole."""
    matching = match_blocks(page("menu", "one two three four"), page("menu", "one two", "three four"))

    assert [b.text for b in matching.candidate] == ["menu", "one two three four"]
    assert matching.pairs == ((0, 0, 1.0), (1, 1, 1.0))


def test_the_reference_is_merged_too() -> None:
    """The reference's halves stand for the candidate's whole."""
    matching = match_blocks(page("one two", "three four", "menu"), page("one two three four", "menu"))

    assert [b.text for b in matching.reference] == ["one two three four", "menu"]


def test_blocks_that_fit_stay_apart() -> None:
    """A page against itself merges nothing and pairs in order, equal texts among them."""
    blocks = page("home", "read more", "home", "read more", "end")

    matching = match_blocks(blocks, blocks)

    assert matching.pairs == tuple((index, index, 1.0) for index in range(5))


def test_pairs_half_alike_stay_and_others_go() -> None:
    """A ratio of exactly 0.5 is enough, less is not."""
    assert match_blocks(page("abcd"), page("abxy")).pairs == ((0, 0, 0.5),)
    assert match_blocks(page("abcd"), page("axyz")).pairs == ()


@pytest.mark.parametrize(("reference", "candidate"), [([], []), ([], page("a")), (page("a", "b"), [])])
def test_pages_without_text(reference: list[Block], candidate: list[Block]) -> None:
    """No pairs, and all blocks still there."""
    matching = match_blocks(reference, candidate)

    assert matching.pairs == ()
    assert (matching.reference, matching.candidate) == (tuple(reference), tuple(candidate))


def test_white_space_counts_for_difflib_only() -> None:
    """The default ratio sees the text as rendered; the published one sees the source's white space."""
    reference, candidate = page("one  two\n"), page("one two")

    assert match_blocks(reference, candidate, text_ratio="indel").pairs == ((0, 0, 1.0),)
    as_published = match_blocks(reference, candidate, text_ratio="difflib")
    assert as_published.pairs[0][2] < 1
    assert as_published.text_ratio == "difflib"


def test_unknown_ratio() -> None:
    """The error names both ratios."""
    advice = r'\(stage: matching\) Choose "indel" \(default\) or "difflib" \(as the published metric\)\.'
    with pytest.raises(ConfigurationError, match=rf"no text ratio named 'cosine'\. {advice}"):
        match_blocks(page("a"), page("a"), text_ratio="cosine")  # type: ignore[arg-type]


def test_identical_boxes_are_joined_in_order() -> None:
    """Texts with a space, colours as the mean of the two, again and again."""
    box = (0.0, 0.0, 0.5, 0.5)

    joined = join_identical_boxes(
        [Block("a", box, (0, 0, 0)), block("b", 3), Block("c", box, (1, 3, 255)), Block("d", box, (2, 2, 2))]
    )

    assert joined == (Block("a c d", box, (1.25, 1.75, 64.75)), block("b", 3))


def test_merging_two_blocks() -> None:
    """Union of the boxes, integer mean of the colours."""
    merged = merge_neighbors(
        Block("a", (0.1, 0.2, 0.3, 0.1), (1, 2, 3)), Block("b", (0.0, 0.5, 0.2, 0.1), (2, 2, 6))
    )

    assert merged.text == "a b"
    assert merged.box == pytest.approx((0.0, 0.2, 0.4, 0.4))
    assert merged.color == (1, 2, 4)


def test_what_is_joined_is_as_sure_as_its_least_sure_part() -> None:
    """And how sure a text is changes nothing else."""
    box = (0.0, 0.0, 0.5, 0.5)
    sure, unsure, plain = (Block("a", box, (0, 0, 0), confidence) for confidence in (0.99, 0.8, None))

    assert merge_neighbors(sure, unsure).confidence == 0.8
    assert merge_neighbors(plain, sure).confidence == 0.99
    assert join_identical_boxes([plain, plain])[0].confidence is None
    assert join_identical_boxes([unsure, sure])[0].confidence == 0.8
    assert sure == unsure == plain


@pytest.mark.parametrize(
    ("current", "changed", "expected"),
    [
        ([-1.0, -0.2, -0.4], [-1.0, -0.9], 0.6),  # -0.3 falls to -0.9
        ([-0.9, -0.1], [-0.6], 0.0),  # the mean falls, but the best pair is lost
        ([-0.5, -0.5], [-0.5], -0.5),  # cancelled once, against nothing
        ([-0.4], [-0.4], 0.0),
        ([-0.9], [-0.4], -0.5),
        ([], [], 0.0),
    ],
)
def test_difference_of_means(current: list[float], changed: list[float], expected: float) -> None:
    """Costs in both lists are cancelled as multisets; the least rest must fall."""
    assert difference_of_means(current, changed) == pytest.approx(expected)


def test_context_bonus_by_hand() -> None:
    """0.1 times the two smallest of up to eight neighbors, for costs below -0.5 only."""
    costs = -np.array([[0.9, 0.3, 0.0], [0.2, 0.8, 0.1], [0.7, 0.4, 0.5]])

    adjusted = with_context_bonus(costs)

    assert adjusted == pytest.approx(
        -np.array([[0.9 + 0.11, 0.3, 0.0], [0.2, 0.8 + 0.16, 0.1], [0.7 + 0.12, 0.4, 0.5]])
    )
    assert with_context_bonus(np.array([[-1.0]])) == pytest.approx(np.array([[-1.0]]))


texts = st.text("ab ", max_size=12)


@settings(deadline=None)
@given(texts, texts)
def test_indel_ratio_is_twice_the_common_subsequence(first: str, second: str) -> None:
    """2·LCS/(|a|+|b|), with LCS from its recurrence; the same either way; 1 for two empty texts."""
    table = ratio_table([second], [first], text_ratio="indel")

    expected = 2 * common_length(first, second) / (len(first) + len(second)) if first or second else 1.0
    assert table.item() == pytest.approx(expected, abs=1e-12)
    assert table == ratio_table([first], [second], text_ratio="indel")


def common_length(first: str, second: str) -> int:
    lengths = np.zeros((len(first) + 1, len(second) + 1), dtype=int)
    for i, a in enumerate(first):
        for j, b in enumerate(second):
            best = max(lengths[i, j + 1], lengths[i + 1, j])
            lengths[i + 1, j + 1] = lengths[i, j] + 1 if a == b else best
    return int(lengths[-1, -1])


def test_difflib_has_the_same_values_with_and_without_the_fast_library(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The standard library's matcher takes over where the fast one is missing."""
    one, other = ["the quick brown fox " * 12, "abc", ""], ["quick the fox brown " * 12, "abd", ""]
    fast = ratio_table(one, other, text_ratio="difflib")
    real_import = builtins.__import__

    def without_fast_library(name: str, *args: object, **kwargs: object) -> object:
        if name == "cydifflib":
            raise ImportError(name)
        return real_import(name, *args, **kwargs)  # type: ignore[arg-type]

    with monkeypatch.context() as patched:
        patched.setattr(builtins, "__import__", without_fast_library)
        plain = importlib.reload(costs)
        assert plain.SequenceMatcher.__module__ == "difflib"
        slow = plain.ratio_table(one, other, text_ratio="difflib")
    importlib.reload(costs)

    assert (slow == fast).all()


def test_known_ratios_grow_with_what_is_asked() -> None:
    """Whatever was asked before, the answer equals a table computed afresh."""
    known = KnownRatios("indel", TimeLimit())

    for references, candidates in [
        (["a", "b"], ["a"]),
        (["b", "c"], ["a", "bc"]),
        (["a", "abc"], ["x", "a", "a"]),
    ]:
        expected = ratio_table(references, candidates, text_ratio="indel")
        assert (known.table(references, candidates) == expected).all()


def test_broken_ties_leave_one_best_assignment() -> None:
    """Four different texts with equal ratios: all 24 assignments tie, none does afterwards."""
    rows, columns = hash_texts(["ab", "cd", "ef", "gh"]), hash_texts(["ax", "cx", "ex", "gx"])
    costs = break_ties(np.full((4, 4), -0.5), rows, columns)

    totals = {costs[np.arange(4), list(order)].sum() for order in permutations(range(4))}

    assert len(totals) == 24
    assert np.abs(costs + 0.5).max() < 2.0**-29
    assert (break_ties(np.full((4, 4), -0.5), columns, rows) == costs.T).all()


def test_ties_are_broken_by_the_finalizer_of_splitmix64() -> None:
    """In integers of Python, which have no end, as its authors wrote it."""
    rows, columns = hash_texts(["ab", "cd"]), hash_texts(["ax", "cx"])
    most = 2**64 - 1

    def step(row: int, column: int) -> float:
        mixed = ((row + column) * 0x9E3779B97F4A7C15 ^ row * column * 0xD1B54A32D192ED03) & most
        mixed = (mixed ^ mixed >> 30) * 0xBF58476D1CE4E5B9 & most
        mixed = (mixed ^ mixed >> 27) * 0x94D049BB133111EB & most
        return -0.5 - (((mixed ^ mixed >> 31) >> 46) + 1) * 2.0**-48

    expected = [[step(row, column) for column in columns.tolist()] for row in rows.tolist()]
    assert break_ties(np.full((2, 2), -0.5), rows, columns).tolist() == expected


@settings(max_examples=100, deadline=None)
@given(pages, pages)
def test_matching_is_deterministic(reference: list[Block], candidate: list[Block]) -> None:
    """The same blocks give the same matching."""
    assert match_blocks(reference, candidate) == match_blocks(list(reference), list(candidate))


@settings(max_examples=150, deadline=None)
@given(pages, pages)
def test_swapping_the_pages_swaps_the_pairs(reference: list[Block], candidate: list[Block]) -> None:
    """Where both orders merge the same blocks, both find pairs of the same ratios and distances."""
    there, back = match_blocks(reference, candidate), match_blocks(candidate, reference)
    assume((there.reference, there.candidate) == (back.candidate, back.reference))

    assert sorted(ratio for _, _, ratio in there.pairs) == sorted(ratio for _, _, ratio in back.pairs)
    offsets = [abs(there.reference[i].box[1] - there.candidate[j].box[1]) for i, j, _ in there.pairs]
    back_offsets = [abs(back.reference[i].box[1] - back.candidate[j].box[1]) for i, j, _ in back.pairs]
    assert sum(offsets) == pytest.approx(sum(back_offsets), abs=1e-12)


def test_of_equally_good_pairs_the_nearer_ones_are_taken() -> None:
    """Whichever side comes first, equal texts go to the places that are nearest on the whole."""
    reference, candidate = page("menu", "a1", "menu", "b2", "menu"), page("menu", "c3", "menu")

    there, back = match_blocks(reference, candidate), match_blocks(candidate, reference)

    assert {(i, j) for i, j, _ in there.pairs} == {(j, i) for i, j, _ in back.pairs}


def cells(*texts: str) -> list[Block]:
    return [
        Block(text, (index % 40 / 40, index // 40 / 80, 0.02, 0.01), (0, 0, 0))
        for index, text in enumerate(texts)
    ]


@pytest.mark.parametrize(
    ("reference", "candidate"),
    [
        (["cell"] * 1200, ["tells"] * 1200),
        ([str(row % 50) for row in range(1200)], [str(row % 47) for row in range(1200)]),
        (
            [f"row {row * 7919 % 1000:03d} of the table" for row in range(600)],
            [part for row in range(600) for part in (f"row {row * 7919 % 1000:03d}", "of the table")],
        ),
    ],
    ids=["one text", "numbers again and again", "halves"],
)
def test_a_table_of_like_cells_takes_seconds(reference: list[str], candidate: list[str]) -> None:
    """Each of these took ten to forty seconds when every merge was judged by itself to its end."""
    start = time.process_time()

    match_blocks(cells(*reference), cells(*candidate))

    assert time.process_time() - start < 8


def test_matching_ends_when_its_time_is_over() -> None:
    with pytest.raises(MeasurementTimeout, match=r"within 0 s\. \(stage: matching\) Look for content"):
        match_blocks(page("a", "b"), page("a", "c"), time_limit=TimeLimit(0))


def test_more_blocks_than_can_be_matched_are_an_error() -> None:
    many = cells(*map(str, range(MAX_BLOCKS + 1)))

    with pytest.raises(TooMuchText, match="The candidate has 2,501 text blocks; 2,500 can be matched"):
        match_blocks(cells("1"), many)
    with pytest.raises(TooMuchText, match="The reference has 2,501 text blocks"):
        match_blocks(many, cells("1"))


def test_texts_too_long_to_compare_are_an_error() -> None:
    """One text of three million characters against another would take minutes."""
    with pytest.raises(TooMuchText, match="Texts of 3,000,000 characters and of 3,000,001 are too long"):
        match_blocks(page("a" * 3_000_000), page("b" * 3_000_001))


def test_two_texts_too_long_for_difflib_are_an_error() -> None:
    """It may take time with the cube of their length, and nothing can end it."""
    with pytest.raises(TooMuchText, match="Texts of 20,000 characters and of 20,001 are too long"):
        match_blocks(page("a" * 20_000), page("b" * 20_001), text_ratio="difflib")


@pytest.mark.parametrize("text_ratio", ["indel", "difflib"])
def test_the_time_is_looked_at_between_long_texts(
    text_ratio: TextRatio, monkeypatch: pytest.MonkeyPatch
) -> None:
    references, candidates = ["abcd", "ab", "x", "abcdefgh"], ["abc", "x"]
    whole = KnownRatios(text_ratio, TimeLimit()).table(references, candidates)
    looks: list[str] = []
    limit = TimeLimit()
    monkeypatch.setattr(limit, "check", looks.append)
    monkeypatch.setitem(COMPARISONS_AT_ONCE, text_ratio, 10)

    table = KnownRatios(text_ratio, limit).table(references, candidates)

    assert table.tolist() == whole.tolist()
    assert len(looks) > 3


def test_a_text_that_repeats_without_end_is_compared_with_a_page() -> None:
    """The commonest failure of a weak model is measured, not refused."""
    (pair,) = match_blocks(page("lorem ipsum " * 500), page("lorem ipsum " * 900)).pairs

    assert pair[2] == pytest.approx(2 * 500 / 1400, abs=1e-4)


def test_many_long_texts_in_one_box_are_joined_at_once() -> None:
    """Each was put behind the growing text of all before: gigabytes were copied."""
    start = time.process_time()

    (joined,) = join_identical_boxes([Block("text " * 800, (0.0, 0.0, 1.0, 1.0), (0, 0, 0))] * 20_000)

    assert len(joined.text) == 20_000 * 4_001 - 1
    assert time.process_time() - start < 3

"""Published figures rebuilt: matching in the published order, the published blocks, failed pages."""

from __future__ import annotations

import difflib
import io
import json
from collections import Counter

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image
from scipy.optimize import linear_sum_assignment

from pytest_design2a11y.blocks import find_published_blocks, find_seen_text
from pytest_design2a11y.exceptions import EmptyDocument, RenderTimeout
from pytest_design2a11y.matching import match_as_published, match_blocks
from pytest_design2a11y.measuring.measures import count_as_published
from pytest_design2a11y.measuring.records import failed_evaluation
from pytest_design2a11y.models.elements import Screenshot
from pytest_design2a11y.models.geometry import Color
from pytest_design2a11y.models.page import Capture, Environment, SourceText, TextRun
from pytest_design2a11y.models.run import from_dict
from pytest_design2a11y.models.verdicts import Subject
from pytest_design2a11y.models.visual import Block
from pytest_design2a11y.models.words import in_words
from pytest_design2a11y.settings import Settings
from pytest_design2a11y.visual import score_matching

TEXTS = ["home", "home", "about us", "read more", "read", "more", "a b", "9", "10", ""]

texts = st.lists(st.sampled_from(TEXTS) | st.text("ab ", max_size=5), min_size=1, max_size=9)


def page(names: list[str]) -> list[Block]:
    return [Block(text, (0.1, i / 100, 0.2, 0.008), (10 * i % 256, 0, 0)) for i, text in enumerate(names)]


# The published procedure on texts alone, with its lists and its order.


def ratio(first: str, second: str) -> float:
    return difflib.SequenceMatcher(None, first, second).ratio()


def assigned(first: list[str], second: list[str], bonus: float) -> tuple[list[tuple[int, int]], list[float]]:
    costs = np.array([[-ratio(one, other) for other in second] for one in first])
    adjusted = costs.copy()
    for i, j in np.ndindex(*costs.shape):
        if bonus and costs[i, j] < -0.5:
            near = np.sort(costs[max(i - 1, 0) : i + 2, max(j - 1, 0) : j + 2].flatten())[::-1]
            near = np.delete(near, np.where(near == costs[i, j])[0][0])
            adjusted[i, j] += bonus * np.sum(near[-2:])
    rows, columns = linear_sum_assignment(adjusted)
    return list(zip(rows.tolist(), columns.tolist(), strict=True)), adjusted[rows, columns].tolist()


def gain_of(before: list[float], after: list[float]) -> float:
    rest = [
        [*(Counter(one) - Counter(other)).elements()] for one, other in ((before, after), (after, before))
    ]
    means = [sum(one) / len(one) if one else 0.0 for one in rest]
    gain = means[0] - means[1]
    return 0.0 if gain > 0 and not min(rest[0], default=0) > min(rest[1], default=0) else gain


def merged_once(first: list[str], second: list[str], is_second: bool) -> list[str]:
    merging = second if is_second else first

    def costs_with(changed: list[str]) -> list[float]:
        return assigned(first, changed, 0)[1] if is_second else assigned(changed, second, 0)[1]

    current = costs_with(merging)
    found = []
    for i in range(len(merging) - 1):
        changed = [*merging[:i], f"{merging[i]} {merging[i + 1]}", *merging[i + 2 :]]
        gain = gain_of(current, costs_with(changed))
        if gain > 0.05:
            found.append((i, gain))
    found.sort(key=lambda one: one[1], reverse=True)
    result, gone = list(merging), set[int]()
    while found:
        i = found[0][0]
        result[i] = f"{result[i]} {result[i + 1]}"
        gone.add(i + 1)
        found = [one for one in found if abs(one[0] - i) > 1]
    return [text for i, text in enumerate(result) if i not in gone]


def published_pairs(first: list[str], second: list[str]) -> list[tuple[str, str, int, int]]:
    while True:
        new_first = merged_once(first, second, False)
        new_second = merged_once(new_first, second, True)
        if (new_first, new_second) == (first, second):
            break
        first, second = new_first, new_second
    pairs, _ = assigned(first, second, 0.1)
    return sorted((first[i], second[j], j, i) for i, j in pairs if ratio(first[i], second[j]) >= 0.5)


@settings(max_examples=60, deadline=None)
@given(texts, texts)
def test_matching_is_the_published_one_where_texts_repeat(reference: list[str], candidate: list[str]) -> None:
    """The same pairs of the same places, whichever of several equally good assignments is found."""
    right = match_as_published(page(reference), page(candidate), published="design2code")
    exchanged = match_as_published(page(reference), page(candidate), published="ui2code-study")

    assert sorted(
        (right.candidate[j].text, right.reference[i].text, i, j) for i, j, _ in right.pairs
    ) == published_pairs(candidate, reference)
    assert sorted(
        (exchanged.reference[i].text, exchanged.candidate[j].text, j, i) for i, j, _ in exchanged.pairs
    ) == published_pairs(reference, candidate)


def test_the_study_exchanges_the_pages() -> None:
    """From 200 characters on, difflib leaves frequent ones of its second text out: the order decides."""
    text = "the quick brown fox jumps over the lazy dog while seven more of them watch it from the fence"
    indented = text.replace(" ", "\n         ", 12)
    reference, candidate = page([text]), page([indented])

    right = match_as_published(reference, candidate, published="design2code")
    exchanged = match_as_published(reference, candidate, published="ui2code-study")

    assert right.pairs == ((0, 0, ratio(indented, text)),)
    assert exchanged.pairs == ((0, 0, ratio(text, indented)),)
    assert ratio(indented, text) - ratio(text, indented) > 0.05
    assert match_blocks(reference, candidate).pairs == ((0, 0, 1.0),)
    assert (right.published, right.text_ratio) == ("design2code", "difflib")


def picture(color: Color = (255, 255, 255)) -> Screenshot:
    pixels = np.full((100, 200, 3), color, dtype=np.uint8)
    pixels[10:20, 20:60] = 0
    stream = io.BytesIO()
    Image.fromarray(pixels).save(stream, "PNG")
    return Screenshot(stream.getvalue())


def run(text: str, top: float, owner: int, source: SourceText | None, color: Color = (0, 0, 0)) -> TextRun:
    return TextRun(text, ((10.0, top, 80.0, 20.0),), color, owner, source=source)


def test_published_blocks_have_the_text_of_the_source_and_overlook_what_is_not_in_it() -> None:
    runs = [
        run("Two words", 5, 0, SourceText("Two\n    words HIDDEN", is_recolored=True)),
        run("more", 5, 0, SourceText("", is_recolored=True)),
        run("generated", 5, 1, None),
        run("own colour", 5, 2, SourceText("own colour", is_recolored=False)),
        run("white", 50, 3, SourceText("white", is_recolored=True), (255, 255, 255)),
    ]

    ours = find_seen_text(text_runs=runs, screenshot=picture())[0]
    published = find_published_blocks(text_runs=runs, screenshot=picture())

    assert [block.text for block in ours] == ["two words more", "generated", "own colour"]
    assert [block.text for block in published] == ["two\n    words hidden", "white"]
    assert published[0].box == ours[0].box == pytest.approx((0.1, 0.1, 0.2, 0.1))
    assert published[1].box == pytest.approx((9 / 200, 0.5, 82 / 200, 0.2))
    assert published[1].color == (255, 255, 255)


REFERENCE = Capture(
    label="design.html",
    role="reference",
    image=picture(),
    page_size=(200, 100),
    text_runs=(run("Word", 5, 0, SourceText("Word", is_recolored=True)),),
    warnings=(),
    environment=Environment("156", None, "0.2"),
)


def test_a_page_that_failed_by_its_own_fault_counts_as_a_white_one_and_says_so() -> None:
    failed = failed_evaluation(
        Subject("1", "case"), "page.html", EmptyDocument("Empty."), reference="design.html"
    )

    counted = count_as_published(failed, REFERENCE, Settings(published="design2code"))

    assert counted.error is not None
    assert counted.error.type == "EmptyDocument"
    assert counted.visual is not None
    assert counted.visual.block_match == counted.visual.text == counted.visual.position == 0.0
    assert counted.visual.appearance is not None
    assert counted.visual.score == pytest.approx(counted.visual.appearance / 5)
    assert [warning.code for warning in counted.warnings] == ["counted_as_white"]
    assert [in_words(one) for one in counted.visual.differences][:1] == ['text "Word" at 10, 5 is missing']
    again = from_dict(json.loads(json.dumps(counted.to_dict(has_details=True))))
    assert again.visual == counted.visual


@pytest.mark.parametrize(
    ("error", "published"),
    [(EmptyDocument("Empty."), None), (RenderTimeout("Slow.", stage="load"), "design2code")],
)
def test_no_other_page_is_counted_that_nobody_saw(error: Exception, published: str | None) -> None:
    failed = failed_evaluation(Subject("1", "case"), "page.html", error, reference="design.html")

    assert count_as_published(failed, REFERENCE, Settings(published=published)) is failed  # type: ignore[arg-type]


def test_a_design_without_text_scores_as_published_instead_of_failing() -> None:
    words = score_matching(match_as_published([], page(["word"]), published="design2code"), appearance=0.5)

    assert words.score == pytest.approx(0.1)
    assert words.published == "design2code"

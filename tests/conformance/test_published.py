"""Published figures from the published code's own blocks: exact in its order, near the study's exchanged."""

from __future__ import annotations

from statistics import fmean

import pytest

from pytest_design2a11y.matching import match_as_published
from pytest_design2a11y.models.option import Published
from pytest_design2a11y.models.visual import VisualScore
from pytest_design2a11y.visual import score_matching
from tests.conformance.test_score_blocks import (
    CORPUS,
    SETS,
    TOLERANCES,
    needs_corpus,
    read_blocks,
    reference_runs,
)

pytestmark = [needs_corpus, pytest.mark.slow, pytest.mark.parametrize("candidate_set", SETS)]


def score(candidate_set: str, case: int, published: Published) -> VisualScore:
    reference = read_blocks(CORPUS / "blocks" / "references" / f"{case}.json")
    candidate = read_blocks(CORPUS / "blocks" / candidate_set / f"{case}.json")
    return score_matching(match_as_published(reference, candidate, published=published))


def test_design2code_is_the_published_implementation(candidate_set: str) -> None:
    differences = {}
    for line in reference_runs(candidate_set):
        scored = score(candidate_set, line["case"], "design2code")
        for component, expected in line["reference_run"]["difflib"].items():
            differences[line["case"], component] = abs(getattr(scored, component) - expected)

    assert len(differences) == 4 * 53
    assert {key: value for key, value in differences.items() if value > TOLERANCES[key[1]]} == {}


def test_the_study_s_mean_is_that_of_exchanged_pages(candidate_set: str) -> None:
    """The study's machine had other fonts, so that pages differ; the means hardly do."""
    lines = [line for line in reference_runs(candidate_set) if line["reference_run"]["num_candidate_blocks"]]

    ours = fmean(score(candidate_set, line["case"], "ui2code-study").block_match for line in lines)

    assert ours == pytest.approx(
        fmean(line["published"]["visual"]["block_match"] for line in lines), abs=0.006
    )

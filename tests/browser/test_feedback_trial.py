"""Pages edited as their feedback said come nearer to their designs; less is to do, and no new check fails."""

from __future__ import annotations

from pathlib import Path

import pytest

from pytest_design2a11y import Scorer
from pytest_design2a11y.report.feedback import feedback

PAGES = Path(__file__).parents[2] / "studies" / "feedback"
EDITED = sorted(path.name.removesuffix("-edited.html") for path in PAGES.glob("*-edited.html"))


@pytest.mark.slow(is_long=True)
@pytest.mark.parametrize("name", EDITED)
def test_what_feedback_says_brings_a_page_nearer_and_breaks_nothing(name: str) -> None:
    with Scorer() as scorer:
        design = PAGES / f"{name.partition('-')[0]}.html"
        before, after = (scorer.score(design, PAGES / f"{name}{end}.html") for end in ("", "-edited"))

    assert before.visual is not None
    assert after.visual is not None
    assert (after.visual.fidelity or 0.0) > (before.visual.fidelity or 1.0)
    assert before.accessibility is not None
    assert after.accessibility is not None
    assert after.accessibility.failed <= before.accessibility.failed
    to_do, left = (
        {place["sentence"] for fix in feedback(one).fixes for place in fix.places} for one in (before, after)
    )
    assert to_do
    assert len(left) < len(to_do)

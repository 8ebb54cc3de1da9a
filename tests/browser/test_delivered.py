"""How much of the design's text reaches everyone, from pages to the number, and why there is none."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from pytest_design2a11y import Scorer
from pytest_design2a11y.models.evaluation import Evaluation

DESIGN = """<!doctype html><html lang=en><title>Bikes</title><main><h1>Bicycles by the day</h1>
<p>Town bikes and touring bikes, serviced every evening.</p>
<p>Open daily from eight to seven.</p></main></html>"""


@pytest.fixture(scope="module")
def scorer() -> Iterator[Scorer]:
    with Scorer() as one:
        yield one


def why(evaluation: Evaluation) -> list[str]:
    return [one.message for one in evaluation.warnings if one.code == "delivered_unmeasured"]


def test_a_page_like_its_design_delivers_all_and_an_emptied_one_nothing(scorer: Scorer) -> None:
    whole = scorer.score(DESIGN, DESIGN)
    empty = scorer.score(DESIGN, "<!doctype html><html lang=en><title>Bikes</title><main><h1>.</h1></main>")

    assert (whole.delivered, why(whole)) == (1.0, [])
    assert empty.delivered == 0
    assert empty.accessibility is not None
    assert empty.accessibility.ir == 0


@pytest.mark.parametrize(
    ("change", "taken"),
    [
        # 26 of 88 characters are pale, and a serious failure takes .6 of them.
        (("<p>Open", "<p style='color: #bbb; background: #fff'>Open"), {"failures": 0.6 * 26 / 88}),
        # None of them is for assistive technology.
        (("<p>Open", "<p aria-hidden=true>Open"), {"unaudited": 26 / 88}),
        # A critical failure on no text: one of at least twenty blocks.
        (("</main>", "<img src='data:,'></main>"), {"others": 1 - 1 / 1.05}),
        # A serious failure of the page as a whole.
        (("<html lang=en>", "<html>"), {"others": 0.06}),
    ],
)
def test_each_failure_takes_its_part(
    scorer: Scorer, change: tuple[str, str], taken: dict[str, float]
) -> None:
    found = scorer.score(DESIGN, DESIGN.replace(*change))

    parts = {"on_page": 1.0, "unaudited": 0.0, "failures": 0.0, "others": 0.0, **taken}
    assert found.delivered_parts == pytest.approx(parts)
    assert found.delivered == pytest.approx(1 - sum(taken.values()))


@pytest.mark.usefixtures("in_one_browser")
def test_where_there_is_none_the_reason_is_told(scorer: Scorer) -> None:
    nothing = "delivered was not measured: "

    with Scorer(audit=False) as without:
        assert why(without.score(DESIGN, DESIGN)) == [f"{nothing}the page was not audited."]
    assert why(scorer.audit(DESIGN)) == []
    without_text = "<!doctype html><title>Blue</title><main style='height: 90px; background: #00f'></main>"
    assert why(scorer.score(without_text, DESIGN)) == [f"{nothing}the design shows no text."]
    assert scorer.audit(DESIGN).delivered is None

"""What the end of a run tells of what is accepted: new first, then not recorded, stale, kept, unseen."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from pytest_design2a11y.models.run import Evaluation
from pytest_design2a11y.run_end.conclude import conclude
from pytest_design2a11y.settings.values import Settings
from tests.factories import AUDIT, CONTRAST, NODE, make_audited, make_evaluation, make_run


def failing(case: str, number: int, *, sample: str = "1") -> Evaluation:
    rule = replace(CONTRAST, num_violations=number, violations=(NODE,) * number)
    audit = replace(AUDIT, rules=(rule,))
    return make_audited(
        case, 0.9, sample=sample, id=f"{case}-{sample}", candidate=f"out/{case}.html", audit=audit
    )


def told(known: Path, *pages: Evaluation, update: bool = False) -> list[str]:
    settings = Settings(known=known, update_known=update)
    return conclude(make_run(*pages), settings, folder=known.parent / "runs", width=100).sections["known"]


def test_each_page_is_told_once_the_worst_of_its_samples_and_what_needs_somebody_first(
    tmp_path: Path,
) -> None:
    known = tmp_path / "known.toml"
    recorded = told(known, *(failing(case, 2) for case in "abc"), failing("gone", 1), update=True)

    found = told(
        known,
        failing("c", 1),
        failing("b", 2),
        failing("d", 1),
        failing("a", 3, sample="1"),
        failing("a", 2, sample="2"),
    )

    assert recorded == [
        *(f"out/{case}.html: recorded, accepting color-contrast 2" for case in "abc"),
        "out/gone.html: recorded, accepting color-contrast 1",
        f"wrote {known}",
    ]
    assert found == [
        "out/a.html: color-contrast fails on 3, 2 accepted: 1 new",
        "  p  <p>",
        "out/d.html: not yet recorded, 1 failure; record it with --design2a11y-update-known",
        "out/c.html: color-contrast fails on 1, 2 accepted: stale; record it with --design2a11y-update-known",
        "out/b.html: color-contrast fails on 2, 2 accepted",
        "out/gone.html: recorded, but not looked at in this run",
    ]


def test_where_nothing_is_accepted_it_is_said(tmp_path: Path) -> None:
    known, unaudited = tmp_path / "known.toml", make_evaluation("x")

    assert told(known, unaudited, update=True) == ["nothing changed", f"wrote {known}"]
    assert told(known, unaudited) == ["none, and none accepted"]

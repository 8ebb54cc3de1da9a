"""What the end of a run tells of what is accepted: new first, then not recorded, stale, kept, unseen."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from pytest_design2a11y.limits.known_file import Known, claim_key, claim_of, load_known, save_known
from pytest_design2a11y.models.evaluation import Evaluation
from pytest_design2a11y.models.visual import Difference
from pytest_design2a11y.run_end import conclude
from pytest_design2a11y.settings import Settings
from tests.factories import AUDIT, CONTRAST, NODE, make_audited, make_evaluation, make_run, make_visual


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


def test_what_only_one_sample_of_a_page_shows_stays_accepted(tmp_path: Path) -> None:
    known = tmp_path / "known.toml"
    one, other, gone = (
        Difference("missing", "text", 0.1, reference={"text": text, "box": [0, 0, 9, 9], "digest": text})
        for text in ("One", "Other", "Gone")
    )
    claims = {claim_key(found): claim_of(found) for found in (one, other, gone)}
    save_known(Known(differences={"out/a.html": claims}), known)
    samples = [
        replace(failing("a", 0, sample=number), audit=None, visual=make_visual(0.9, differences=(found,)))
        for number, found in (("1", one), ("2", other))
    ]

    assert told(known, *samples) == [
        'out/a.html: accepted, but gone or changed since: text "Gone" at 0, 0 is missing; '
        "drop it with --design2a11y-update-known",
        'out/a.html: accepted: text "One" at 0, 0 is missing',
        'out/a.html: accepted: text "Other" at 0, 0 is missing',
    ]
    assert told(known, *samples, update=True)[0] == (
        'out/a.html: no longer accepted: text "Gone" at 0, 0 is missing'
    )
    assert load_known(known).differences["out/a.html"].keys() == {claim_key(one), claim_key(other)}

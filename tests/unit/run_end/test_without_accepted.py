"""What is left of a page's failures when the accepted ones are taken away."""

from __future__ import annotations

from pathlib import Path

import pytest

from pytest_design2a11y.accessibility.known import KnownViolations
from pytest_design2a11y.limits.known_file import Known, save_known
from pytest_design2a11y.measuring.accepted import unaccepted
from pytest_design2a11y.models.audit import Audit, RuleOutcome
from pytest_design2a11y.run_end.known import accepted, without_accepted
from pytest_design2a11y.settings import Settings
from tests.factories import make_evaluation, make_run


@pytest.mark.parametrize(
    ("found", "new"), [(2, 0), (3, 0), (4, 1), (7, 4)], ids=["one fixed", "as known", "one new", "four new"]
)
def test_of_three_accepted_failures_only_more_are_left(tmp_path: Path, found: int, new: int) -> None:
    save_known(Known(KnownViolations({"login.html": {"region": 3}}), {}), tmp_path / "known.toml")
    settings = Settings(known=tmp_path / "known.toml")
    rule = RuleOutcome("region", "", "", (), "minor", num_passes=5, num_violations=found)
    page = make_evaluation(audit=Audit("4.12.1", (rule,), 10, found))

    left, num_accepted = without_accepted(page, settings)

    assert left.audit is not None
    assert [rule.num_violations for rule in left.audit.rules] == [new]
    assert num_accepted == found - new
    assert accepted(make_run(page), settings) == {page.id: {"region": found - new}}
    assert bool(unaccepted(page, settings)) == bool(new)

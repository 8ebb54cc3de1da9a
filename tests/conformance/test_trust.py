"""What engines and probes say of thirty pages with one known fault each, and of twelve that are right."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from pytest_design2a11y.capture.audit.axe import Axe
from pytest_design2a11y.capture.audit.htmlcs import Htmlcs
from pytest_design2a11y.extending import Probe
from pytest_design2a11y.models.audit import Audit, AuditChoice
from pytest_design2a11y.models.option import AXE
from pytest_design2a11y.models.page import Capture, Document
from pytest_design2a11y.registry import available
from tests.conformance.trust_pages import TrustPage, trust_pages

HTMLCS = "htmlcs"

if TYPE_CHECKING:
    from pytest_design2a11y.capture.renderer import Renderer

WHO = ("axe-core", "HTML_CodeSniffer", "probes", "all together")
OUTCOMES = ("found", "for a person", "missed", "false")

Outcomes = Mapping[str, str]
"""Of one page: what each of `WHO` came to."""


def audits_of(capture: Capture) -> dict[str, list[Audit]]:
    found = {
        "axe-core": [capture.audits[AXE]],
        "HTML_CodeSniffer": [capture.audits[HTMLCS]],
        "probes": [result.findings for result in capture.probes.values()],
    }
    return {**found, "all together": [audit for audits in found.values() for audit in audits]}


def outcome(page: TrustPage, audits: Iterable[Audit]) -> str:
    """Return what a page came to: a failure of its criterion finds it; any of a right one is false."""
    rules = [rule for audit in audits for rule in audit.rules]
    if not page.criteria:
        return "false" if any(rule.num_violations for rule in rules) else "right"
    tags = {f"wcag{criterion.replace('.', '')}" for criterion in page.criteria}
    own = [rule for rule in rules if tags & {*rule.tags}]
    if any(rule.num_violations for rule in own):
        return "found"
    return "for a person" if any(rule.num_incomplete for rule in own) else "missed"


@pytest.fixture(scope="module")
def outcomes(renderer: Renderer) -> dict[str, Outcomes]:
    found: dict[str, Outcomes] = {}
    for page in trust_pages():
        capture = renderer.capture(
            Document(page.name, page.html.encode()),
            role="candidate",
            audit=AuditChoice(),
            engines=(Axe(), Htmlcs()),
            probes=tuple(available(Probe).values()),
        )
        assert not capture.audit_errors
        assert not capture.probe_errors
        found[page.name] = {who: outcome(page, audits) for who, audits in audits_of(capture).items()}
    return found


def table(outcomes: Mapping[str, Outcomes]) -> Iterator[str]:
    """Return the rows of the table in studies/probes.md."""
    pages = trust_pages()
    for kind in dict.fromkeys(page.kind for page in pages):
        own = [outcomes[page.name] for page in pages if page.kind == kind]
        counts = [sum(one[who] == "found" for one in own) for who in WHO]
        yield _row(kind, sum(page.kind == kind and bool(page.criteria) for page in pages), counts)
    for outcome in OUTCOMES:
        counts = [sum(one[who] == outcome for one in outcomes.values()) for who in WHO]
        yield _row(f"**{outcome}**", 12 if outcome == "false" else 30, counts)


def _row(name: str, number: int, counts: Iterable[int]) -> str:
    return f"| {name} | {number} | {' | '.join(map(str, counts))} |"


@pytest.mark.slow(is_long=True)
def test_the_table_of_the_documentation_holds(outcomes: dict[str, Outcomes]) -> None:
    text = (Path(__file__).parents[2] / "studies" / "probes.md").read_text(encoding="utf-8")

    assert [row for row in table(outcomes) if row not in text] == []
    missed = [name for name, one in outcomes.items() if one["all together"] == "missed"]
    assert [name for name in missed if f"`{name}`" not in text] == []


@pytest.mark.slow(is_long=True)
def test_nothing_that_is_right_is_called_wrong(outcomes: dict[str, Outcomes]) -> None:
    assert [name for name, one in outcomes.items() if one["all together"] == "false"] == []


def test_there_are_thirty_faults_of_twelve_kinds_and_one_page_of_each_that_is_right() -> None:
    pages = trust_pages()

    assert len([page for page in pages if page.criteria]) == 30
    assert len({page.name for page in pages}) == 42
    assert sorted(page.kind for page in pages if not page.criteria) == sorted({page.kind for page in pages})

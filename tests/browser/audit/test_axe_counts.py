"""Real generated pages: the counts that a study published, and equality with a plain run of axe."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest

from pytest_design2a11y.accessibility import rates
from pytest_design2a11y.capture.axe_script import read_axe_script

CORPUS = Path(__file__).resolve().parents[4] / "shared" / "corpus"
SETS = sorted(file.stem for file in CORPUS.glob("expected/*.jsonl"))
FOLDERS = [CORPUS / "references", *(CORPUS / "candidates" / name for name in SETS)]
AXE_4_10_3 = os.environ.get("DESIGN2A11Y_TEST_AXE_4_10_3", "")

needs_corpus = pytest.mark.skipif(not SETS, reason="the corpus (../shared/corpus/expected) is not here")
needs_axe_4_10_3 = pytest.mark.skipif(
    not AXE_4_10_3,
    reason="DESIGN2A11Y_TEST_AXE_4_10_3 does not name axe.min.js of axe-core 4.10.3, the study's version",
)

# Pages on which a plain axe.run() in this browser gives our counts too, and not the published ones.
EXCEPTIONS = {
    # The file has `</>\n<body>style>\n</head`: its style element never ends, so that it has no content. With
    # `</style></head><body>` in that place the counts are the published 94 and 2.
    ("gemini-few-shot-2025-06-29-09-55", 1): (8, 2),
    # A link's background depends on the width of the letters: with other fonts or another viewport axe cannot
    # tell it, and the failure of link-in-text-block is one to be judged, as published.
    ("gemini-composite_naive_refine-2025-07-16-13-16", 30): (225, 1),
    # Not explained: the same with other viewports, fonts, zooms and colour schemes.
    ("gemini-naive-2025-06-18-11-53", 53): (191, 9),
    ("gemini-zero-shot-2025-06-18-13-25", 4): (135, 2),
}


def has_frames(page: Path) -> bool:
    """Tell whether a page has frames, which a plain run on a file cannot enter."""
    return b"<iframe" in page.read_bytes().lower() or b"<frame" in page.read_bytes().lower()


def published(name: str) -> dict[int, dict[str, Any]]:
    lines = map(json.loads, (CORPUS / "expected" / f"{name}.jsonl").read_text().splitlines())
    return {line["case"]: line["published"]["accessibility"] for line in lines}


def pages_in(folder: Path) -> list[Path]:
    return sorted(folder.glob("*.html"), key=lambda page: int(page.stem))


def is_axes_alone(figure: dict[str, Any]) -> bool:
    """Tell whether the published rates come from axe's findings and nobody else's."""
    return bool(figure["failed_htmlcs"] == 0 and figure["failed_merged"] == figure["failed_axe"])


def check_published(audit: Any, name: str, cases: list[int]) -> None:
    """Compare counts; where only axe's findings went into the published rates, those too."""
    figures, script = published(name), read_axe_script(Path(AXE_4_10_3))
    expected, found = {}, {}
    for case in cases:
        figure = figures[case]
        measured = rates(audit(CORPUS / "candidates" / name / f"{case}.html", script=script)[0])
        counts = (figure["checked"], figure["failed_axe"])
        expected[case] = EXCEPTIONS.get((name, case), counts)
        found[case] = (measured.checked, measured.failed)
        if (name, case) not in EXCEPTIONS and is_axes_alone(figure):
            assert measured.ir == pytest.approx(figure["ir"], abs=1e-9)
            assert measured.iwir == pytest.approx(figure["iwir"], abs=1e-9)
            assert measured.status == figure["status"]

    assert found == expected


@needs_corpus
@needs_axe_4_10_3
@pytest.mark.parametrize("name", SETS)
def test_a_page_of_each_set_has_the_published_counts_and_rates(audit: Any, name: str) -> None:
    check_published(audit, name, [7])


@needs_corpus
@needs_axe_4_10_3
@pytest.mark.slow
@pytest.mark.parametrize("name", SETS)
def test_every_page_has_the_published_counts_and_rates(audit: Any, name: str) -> None:
    check_published(audit, name, sorted(published(name)))


@needs_corpus
@pytest.mark.parametrize("folder", FOLDERS, ids=lambda folder: folder.name)
def test_a_page_of_each_set_has_what_a_plain_run_finds(
    folder: Path, audit: Any, pages: Any, axe_script: str, told_by_axe: Any
) -> None:
    page = pages_in(folder)[10]

    assert told_by_axe(audit(page)[0]) == told_by_axe(pages.plain_axe(page, axe_script))


@needs_corpus
@pytest.mark.slow
@pytest.mark.parametrize("folder", FOLDERS, ids=lambda folder: folder.name)
def test_every_page_has_what_a_plain_run_finds(
    folder: Path, audit: Any, pages: Any, axe_script: str, told_by_axe: Any
) -> None:
    """Rule by rule, group by group, element by element, on every page of one frame."""
    different = [
        page.name
        for page in pages_in(folder)
        if not has_frames(page)
        and told_by_axe(audit(page, max_details=10**6)[0]) != told_by_axe(pages.plain_axe(page, axe_script))
    ]

    assert different == []

"""One test a page: each is rendered beside its design and measured. What is good enough, the gates decide."""

from __future__ import annotations

import pytest

from pytest_design2a11y import Capture, page_pairs


@pytest.mark.parametrize(("reference", "candidate"), page_pairs("designs", "generated"), indirect=True)
def test_page(reference: Capture, candidate: Capture) -> None:
    assert candidate.text_runs, "the page shows no text"

"""Pages rendered in async tests, whose event loop goes on meanwhile."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from pytest_design2a11y import RenderAsync, assert_fidelity, assert_iwir

EXAMPLES = Path(__file__).parents[1]

pytestmark = pytest.mark.anyio


async def test_a_page_served_by_the_test_itself(site: str, render_async: RenderAsync) -> None:
    design = await render_async(EXAMPLES / "designs/signup.html", role="reference")
    page = await render_async(f"{site}/signup.html")

    assert_fidelity(design, page) > 0.4
    assert_iwir(page) < 0.4


async def test_pages_of_one_design_at_once(render_async: RenderAsync) -> None:
    design = await render_async(EXAMPLES / "designs/signup.html", role="reference")
    generated = (EXAMPLES / "generated" / prompt / "signup.html" for prompt in ("prompt-a", "prompt-b"))

    good, worse = await asyncio.gather(*map(render_async, generated))

    assert_fidelity(design, good) > 0.4
    assert_fidelity(design, worse) < 1.0

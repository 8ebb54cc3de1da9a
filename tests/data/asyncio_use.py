"""A page of pytest-playwright-asyncio and a file in one run, which scripts/check_package runs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from pytest_design2a11y import assert_fidelity

if TYPE_CHECKING:
    from playwright.async_api import Page

PAGE = "<!doctype html><html lang=en><title>Account</title><h1>Your account</h1>"


@pytest.mark.asyncio(loop_scope="session")
async def test_a_live_page_is_like_its_design(page: Page, render_async: Any) -> None:
    await page.set_content(PAGE)
    design = await render_async(PAGE, role="reference")
    assert assert_fidelity(design, await render_async(page)) > 0.99


def test_a_page_is_rendered_without_a_loop(render: Any) -> None:
    assert assert_fidelity(render(PAGE, role="reference"), render(PAGE)) > 0.99

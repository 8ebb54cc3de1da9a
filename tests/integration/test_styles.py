"""Styles of test: async ones, pages shared by many tests, and runs without Playwright's own plugin."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from tests.integration.conftest import Project


def test_async_tests_work_beside_and_after_a_render(
    project: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Playwright's sync API in the main thread would keep its event loop running there."""
    monkeypatch.setenv("PYTEST_ADDOPTS", "-p no:hypothesispytest")
    frame = "<iframe title=Form src=login.html></iframe>"
    project.write(
        "designs/page.html", f"<!doctype html><html lang=en><title>In</title><main><h1>In</h1>{frame}</main>"
    )
    project.test_file(
        """
        import asyncio
        from pathlib import Path

        pytestmark = pytest.mark.anyio

        @pytest.fixture
        def anyio_backend():
            return "asyncio"

        def test_first(render):
            render("generated/login.html")

        def test_shows_its_design(render):
            page = render("designs/page.html")
            design = render("designs/login.html", role="reference")
            with pytest.raises(Exception, match="page.html loaded /login.html, which belongs to its design"):
                visual_similarity(design, page)

        async def test_async(render):
            ticks = []

            async def tick():
                while True:
                    ticks.append(1)
                    await asyncio.sleep(0.01)

            clock = asyncio.ensure_future(tick())
            design = await asyncio.to_thread(render, "designs/login.html", role="reference")
            page = await asyncio.to_thread(render, "generated/login.html")
            clock.cancel()
            assert len(ticks) > 5
            assert_visual_similarity(design, page) > 0.8

        async def test_limit(render):
            await asyncio.to_thread(render, "worse/login.html")

        async def test_missing(render):
            await asyncio.to_thread(render, "no/such.html")
        """
    )

    result = project.run_apart("--max-iwir=0.4", "--design2a11y-save=main", "-p", "no:playwright")

    assert result.parseoutcomes() == {"passed": 3, "failed": 2}
    result.stdout.fnmatch_lines(
        [
            "FAILED test_pages.py::test_limit - *iwir is 0.6000, required: at most 0.4*",
            "FAILED test_pages.py::test_missing - *There is no file 'no/such.html'*",
        ]
    )
    lines = (project.path / ".design2a11y/runs/main.jsonl").read_text(encoding="ascii").splitlines()[1:]
    saved = {one["id"].removeprefix("test_pages.py::test_"): one for one in map(json.loads, lines)}
    assert sorted(saved) == ["async", "first", "limit", "missing", "shows_its_design"]
    assert saved["async"]["visual"]["score"] > 0.8
    assert saved["shows_its_design"]["visual"] is None


def test_pages_that_several_tests_share_are_judged_in_each(project: Project) -> None:
    project.write(
        "shared/test_shared.py",
        """
        import unittest
        import pytest
        from pytest_design2a11y import *

        @pytest.fixture(scope="session")
        def design(design2a11y_render):
            return design2a11y_render("../designs/login.html", role="reference")

        @pytest.fixture(scope="module")
        def pages(design2a11y_render, design):
            return {"worse": design2a11y_render("../worse/login.html", reference=design)}

        def test_asserts_nothing(design, pages):
            pass

        def test_asserts(design, pages):
            assert_iwir(pages["worse"]) < 0.9
            assert_visual_similarity(design, pages["worse"]) > 0.1

        def test_own_page_beside_a_shared_design(design, render):
            render("../generated/login.html")

        def test_other():
            pass

        class TestLogin(unittest.TestCase):
            @pytest.fixture(scope="class", autouse=True)
            @classmethod
            def pages(cls, design2a11y_render):
                cls.page = design2a11y_render("../generated/login.html")

            def test_one(self):
                assert_iwir(self.page) < 0.1

            def test_other(self):
                pass
        """,
    )

    result = project.run(
        *("--max-iwir=0.4", "--min-visual-similarity=0.8", "--design2a11y-save=main", "-p", "no:playwright")
    )

    assert result.parseoutcomes() == {"passed": 5, "failed": 1}
    result.stdout.fnmatch_lines(["FAILED *::test_asserts_nothing - *visual is 0.7*, required: *"])
    lines = (project.path / ".design2a11y/runs/main.jsonl").read_text(encoding="ascii").splitlines()[1:]
    saved = {one["id"].partition("::")[2]: one for one in map(json.loads, lines)}
    assert sorted(saved) == [
        "TestLogin::test_one",
        "test_asserts",
        "test_asserts_nothing",
        "test_own_page_beside_a_shared_design",
    ]
    assert saved["test_asserts"]["visual"] == saved["test_asserts_nothing"]["visual"]
    assert saved["test_own_page_beside_a_shared_design"]["visual"]["score"] > 0.8

"""What a page is in a run: parameters, arguments of `render` and the marker say its case, sample and axes."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from tests.integration.conftest import BAD, GOOD

if TYPE_CHECKING:
    from tests.integration.conftest import Project


def saved(project: Project) -> dict[str, list[tuple[str, str, dict[str, str]]]]:
    """Return case, sample and axes of what tests saved, by file."""
    lines = (project.path / ".design2a11y/runs/run.jsonl").read_text().splitlines()
    pages = sorted((one for one in map(json.loads, lines) if "case" in one), key=lambda one: one["id"])
    found: dict[str, list[tuple[str, str, dict[str, str]]]] = {}
    for one in pages:
        named = (one["case"], one.get("sample", "1"), one.get("axes", {}))
        found.setdefault(one["id"].partition("::")[0], []).append(named)
    return {file: sorted(pages, key=str) for file, pages in found.items()}


def test_parameters_the_marker_and_render_say_what_a_page_is(project: Project) -> None:
    project.write("v1/login.html", GOOD)
    project.write("v2/login.html", BAD)
    project.test_file(
        """
        @pytest.mark.parametrize("prompt", ["v1", "v2"])
        @pytest.mark.parametrize("model", ["small"])
        @pytest.mark.parametrize("sample", [3])
        @pytest.mark.parametrize("design", ["login"])
        def test_page(render, design, model, prompt, sample):
            render(f"designs/{design}.html", role="reference")
            render(f"{prompt}/{design}.html")
        """,
        name="test_parameters.py",
    )
    project.test_file(
        """
        @pytest.mark.design2a11y(case="sign in", prompt="long", axes={"model": "large"})
        @pytest.mark.parametrize("prompt", ["v1"])
        @pytest.mark.parametrize(("model", "case"), [("small", "other"), ("medium", "another")])
        def test_page(render, case, model, prompt):
            render("designs/login.html", role="reference")
            render("generated/login.html")
        """,
        name="test_marker_wins.py",
    )
    project.test_file(
        """
        def test_loop(render):
            render("designs/login.html", role="reference", case="login")
            for prompt, folder in (("v1", "generated"), ("v2", "worse")):
                render(f"{folder}/login.html", prompt=prompt, model="m", sample=2)

        def test_shared(design2a11y_render):
            page = design2a11y_render("generated/login.html", case="login", prompt="v3")
            audit(page)
        """,
        name="test_render_says.py",
    )

    project.run("--design2a11y-save=run").assert_outcomes(passed=6)

    assert saved(project) == {
        "test_parameters.py": [
            ("login", "3", {"model": "small", "prompt": "v1"}),
            ("login", "3", {"model": "small", "prompt": "v2"}),
        ],
        "test_marker_wins.py": [("sign in", "1", {"model": "large", "prompt": "long"})] * 2,
        "test_render_says.py": [
            ("login", "1", {"prompt": "v3"}),
            ("login", "2", {"model": "m", "prompt": "v1"}),
            ("login", "2", {"model": "m", "prompt": "v2"}),
        ],
    }


def test_one_file_is_one_case_however_it_came(project: Project) -> None:
    project.write("suite/designs/login.html", GOOD)
    project.write("suite/generated/login.html", GOOD)
    project.write(
        "suite/test_pairs.py",
        """
        import pytest
        from pytest_design2a11y import page_pairs

        def pairs(candidates):
            return pytest.mark.parametrize(
                ("reference", "candidate"), page_pairs("designs", candidates), indirect=True
            )

        @pairs("generated")
        def test_folders(reference, candidate):
            pass

        @pairs("generated/{case}.html")
        def test_pattern(reference, candidate):
            pass

        def test_rendered(render):
            render("designs/login.html", role="reference")
            render("generated/login.html")

        @pytest.mark.parametrize("design", ["suite/designs/login.html"])
        def test_parameter(render, design):
            render("designs/login.html")
        """,
    )

    project.run("--design2a11y-save=run", "suite").assert_outcomes(passed=4)

    lines = (project.path / ".design2a11y/runs/run.jsonl").read_text().splitlines()
    assert {one["case"] for one in map(json.loads, lines) if "case" in one} == {"suite/designs/login"}


def test_different_candidates_of_one_case_and_sample_are_a_warning(project: Project) -> None:
    project.test_file(
        """
        @pytest.mark.parametrize("folder", ["generated", "worse"])
        def test_page(render, folder):
            render("designs/login.html", role="reference")
            render(f"{folder}/login.html")
        """
    )

    told = project.run().stdout.str()

    assert (
        "2 different candidates count as sample 1 of the case 'designs/login': generated/login.html, " in told
    )
    assert "Say what tells them apart: render(..., prompt=, model= or sample=), parameters of a test" in told


def test_what_is_not_text_is_no_answer(project: Project) -> None:
    project.test_file(
        """
        def test_bytes(render):
            render(html=b"<p>Hello")
        """
    )

    told = project.run().stdout.str()

    assert "An answer is text, not bytes. (stage: source) Decode it: answer.decode()." in told

"""Messages that people were misled by, or that stopped short, as they stand on the terminal now."""

from __future__ import annotations

import subprocess
import sys
from functools import partial
from typing import TYPE_CHECKING

import pytest

from pytest_design2a11y.exceptions import OcrUnavailable
from pytest_design2a11y.picture import capture_picture
from tests.integration.conftest import DESIGN

if TYPE_CHECKING:
    from tests.integration.conftest import Project

PAGES = ("designs/login.html", "generated/login.html")

USAGE = {
    ("score", "--pairs", "x", "-j", "-1"): "argument -j/--jobs: '-1': write 1 or more",
    ("score", *PAGES, "--min-fidelty", "0.5"): "Did you mean '--min-fidelity'?",
    ("audit", "a.html", "--veiwport=1x1"): "Did you mean '--viewport'?",
    ("score", *PAGES, "--min-fidelity", "ten%"): "does not take 'ten%': write a number, such as 0.5.",
    ("score", *PAGES, "--set", "allow_missing=ten%"): "does not take 'ten%': write a number, such as 0.5.",
    ("score", *PAGES, "third.html"): "For several pages give two folders, or --pairs",
    ("score", "designs", "generated/*.html"): 'design2a11y score DESIGNS --pairs "generated/{case}.html"',
    (
        "score",
        "designs/login.html",
        "generated/{case}.html",
    ): "designs/login.html is a file, not a folder of pages. Give its folder.",
    ("score", "designs", "nowhere"): "There is no folder nowhere. Check the path.",
    ("score", "designs", "generated/{name}.html"): "knows no {name}. Use {case}",
    ("scor", *PAGES): "there is no command 'scor'. Did you mean 'score'?",
    (
        "score",
        "--pairs",
        "x",
        "--set",
        "clip_batch=many",
    ): "--set clip_batch does not take 'many': write a whole number",
    ("score", *PAGES, "--set", "setle=3"): "there is no key 'setle'. Did you mean 'settle'?",
    ("score", *PAGES, "--set", "settle"): "--set settle is not a key with its value. Write --set KEY=VALUE.",
    ("score", *PAGES, "--set", "clean_urls=yes"): "clean_urls does not take 'yes': write true or false.",
    (
        "audit",
        "a.html",
        "--set",
        "clip_batch=3",
    ): "`audit` does not use the key clip_batch. It is for: mcp, score.",
    ("runs", "label", "run", "prompt"): "argument KEY=VALUE: 'prompt': write KEY=VALUE",
}


@pytest.mark.parametrize("arguments", USAGE, ids=" ".join)
def test_a_usage_error_is_one_sentence_that_says_what_to_write(
    project: Project, arguments: tuple[str, ...]
) -> None:
    result = project.command(*arguments)

    assert result.returncode == 2
    assert USAGE[arguments] in result.stderr
    assert len(result.stderr.splitlines()) <= 2
    assert "count_above_zero" not in result.stderr


def test_a_file_whose_name_begins_with_a_dash_says_how_to_write_it(project: Project) -> None:
    project.write("-dash.html", DESIGN)

    for arguments in (("audit", "-dash.html"), ("score", PAGES[0], "-dash.html")):
        refused = project.command(*arguments)

        assert refused.returncode == 2
        assert (
            "-dash.html is read as an option. For the file of that name, write ./-dash.html."
            in refused.stderr
        )
    assert project.command("audit", "--probes", "none", "--", "-dash.html").returncode == 0


def test_one_pair_in_several_viewports_shows_its_differences_in_each(project: Project) -> None:
    both = ("--viewport", "1280x720", "--viewport", "375x812")

    told = project.command("score", PAGES[0], "worse/login.html", "--no-audit", *both).stdout

    assert told.count("Differences, and the fidelity each one costs:") == 2
    assert "worse/login.html [375x812] against designs/login.html" in told
    assert "mean (95 % CI)" in told


def test_a_drawing_without_a_shape_is_refused_as_an_empty_page_is(project: Project) -> None:
    project.write("empty.svg", '<svg xmlns="http://www.w3.org/2000/svg"/>')

    scored, described = (
        project.command("score", "empty.svg", PAGES[1]),
        project.command("describe", "empty.svg"),
    )

    said = "EmptyDocument: empty.svg shows nothing: it has no shape, text or picture."
    assert (scored.returncode, described.returncode) == (3, 3)
    assert said in scored.stdout
    assert said in described.stderr


def test_a_pattern_may_stand_as_the_second_argument(project: Project) -> None:
    result = project.command("score", "designs", "generated/{case}.html", "--no-audit", "--json")

    assert result.returncode == 0
    assert '"id": "generated/login.html"' in result.stdout


def test_help_says_no_default_where_there_is_none(project: Project) -> None:
    shown = project.command("score", "--help").stdout

    assert "Default: mean." in shown
    assert "Default: ." not in shown


def test_a_route_names_the_option_for_apps_and_a_clean_url_its_own(project: Project) -> None:
    project.write("dist/index.html", DESIGN)
    project.write("dist/about.html", DESIGN)

    route, clean = (project.command("audit", f"dist/{name}").stdout for name in ("users/form", "about"))

    assert "give --single-page." in route
    assert "There is about.html: name that, or give --set clean_urls=true." in clean


def test_a_program_that_is_no_browser_and_too_few_files_are_told_apart(project: Project) -> None:
    if sys.platform == "win32":
        pytest.skip("Windows has no such limit.")
    import resource

    other = project.command("audit", PAGES[0], "--chromium", "/bin/ls")
    command = [sys.executable, "-m", "pytest_design2a11y", "audit", PAGES[0]]
    few = subprocess.run(
        command,
        preexec_fn=partial(resource.setrlimit, resource.RLIMIT_NOFILE, (40, 40)),
        cwd=project.path,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )

    assert "If /bin/ls is not a Chromium, name one with --chromium" in other.stdout
    assert "Only 40 files may be open at a time, too few for a browser: allow 1024" in few.stdout
    assert "Traceback" not in few.stderr
    assert "playwright install" not in other.stdout + few.stdout


def test_a_limit_on_fidelity_for_a_picture_says_once_what_to_gate_on(project: Project) -> None:
    pytest.importorskip("rapidocr")
    from pytest_design2a11y import Scorer

    with Scorer() as scorer:
        (project.path / "design.png").write_bytes(
            scorer.render(str(project.path / PAGES[0]), role="reference").screenshot.png
        )

    result = project.command("score", "design.png", PAGES[1], "--min-fidelity", "0.8", "--no-audit")

    assert result.returncode == 3
    assert result.stderr.count("fidelity>=0.8") == 1
    assert "The design is a picture: gate on visual (--min-visual-similarity)." in result.stderr
    assert "judged nothing" not in result.stderr


def test_a_damaged_picture_is_said_before_a_reader_that_is_missing(
    project: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    def unavailable(*_pictures: object, **_how: object) -> None:
        raise OcrUnavailable("rapidocr is not installed.")

    monkeypatch.setattr(capture_picture, "capture_picture", unavailable)
    (project.path / "design.png").write_bytes(b"\x89PNG\r\n\x1a\n and no more")

    result = project.command("score", "design.png", PAGES[1])

    assert "PictureUnreadable: " in result.stdout
    assert "rapidocr" not in result.stdout


def test_a_run_is_given_an_axis_that_comparisons_need(project: Project) -> None:
    line = (
        '{{"id": "{0}", "case": "a", "reference": "designs/login.html", "candidate": "{1}/login.html"{2}}}\n'
    )
    both = line.format("a", "generated", ', "prompt": "v1"') + line.format("b", "worse", ', "prompt": "v2"')
    for name, text in (("all", both), ("alone", line.format("a", "generated", ""))):
        project.write("pairs.jsonl", text)
        project.command("score", "--pairs", "pairs.jsonl", "--no-audit", "--save", name)

    mixed = project.command("compare", "alone", "all")
    lacking = project.command("compare", "alone", "all", "--only", "prompt=v2")
    labeled = project.command("runs", "label", "alone", "prompt=v2", "seed=7")
    compared = project.command("compare", "alone", "all", "--only", "prompt=v2")

    assert "Name it where it is missing: design2a11y runs label alone prompt=VALUE." in mixed.stderr
    assert (
        "Add it: design2a11y runs label alone prompt=v2; for a folder of --out, score the pages again."
        in lacking.stderr
    )
    assert labeled.stdout == "wrote .design2a11y/runs/alone.jsonl: 1 page with prompt=v2, seed=7\n"
    assert compared.returncode == 0
    assert "1 case in both" in compared.stdout
    again, fixed = (
        project.command("runs", "label", "alone", "prompt=v3"),
        project.command("runs", "label", "alone", "case=x"),
    )
    assert "Pages of alone have prompt=v2 already." in again.stderr
    assert "'case' is recorded when pages are measured, so it cannot be a label." in fixed.stderr


def test_feedback_names_pages_as_the_table_does_and_counts_the_cases_it_leaves_out(project: Project) -> None:
    lines = [
        f'{{"id": "page {number}", "case": "case {number}", "reference": "designs/login.html",'
        f' "candidate": "{PAGES[1]}"}}'
        for number in range(25)
    ]
    project.write("pairs.jsonl", "\n".join(lines))
    project.command("score", "--pairs", "pairs.jsonl", "--no-audit", "--save", "run")

    missing = project.command("feedback", "run", "case 99")
    named = project.command("feedback", "run", "page 7")

    assert missing.stderr.rstrip().endswith("and 5 more.")
    assert named.stdout.startswith("page 7: generated/login.html against designs/login.html")


def test_published_figures_are_named_where_a_run_is_meant_to_stand_beside_them(project: Project) -> None:
    result = project.command("score", *PAGES, "--set", "text_ratio=difflib", "--no-audit")
    rebuilt = project.command("score", *PAGES, "--published", "design2code", "--no-audit")

    assert "add --published design2code or ui2code-study to reproduce them" in result.stderr
    assert "published" not in rebuilt.stderr


UNSURE = """<!doctype html><html lang=en><title>x</title><main>
<h1 style="background: linear-gradient(#fff, #000)">Hello</h1></main></html>"""


def test_audit_names_what_a_person_judges_and_says_that_few_checks_are_few(project: Project) -> None:
    project.write("page.html", UNSURE)

    told = project.command("audit", "page.html").stdout

    assert "1 check needs a person to judge: color-contrast (1)\n    color-contrast: h1\n" in told
    assert "checks are few for a rate: one more failure adds 0." in told


def test_advice_for_a_page_without_main_holds_for_one_that_is_inert(project: Project) -> None:
    project.write(
        "page.html", "<!doctype html><html lang=en><title>x</title><main inert><h1>Hello</h1></main>"
    )

    told = project.command("audit", "page.html").stdout

    assert "Put the page's main content into one <main> that is neither inert nor hidden." in told


@pytest.mark.parametrize(
    ("name", "reason"), [("nowhere.json", "No such file or directory"), ("designs", "Is a directory")]
)
def test_a_file_that_the_system_does_not_give_is_named(project: Project, name: str, reason: str) -> None:
    result = project.command("assets", "figma", name, "-o", "x.blocks.json")

    assert (result.returncode, result.stderr) == (2, f"design2a11y: {name}: {reason}.\n")

"""The report in Chromium: its own first user."""

from __future__ import annotations

import io
import os
import re
import tracemalloc
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cache
from pathlib import Path
from typing import Any, Literal

import pytest
from PIL import Image, ImageDraw
from playwright.sync_api import Browser, Dialog, Page, Request, expect

from pytest_design2a11y import Scorer
from pytest_design2a11y.capture.audit.axe_script import read_axe_script
from pytest_design2a11y.capture.audit.htmlcs import read_htmlcs_script
from pytest_design2a11y.capture.warning_log import WarningLog
from pytest_design2a11y.comparing.compare import compare_runs
from pytest_design2a11y.models.audit import AccessibilityRates, Audit, CheckedNode, RuleOutcome
from pytest_design2a11y.models.elements import Screenshot
from pytest_design2a11y.models.evaluation import Evaluation
from pytest_design2a11y.models.page import Capture, CaptureWarning, Environment, Role
from pytest_design2a11y.models.run import Run
from pytest_design2a11y.models.verdicts import CaseJudgement, Failure, Verdict
from pytest_design2a11y.models.visual import Block, Difference, Match, VisualScore
from pytest_design2a11y.report import html as page_module
from pytest_design2a11y.report.comparison.rows import page_values
from pytest_design2a11y.report.html import write_report
from pytest_design2a11y.report.html.overview import plain_names
from pytest_design2a11y.runs.pictures import MAX_BYTES, MAX_SMALL_BYTES, store_pictures
from tests.factories import make_evaluation, make_run, make_visual, with_differences

ENVIRONMENT = Environment("156.0", "4.10.3", "0.5.0", "1.65", "Linux x86_64")
SIZES = {"reference": (1280, 900), "candidate": (1280, 1100)}

BLOCKED = WarningLog()
BLOCKED.note("blocked_requests", "https://cdn.example/a/site.css")

ATTACKS = (
    "</script><script>alert(1)</script>",
    "\"'><img src=x onerror=alert(1)>",
    "<!--<script>alert(1)</script>-->",
    "\u2028alert(1)\u2029",
    "{{7*7}} ${7*7} %s {0}",
    "\x1b[2J\u202egnp.exe",
    "<svg onload=alert(1)><style>*{display:none}</style>",
    "javascript:alert(1)",
    "red;background:url(http://127.0.0.1:9/x)",
    "../../etc/passwd",
)


OF_ELEMENTS = (
    Difference("missing", "picture", 0.05, reference={"box": (32, 180, 400, 200)}),
    Difference(
        "font", "text", 0.02, "minor", "font_size", 14.0, 10.5,
        {"box": (32, 400, 200, 20), "font_size": 14.0}, {"box": (32, 400, 180, 16), "font_size": 10.5},
    ),
    Difference(
        "restyled", "control", 0.01, "minor", "look", None, None,
        {"box": (32, 600, 90, 30), "fill": "#1155cc", "has_border": True},
        {"box": (32, 600, 40, 20), "fill": "#ffffff", "has_border": False},
    ),
)  # fmt: skip


@dataclass
class Watched:
    """A page, and all that it should not do."""

    page: Page
    address: str = ""
    misdeeds: list[str] = field(default_factory=list)


def picture(color: str, height: int, role: Role) -> Capture:
    image = Image.new("RGB", (1280, height), "white")
    ImageDraw.Draw(image).rectangle((100, 50, 700, 200), fill=color)
    buffer = io.BytesIO()
    image.save(buffer, "PNG")
    return Capture(role, role, Screenshot(buffer.getvalue()), image.size, (), (), ENVIRONMENT)


def block(text: str, y: float, color: tuple[int, int, int] = (20, 20, 20)) -> Block:
    return Block(text, (0.1, y, 0.3, 0.05), color)


def unmoved(text: str, y: float, color: tuple[int, int, int] = (20, 20, 20)) -> Block:
    """Return a block of the taller candidate, as many px from the top as one at `y` of the reference."""
    return block(text, y * SIZES["reference"][1] / SIZES["candidate"][1], color)


def contrast_rule(
    help_text: str = "Elements must meet contrast", url: str = "https://example.org/"
) -> RuleOutcome:
    data = {
        "fgColor": "#777777",
        "bgColor": "#ffffff",
        "contrastRatio": 4.47,
        "expectedContrastRatio": "4.5:1",
    }
    node = CheckedNode(
        "p.small", "<p>", "serious", "Fix any:\n  Too little contrast", (130, 70, 380, 40), data
    )
    return RuleOutcome(
        "color-contrast", help_text, url, ("wcag2aa",), "serious", 5, 1, 1, {"serious": 1}, (node,), (node,)
    )


@cache
def stored_pictures(folder: Path) -> Mapping[str, str]:
    return store_pictures([picture("teal", 900, "reference"), picture("navy", 1100, "candidate")], folder)


def full_evaluation(folder: Path, number: int = 0, score: float = 0.8) -> Evaluation:
    pictures = stored_pictures(folder)
    read = replace(block("Forgot it?", 0.5), confidence=0.9312)
    matches = (
        Match(block("Welcome back", 0.1), unmoved("Welcome back", 0.1), 1.0, 1.0, 1.0),
        Match(block("Sign in", 0.3), block("Sign in", 0.6), 1.0, 0.7, 1.0),
        Match(block("Terms", 0.4), unmoved("Terms", 0.4, (200, 0, 0)), 1.0, 1.0, 0.6),
        Match(read, unmoved("Forgotten it?", 0.5), 0.87, 1.0, 1.0),
    )
    return Evaluation(
        id=f"tests/test_login.py::test_login[{number}]",
        case=f"designs/login-{number}",
        candidate=f"generated/login-{number}.html",
        reference=f"designs/login-{number}.html",
        visual=with_differences(
            VisualScore(
                score,
                0.9,
                0.97,
                0.92,
                0.9,
                0.8,
                "indel",
                "embedded",
                matches,
                (block("Help", 0.8),),
                (block("Lorem", 0.9),),
            ),
            SIZES,
        ),
        accessibility=AccessibilityRates(7, 1, 1, 1 / 7, 0.6, 0.0857, 7, 1, 1 / 7, "yellow", {"serious": 1}),
        audit=Audit("4.10.3", (contrast_rule(),), 7, 1),
        verdicts=(
            Verdict("visual", ">=", 0.75, score, score >= 0.75, "command line"),
            Verdict("iwir", "<=", 0.3, 0.6, False, "marker"),
        ),
        warnings=(CaptureWarning("blocked_requests", "Requests were blocked.", 2),),
        environment=ENVIRONMENT,
        page_sizes=SIZES,
        pictures=pictures,
        axes={
            "model": "alpha" if number % 2 else "beta",
            "prompt": "naive" if number % 2 else "careful",
        },
    )


def hostile_evaluation(attack: str, folder: Path) -> Evaluation:
    lone = block(attack, 0.2)
    node = CheckedNode(
        attack, attack, "serious", attack, (1, 2, 3, 4), {"fgColor": attack, "bgColor": attack}
    )
    rule = replace(contrast_rule(attack, attack), rule=attack, violations=(node,), incomplete=(node,))
    one = full_evaluation(folder)
    assert one.visual is not None
    return replace(
        one,
        id=attack,
        case=attack,
        candidate=attack,
        sample=attack,
        reference=attack,
        visual=with_differences(
            replace(one.visual, matches=(Match(lone, lone, 0.5, 0.5, 0.5),), missing=(lone,), extra=(lone,)),
            SIZES,
        ),
        audit=Audit(attack, (rule,), 7, 1),
        warnings=(CaptureWarning(attack, attack),),
        error=Failure(attack, attack),
        environment=Environment(attack, attack, attack, attack, attack),
        settings={"viewport": attack, "javascript": True, "allowed_hosts": [attack]},
        pictures={"reference": attack, "candidate": one.pictures["candidate"]},
        axes={"model": attack, "state": attack},
    )


@pytest.fixture(scope="module")
def report(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("report")
    run, more = sample_run(folder)
    write_report(folder / "report.html", run, picture_folder=folder, **more)
    return folder / "report.html"


def sample_run(folder: Path) -> tuple[Run, dict[str, Any]]:
    """A run, and what else its report tells."""
    audit_alone = replace(full_evaluation(folder, 3), id="audit", reference=None, visual=None)
    worse = replace(full_evaluation(folder, 1, 0.7), warnings=BLOCKED.warnings())
    run = Run(
        "prompt-v2",
        "2026-11-20T13:40:00Z",
        False,
        (
            full_evaluation(folder, 0, 0.9),
            worse,
            replace(full_evaluation(folder, 2, 0.8), tries=2),
            replace(
                audit_alone,
                pictures={"candidate": audit_alone.pictures["candidate"]},
                page_sizes={"candidate": (1280, 1100)},
            ),
            Evaluation("lost", "lost", "lost.html", error=Failure("RenderTimeout", "The page hung.")),
        ),
    )
    old = run_before(run)
    more = {
        "compared": (old, run),
        "comparison": page_values(compare_runs(old, run)),
        "judgements": [
            judgement("designs/login-0", "beta", is_passed=True),
            judgement("designs/login-1", "alpha", is_passed=False),
        ],
        "accepted": {"tests/test_login.py::test_login[1]": {"color-contrast": 1}},
    }
    return run, more


def run_before(run: Run) -> Run:
    """The run before: page 1 was better, but for a text that is gone now."""
    pages = list(run.evaluations)
    assert pages[1].visual is not None
    extra = (*pages[1].visual.extra, block("Imprint", 0.95))
    visual = with_differences(replace(pages[1].visual, score=0.9, extra=extra), SIZES)
    pages[1] = replace(pages[1], warnings=(), visual=visual)
    return Run("prompt-v1", "2026-11-19T13:40:00Z", True, tuple(pages))


@pytest.fixture(scope="module")
def grid(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The report of two designs, each with two prompts."""
    folder = tmp_path_factory.mktemp("grid")
    pages = [
        replace(
            full_evaluation(folder, number, 0.9 - 0.1 * number - 0.01 * version),
            id=f"test_page[{number}-{version}]",
            axes={"prompt": f"v{version}"},
        )
        for number in range(2)
        for version in (1, 2)
    ]
    assert pages[0].visual is not None
    wanted = replace(OF_ELEMENTS[0], accepted="the new picture")
    pages[0] = replace(pages[0], visual=replace(pages[0].visual, differences=(wanted, *OF_ELEMENTS)))
    run = Run("grid", "2026-11-20T13:40:00Z", True, tuple(pages))
    write_report(folder / "report.html", run, picture_folder=folder)
    return folder / "report.html"


def judgement(case: str, model: str, *, is_passed: bool) -> CaseJudgement:
    axes = {"model": model, "prompt": "careful" if model == "beta" else "naive"}
    sentence = "mean of 3 samples: 0.7000"
    return CaseJudgement(case, axes, "visual", ">=", 0.75, "command line", is_passed, sentence)


@pytest.fixture(scope="module")
def hostile_report(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("hostile")
    run = Run(ATTACKS[0], ATTACKS[1], True, tuple(hostile_evaluation(attack, folder) for attack in ATTACKS))
    judged = [replace(judgement(attack, attack, is_passed=False), sentence=attack) for attack in ATTACKS]
    write_report(folder / "report.html", run, picture_folder=folder, judgements=judged)
    return folder / "report.html"


Open = Callable[..., Page]

DEAR = Difference("missing", "picture", 0.05)
CHEAP = Difference("missing", "control", 0.01)


@pytest.fixture(scope="module")
def watched(chromium: Browser) -> Iterator[Watched]:
    """One page for all tests: a context of its own costs more than to open a report."""
    watched = Watched(chromium.new_page())
    watch(watched)
    yield watched
    watched.page.close()


@pytest.fixture
def open_page(watched: Watched) -> Iterator[Open]:
    """Opens a file; in the end, it must not have asked, complained or requested anything."""
    page = watched.page

    def open_file(path: Path, fragment: str = "", *, scheme: str = "light", width: int = 1280) -> Page:
        page.goto("about:blank")  # Where only the fragment differs, a file would not be opened anew.
        page.mouse.move(0, 0)
        color_scheme: Literal["light", "dark"] = "dark" if scheme == "dark" else "light"
        page.emulate_media(color_scheme=color_scheme, media="screen", reduced_motion="no-preference")
        page.set_viewport_size({"width": width, "height": 900})
        watched.address = path.as_uri()
        page.goto(watched.address + fragment)
        return page

    yield open_file
    page.evaluate("localStorage.clear()")
    misdeeds, watched.misdeeds = watched.misdeeds, []
    assert misdeeds == []


def watch(watched: Watched) -> None:
    def note(misdeed: str) -> None:
        watched.misdeeds.append(misdeed)

    def note_dialog(dialog: Dialog) -> None:
        note(f"dialog: {dialog.message}")
        dialog.dismiss()

    def note_request(request: Request) -> None:
        if not request.url.startswith(("data:", "about:", watched.address)):
            note(f"request: {request.url}")

    page = watched.page
    page.on("console", lambda message: note(f"console: {message.text}"))
    page.on("pageerror", lambda error: note(f"error: {error}"))
    page.on("popup", lambda popup: note(f"popup: {popup.url}"))
    page.on("dialog", note_dialog)
    page.on("request", note_request)


VIEWS = ["#comparison", "", "#page-1", "#page-3", "#page-4", "#statistics"]


def by_axe(page: Page, *rules: str) -> list[str]:
    """What axe-core finds on a page as it stands, by all its rules or by some."""
    page.evaluate(read_axe_script(None))
    return list(
        page.evaluate(
            """async (rules) => {
                const { violations } = await axe.run(rules.length ? { runOnly: rules } : {});
                return violations.map(({ id, nodes }) => `${id}: ${nodes[0].html}`);
            }""",
            rules,
        )
    )


def by_htmlcs(page: Page) -> list[str]:
    """What HTML_CodeSniffer finds on a page as it stands."""
    page.evaluate(read_htmlcs_script(None)[0])
    return list(
        page.evaluate(
            """async () => {
                const messages = await new Promise((resolve) => HTMLCS.process("WCAG2AA", document, () => resolve(HTMLCS.getMessages())));
                const errors = messages.filter(({ type }) => type === HTMLCS.ERROR);
                return errors.map(({ code, element }) => `${code}: ${element.outerHTML?.slice(0, 200)}`);
            }"""  # noqa: E501
        )
    )


@pytest.mark.alike(1)
@pytest.mark.parametrize("fragment", VIEWS)
def test_two_engines_find_nothing_in_any_colours_or_width(
    open_page: Open, report: Path, fragment: str
) -> None:
    page = open_page(report, fragment)
    for group in page.locator("details").all():
        group.evaluate("details => { details.open = true }")
    assert by_axe(page) + by_htmlcs(page) == []

    page.emulate_media(color_scheme="dark")
    assert by_axe(page, "color-contrast") == []

    page = open_page(report, fragment, width=320)
    assert page.evaluate("document.documentElement.scrollWidth") <= 320
    assert by_axe(page, "target-size", "scrollable-region-focusable", "color-contrast") == []


@pytest.mark.alike(1)
@pytest.mark.parametrize("mode", ["slider", "overlay", "blink", "difference"])
def test_axe_finds_nothing_in_the_other_views(open_page: Open, report: Path, mode: str) -> None:
    page = open_page(report, f"#page-1?mode={mode}")

    assert by_axe(page) == []


def test_two_engines_find_nothing_in_a_grid_and_in_the_help(open_page: Open, grid: Path) -> None:
    page = open_page(grid)
    assert by_axe(page) + by_htmlcs(page) == []

    page.keyboard.press("?")
    assert by_axe(page) + by_htmlcs(page) == []


def many_pages(folder: Path, *, in_grid: bool) -> Run:
    """So many that an overview lays out only those in sight."""
    one = full_evaluation(folder)
    axes = [{"prompt": f"v{number % 2}" if in_grid else ""} for number in range(102)]
    pages = (
        replace(
            one,
            id=f"test_page[{number}]",
            case=f"designs/{number // 2 if in_grid else number}.html",
            axes=own,
        )
        for number, own in enumerate(axes)
    )
    return Run("many", "2026-11-20T13:40:00Z", True, tuple(pages))


def probed(run: Run, folder: Path, view: str, monkeypatch: pytest.MonkeyPatch, **more: Any) -> Evaluation:
    """Audit a view of a report with both engines and all probes.

    Probes have no part of an address to start from: the report's script goes to the view by itself.
    """
    script = f"{page_module.report_script()}location.hash = '{view}';"
    monkeypatch.setattr(page_module, "report_script", lambda: script)
    write_report(folder / "report.html", run, picture_folder=folder, **more)
    with Scorer(probes="all", engines="axe,htmlcs", timeout=500) as scorer:
        return scorer.audit(folder / "report.html")


def assert_without_fault(evaluation: Evaluation) -> None:
    assert evaluation.error is None
    failed = {name: probe.failed for name, probe in evaluation.probes.items()}
    assert failed == dict.fromkeys(failed, 0)
    assert len(failed) >= 7
    assert evaluation.accessibility is not None
    assert evaluation.accessibility.failed == 0
    assert evaluation.engines["htmlcs"].failed == 0


@pytest.mark.slow
@pytest.mark.parametrize("view", ["page-0", "pages", "comparison", "statistics"])
def test_our_own_probes_find_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, view: str) -> None:
    run, more = sample_run(tmp_path)

    assert_without_fault(probed(run, tmp_path, view, monkeypatch, **more))


@pytest.mark.slow
@pytest.mark.parametrize("in_grid", [False, True])
def test_our_own_probes_find_nothing_among_many_pages(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, in_grid: bool
) -> None:
    assert_without_fault(probed(many_pages(tmp_path, in_grid=in_grid), tmp_path, "pages", monkeypatch))


def test_numbers_lie_beside_the_pictures_and_none_over_another(open_page: Open, report: Path) -> None:
    page = open_page(report, "#page-1")

    for pane in page.locator(".pane").all():
        window = pane.locator(".window").bounding_box()
        chips = [chip.bounding_box() for chip in pane.locator(".number-chip:visible").all()]
        assert window is not None
        assert chips
        for chip, following in zip(chips, [*chips[1:], None], strict=True):
            assert chip is not None
            assert chip["x"] + chip["width"] <= window["x"]
            assert following is None or abs(chip["y"] - following["y"]) >= chip["height"]
    page.get_by_role("radio", name="Overlay").check(force=True)
    expect(page.locator(".number-chip:visible")).to_have_count(0)


def test_all_numbers_stand_in_columns_beside_what_they_mark(open_page: Open, report: Path) -> None:
    page = open_page(report, "#page-1")
    page.get_by_role("checkbox", name="All marks").check()

    for pane in page.locator(".pane").all():
        boxes = [chip.bounding_box() for chip in pane.locator(".number-chip:visible").all()]
        window = pane.locator(".window").bounding_box()
        assert window is not None
        for at, chip in enumerate(boxes):
            assert chip is not None
            assert chip["x"] + chip["width"] <= window["x"]
            for other in boxes[:at]:
                assert other is not None
                across, down = (abs(chip[axis] - other[axis]) for axis in ("x", "y"))
                assert across >= chip["width"] or down >= chip["height"]


def test_five_places_are_marked_and_the_others_when_pointed_at(open_page: Open, tmp_path: Path) -> None:
    one = full_evaluation(tmp_path)
    assert one.visual is not None
    lacking = tuple(
        Block(f"Word {number}", (0.1 + 0.4 * (number % 2), number / 9, 0.1, 0.02), (20, 20, 20))
        for number in range(1, 9)
    )
    many = replace(one, audit=None, visual=with_differences(replace(one.visual, missing=lacking), SIZES))
    write_report(
        tmp_path / "report.html", Run("v1", "2026-11-20T13:40:00Z", True, (many,)), picture_folder=tmp_path
    )
    page = open_page(tmp_path / "report.html", "#page-0")
    quiet = page.locator(".reference .mark.quiet").first

    shown = page.locator(".mark:not(.quiet)").evaluate_all("marks => marks.map(mark => mark.dataset.numbers)")
    assert len({*shown}) == 5
    expect(quiet).to_have_css("opacity", "0")
    number = quiet.get_attribute("data-numbers")
    page.locator(".entry summary").filter(
        has=page.locator(".badge", has_text=re.compile(f"^{number}$"))
    ).hover()
    expect(quiet).to_have_css("opacity", "1")
    page.mouse.move(2, 2)
    page.get_by_role("checkbox", name="All marks").check()
    expect(quiet).to_have_css("opacity", "1")


def test_on_a_phone_a_tap_on_a_finding_shows_it_in_both_pictures(open_page: Open, report: Path) -> None:
    page = open_page(report, "#page-1")
    page.set_viewport_size({"width": 390, "height": 844})
    expect(page.locator(".number-chip:visible").first).to_be_visible()
    entry = page.locator(".entry summary", has_text="Sign in")
    entry.scroll_into_view_if_needed()

    entry.click()

    expect(page.locator(".stage")).to_have_class(re.compile("zoomed"))
    expect(page.locator(".mark.active")).to_have_count(2)
    for shown in (entry, *page.locator(".window").all()):
        expect(shown).to_be_in_viewport()
    assert page.evaluate("scrollY") > 100
    page.mouse.move(2, 2)
    expect(page.locator(".mark.active")).to_have_count(2)
    entry.click()
    page.mouse.move(2, 2)
    expect(page.locator(".mark.active")).to_have_count(0)


def test_pages_of_one_name_are_told_apart_by_their_tests_parameters(open_page: Open, tmp_path: Path) -> None:
    pages = [replace(full_evaluation(tmp_path), id=f"t.py::test_page[chromium-{name}]") for name in "abc"]
    write_report(
        tmp_path / "report.html",
        Run("v1", "2026-11-20T13:40:00Z", True, tuple(pages)),
        picture_folder=tmp_path,
    )
    page = open_page(tmp_path / "report.html", "#page-0")

    expect(page.locator(".others a")).to_have_text(["chromium-b", "chromium-c"])


def test_the_worst_page_comes_first_under_its_plain_name(open_page: Open, report: Path) -> None:
    page = open_page(report)

    expect(page.locator(".card h3")).to_have_text(["lost", "login-1", "login-2", "login-0", "login-3"])
    worst = page.locator(".card").nth(1)
    expect(worst).to_contain_text("visual 0.70 < 0.75 (--min-visual-similarity)")
    expect(worst).to_contain_text("0.70 visual")
    expect(worst).to_contain_text("1 failed check")
    expect(worst.locator(".causes li")).to_have_count(3)
    expect(worst.locator(".causes li").first).to_have_text("style sheet cdn.example/…/site.css blocked")
    expect(worst.locator(".id").last).to_have_text("tests/test_login.py::test_login[1]")
    expect(worst.locator("img")).to_have_count(2)


def test_variants_stand_in_a_grid_a_row_a_design(open_page: Open, grid: Path) -> None:
    page = open_page(grid)

    expect(page.locator(".row .design h2")).to_have_text(["login-1", "login-0"])
    row = page.locator(".row").first
    expect(row.locator(".card h3")).to_have_text(["login-1 · prompt v1", "login-1 · prompt v2"])
    expect(row.locator("img")).to_have_count(3)
    boxes = [one.bounding_box() for one in page.locator(".card", has_text="prompt v2").all()]
    assert {box and box["x"] for box in boxes} == {boxes[0] and boxes[0]["x"]}


def test_filters_work_by_keyboard_and_stand_in_the_address(open_page: Open, report: Path) -> None:
    page = open_page(report)
    status = page.get_by_role("status")
    page.keyboard.press("/")
    expect(page.get_by_label("Search")).to_be_focused()

    page.keyboard.type("test_login[")
    expect(status).to_have_text("3 of 5 pages")
    page.keyboard.press("Tab")
    expect(page.get_by_role("combobox", name="Verdict")).to_be_focused()
    page.keyboard.type("breaks")
    expect(status).to_have_text("3 of 5 pages")
    page.get_by_label("Model").select_option("alpha")
    expect(status).to_have_text("1 of 5 pages")

    expect(page.locator(".card:visible h3")).to_have_text(["login-1"])
    assert page.url.endswith("#pages?q=test_login%5B&verdict=fail&axis-model=alpha")


def test_a_click_on_what_several_pages_share_shows_these_pages(open_page: Open, tmp_path: Path) -> None:
    """The most costly over the run comes first, not the one on most pages."""
    pages = [
        make_evaluation(case, replace(make_visual(0.5), differences=tuple(found)), None)
        for case, found in {"a": [DEAR, CHEAP], "b": [DEAR], "c": [CHEAP], "d": [CHEAP]}.items()
    ]
    write_report(tmp_path / "report.html", make_run(*pages), picture_folder=tmp_path)
    page = open_page(tmp_path / "report.html")
    links = page.locator(".shared button")
    expect(links).to_have_text(["2 of 4 pages: picture is missing", "3 of 4 pages: control is missing"])

    links.first.click()

    expect(page.locator(".card:visible h3")).to_have_text(["a", "b"])
    expect(page.get_by_label("Cause").locator("option:checked")).to_have_text("picture is missing (2)")
    expect(page.locator("#count")).to_have_text("2 of 4 pages")


def test_a_link_shows_what_its_sender_saw(open_page: Open, report: Path) -> None:
    page = open_page(report, "#pages?cause=layout&sort=best")

    expect(page.locator(".card:visible h3")).to_have_text(["login-0", "login-2", "login-1"])
    expect(page.get_by_label("Cause")).to_have_value("layout")
    page.locator(".card:visible a").first.click()
    expect(page.get_by_text("1 of 3")).to_be_visible()
    assert page.url.endswith("#page-0?cause=layout&sort=best")
    page = open_page(report, "#page-1?mode=slider&hide=text")
    expect(page.get_by_role("radio", name="Slider")).to_be_checked()
    expect(page.get_by_role("checkbox", name="Text")).not_to_be_checked()
    expect(page.locator(".mark.text:visible")).to_have_count(0)


def test_nothing_that_fits_is_said(open_page: Open, report: Path) -> None:
    page = open_page(report, "#pages?q=nowhere")

    expect(page.get_by_text("No pages match.")).to_be_visible()
    page.get_by_role("link", name="Show all pages").click()
    expect(page.get_by_role("status")).to_have_text("5 pages")


def test_axes_without_pages_leave_the_grid(open_page: Open, grid: Path) -> None:
    page = open_page(grid, "#pages?axis-prompt=v2")

    expect(page.locator(".cell:visible")).to_have_count(2)


@pytest.mark.parametrize(
    ("order", "names"),
    [
        ("likeness", ["login-1", "login-2", "login-0", "lost", "login-3"]),
        ("name", ["login-0", "login-1", "login-2", "login-3", "lost"]),
        ("best", ["login-3", "login-0", "login-2", "login-1", "lost"]),
        ("failed", ["login-1", "login-2", "login-0", "login-3", "lost"]),
    ],
)
def test_cards_can_be_sorted(open_page: Open, report: Path, order: str, names: list[str]) -> None:
    page = open_page(report)

    page.get_by_label("Order").select_option(order)

    expect(page.locator(".card h3")).to_have_text(names)


def test_pages_are_gone_through_by_keys_and_the_place_is_kept(open_page: Open, report: Path) -> None:
    page = open_page(report)
    page.get_by_role("link", name="login-2").focus()

    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", level=1)).to_be_focused()
    expect(page).to_have_title(re.compile(r"^login-2 · "))
    expect(page.get_by_text("3 of 5", exact=True)).to_be_visible()
    page.keyboard.press("n")
    expect(page.get_by_role("heading", level=1)).to_have_text("login-0")
    page.keyboard.press("p")
    expect(page.get_by_role("heading", level=1)).to_have_text("login-2")
    page.keyboard.press("p")
    expect(page.get_by_role("heading", level=1)).to_have_text("login-1")
    page.keyboard.press("u")

    expect(page.get_by_role("link", name="login-1")).to_be_focused()


def test_keys_are_named_in_a_panel_and_can_be_turned_off(open_page: Open, report: Path) -> None:
    page = open_page(report, "#page-1")

    page.keyboard.press("?")
    panel = page.get_by_role("dialog", name="Keys")
    for text in ("next page", "previous page", "zoom to the finding", "side by side, slider"):
        expect(panel).to_contain_text(text)
    panel.get_by_label("Single-key shortcuts").uncheck()
    page.keyboard.press("Escape")
    expect(panel).to_be_hidden()
    page.keyboard.press("n")
    expect(page.get_by_role("heading", level=1)).to_have_text("login-1")


def test_what_did_not_load_stands_above_the_pictures(open_page: Open, report: Path) -> None:
    page = open_page(report, "#page-1")

    alerts = page.get_by_role("list", name="Not loaded or run")
    expect(alerts).to_have_text("style sheet cdn.example/…/site.css blocked")
    above, picture = alerts.bounding_box(), page.locator(".window").first.bounding_box()
    assert above is not None
    assert picture is not None
    assert above["y"] + above["height"] < picture["y"]
    assert picture["width"] > 380


def test_limits_are_sentences_and_all_metrics_are_folded(open_page: Open, report: Path) -> None:
    page = open_page(report, "#page-1")
    limits = page.locator(".limits")

    expect(
        limits.get_by_text("visual is 0.7000, required: at least 0.75 (--min-visual-similarity)")
    ).to_be_visible()
    expect(limits.get_by_text("iwir is 0.6000, required: at most 0.3 (marker)")).to_be_visible()
    expect(limits).to_contain_text("fail visual >= 0.75 for the case as a whole: mean of 3")
    above = limits.bounding_box(), page.locator(".stage").bounding_box()
    assert above[0] is not None
    assert above[1] is not None
    assert above[0]["y"] < above[1]["y"]
    numbers = page.locator(".numbers")
    expect(numbers.get_by_role("table")).to_be_hidden()
    numbers.get_by_text("All metrics").click()
    row = numbers.get_by_role("row", name="position")
    expect(row).to_contain_text("0.9200")


def test_the_slider_works_by_keyboard_and_by_pointer(open_page: Open, report: Path) -> None:
    page = open_page(report, "#page-1")
    page.get_by_role("radio", name="Side by side").focus()

    page.keyboard.press("ArrowRight")
    expect(page.get_by_role("radio", name="Slider")).to_be_checked()
    page.keyboard.press("Tab")
    amount = page.get_by_role("slider", name="Share of the generated page")
    expect(amount).to_be_focused()
    window = page.locator(".candidate .window")
    page.keyboard.press("End")
    expect(window).to_have_css("clip-path", "inset(0px 0px 0px 100%)")
    window.scroll_into_view_if_needed()
    box = page.locator(".reference .window").bounding_box()
    assert box is not None
    page.mouse.move(box["x"] + box["width"] / 2, box["y"] + 300)
    page.mouse.down()
    page.mouse.move(box["x"] + box["width"] / 4, box["y"] + 300)
    page.mouse.up()
    expect(amount).to_have_value("25")


def colors_at(page: Page, *places: tuple[float, float]) -> list[tuple[int, ...]]:
    """Colours of the picture at shares of its width and page pixels from its top."""
    page.wait_for_timeout(150)
    window = page.locator(".candidate .window")
    window.scroll_into_view_if_needed()
    box = window.bounding_box()
    assert box is not None
    image = Image.open(io.BytesIO(page.screenshot())).convert("RGB")
    scale = box["width"] / 1280
    return [
        tuple(image.getpixel((round(box["x"] + x * box["width"]), round(box["y"] + y * scale))))  # type: ignore[arg-type]
        for x, y in places
    ]


def is_near(one: tuple[int, ...], other: tuple[int, ...], by: int = 30) -> bool:
    return max(abs(first - second) for first, second in zip(one, other, strict=True)) < by


def test_the_slider_shows_the_pages_on_their_sides(open_page: Open, report: Path) -> None:
    page = open_page(report, "#page-1?mode=slider&hide=text,accessibility")

    left, right = colors_at(page, (0.2, 190), (0.52, 190))

    assert is_near(left, (0, 128, 128))
    assert is_near(right, (0, 0, 128))


def test_the_difference_colours_what_changed_and_nothing_else(open_page: Open, report: Path) -> None:
    page = open_page(report, "#page-1?mode=difference&hide=text,accessibility")

    changed, same = colors_at(page, (0.2, 190), (0.8, 190))

    assert is_near(changed, (219, 13, 107), 60)
    assert is_near(same, (255, 255, 255))


def test_overlay_and_blink(open_page: Open, report: Path) -> None:
    page = open_page(report, "#page-1")
    window = page.locator(".candidate .window")
    page.keyboard.press("3")

    expect(window).to_have_css("opacity", "0.5")
    page.get_by_role("slider").press("Home")
    expect(window).to_have_css("opacity", "0")
    page.keyboard.press("4")
    expect(window).to_be_hidden()
    expect(page.get_by_role("button", name="Switch (shown: Design)")).to_be_visible()
    expect(window).to_be_visible()
    page.get_by_role("button", name="Switch").click()
    away = window.is_hidden()
    page.wait_for_timeout(1000)
    assert window.is_hidden() == away


def test_nothing_blinks_by_itself_for_who_wants_less_motion(open_page: Open, report: Path) -> None:
    page = open_page(report)
    page.emulate_media(reduced_motion="reduce")
    page.goto(page.url + "#page-1?mode=blink")

    page.wait_for_timeout(1000)

    expect(page.locator(".candidate .window")).to_be_visible()


def test_findings_are_numbered_on_both_pictures_the_most_costly_first(open_page: Open, report: Path) -> None:
    page = open_page(report, "#page-1")

    titles = page.locator(".group > summary .what").all_text_contents()
    assert titles == [
        "text reworded", "1 contrast failure accepted", "text recolored", "text moved", "text missing",
        "text extra",
    ]  # fmt: skip
    badges = page.locator(".entry .badge").all_text_contents()
    assert badges == [str(number) for number in range(1, 7)]
    moved = page.locator('[data-numbers="4"]')
    expect(moved).to_have_count(2)
    assert [one.get_attribute("aria-label") for one in moved.all()] == [
        'Design: 4 text "Sign in" moved 390 px down',
        'Generated page: 4 text "Sign in" moved 390 px down',
    ]
    expect(page.locator(".reference .mark")).to_have_count(4)
    expect(page.locator(".candidate .mark")).to_have_count(5)


def test_each_kind_of_mark_is_switched_on_and_off(open_page: Open, report: Path) -> None:
    page = open_page(report, "#page-1")

    page.get_by_role("checkbox", name="Accessibility").press("Space")

    expect(page.locator(".mark.accessibility")).to_be_hidden()
    expect(page.locator(".group.accessibility")).to_be_hidden()
    expect(page.locator('[data-numbers="5"]').first).to_be_visible()
    assert page.url.endswith("hide=accessibility")


def test_elements_and_typography_have_marks_of_their_own(open_page: Open, grid: Path) -> None:
    page = open_page(grid, "#page-0")

    expect(page.locator(".choices").nth(1).locator("label")).to_have_text(
        ["Elements 2", "Typography 1", "Accessibility 1"]
    )
    expect(page.locator(".group.elements").first).to_contain_text("picture missing")
    expect(page.locator(".reference .mark.elements")).to_have_count(2)
    page.get_by_role("checkbox", name="Typography").uncheck()
    expect(page.locator(".mark.typography:visible")).to_have_count(0)


def test_marks_have_the_colour_of_their_severity_and_are_shown_by_it(open_page: Open, grid: Path) -> None:
    page = open_page(grid, "#page-0")
    severities = page.locator(".choices").first.locator("label")
    names = [label.split()[0].lower() for label in severities.all_text_contents()]

    assert names == [one for one in ("critical", "serious", "moderate", "minor") if one in names]
    counts = [int(label.split()[1]) for label in severities.all_text_contents()]
    assert sum(counts) == page.locator(".entry").count()
    colours = page.locator(".mark").evaluate_all(
        "marks => [...new Set(marks.map(one => "
        "`${one.dataset.severity} ${getComputedStyle(one).outlineColor}`))]"
    )
    assert len({colour.split(" ", 1)[1] for colour in colours}) == len(colours) >= 2

    first = names[0]
    severities.first.get_by_role("checkbox").press("Space")

    expect(page.locator(f'.mark[data-severity="{first}"]:visible')).to_have_count(0)
    expect(page.locator(f'.entry[data-severity="{first}"]:visible')).to_have_count(0)
    assert page.locator(".entry:visible").count() == sum(counts[1:])
    assert page.url.endswith(f"hide={first}")


def test_pages_are_found_by_the_severity_of_what_differs(open_page: Open, grid: Path) -> None:
    page = open_page(grid, "#pages")
    choice = page.get_by_label("Severity")
    name, number = choice.locator("option").nth(1).inner_text().split()

    choice.select_option(name)

    expect(page.locator(".card:visible")).to_have_count(int(number.strip("()")))
    for card in page.locator(".card:visible").all():
        assert name in (card.get_attribute("data-severities") or "").split("|")
    assert page.url.endswith(f"severity={name}")


def test_pointing_at_a_mark_shows_its_partner_and_its_entry(open_page: Open, report: Path) -> None:
    page = open_page(report, "#page-1")
    marks = page.locator('[data-numbers="4"]')

    marks.first.hover()

    expect(marks.nth(1)).to_have_class(re.compile("active"))
    expect(page.locator(".entry.active")).to_contain_text('"Sign in" moved')
    page.mouse.move(2, 2)
    expect(page.locator(".mark.active")).to_have_count(0)
    page.locator(".entry summary", has_text="Sign in").hover()
    expect(page.locator(".mark.active")).to_have_count(2)


def test_marks_are_walked_by_keyboard_and_opened(open_page: Open, report: Path) -> None:
    page = open_page(report, "#page-1")
    assert page.locator('.mark[tabindex="0"]').count() == 1
    page.locator('.mark[tabindex="0"]').focus()

    for _ in range(3):
        page.keyboard.press("ArrowDown")
    expect(page.locator(".reference .mark:focus, .candidate .mark:focus")).to_have_attribute(
        "data-numbers", "4"
    )
    side = page.evaluate("document.activeElement.closest('.pane').className")
    page.keyboard.press("ArrowLeft")
    assert page.evaluate("document.activeElement.closest('.pane').className") != side
    page.keyboard.press("Enter")

    entry = page.locator(".entry[open]")
    expect(entry.locator("summary")).to_be_focused()
    expect(entry).to_contain_text('"Sign in" moved')
    assert page.locator('.mark[tabindex="0"]').count() == 1


def test_findings_are_stepped_through_by_keys_and_zoomed_to(open_page: Open, report: Path) -> None:
    page = open_page(report, "#page-1")
    sheet = page.locator(".candidate .sheet").first
    whole = sheet.bounding_box()

    for key in "jjjjz":
        page.keyboard.press(key)

    expect(page.locator(".stage")).to_have_class(re.compile("zoomed"))
    near = sheet.bounding_box()
    assert near is not None
    assert whole is not None
    assert near["width"] > 2 * whole["width"]
    for pane in page.locator(".window").all():
        mark, window = pane.locator('[data-numbers="4"]').bounding_box(), pane.bounding_box()
        assert mark is not None
        assert window is not None
        assert window["x"] <= mark["x"] <= mark["x"] + mark["width"] <= window["x"] + window["width"]
        assert window["y"] <= mark["y"] <= window["y"] + window["height"]
    assert page.url.endswith("mark=4")
    page.get_by_role("button", name="Whole page").click()
    expect(page.locator(".stage")).not_to_have_class(re.compile("zoomed"))


def test_an_entry_tells_both_sides(open_page: Open, report: Path) -> None:
    page = open_page(report, "#page-1")
    page.locator(".entry summary", has_text="Forgot").click()

    entry = page.locator(".entry[open]")
    for text in ("Design", "Forgot it?", "Generated", "Forgotten it?"):
        expect(entry).to_contain_text(text)


def test_an_element_that_fails_shows_rule_impact_and_help(open_page: Open, report: Path) -> None:
    page = open_page(report, "#page-1")
    group = page.locator("details.group.accessibility")

    expect(group).to_contain_text("serious")
    link = group.get_by_role("link", name="Elements must meet contrast")
    expect(link).to_have_attribute("href", "https://example.org/")
    group.locator(".entry summary").click()
    expect(group.locator(".details")).to_contain_text("#777777 on #ffffff: 4.47, needs 4.5:1")
    expect(group.locator(".details")).to_contain_text("Too little contrast")


def test_what_is_accepted_and_what_was_run_again_is_marked(open_page: Open, report: Path) -> None:
    page = open_page(report)
    expect(page.locator(".card", has_text="[1]")).to_contain_text("1 of its failures is accepted")
    expect(page.locator(".card", has_text="[2]")).to_contain_text("try 2: the test was run again")

    page = open_page(report, "#page-1")
    group = page.locator(".group.accessibility")
    expect(group.locator("summary").first).to_contain_text("accepted")
    expect(group).to_contain_text("1 failure accepted; accepted failures still count in all rates.")
    page = open_page(report, "#page-2")
    expect(page.locator("#page .pairs").last).to_contain_text(
        "2: the test was run again, and its last try counts"
    )
    expect(page.locator(".findings")).not_to_contain_text("accepted")


def test_a_difference_has_the_command_that_accepts_it_and_accepted_ones_a_list(
    open_page: Open, grid: Path
) -> None:
    page = open_page(grid, "#page-0")
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page.get_by_text("Accepted differences").click()
    expect(page.get_by_role("listitem").filter(has_text="(the new picture)")).to_be_visible()
    page.locator(".entry", has_text="10.5 px instead of 14 px").locator("summary").click()
    page.get_by_role("button", name="Copy").click()

    expect(page.get_by_role("button", name="Copied")).to_be_visible()
    copied = page.evaluate("navigator.clipboard.readText()")
    assert re.fullmatch(r'design2a11y accept grid --case "test_page\[0-1\]" --difference [2-9]', copied)


def test_a_comparison_shows_what_got_worse_before_its_statistics(open_page: Open, report: Path) -> None:
    page = open_page(report)
    page.get_by_role("link", name="Comparison").click()

    view = page.locator("#comparison")
    expect(view).to_contain_text("1 got worse, 0 better, 4 stayed about the same.")
    change = view.locator(".changes > li")
    expect(change).to_have_count(1)
    expect(change).to_contain_text("0.90 → 0.70 visual")
    expect(change.locator("figcaption")).to_have_text(["Design", "Before", "After"])
    expect(change.locator("img")).to_have_count(3)
    for image in change.locator("img").all():
        page.wait_for_function("image => image.naturalWidth > 0", arg=image.element_handle())
    expect(change.locator(".new-and-fixed div").first).to_contain_text(
        "style sheet cdn.example/…/site.css blocked"
    )
    fixed = change.locator(".new-and-fixed div").last
    expect(fixed).to_contain_text('text "Imprint" at 128, 1045 is not in the design')
    table, list_box = view.get_by_role("table", name="Old against new").bounding_box(), change.bounding_box()
    assert table is not None
    assert list_box is not None
    assert list_box["y"] < table["y"]


def test_a_page_audited_alone_shows_its_barriers(open_page: Open, report: Path) -> None:
    page = open_page(report, "#page-3")

    expect(page.locator(".mark.accessibility")).to_have_count(1)
    expect(page.get_by_role("radio")).to_have_count(0)
    expect(page.locator(".sheet img")).to_have_count(1)


def test_a_page_that_could_not_be_measured_says_why(open_page: Open, report: Path) -> None:
    page = open_page(report, "#page-4")

    expect(page.locator("#page").get_by_text("RenderTimeout: The page hung.")).to_be_visible()
    expect(page.locator(".stage")).to_have_count(0)


def test_an_unknown_page_is_said_to_be_none(open_page: Open, report: Path) -> None:
    page = open_page(report, "#page-99")

    expect(page.get_by_text("There is no such page.")).to_be_visible()


def test_a_page_prints_without_its_controls_and_with_its_details(open_page: Open, report: Path) -> None:
    page = open_page(report, "#page-1")
    page.evaluate("dispatchEvent(new Event('beforeprint'))")
    page.emulate_media(media="print")

    expect(page.locator(".toolbar")).to_be_hidden()
    expect(page.locator(".pane .window > .sheet img")).to_have_count(2)
    expect(page.locator("details:not([open])")).to_have_count(0)
    assert page.pdf()[:5] == b"%PDF-"


def test_the_overview_prints_with_the_findings_of_every_page_that_it_lists(
    open_page: Open, report: Path
) -> None:
    page = open_page(report, "#pages")
    page.emulate_media(media="print")
    page.evaluate("dispatchEvent(new Event('beforeprint'))")

    names = page.locator("#printed h1").all_text_contents()
    assert names == page.locator(".card:not([hidden]) a").all_text_contents()
    assert page.locator("#printed .entry .details").count() == page.locator("#printed .entry").count() > 10
    expect(page.locator("#printed").get_by_text("RenderTimeout: The page hung.").first).to_be_visible()
    expect(page.locator("#statistics")).to_be_visible()

    page.evaluate("dispatchEvent(new Event('afterprint'))")
    expect(page.locator("#printed *")).to_have_count(0)
    expect(page.locator("#statistics")).to_be_hidden()


def test_hostile_pages_are_inert(open_page: Open, hostile_report: Path) -> None:
    page = open_page(hostile_report)
    for number, attack in enumerate(ATTACKS):
        page.evaluate(
            """number => new Promise((done) => {
                addEventListener("hashchange", done, { once: true });
                location.hash = `page-${number}`;
            })""",
            number,
        )
        page.locator("details").evaluate_all("all => all.forEach(details => { details.open = true })")
        page.wait_for_timeout(50)

        counts = page.evaluate(
            """() => Object.fromEntries(["iframe", "script", "style", "object", "embed", "form", "a"].map(
                (name) => [name, document.getElementById("page").querySelectorAll(name).length]))"""
        )
        assert {name for name, count in counts.items() if count} == {"a"}, attack
        addresses = page.locator("#page img").evaluate_all(
            "images => images.map((image) => image.src.slice(0, 11))"
        )
        assert set(addresses) <= {"data:image/"}, attack
        addresses = page.locator("#page a").evaluate_all(
            "links => links.map((link) => link.getAttribute('href'))"
        )
        assert {address[0] for address in addresses} == {"#"}, attack
        assert page.evaluate("document.querySelectorAll('script:not([type])').length") == 1, attack
        assert page.evaluate("document.querySelectorAll('style').length") == 1, attack
        if attack.isprintable():
            expect(page.locator("#page .head .id")).to_have_text(attack)
            expect(page.get_by_role("heading", level=1)).to_contain_text(plain_names([attack])[attack])
            expect(page.locator(".side dd", has_text=attack).first).to_have_text(attack)
        assert "\u202e" not in page.locator("body").inner_text(), attack


def test_the_overview_of_hostile_pages_is_inert(open_page: Open, hostile_report: Path) -> None:
    page = open_page(hostile_report)

    names = page.locator(".card .id").all_text_contents()
    assert {attack for attack in ATTACKS if attack.isprintable()} <= set(names)
    assert page.locator("#pages img").count() == len(ATTACKS)
    assert page.locator("#pages script, #pages iframe, #pages style").count() == 0


def test_the_policy_stops_scripts_styles_and_markup_that_are_not_ours(
    chromium: Browser, report: Path
) -> None:
    page = chromium.new_page()
    page.goto(report.as_uri())

    refusals = page.evaluate(
        """() => {
            const refused = [];
            try { document.body.innerHTML = "<b>x</b>"; } catch (error) { refused.push(error.name); }
            const script = document.createElement("script");
            try {
                script.text = "window.attacked = true";
                document.body.append(script);
            } catch (error) { refused.push(error.name); }
            const paragraph = document.querySelector("p");
            paragraph.setAttribute("style", "color: rgb(1, 2, 3)");
            const isStyled = getComputedStyle(paragraph).color === "rgb(1, 2, 3)";
            return [...refused, window.attacked ?? "not run", isStyled];
        }"""
    )

    assert refusals == ["TypeError", "TypeError", "not run", False]
    page.close()


PAINTED = """() => {
    const [painted] = performance.getEntriesByName("first-contentful-paint");
    return { painted: painted.startTime };
}"""

CLICKED = """async () => {
    const waited = async (act) => {
        const began = performance.now();
        act();
        await new Promise((done) => requestAnimationFrame(() => setTimeout(done)));
        return performance.now() - began;
    };
    const card = document.querySelector(".card:not([hidden]) a");
    const opened = await waited(() => card.click());
    const search = document.querySelector("[name=q]");
    search.value = "page 4";
    const filtered = await waited(() => search.dispatchEvent(new Event("input", { bubbles: true })));
    return { opened, filtered };
}"""


def large_run(folder: Path, num_pages: int) -> Run:
    """Pictures are as large as they may be, no two alike."""
    one = full_evaluation(folder)
    assert one.visual is not None
    many = replace(one.visual, matches=one.visual.matches * 10, missing=one.visual.missing * 10)
    visual = with_differences(many, SIZES)
    evaluations = []
    for number in range(num_pages):
        pictures = {}
        for role in ("reference", "candidate"):
            name = f"{number:039x}{role == 'candidate':x}.webp"
            (folder / name).write_bytes(os.urandom(MAX_BYTES))
            small = (folder / one.pictures[role].replace(".webp", "-small.webp")).read_bytes()
            padding = os.urandom(MAX_SMALL_BYTES - len(small))
            (folder / name.replace(".webp", "-small.webp")).write_bytes(small + padding)
            pictures[role] = name
        page = replace(one, id=f"page {number}", case=str(number), visual=visual, pictures=pictures)
        evaluations.append(page)
    return Run("large", "2026-11-20T13:40:00Z", True, tuple(evaluations))


def timed(chromium: Browser, path: Path) -> dict[str, float]:
    """The least milliseconds of three visits."""
    visits = []
    for _ in range(3):
        page = chromium.new_context(viewport={"width": 1440, "height": 900}).new_page()
        page.goto(path.as_uri(), timeout=120_000)
        visits.append({**page.evaluate(PAINTED), **page.evaluate(CLICKED)})
        page.context.close()
    return {what: min(visit[what] for visit in visits) for what in visits[0]}


@pytest.mark.slow
def test_1000_pages_fit_and_are_usable_at_once(chromium: Browser, tmp_path: Path) -> None:
    """The overview does not wait for the pictures; those that have no room lie beside the file."""
    times = {}
    for num_pages, limit in ((50, 8_000_000), (1000, 60_000_000)):
        folder = tmp_path / str(num_pages)
        folder.mkdir()
        run = large_run(folder, num_pages)
        tracemalloc.start()
        write_report(folder / "report.html", run, picture_folder=folder)
        peak = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        assert (folder / "report.html").stat().st_size <= limit
        assert peak <= 60_000_000
        times[num_pages] = timed(chromium, folder / "report.html")

    beside = list((tmp_path / "1000" / "report-pictures").iterdir())
    assert 1000 < len(beside) < 2000
    assert not (tmp_path / "50" / "report-pictures").exists()
    for what in ("painted", "opened", "filtered"):
        assert times[1000][what] <= 4 * times[50][what] + 100, times


def test_a_picture_beside_the_report_shows_and_is_missed_by_name(
    chromium: Browser, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("pytest_design2a11y.report.html.overview.MAX_REPORT_BYTES", 0)
    run = Run("beside", "2026-11-20T13:40:00Z", True, (full_evaluation(tmp_path),))
    write_report(tmp_path / "out/my report.html", run, picture_folder=tmp_path)

    page = chromium.new_page()
    page.goto((tmp_path / "out/my report.html").as_uri() + "#page-0")
    image = page.locator(".candidate .window > .sheet img")
    page.wait_for_function("image => image.naturalWidth > 0", arg=image.element_handle())
    for picture in (tmp_path / "out/my report-pictures").iterdir():
        picture.unlink()
    page.reload()

    expect(page.get_by_text("is not beside this report").first).to_be_visible()
    page.close()


@pytest.mark.slow
def test_on_a_phone_every_number_of_a_variant_is_on_the_screen_and_the_answer_comes_first(
    open_page: Open, tmp_path: Path
) -> None:
    pages = [
        replace(full_evaluation(tmp_path), id=f"{case}[{prompt}]", case=case, axes={"prompt": prompt})
        for case in "abcdef"
        for prompt in ("v1", "v2")
    ]
    write_report(
        tmp_path / "phone.html",
        Run("v1", "2026-11-20T13:40:00Z", True, tuple(pages)),
        picture_folder=tmp_path,
    )
    page = open_page(tmp_path / "phone.html")
    page.set_viewport_size({"width": 390, "height": 844})

    row = page.get_by_role("row").filter(has=page.get_by_role("rowheader", name="prompt v2"))
    for cell in row.get_by_role("cell").all():
        box = cell.bounding_box()
        assert box is not None
        assert box["x"] >= 0
        assert box["x"] + box["width"] <= 390
    assert page.locator(".standing").evaluate("node => node.scrollWidth <= node.clientWidth")
    answer, table = page.locator(".answer").first.bounding_box(), page.locator(".standing").bounding_box()
    assert answer is not None
    assert table is not None
    assert answer["y"] < table["y"]

"""The report in Chromium: its own first user."""

from __future__ import annotations

import io
import os
import re
import tracemalloc
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path

import pytest
from PIL import Image, ImageDraw
from playwright.sync_api import Browser, Dialog, Page, Request, expect

from pytest_design2a11y.capture.audit.axe_script import read_axe_script
from pytest_design2a11y.models.audit import AccessibilityRates, Audit, CheckedNode, RuleOutcome
from pytest_design2a11y.models.page import Capture, CaptureWarning, Environment, Role, Screenshot
from pytest_design2a11y.models.run import CaseJudgement, Evaluation, Failure, Run, Verdict
from pytest_design2a11y.models.visual import Block, Match, VisualScore
from pytest_design2a11y.report.html.page import write_report
from pytest_design2a11y.report.pictures import MAX_BYTES, store_pictures

ENVIRONMENT = Environment("156.0", "4.10.3", "0.1.0", "1.65", "Linux x86_64")

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


@dataclass
class Watched:
    """A page, and all that it should not do."""

    page: Page
    misdeeds: list[str] = field(default_factory=list)


def picture(color: str, height: int, role: Role) -> Capture:
    image = Image.new("RGB", (1280, height), "white")
    ImageDraw.Draw(image).rectangle((100, 50, 700, 200), fill=color)
    buffer = io.BytesIO()
    image.save(buffer, "PNG")
    return Capture(role, role, Screenshot(buffer.getvalue()), image.size, (), (), ENVIRONMENT)


def block(text: str, y: float, color: tuple[int, int, int] = (20, 20, 20)) -> Block:
    return Block(text, (0.1, y, 0.3, 0.05), color)


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


def full_evaluation(folder: Path, number: int = 0, score: float = 0.8) -> Evaluation:
    pictures = store_pictures([picture("teal", 900, "reference"), picture("navy", 1100, "candidate")], folder)
    read = replace(block("Forgot it?", 0.5), confidence=0.9312)
    matches = (
        Match(block("Welcome back", 0.1), block("Welcome back", 0.1), 1.0, 1.0, 1.0),
        Match(block("Sign in", 0.3), block("Sign in", 0.6), 1.0, 0.7, 1.0),
        Match(block("Terms", 0.4), block("Terms", 0.4, (200, 0, 0)), 1.0, 1.0, 0.6),
        Match(read, block("Forgotten it?", 0.5), 0.87, 1.0, 1.0),
    )
    return Evaluation(
        id=f"tests/test_login.py::test_login[{number}]",
        case=f"designs/login-{number}",
        candidate=f"generated/login-{number}.html",
        reference=f"designs/login-{number}.html",
        visual=VisualScore(
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
        accessibility=AccessibilityRates(7, 1, 1, 1 / 7, 0.6, 0.0857, 7, 1, 1 / 7, "yellow", {"serious": 1}),
        audit=Audit("4.10.3", (contrast_rule(),), 7, 1),
        verdicts=(
            Verdict("visual", ">=", 0.75, score, score >= 0.75, "command line"),
            Verdict("iwir", "<=", 0.3, 0.6, False, "marker"),
        ),
        warnings=(CaptureWarning("blocked_requests", "Requests were blocked.", 2),),
        environment=ENVIRONMENT,
        page_sizes={"reference": (1280, 900), "candidate": (1280, 1100)},
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
        visual=replace(
            one.visual, matches=(Match(lone, lone, 0.5, 0.5, 0.5),), missing=(lone,), extra=(lone,)
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
    audit_alone = replace(full_evaluation(folder, 3), id="audit", reference=None, visual=None)
    run = Run(
        "prompt-v2",
        "2026-11-20T13:40:00Z",
        False,
        (
            full_evaluation(folder, 0, 0.9),
            full_evaluation(folder, 1, 0.7),
            replace(full_evaluation(folder, 2, 0.8), tries=2),
            replace(
                audit_alone,
                pictures={"candidate": audit_alone.pictures["candidate"]},
                page_sizes={"candidate": (1280, 1100)},
            ),
            Evaluation("lost", "lost", "lost.html", error=Failure("RenderTimeout", "The page hung.")),
        ),
    )
    write_report(
        folder / "report.html",
        run,
        picture_folder=folder,
        judgements=[
            judgement("designs/login-0", "beta", is_passed=True),
            judgement("designs/login-1", "alpha", is_passed=False),
        ],
        accepted={"tests/test_login.py::test_login[1]": {"color-contrast": 1}},
    )
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


@pytest.fixture
def open_page(chromium: Browser) -> Iterator[Open]:
    """Opens a file; in the end, it must not have asked, complained or requested anything."""
    opened: list[Watched] = []

    def open_file(path: Path, fragment: str = "", *, scheme: str = "light", width: int = 1280) -> Page:
        context = chromium.new_context(
            color_scheme="dark" if scheme == "dark" else "light", viewport={"width": width, "height": 900}
        )
        watched = Watched(context.new_page())
        opened.append(watched)
        page = watched.page
        watch(page, watched.misdeeds, path.as_uri())
        page.goto(path.as_uri() + fragment)
        return page

    yield open_file
    misdeeds = [misdeed for watched in opened for misdeed in watched.misdeeds]
    for watched in opened:
        watched.page.context.close()
    assert misdeeds == []


def watch(page: Page, misdeeds: list[str], address: str) -> None:
    def note_dialog(dialog: Dialog) -> None:
        misdeeds.append(f"dialog: {dialog.message}")
        dialog.dismiss()

    def note_request(request: Request) -> None:
        if not request.url.startswith(("data:", address)):
            misdeeds.append(f"request: {request.url}")

    page.on("console", lambda message: misdeeds.append(f"console: {message.text}"))
    page.on("pageerror", lambda error: misdeeds.append(f"error: {error}"))
    page.on("popup", lambda popup: misdeeds.append(f"popup: {popup.url}"))
    page.on("dialog", note_dialog)
    page.on("request", note_request)


def axe_violations(page: Page) -> list[str]:
    page.evaluate(read_axe_script(None))
    found = page.evaluate(
        "axe.run().then(({violations}) => violations.map(({id, nodes}) => `${id}: ${nodes[0].html}`))"
    )
    return list(found)


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("fragment", ["", "#case-1", "#case-3", "#case-4"])
def test_axe_finds_nothing(open_page: Open, report: Path, scheme: str, fragment: str) -> None:
    page = open_page(report, fragment, scheme=scheme)
    for group in page.locator("details").all():
        group.evaluate("details => { details.open = true }")

    assert axe_violations(page) == []


@pytest.mark.parametrize("mode", ["Slider", "Overlay"])
def test_axe_finds_nothing_in_the_other_views(open_page: Open, report: Path, mode: str) -> None:
    page = open_page(report, "#case-1")
    page.get_by_role("radio", name=mode).check()

    assert axe_violations(page) == []


def test_axe_finds_nothing_on_a_narrow_screen_and_nothing_sticks_out(open_page: Open, report: Path) -> None:
    for fragment in ("", "#case-1"):
        page = open_page(report, fragment, width=360)

        assert axe_violations(page) == []
        assert page.evaluate("document.documentElement.scrollWidth") <= 360


def test_the_worst_page_comes_first(open_page: Open, report: Path) -> None:
    page = open_page(report)

    names = page.locator("#pages tbody th a").all_text_contents()

    assert names == [
        "lost",
        "tests/test_login.py::test_login[1]",
        "tests/test_login.py::test_login[2]",
        "tests/test_login.py::test_login[0]",
        "audit",
    ]


def test_filters_work_by_keyboard(open_page: Open, report: Path) -> None:
    page = open_page(report)
    status = page.get_by_role("status")
    page.get_by_label("Search").focus()

    page.keyboard.type("test_login[")
    expect(status).to_have_text("3 of 5 pages")
    page.keyboard.press("Tab")
    expect(page.get_by_role("combobox", name="Limits")).to_be_focused()
    page.keyboard.type("limit")
    expect(status).to_have_text("3 of 5 pages")
    page.get_by_label("Model").focus()
    page.keyboard.press("ArrowDown")
    expect(page.get_by_label("Model")).to_have_value("alpha")
    expect(status).to_have_text("1 of 5 pages")

    expect(page.locator("#pages tbody tr:visible a")).to_have_text(["tests/test_login.py::test_login[1]"])


def test_headings_sort_by_keyboard_the_worst_up(open_page: Open, report: Path) -> None:
    page = open_page(report)
    heading = page.locator("th", has=page.get_by_role("button", name="visual"))
    heading.get_by_role("button").focus()

    def order() -> list[str]:
        return page.locator("#pages tbody tr td:nth-child(4)").all_text_contents()

    page.keyboard.press("Enter")
    expect(heading).to_have_attribute("aria-sort", "ascending")
    assert order() == ["0.7000", "0.8000", "0.9000", "–", "–"]
    page.keyboard.press("Space")
    expect(heading).to_have_attribute("aria-sort", "descending")
    assert order() == ["0.9000", "0.8000", "0.7000", "–", "–"]
    page.get_by_role("button", name="IWIR").press("Enter")
    expect(page.locator("[aria-sort]")).to_have_count(1)
    expect(page.locator("[aria-sort]")).to_have_attribute("aria-sort", "descending")


def test_a_case_opens_and_closes_by_keyboard_and_keeps_the_place(open_page: Open, report: Path) -> None:
    page = open_page(report)
    link = page.get_by_role("link", name="test_login[2]")
    link.focus()

    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", level=1)).to_be_focused()
    expect(page).to_have_title(re.compile(r"^tests/test_login\.py::test_login\[2\] · "))
    expect(page.get_by_text("3 of 5")).to_be_visible()
    page.get_by_role("link", name="Next").press("Enter")
    expect(page.get_by_role("heading", level=1)).to_have_text("tests/test_login.py::test_login[0]")
    page.get_by_role("link", name="All pages").press("Enter")

    expect(page.get_by_role("link", name="test_login[0]")).to_be_focused()


def test_components_show_against_their_limits(open_page: Open, report: Path) -> None:
    page = open_page(report, "#case-1")

    row = page.get_by_role("row", name="visual").first
    expect(row).to_contain_text("0.7000")
    expect(row).to_contain_text(">= 0.75")
    expect(row).to_contain_text("fail")
    expect(row).to_contain_text("command line")
    expect(page.locator(".limits").get_by_role("row", name="IWIR 0.6")).to_contain_text("<= 0.3")


def test_the_slider_works_by_keyboard(open_page: Open, report: Path) -> None:
    page = open_page(report, "#case-1")
    page.get_by_role("radio", name="Side by side").focus()

    page.keyboard.press("ArrowRight")
    expect(page.get_by_role("radio", name="Slider")).to_be_checked()
    page.keyboard.press("Tab")
    expect(page.get_by_role("slider", name="Divider")).to_be_focused()
    cut = page.locator("#cut rect")
    expect(cut).to_have_attribute("x", "640")
    page.keyboard.press("End")
    expect(cut).to_have_attribute("x", "1280")
    expect(cut).to_have_attribute("width", "0")
    page.keyboard.press("Home")
    expect(cut).to_have_attribute("x", "0")
    expect(cut).to_have_attribute("width", "1280")


def test_the_slider_shows_the_pages_on_their_sides(open_page: Open, report: Path) -> None:
    page = open_page(report, "#case-1")
    page.get_by_role("radio", name="Slider").check()
    for kind in page.locator(".kinds input").all():
        kind.uncheck()
    drawing = page.locator(".drawing")
    page.wait_for_timeout(100)

    image = Image.open(io.BytesIO(drawing.screenshot())).convert("RGB")
    scale = image.width / 1280
    left, right = (image.getpixel((round(x * scale), round(120 * scale))) for x in (300, 680))

    teal, navy = (0, 128, 128), (0, 0, 128)
    for pixel, color in ((left, teal), (right, navy)):
        assert isinstance(pixel, tuple)
        assert max(abs(one - other) for one, other in zip(pixel, color, strict=True)) < 24


def test_the_divider_follows_the_pointer(open_page: Open, report: Path) -> None:
    page = open_page(report, "#case-1")
    page.get_by_role("radio", name="Slider").check()
    drawing = page.locator(".drawing")
    drawing.scroll_into_view_if_needed()
    box = drawing.bounding_box()
    assert box is not None

    page.mouse.move(box["x"] + box["width"] / 2, box["y"] + 40)
    page.mouse.down()
    page.mouse.move(box["x"] + box["width"] / 4, box["y"] + 40)
    page.mouse.up()

    expect(page.get_by_role("slider", name="Divider")).to_have_value("25")


def test_the_overlay_has_opacity_and_difference(open_page: Open, report: Path) -> None:
    page = open_page(report, "#case-1")
    page.get_by_role("radio", name="Overlay").check()
    candidate = page.locator(".page.candidate")

    expect(candidate).to_have_attribute("opacity", "0.5")
    page.get_by_role("slider", name="Opacity").press("Home")
    expect(candidate).to_have_attribute("opacity", "0")
    page.get_by_label("difference").check()
    expect(candidate).to_have_css("mix-blend-mode", "difference")


def test_every_finding_is_outlined_in_its_kind_and_pairs_are_joined(open_page: Open, report: Path) -> None:
    page = open_page(report, "#case-1")

    outlines = {
        kind: page.locator(f".item.{kind} .outline").count()
        for kind in ("fine", "moved", "recolored", "reworded", "missing", "extra", "barrier")
    }
    assert outlines == {
        "fine": 2,
        "moved": 2,
        "recolored": 2,
        "reworded": 2,
        "missing": 1,
        "extra": 1,
        "barrier": 1,
    }
    assert page.locator(".join").count() == 4


def test_a_kind_can_be_hidden(open_page: Open, report: Path) -> None:
    page = open_page(report, "#case-1")

    page.get_by_role("checkbox", name="moved").press("Space")

    expect(page.locator(".item.moved")).to_be_hidden()
    expect(page.locator(".entry.moved")).to_be_hidden()
    expect(page.locator(".item.reworded")).to_be_visible()


def test_hovering_a_block_shows_both_texts_and_the_four_numbers(open_page: Open, report: Path) -> None:
    page = open_page(report, "#case-1")
    outline = page.locator(".item.reworded .outline").first
    outline.scroll_into_view_if_needed()

    outline.hover()

    card = page.locator(".card")
    expect(card).to_be_visible()
    for text in ("Forgot it?", "Forgotten it?", "share of area", "0.8700", "1.0000", "position", "color"):
        expect(card).to_contain_text(text)
    expect(card.get_by_text("Read from the picture, 93 % sure")).to_have_count(1)
    page.mouse.move(5, 5)
    expect(card).to_be_hidden()


def test_blocks_can_be_walked_by_keyboard_and_opened(open_page: Open, report: Path) -> None:
    page = open_page(report, "#case-1")
    page.locator('.drawing [tabindex="0"]').focus()
    first = page.evaluate("document.activeElement.getAttribute('aria-label')")

    page.keyboard.press("ArrowDown")
    second = page.evaluate("document.activeElement.getAttribute('aria-label')")
    assert first != second
    expect(page.locator(".card")).to_be_visible()
    page.keyboard.press("Enter")

    entry = page.locator(".entry[open]")
    expect(entry.locator("summary")).to_be_focused()
    text = second.split(": ", 1)[1]
    expect(entry).to_contain_text(text)
    assert page.locator('.drawing [tabindex="0"]').count() == 1


def test_an_element_that_fails_shows_rule_impact_and_help(open_page: Open, report: Path) -> None:
    page = open_page(report, "#case-1")
    group = page.locator("details.group", has_text="Elements must meet contrast")
    group.locator("summary").first.press("Enter")

    expect(group).to_contain_text("serious")
    link = group.get_by_role("link", name="Elements must meet contrast")
    expect(link).to_have_attribute("href", "https://example.org/")
    group.locator(".entry summary").press("Enter")
    expect(group.locator(".details")).to_contain_text("#777777 on #ffffff: 4.47, needs 4.5:1")
    expect(group.locator(".details")).to_contain_text("Too little contrast")


def test_a_case_with_several_samples_has_one_verdict_the_broken_ones_open(
    open_page: Open, report: Path
) -> None:
    page = open_page(report)
    broken = page.get_by_role("table", name="Broken limits").locator("tbody tr")
    kept = page.get_by_role("table", name="Limits that are kept").locator("tbody tr")

    expect(page.locator("#overview")).to_contain_text("over its samples: 1 of 2 broken.")
    expect(broken).to_contain_text(["designs/login-1"])
    expect(broken.nth(0)).to_contain_text("visual >= 0.75 fail mean of 3 samples: 0.7000 command line")
    expect(kept).to_have_count(0)
    page.get_by_text("Limits that are kept (1)").click()
    expect(kept).to_contain_text(["designs/login-0"])
    page = open_page(report, "#case-1")
    expect(page.locator(".limits")).to_contain_text("fail visual >= 0.75 for the case as a whole: mean of 3")


def test_what_is_accepted_and_what_was_run_again_is_marked(open_page: Open, report: Path) -> None:
    page = open_page(report)
    expect(page.locator("#pages tr", has_text="[1]")).to_contain_text("1 of its failures is accepted")
    expect(page.locator("#pages tr", has_text="[2]")).to_contain_text("try 2: the test was run again")
    expect(page.locator("#pages", has_text="test_login[0]").get_by_text("try 1")).to_have_count(0)

    page = open_page(report, "#case-1")
    group = page.locator(".findings details", has_text="Elements must meet contrast").first
    expect(group.locator("summary").first).to_contain_text("serious accepted Elements must meet contrast")
    expect(group).to_contain_text("1 failure accepted; accepted failures still count in all rates.")
    page = open_page(report, "#case-2")
    expect(page.locator("#case .pairs").first).to_contain_text(
        "2: the test was run again, and its last try counts"
    )
    expect(page.locator(".findings")).not_to_contain_text("accepted")


def test_a_page_audited_alone_shows_its_barriers(open_page: Open, report: Path) -> None:
    page = open_page(report, "#case-3")

    expect(page.locator(".item.barrier .outline")).to_have_count(1)
    expect(page.get_by_role("radio")).to_have_count(0)
    expect(page.locator(".drawing image")).to_have_count(1)


def test_a_page_that_could_not_be_measured_says_why(open_page: Open, report: Path) -> None:
    page = open_page(report, "#case-4")

    expect(page.locator("#case").get_by_text("RenderTimeout: The page hung.")).to_be_visible()
    expect(page.locator(".stage")).to_have_count(0)


def test_an_unknown_case_is_said_to_be_none(open_page: Open, report: Path) -> None:
    page = open_page(report, "#case-99")

    expect(page.get_by_text("There is no such case.")).to_be_visible()


def test_a_case_prints_without_its_controls_and_with_its_details(open_page: Open, report: Path) -> None:
    page = open_page(report, "#case-1")
    page.evaluate("dispatchEvent(new Event('beforeprint'))")
    page.emulate_media(media="print")

    expect(page.locator(".toolbar")).to_be_hidden()
    expect(page.locator(".drawing image")).to_have_count(2)
    expect(page.locator("details:not([open])")).to_have_count(0)
    assert page.pdf()[:5] == b"%PDF-"


@pytest.mark.parametrize("number", range(len(ATTACKS)), ids=lambda number: f"attack{number}")
def test_hostile_pages_are_inert(open_page: Open, hostile_report: Path, number: int) -> None:
    page = open_page(hostile_report, f"#case-{number}")
    for kind in page.locator("details").all():
        kind.evaluate("details => { details.open = true }")
    page.wait_for_timeout(50)

    counts = page.evaluate(
        """() => Object.fromEntries(["img", "iframe", "script", "style", "object", "embed", "form", "a"].map(
            (name) => [name, document.getElementById("case").querySelectorAll(name).length]))"""
    )
    assert {name for name, count in counts.items() if count} == {"a"}
    addresses = page.locator("#case a").evaluate_all(
        "links => links.map((link) => link.getAttribute('href'))"
    )
    assert {address[0] for address in addresses} == {"#"}
    assert page.evaluate("document.querySelectorAll('script:not([type])').length") == 1
    assert page.evaluate("document.querySelectorAll('style').length") == 1
    if ATTACKS[number].isprintable():
        expect(page.get_by_role("heading", level=1)).to_have_text(ATTACKS[number])
        expect(page.locator(".entry.missing .quote")).to_have_text(ATTACKS[number])
    assert "\u202e" not in page.locator("body").inner_text()


def test_the_overview_of_hostile_pages_is_inert(open_page: Open, hostile_report: Path) -> None:
    page = open_page(hostile_report)

    names = page.locator("#pages tbody th a").all_text_contents()
    assert {attack for attack in ATTACKS if attack.isprintable()} <= set(names)
    assert page.locator("#overview img").count() == len(ATTACKS)
    assert page.locator("#overview script, #overview iframe, #overview style").count() == 0


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


@pytest.mark.slow
def test_500_pages_fit_and_are_usable_at_once(chromium: Browser, tmp_path: Path) -> None:
    """Pictures are as large as they may be, no two alike; the overview does not wait for them."""
    one = full_evaluation(tmp_path)
    assert one.visual is not None
    visual = replace(one.visual, matches=one.visual.matches * 20, missing=one.visual.missing * 20)
    evaluations = []
    for number in range(500):
        pictures = {}
        for role in ("reference", "candidate"):
            name = f"{number:039x}{role == 'candidate':x}.webp"
            (tmp_path / name).write_bytes(os.urandom(MAX_BYTES))
            small = tmp_path / one.pictures[role].replace(".webp", "-small.webp")
            (tmp_path / name.replace(".webp", "-small.webp")).write_bytes(small.read_bytes())
            pictures[role] = name
        evaluations.append(
            replace(one, id=f"case {number}", case=str(number), visual=visual, pictures=pictures)
        )
    run = Run("big", "2026-11-20T13:40:00Z", True, tuple(evaluations))
    path = tmp_path / "report.html"

    tracemalloc.start()
    write_report(path, run, picture_folder=tmp_path)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    page = chromium.new_page()
    page.add_init_script(
        """
        const look = () => {
            if (document.getElementById("filter-count")?.textContent) window.usable = performance.now();
            else requestAnimationFrame(look);
        };
        requestAnimationFrame(look);
        """
    )
    page.goto(path.as_uri(), timeout=120_000)
    expect(page.get_by_role("status")).to_have_text("500 pages")
    usable, loaded = page.evaluate(
        "[window.usable, performance.getEntriesByType('navigation')[0].loadEventEnd]"
    )
    page.get_by_label("Search").fill("499")
    expect(page.get_by_role("status")).to_have_text("1 of 500 pages")
    page.close()

    assert path.stat().st_size <= 60_000_000
    assert peak <= 20_000_000
    assert usable <= 0.8 * loaded

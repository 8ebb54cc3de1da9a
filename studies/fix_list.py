"""Does the fix list help? Pages edited to the letter of `design2a11y feedback`, twice, by this script.

Run: python studies/fix_list.py DESIGN PAGE [DESIGN PAGE ...] [--rounds 2] [--seconds 5] [--keep FOLDER].
Without pages, the damaged pages of studies/feedback/ are edited: a design is NAME.html, its pages NAME-1.html
and NAME-2.html.
"""

from __future__ import annotations

import argparse
import json
import shutil
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from pathlib import Path
from statistics import fmean
from tempfile import TemporaryDirectory

from playwright.sync_api import sync_playwright

from pytest_design2a11y.capture.browser.launch import installed_chromium
from pytest_design2a11y.fixing.edit import Edit
from pytest_design2a11y.fixing.fix_list import FixList, State, state_of
from pytest_design2a11y.fixing.pages import opened
from pytest_design2a11y.fixing.trying import SECONDS
from pytest_design2a11y.measuring.sources import open_renderer
from pytest_design2a11y.settings import Settings

PAGES = Path(__file__).with_name("feedback")
#: Makes edits in a document, as their sentences say, and returns its HTML.
_MAKE = """edits => {
  const style = document.createElement("style");
  for (const { selector, css, texts, attributes, html, into, content, wrap } of edits) {
    if (html) document.querySelector(into)?.insertAdjacentHTML("beforeend", html);
    const values = Object.entries(css).map(([name, value]) => `${name}: ${value} !important`);
    if (values.length) style.textContent += `${selector} { ${values.join("; ")} }\\n`;
    const element = document.querySelector(selector);
    if (!element) continue;
    if (texts.length && !/^(input|textarea|select)$/.test(element.localName)) {
      const own = [...element.childNodes].filter(node => node.nodeType === 3 && node.data.trim());
      const words = own.length === texts.length ? texts : [texts.join(" ")];
      own.forEach((node, at) => { node.data = words[at] ?? " "; });
    }
    if (content) element.innerHTML = content;
    if (wrap) {
      const isMark = node => /^(header|nav|footer|script|style|link)$/.test(node.localName);
      const isIn = node => node.nodeType === 1 ? !isMark(node) : node.nodeType === 3 && node.data.trim();
      const nodes = [...element.childNodes];
      const inner = nodes.slice(nodes.findIndex(isIn), nodes.findLastIndex(isIn) + 1);
      const around = document.createElement(wrap);
      around.style.display = "contents";
      inner[0].before(around);
      around.append(...inner);
    }
    for (const [name, value] of Object.entries(attributes)) {
      value === null ? element.removeAttribute(name) : element.setAttribute(name, value);
    }
  }
  document.head.append(style);
  return "<!DOCTYPE html>" + document.documentElement.outerHTML;
}"""


def followed(page: Path, edits: Sequence[Edit]) -> str:
    """Return the HTML of a page with all edits made."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=installed_chromium())
        try:
            tab = browser.new_page(java_script_enabled=True)
            tab.goto(page.as_uri())
            return str(tab.evaluate(_MAKE, [asdict(edit) for edit in edits]))
        finally:
            browser.close()


def rounds_of(
    design: Path, page: Path, number: int, seconds: float
) -> Iterator[tuple[State, FixList | None]]:
    """Yield what a page measures and its list, then both with that list followed; the last has none."""
    told: list[Edit] = []
    for at in range(number + 1):
        settings = Settings()
        with (
            open_renderer(settings) as renderer,
            opened((str(design), str(page)), renderer=renderer, settings=settings) as pages,
        ):
            found = pages.fix_list(told=told, seconds=seconds) if at < number else None
            yield state_of(pages.evaluation), found
        if found is not None:
            told = [edit for item in found.items for edit in item.edits]
            page.write_text(followed(page, told), encoding="utf-8")


def cells(state: State) -> str:
    return f"{state.fidelity:.3f} | {state.delivered or 0:.3f} | {state.blocking} | {state.failed}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("pages", nargs="*", type=Path)
    parser.add_argument("--rounds", type=int, default=2)
    parser.add_argument("--seconds", type=float, default=SECONDS, help="how long each list may try")
    parser.add_argument("--keep", type=Path, help="folder for the edited pages and their lists")
    given = parser.parse_args()
    damaged = [(path.with_name(f"{path.stem[:-2]}.html"), path) for path in sorted(PAGES.glob("*-[12].html"))]
    pairs = [*zip(given.pages[::2], given.pages[1::2], strict=True)] or damaged
    heads = " | ".join(
        f"round {at}: fidelity | delivered | blocking | failed" for at in range(given.rounds + 1)
    )
    print(f"| page | {heads} |")
    print(f"|---|{'--:|' * 4 * (given.rounds + 1)}")
    states: list[list[State]] = []
    for design, page in pairs:
        with TemporaryDirectory() as folder:
            copied = Path(shutil.copytree(page.parent, Path(folder, "pages"))) / page.name
            rounds = [*rounds_of(design.resolve(), copied, given.rounds, given.seconds)]
            states.append([state for state, _ in rounds])
            print(f"| {page.parent.name}/{page.stem} | {' | '.join(map(cells, states[-1]))} |", flush=True)
            if given.keep:
                name = f"{page.parent.name}-{page.stem}"
                given.keep.mkdir(parents=True, exist_ok=True)
                shutil.copy(copied, given.keep / f"{name}.html")
                (given.keep / f"{name}.json").write_text(
                    json.dumps([found.to_dict() for _, found in rounds if found], indent=1)
                )
    for at, each in enumerate(zip(*states, strict=True)):
        means = (
            fmean(getattr(state, name) or 0 for state in each)
            for name in ("fidelity", "delivered", "blocking", "failed")
        )
        print(f"round {at}: mean {' '.join(f'{mean:.3f}' for mean in means)}")


if __name__ == "__main__":
    main()

"""Stands in for a model, so that this example runs without one: replace `answer` by a call to yours.

It answers like models do: never twice the same, mostly near the design, at times with a part left out, and
with the flaws that a prompt does not speak of.
"""

from __future__ import annotations

import random
import re


def answer(prompt: str, design: str, *, seed: str) -> str:
    """Return a page for a design, as a model's raw answer: HTML in a Markdown fence."""
    chance = random.Random(seed)
    page = _drift(design, chance)
    if "colors" not in prompt:
        page = _restyle(page, chance)
    if "accessible" not in prompt:
        page = _be_careless(page, chance)
    return f"Here is the page:\n\n```html\n{page}\n```\n"


def _drift(page: str, chance: random.Random) -> str:
    """Sizes and colors a little off, at times a paragraph forgotten."""
    page = page.replace("--gap: 24px", f"--gap: {chance.randint(20, 28)}px")
    page = page.replace("--size: 16px", f"--size: {chance.choice([15, 16, 16, 16, 17])}px")
    page = re.sub(r"--accent: #(\w{6})", lambda match: f"--accent: {_near(match[1], 12, chance)}", page)
    paragraphs = re.findall(r"<p[^>]*>.*?</p>", page)
    if chance.random() < 0.15:
        page = page.replace(chance.choice(paragraphs), "", 1)
    return page


def _restyle(page: str, chance: random.Random) -> str:
    """What "fresh and modern" makes of a page."""
    accent = chance.choice(["#5b21b6", "#0f766e", "#be123c"])
    page = re.sub(r"--accent: #\w{6}", f"--accent: {accent}", page)
    page = page.replace("--ground: #f4f5f7", "--ground: #0f172a").replace("--ink: #1d2430", "--ink: #f1f5f9")
    page = page.replace("--muted: #4b5565", "--muted: #cbd5e1")
    page = page.replace("#ffffff; border: 1px", "#1e293b; border: 1px").replace("background: #ffffff; }", "}")
    return page.replace("h1 { font-size: 34px", f"h1 {{ font-size: {chance.randint(44, 56)}px")


def _be_careless(page: str, chance: random.Random) -> str:
    """The flaws of pages made without a word on accessibility, each in about half of them."""
    flaws = {
        r' alt="[^"]*"': "",
        r"<label for=\"\w+\">(.*?)</label>": r'<div class="muted">\1</div>',
        r"--muted: #\w{6}": "--muted: #a3abb8",
        r'<html lang="en">': "<html>",
        r' scope="col"': "",
    }
    for pattern, replacement in flaws.items():
        if chance.random() < 0.5:
            page = re.sub(pattern, replacement, page)
    return page


def _near(color: str, by: int, chance: random.Random) -> str:
    parts = (int(color[place : place + 2], 16) + chance.randint(-by, by) for place in (0, 2, 4))
    return "#" + "".join(f"{min(255, max(0, part)):02x}" for part in parts)

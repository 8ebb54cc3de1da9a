"""Damages designs as people and models do, in HTML and CSS, and shows how each metric reacts.

    python -m studies.damage [--designs FOLDER] [--work FOLDER]

Writes studies/damage.md. The severity of each kind was fixed before anything was scored: 1 hardly visible, 2
visible side by side, 3 visible at once, 4 a large part is wrong, 5 no longer the design. Captures are kept in
the work folder, so that scoring again needs no browser.
"""

from __future__ import annotations

import argparse
import hashlib
import pickle
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from statistics import fmean, quantiles

import numpy as np
from PIL import Image

from pytest_design2a11y.capture.renderer import Renderer, open_renderer
from pytest_design2a11y.measuring.measures import measure_visual
from pytest_design2a11y.models.elements import Screenshot
from pytest_design2a11y.models.page import Capture
from pytest_design2a11y.models.visual import VisualScore
from pytest_design2a11y.settings import Settings
from pytest_design2a11y.source.read_document import read_document

ROOT = Path(__file__).parents[1]
METRICS = (
    "fidelity",
    "visual",
    "elements",
    "typography",
    "block_match",
    "text",
    "position",
    "color",
    "appearance",
)
#: Name, metric and limit of each gate.
GATES = (
    ("visual >= 0.8", "visual", 0.8),
    ("visual >= 0.9", "visual", 0.9),
    ("fidelity >= 0.5", "fidelity", 0.5),
    ("fidelity >= 0.8", "fidelity", 0.8),
    ("fidelity >= 0.95", "fidelity", 0.95),
    ("fidelity >= 0.98", "fidelity", 0.98),
    ("elements >= 0.9", "elements", 0.9),
    ("blocking = 0", "blocking", 0),
)
_TAG = r"<[^>]+>"
_DARK = "--ground: #14171c; --panel: #20242c; --ink: #eceff4; --muted: #a3abb8; --edge: #3a414d"
_LOREM = [
    "lorem",
    "ipsum",
    "dolor",
    "sit",
    "amet",
    "consectetur",
    "adipiscing",
    "elit",
    "sed",
    "do",
    "eiusmod",
    "tempor",
    "incididunt",
    "ut",
    "labore",
    "et",
    "dolore",
    "magna",
    "aliqua",
    "ut",
    "enim",
    "ad",
    "minim",
    "veniam",
    "quis",
    "nostrud",
    "exercitation",
    "ullamco",
    "laboris",
    "nisi",
    "aliquip",
]


@dataclass(frozen=True)
class Damage:
    """One kind of damage.

    Attributes:
        name: Name in the table.
        severity: 1..5; 0: harmless.
        apply: Damages a page; returns it unchanged if it has nothing to damage.
    """

    name: str
    severity: int
    apply: Callable[[str], str]


def css(rules: str) -> Callable[[str], str]:
    """Return a function that adds rules to a page's style sheet."""
    return lambda html: html.replace("</style>", rules + "</style>", 1)


def variables(values: str) -> Callable[[str], str]:
    """Return a function that changes a page's custom properties."""
    return css(f":root {{ {values} }}")


def in_style(pattern: str, change: Callable[[re.Match[str]], str]) -> Callable[[str], str]:
    """Return a function that rewrites parts of a page's style sheets and style attributes."""

    def apply(html: str) -> str:
        style = re.compile(r"<style>.*?</style>|style=\"[^\"]*\"", re.DOTALL)
        return style.sub(lambda part: re.sub(pattern, change, part[0]), html)

    return apply


def in_text(change: Callable[[str], str]) -> Callable[[str], str]:
    """Return a function that rewrites a page's words, including field values."""

    def rewritten(body: str) -> str:
        body = re.sub(r">([^<]+)", lambda found: ">" + change(found[1]), body)
        return re.sub(
            r'(value|placeholder)="([^"]+)"', lambda found: f'{found[1]}="{change(found[2])}"', body
        )

    def apply(html: str) -> str:
        # Each part is a style sheet or script, or the text between two of them, starting with ">".
        parts = re.split(r"(?s)(<(?:style|script)\b.*?</(?:style|script))(?=>)", html)
        return "".join(part if at % 2 or not at else rewritten(part) for at, part in enumerate(parts))

    return apply


def without(pattern: str, instead: str = "") -> Callable[[str], str]:
    """Return a function that replaces parts of a page."""
    return lambda html: re.sub(pattern, instead, html, flags=re.DOTALL)


def scaled(factor: float, properties: str) -> Callable[[str], str]:
    """Return a function that multiplies lengths in px of some properties."""

    def change(found: re.Match[str]) -> str:
        return re.sub(r"(\d+(?:\.\d+)?)px", lambda length: f"{float(length[1]) * factor:g}px", found[0])

    return in_style(rf"\b(?:{properties})[\w-]*: ?[^;}}\"]+", change)


def grown(html: str) -> str:
    """Make every font 0.15 px larger."""

    def change(found: re.Match[str]) -> str:
        return re.sub(r"(\d+(?:\.\d+)?)px", lambda size: f"{float(size[1]) + 0.15:g}px", found[0], count=1)

    return in_style(r"\bfont(?:-size)?: ?[^;}\"]+", change)(html)


def hue_turned(html: str) -> str:
    """Give the accent another hue."""
    found = re.search(r"--accent: #(..)(..)(..)", html)
    if found is None:
        return html
    return html.replace(found[0], f"--accent: #{found[2]}{found[3]}{found[1]}")


def darker(html: str) -> str:
    """Make the accent 12 % darker."""
    found = re.search(r"--accent: #(..)(..)(..)", html)
    if found is None:
        return html
    color = "".join(f"{round(int(channel, 16) * 0.88):02x}" for channel in found.groups())
    return html.replace(found[0], f"--accent: #{color}")


def sections(html: str) -> list[str]:
    return re.findall(r"<section.*?</section>", html, flags=re.DOTALL)


def reordered(html: str) -> str:
    """Put the sections in reverse order."""
    found = sections(html)
    order = iter(reversed(found))
    return re.sub(r"<section.*?</section>", lambda _: next(order), html, flags=re.DOTALL)


def twice(html: str) -> str:
    """Repeat the largest section."""
    largest = max(sections(html), key=len, default="")
    return html.replace(largest, largest + largest, 1) if largest else html


def half(html: str) -> str:
    """Remove the second half of the sections."""
    found = sections(html)
    for section in found[len(found) // 2 :]:
        html = html.replace(section, "", 1)
    return html


def lorem(text: str) -> str:
    words = text.split()
    return (
        " ".join(_LOREM[(len(word) + at) % len(_LOREM)] for at, word in enumerate(words)) if words else text
    )


def translated(text: str) -> str:
    """Replace words by others of about the same length and shape."""
    table = str.maketrans("aeioubcdfglmnprstvw", "oaeuidfbgckrlmtnvzj")
    return re.sub(r"[a-zA-Z]{3,}", lambda word: word[0].translate(table) + "e"[: len(word[0]) % 3 == 0], text)


def paragraphs(html: str) -> str:
    """Turn tables and lists into paragraphs."""
    html = re.sub(
        r"<tr>(.*?)</tr>", lambda row: f"<p>{re.sub(r'<t[hd]>', ' ', row[1])}</p>", html, flags=re.DOTALL
    )
    return re.sub(r"</?table>|</td>|</th>", " ", html)


def wrapped(html: str) -> str:
    """Wrap images, headings and paragraphs in another element."""
    return re.sub(
        r"(<(p|h1|h2|h3)\b[^>]*>)(.*?)(</\2>)", r'\1<span style="display: contents">\3</span>\4', html
    )


def as_backgrounds(html: str) -> str:
    """Show images as backgrounds of boxes."""
    rules = {"display: inline-block": "image"}

    def change(found: re.Match[str]) -> str:
        attributes = dict(_attributes(found[0]))
        names = ["image"]
        for side in ("width", "height"):
            if side in attributes:
                names.append(f"{side}-{attributes[side]}")
                length = f"{attributes[side]}px"
                # A shrinkable image requests no width from its column, as a box with a relative width does.
                may_shrink = side == "width" and re.search(r"img \{[^}]*max-width: 100%", html)
                rules[f"{side}: {f'min(100%, {length})' if may_shrink else length}"] = names[-1]
        style = f"background: url({attributes['src']}) 0 0 / 100% 100%; {attributes.get('style', '')}"
        return f'<span class="{" ".join(names)}" style="{style}"></span>'

    shown = re.sub(r"<img[^>]*>", change, html)
    shown = re.sub(r"([{}, ])((?:[.\w]+ )?)img\b", r"\1\2.image", shown)
    # No more specific than attributes, so that the page's own rules take precedence.
    return css(" ".join(f":where(.{name}) {{ {rule} }}" for rule, name in rules.items()))(shown)


def _attributes(tag: str) -> list[tuple[str, str]]:
    return [
        (name, quoted or plain) for name, quoted, plain in re.findall(r'(\w+)=(?:"([^"]*)"|([^\s>]+))', tag)
    ]


def as_boxes(html: str) -> str:
    """Show buttons as styled boxes."""
    html = re.sub(r"<button", "<span role=button tabindex=0", html).replace("</button>", "</span>")
    centered = "display: inline-flex; align-items: center; justify-content: center"
    return css(f".btn[role] {{ box-sizing: border-box; {centered} }}")(html)


def ringed(html: str) -> str:
    """Draw the borders of cards as rings of shadow."""
    rule = re.search(r"\.card \{[^}]*\}", html)
    found = rule and re.search(r"border: (\d)px solid ([^;}]+)", rule[0])
    if not rule or not found or "box-shadow" in rule[0]:
        return html
    ring = rule[0].replace(found[0], f"border: 0; box-shadow: inset 0 0 0 {found[1]}px {found[2]}")
    width = int(found[1])
    if "padding:" in ring:
        ring = re.sub(
            r"padding: [^;}]+",
            lambda padding: re.sub(r"(\d+)px", lambda side: f"{int(side[1]) + width}px", padding[0]),
            ring,
        )
    else:
        ring = ring.replace("{", f"{{ padding: {width}px;", 1)
    return html.replace(rule[0], ring)


def titled(html: str) -> str:
    """Keep only the title of the page."""
    title = re.search(r"(?s)<h1\b[^>]*>(.*?)</h1>", html) or re.search(r"(?s)<title>(.+?)</title>", html)
    words = re.sub(_TAG, "", title[1]) if title else "Page"
    return f"<!doctype html><title>Page</title><body><h1>{words}</h1>"


_BANNER = (
    '<div style="position: absolute; left: 0; right: 0; top: 0; height: 33vh; background: #222; '
    'color: #fff; padding: 30px; box-sizing: border-box">We use cookies to make this page better. '
    "Choose what you allow.</div>"
)
_NO_BOX = "background: none !important; border: 0 !important; box-shadow: none !important"
_LINK = f"{_NO_BOX}; color: #0000ee !important; text-decoration: underline !important; padding: 0 !important"

DAMAGES = (
    Damage("square corners", 1, css("* { border-radius: 0 !important }")),
    Damage("accent 12 % darker", 1, darker),
    Damage("line height + 8 %", 1, css("body { line-height: 1.65 }")),
    Damage("spacing halved", 2, scaled(0.5, "padding|margin|gap")),
    Damage(
        "all figures wrong",
        2,
        in_text(lambda text: text.translate(str.maketrans("0123456789", "5678901234"))),
    ),
    Damage("headings not bold", 2, css("h1, h2, h3, b, strong { font-weight: 400 !important }")),
    Damage("all text centered", 3, css("* { text-align: center !important }")),
    Damage("serif for sans", 3, css('* { font-family: "Liberation Serif" !important }')),
    Damage("cards without border, ground, shadow", 3, css(f".card {{ {_NO_BOX} }}")),
    Damage("gray boxes for pictures", 3, without(r"photo-\d+\.png", "gray.png")),
    Damage("font size 75 %", 3, scaled(0.75, "font")),
    Damage("accent hue changed", 3, hue_turned),
    Damage("buttons as plain links", 3, css(f".btn {{ {_LINK} }}")),
    Damage("a section twice", 3, twice),
    Damage("banner over a third", 3, lambda html: html + _BANNER),
    Damage("sections reordered", 3, reordered),
    Damage("translated", 3, in_text(translated)),
    Damage(
        "form controls removed",
        4,
        without(r"<textarea.*?</textarea>|<select.*?</select>|<input[^>]*>"),
    ),
    Damage("no pictures at all", 4, without(r"<img[^>]*>")),
    Damage("no navigation", 4, without(r"<nav.*?</nav>")),
    Damage("table as paragraphs", 4, paragraphs),
    Damage("columns stacked", 4, css(".cols { display: block !important }")),
    Damage("mirrored", 4, css("html { direction: rtl } .cols { direction: rtl }")),
    Damage("dark theme", 4, variables(_DARK)),
    Damage("magenta ground", 4, css("body { background: #ff00ff !important }")),
    Damage("lorem ipsum", 4, in_text(lorem)),
    Damage("half missing", 5, half),
    Damage("unstyled", 5, without(r"<style>.*?</style>", "<style></style>")),
    Damage("blank but for the title", 5, titled),
    Damage("other class names", 0, without(r'(class="?[\w ]*?|\.)\b(card|btn|cols)\b', r"\1x-\2")),
    Damage("other wrappers", 0, wrapped),
    Damage("pictures encoded again", 0, without(r"photo-(\d+)\.png", r"photo-\1.jpg")),
    Damage("all moved by 1 px", 0, css("body { position: relative; left: 1px }")),
    Damage("fonts + 0.15 px", 0, grown),
    Damage("img as background", 0, as_backgrounds),
    Damage("button as a styled box", 0, as_boxes),
    Damage("border as a ring of shadow", 0, ringed),
)
#: Damage that depends on how the study's designs are written: their classes and custom properties.
OWN_DESIGNS = {
    "accent 12 % darker",
    "cards without border, ground, shadow",
    "accent hue changed",
    "buttons as plain links",
    "columns stacked",
    "dark theme",
    "other class names",
    "img as background",
    "button as a styled box",
    "border as a ring of shadow",
}
ONE_SCREENSHOT, ANOTHER = "one screenshot as the page", "another design"


def draw_photos(folder: Path) -> None:
    """Draw twelve landscapes, as PNG and JPEG, and a gray picture."""
    for number in range(1, 13):
        generator = np.random.default_rng(number)
        rows, columns = np.mgrid[0:320, 0:480] / 320
        sky, land = generator.integers(60, 230, (2, 3))
        pixels = sky + (land - sky) * rows[..., None] * 0.6
        for _ in range(4):
            height = (
                0.4 + 0.5 * generator.random() + 0.12 * np.sin(columns * generator.uniform(2, 9) + number)
            )
            pixels = np.where((rows > height)[..., None], generator.integers(20, 220, 3), pixels)
        pixels = np.clip(pixels + generator.normal(0, 6, (320, 480, 1)), 0, 255).astype(np.uint8)
        Image.fromarray(pixels).save(folder / f"photo-{number}.png")
        Image.fromarray(pixels).save(folder / f"photo-{number}.jpg", quality=85)
    Image.new("RGB", (480, 320), "#dddddd").save(folder / "gray.png")


def pages_of(html: str) -> Iterator[tuple[str, int, str]]:
    """Yield each kind of damage applicable to a page: its name, its severity and the damaged page."""
    is_own = "--accent:" in html
    for damage in DAMAGES:
        damaged = damage.apply(html) if is_own or damage.name not in OWN_DESIGNS else html
        if damaged != html:
            yield damage.name, damage.severity, damaged


class Captures:
    """Captures of pages, stored in a folder."""

    def __init__(self, renderer: Renderer, folder: Path) -> None:
        self._renderer = renderer
        self._folder = folder

    def of(self, html: str, name: str) -> Capture:
        """Return the capture of a page."""
        kept = self._folder / f"{hashlib.sha1(html.encode()).hexdigest()}.pickle"
        if kept.exists():
            known: Capture = pickle.loads(kept.read_bytes())
            return known
        path = self._folder / f"{name}.html"
        path.write_text(html, encoding="utf-8")
        capture = self._renderer.capture(
            read_document(str(path), max_bytes=10_000_000), role="candidate", audit=None, finds_elements=True
        )
        capture = replace(capture, image=Screenshot(capture.screenshot.png), document=None)
        kept.write_bytes(pickle.dumps(capture))
        return capture


@dataclass(frozen=True)
class Row:
    """A damaged page with its scores."""

    design: str
    damage: str
    severity: int
    score: VisualScore

    def loss(self, metric: str) -> float:
        """Return how far a metric is below 1."""
        value: float = getattr(self.score, "score" if metric == "visual" else metric)
        return 1.0 - value

    def passes(self, metric: str, limit: float) -> bool:
        """Return whether a gate lets the page through."""
        return self.score.blocking == limit if metric == "blocking" else 1 - self.loss(metric) >= limit


def score_all(designs: Sequence[Path], captures: Captures) -> Iterator[Row]:
    """Score each design against each damaged version of itself, and against another design."""
    settings = Settings()
    pages = {path.stem: path.read_text(encoding="utf-8") for path in designs}
    shown = {name: captures.of(html, name) for name, html in pages.items()}
    names = list(pages)
    for at, name in enumerate(names):
        reference = shown[name]

        def score(candidate: Capture, reference: Capture = reference) -> VisualScore:
            return measure_visual(reference, candidate, settings=settings)

        for damage, severity, damaged in pages_of(pages[name]):
            candidate = captures.of(damaged, f"{name}~damaged")
            # A change that affects no pixel is no damage.
            if not severity or candidate.screenshot.png != reference.screenshot.png:
                yield Row(name, damage, severity, score(candidate))
        picture = captures._folder / f"{name}-shown.png"
        picture.write_bytes(reference.screenshot.png)
        whole = (
            f'<!doctype html><body style="margin: 0"><img alt="" src="{picture.name}" style="display: block">'
        )
        yield Row(name, ONE_SCREENSHOT, 5, score(captures.of(whole, f"{name}~damaged")))
        yield Row(name, ANOTHER, 5, score(shown[names[(at + 1) % len(names)]]))


def table(rows: Sequence[Row]) -> Iterator[str]:
    """Yield the report's lines: mean losses by kind, harmless changes, gates."""
    yield f"| damage | severity | pages | {' | '.join(METRICS)} |"
    yield f"|---|---|---|{'---|' * len(METRICS)}"
    kinds = {(row.severity, row.damage): None for row in rows if row.severity}
    for severity, damage in sorted(kinds, key=lambda kind: kind[0]):
        yield _line(damage, severity, [row for row in rows if row.damage == damage])
    yield ""
    yield "Harmless changes (mean loss; of fidelity, the worst page too):"
    yield ""
    yield f"| change | worst page | pages | {' | '.join(METRICS)} |"
    yield f"|---|---|---|{'---|' * len(METRICS)}"
    for damage in dict.fromkeys(row.damage for row in rows if not row.severity):
        found = [row for row in rows if row.damage == damage]
        yield _line(damage, f"{max(row.loss('fidelity') for row in found):.3f}", found)
    yield ""
    yield "What a gate lets through, of the pages with damage of each severity:"
    yield ""
    yield "| gate | harmless | 1 | 2 | 3 | 4 | 5 |"
    yield "|---|---|---|---|---|---|---|"
    for name, metric, limit in GATES:
        shares = []
        for severity in range(6):
            found = [row for row in rows if row.severity == severity]
            shares.append(fmean(row.passes(metric, limit) for row in found))
        yield f"| {name} | {' | '.join(f'{share:.0%}' for share in shares)} |"
    harmless = quantiles([row.loss("fidelity") for row in rows if not row.severity], n=20)[-1]
    serious = [row for row in rows if row.severity >= 3]
    share = fmean(row.loss("fidelity") <= harmless for row in serious)
    yield ""
    yield (
        f"Serious damage (3 and more) that costs no more than the 95th percentile of harmless changes "
        f"({harmless:.3f}): {share:.1%} of pages."
    )


def _line(damage: str, middle: object, found: Sequence[Row]) -> str:
    losses = " | ".join(f"{fmean(row.loss(metric) for row in found):.3f}" for metric in METRICS)
    return f"| {damage} | {middle} | {len(found)} | {losses} |"


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--designs", type=Path, default=ROOT / "studies" / "designs")
    parser.add_argument("--work", type=Path, default=ROOT / ".design2a11y" / "damage")
    parser.add_argument("--out", type=Path)
    arguments = parser.parse_args()
    arguments.work.mkdir(parents=True, exist_ok=True)
    draw_photos(arguments.work)
    with open_renderer() as renderer:
        captures = Captures(renderer, arguments.work)
        rows = []
        for row in score_all(sorted(arguments.designs.glob("*.html")), captures):
            print(f"{row.design}: {row.damage}: {row.score.fidelity}", flush=True)
            rows.append(row)
    measured = [row for row in rows if row.score.fidelity is not None]
    if len(measured) < len(rows):
        print(f"{len(rows) - len(measured)} pages have no fidelity, and are left out.")
    lines = [f"{len({row.design for row in rows})} designs, {len(measured)} pages.", "", *table(measured)]
    print("\n".join(lines))
    if arguments.out:
        arguments.out.write_text("\n".join(lines) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()

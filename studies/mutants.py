"""Damaged input of every kind: whatever is handed over, the answer is a result or an error with a name.

    python -m studies.mutants answers 4000      raw answers of models, through the source stage
    python -m studies.mutants records 3000      saved runs, through `compare`; pairs, known violations, blocks
    python -m studies.mutants pages 3000        HTML and CSS, thirty in one page, captured and compared

Each mutant depends on `--seed` and its number only; `--first` goes on where another run ended. Ends with
status 1 where an exception without a name came out, and prints it with the number of its mutant.
"""

from __future__ import annotations

import argparse
import contextlib
import html
import io
import json
import random
import re
import sys
import tempfile
import time
import traceback
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pytest_design2a11y.command.main import main as command
from pytest_design2a11y.exceptions import Design2a11yError
from pytest_design2a11y.limits.known_file import parse_known
from pytest_design2a11y.measuring.measures import measure_visual
from pytest_design2a11y.measuring.pair_files import open_pairs
from pytest_design2a11y.models.audit import AccessibilityRates, Audit, AuditChoice, RuleOutcome
from pytest_design2a11y.models.evaluation import Evaluation
from pytest_design2a11y.models.page import Answer, Capture, Document, Environment
from pytest_design2a11y.models.run import Run
from pytest_design2a11y.models.visual import VisualScore
from pytest_design2a11y.runs import load_run, save_run
from pytest_design2a11y.settings import Settings
from pytest_design2a11y.source.picture import parse_blocks
from pytest_design2a11y.source.read_document import read_document

if TYPE_CHECKING:
    from pytest_design2a11y.capture.renderer import Renderer

ROOT = Path(__file__).parents[1]
MAX_BYTES = 10_000_000
#: Seconds that a mutant may take without a browser.
PATIENCE = 5.0
IN_ONE_PAGE = 30

PAGE = "<!doctype html><html lang=en><title>Soup</title><h1>Soup</h1><p class=a>Of the day</p></html>"
ANSWERS = (
    f"Here is the page:\n```html\n{PAGE}\n```\nAnything else?",
    f"<answer>{PAGE}</answer>",
    json.dumps({"html": PAGE, "css": ".a { color: red }"}),
    f"```json\n{json.dumps({'files': {'index.html': PAGE}})}\n```",
    f"<think>First a title</think>{PAGE}",
    "```html index.html\n<link rel=stylesheet href=a.css><p class=a>Soup\n```\n"
    "```css a.css\n.a { color: red }\n```",
    html.escape(PAGE),
    PAGE,
)
SHEETS = (
    "p { color: rgb(1 2 3 / 50%); margin: calc(1px + 2em) auto; display: grid; content: 'x' }",
    "@media (min-width: 10px) { p::before { content: counter(a) attr(title); position: absolute } }",
    "@layer a, b; @supports (display: grid) { p:has(> b):not(.a) { animation: a 1s infinite } }",
    "@keyframes a { from { transform: rotate3d(1, 1, 1, 9deg) scale(0) } to { opacity: 0 } }",
    "@container (width > 3px) { p { filter: blur(3px) drop-shadow(1px 1px red); clip-path: circle(3px) } }",
    "@font-face { font-family: x; src: url(x.woff2) } p { font: italic 1e9px/0 x; column-count: 9 }",
    "p { --a: var(--b); --b: var(--a); width: var(--a, 3px) }"
    "b { background: url(x) fixed, conic-gradient(red, blue) }",
)
PIECES = (
    *(
        "<",
        ">",
        "</p>",
        "<p ",
        "<script>",
        "</script>",
        "<style>",
        "<!--",
        "-->",
        "<![CDATA[",
        "]]>",
        "<svg><foreignObject>",
    ),
    *(
        "<template shadowrootmode=closed>",
        "<frameset>",
        "<plaintext>",
        "<meta charset=undefined>",
        "<base href=//x>",
    ),
    *(
        "<iframe srcdoc='",
        "<math><mtext>",
        "<select><option>",
        "<table><td>",
        "<form name=nodeType>",
        "<input name=parentNode>",
    ),
    *(
        "```html\n",
        "```\n",
        "~~~",
        "<answer>",
        "</answer>",
        "<think>",
        '{"html": "',
        '"}',
        "[" * 2000,
        "{" * 2000,
    ),
    *(
        "{",
        "}",
        "(",
        ")",
        ";",
        ":",
        "@import ",
        "@layer{",
        "url(",
        "calc(",
        "var(--a)",
        "!important",
        "\\",
        "/*",
        "*/",
    ),
    *(
        "\0",
        "\x1b[2J",
        "\u202e",
        "\u2028",
        "\ud800",
        "\ufeff",
        "&#0;",
        "&lt;",
        "e\u0301" * 500,
        "A" * 20_000,
        "9" * 5_000,
    ),
)
VALUES: tuple[Any, ...] = (
    *(
        None,
        True,
        -1,
        0,
        1e308,
        float("nan"),
        float("inf"),
        10**400,
        "",
        "x" * 9_999,
        "\x1b[2J\n::error::",
        "\ud800",
        [],
        {},
    ),
    *([[[[[]]]]], {"a": None}, "NaN", "2026-13-45T99:99:99Z", ["x"] * 999, {"x" * 99: 1}),
)

Try = Callable[[random.Random], str]


def mutated(text: str, others: Sequence[str], chance: random.Random) -> str:
    """Damage a text in one to six places: cut, double, splice with another, shuffle, insert pieces."""
    for _ in range(chance.randint(1, 6)):
        at, end = sorted((chance.randrange(len(text) + 1), chance.randrange(len(text) + 1)))
        other = chance.choice(others)
        text = chance.choice(
            (
                text[:at] + text[end:],
                text[:end] + text[at:],
                text[:at] + other[chance.randrange(len(other)) :],
                text[:at] + chance.choice(PIECES) + text[at:],
                text[:at] + chance.choice(PIECES) + text[end:],
                _shuffled(text, chance),
            )
        )[:400_000]
    return text or "x"


def _shuffled(text: str, chance: random.Random) -> str:
    parts = re.split(r"(<[^>]*>|[{};])", text)
    chance.shuffle(parts)
    return "".join(parts)


def answers(_: Path) -> Iterator[Try]:
    """Yield raw answers, as text and as bytes of a file."""

    def attempt(chance: random.Random) -> str:
        text = mutated(chance.choice(ANSWERS), ANSWERS, chance)
        document = read_document(Answer(text), max_bytes=MAX_BYTES)
        return "read" if document.html is not None else "no html"

    while True:
        yield attempt


def records(folder: Path) -> Iterator[Try]:
    """Yield saved runs, and the other JSON files."""
    good = Run("good", "2026-01-01T00:00:00+00:00", True, tuple(_evaluation(number) for number in range(6)))
    lines = save_run(good, folder=folder / ".design2a11y" / "runs").read_text().splitlines()
    bad = folder / ".design2a11y" / "runs" / "bad.jsonl"
    pairs = [
        json.dumps({"id": str(n), "reference": "a", "candidate": "b", "axes": {"model": "m"}})
        for n in range(4)
    ]
    known = 'schema = 1\n[pages."a.html"]\ncolor-contrast = 2\n'
    text = {"text": "Soup", "boxes": [[0, 0, 9, 9]], "color": "#000000"}
    blocks = json.dumps({"schema": 1, "size": [100, 80], "blocks": [text]})

    def compared(chance: random.Random) -> str:
        _write(bad, "\n".join(_damaged(lines, chance)))
        with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
            try:
                return f"exit {command(['compare', 'good', 'bad', '--markdown'])}"
            except SystemExit as error:
                return f"exit {error.code}"

    def loaded(chance: random.Random) -> str:
        _write(bad, "\n".join(_damaged(lines, chance)))
        return f"{len(load_run(bad).evaluations)} evaluations"

    def listed(chance: random.Random) -> str:
        path = folder / "pairs.jsonl"
        _write(path, "\n".join(_damaged(pairs, chance)))
        return (
            "pairs" if any(pair.problem is None for pair in open_pairs(str(path), None).pairs) else "no pair"
        )

    def known_ones(chance: random.Random) -> str:
        parse_known(mutated(known, [known, *lines], chance))
        return "known"

    def drawn(chance: random.Random) -> str:
        parse_blocks(mutated(blocks, [blocks, *lines], chance).encode("utf-8", "replace"), label="x")
        return "blocks"

    while True:
        yield from (compared, loaded, loaded, listed, known_ones, drawn)


def _evaluation(number: int) -> Evaluation:
    score, case = 0.5 + number / 20, f"case-{number}"
    rule = RuleOutcome("image-alt", "help", "https://example.org", ("wcag2a",), "serious", 90, 10)
    return Evaluation(
        id=case,
        case=case,
        candidate=f"{case}.html",
        reference=f"designs/{case}.html",
        visual=VisualScore(score, score, score, score, score, 0.4, "indel", "embedded"),
        accessibility=AccessibilityRates(100, 10, 0, 0.1, 0.6, 0.06, 50, 5, 0.1, "green", {"serious": 10}),
        audit=Audit("4.12.1", (rule,), 50, 5),
        environment=Environment("156.0", "4.12.1", "0.1.0"),
        page_sizes={"reference": (100, 100), "candidate": (100, 100)},
    )


def _write(path: Path, text: str) -> None:
    path.write_bytes(text.encode("utf-8", "surrogatepass"))


def _damaged(lines: Sequence[str], chance: random.Random) -> list[str]:
    """Damage one line of JSON in its text, or one value anywhere in it."""
    changed = list(lines)
    at = chance.randrange(len(lines))
    if chance.random() < 0.4:
        changed[at] = mutated(lines[at], lines, chance)
        return changed
    value = json.loads(lines[at])
    holder, key = chance.choice(list(_places(value)))
    holder[key] = chance.choice(VALUES)
    if isinstance(holder, dict) and chance.random() < 0.3:
        del holder[key]
    changed[at] = json.dumps(value)
    return changed


def _places(value: Any) -> Iterator[tuple[Any, Any]]:
    if isinstance(value, dict | list):
        for key in list(value) if isinstance(value, dict) else range(len(value)):
            yield value, key
            yield from _places(value[key])


def pages(renderer: Renderer) -> Iterator[Try]:
    """Yield HTML and CSS, many mutants in frames of one page; every fifth page is audited too."""
    texts = [path.read_text(encoding="utf-8", errors="replace") for path in ROOT.glob("tests/pages/*/*.html")]
    design = renderer.capture(_document("<p>Of the day"), role="reference", audit=None)

    def attempt(chance: random.Random) -> str:
        frames = "".join(_frame(texts, chance) for _ in range(IN_ONE_PAGE))
        choice = AuditChoice() if chance.random() < 0.2 else None
        capture: Capture = renderer.capture(_document(frames), role="candidate", audit=choice)
        score = measure_visual(design, capture, settings=Settings()).score
        return "scored" if 0 <= score <= 1 else f"score {score}"

    while True:
        yield attempt


def _frame(texts: Sequence[str], chance: random.Random) -> str:
    if chance.random() < 0.5:
        sheet = mutated(chance.choice(SHEETS), SHEETS, chance)
        page = f"<!doctype html><style>{sheet}</style><p class=a>Soup <b>b"
    else:
        page = mutated(chance.choice(texts), texts, chance)
    return f"<iframe width=300 height=100 srcdoc='{html.escape(page)}'></iframe>"


def _document(body: str) -> Document:
    page = f"<!doctype html><html lang=en><title>x</title><h1>Shown</h1>{body}</html>"
    return Document(label="<html>", html=page.encode("utf-8", "surrogatepass"))


def run(tries: Iterator[Try], choice: argparse.Namespace) -> int:
    """Try each mutant; return the number of those that failed with a foreign exception or took too long."""
    outcomes: Counter[str] = Counter()
    num_bad, slowest = 0, 0.0
    step = IN_ONE_PAGE if choice.kind == "pages" else 1
    for number, attempt in zip(range(choice.first, choice.first + choice.number, step), tries, strict=False):
        began = time.monotonic()
        try:
            outcome = attempt(random.Random(f"{choice.kind}:{choice.seed}:{number}"))
        except Design2a11yError as error:
            outcome = type(error).__name__
        except Exception:
            outcome, num_bad = "WITHOUT A NAME", num_bad + 1
            print(f"mutant {number}: {traceback.format_exc()}", flush=True)
        seconds = time.monotonic() - began
        slowest = max(slowest, seconds)
        if step == 1 and seconds > PATIENCE:
            num_bad += 1
            print(f"mutant {number}: {outcome} after {seconds:.1f} s", flush=True)
        outcomes[outcome] += 1
    print(f"{choice.kind}: {choice.number} mutants, slowest {slowest:.1f} s, {num_bad} bad, {dict(outcomes)}")
    return num_bad


def main() -> int:
    parser = argparse.ArgumentParser(description="Damaged input of every kind.")
    parser.add_argument("kind", choices=("answers", "records", "pages"))
    parser.add_argument("number", type=int)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--seed", default="1")
    choice = parser.parse_args()
    with tempfile.TemporaryDirectory() as name, contextlib.chdir(name):
        if choice.kind != "pages":
            return bool(run({"answers": answers, "records": records}[choice.kind](Path(name)), choice))
        from pytest_design2a11y.capture.renderer import open_renderer

        with open_renderer() as renderer:
            return bool(run(pages(renderer), choice))


if __name__ == "__main__":
    sys.exit(main())

"""Checks the endurance of the capture stage: many pages, damaged pages, killed browsers, repeated pages.

    python -m studies.capture_soak laps PAGE.html ...       every page twice, hostile ones between; memory
    python -m studies.capture_soak mutants PAGE.html ...    pages cut, spliced, flipped, shuffled
    python -m studies.capture_soak kills PAGE.html ...      the browser killed at random moments

Each exits with status 1 if anything is wrong. `--number` is the number of captures, mutants or kills.
`--first` continues an earlier run: an item depends only on its number and `--seed`.
"""

from __future__ import annotations

import argparse
import gc
import hashlib
import os
import random
import re
import signal
import statistics
import sys
import tempfile
import threading
import time
import traceback
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

from benchmarks.processes import browser_processes, resident_megabytes
from pytest_design2a11y.capture.limits import CaptureLimits
from pytest_design2a11y.capture.renderer import Renderer, open_renderer
from pytest_design2a11y.exceptions import Design2a11yError
from pytest_design2a11y.models.audit import AuditChoice
from pytest_design2a11y.models.page import Capture, Document
from pytest_design2a11y.source.read_document import read_document

MAX_BYTES = 10_000_000
# Added to the page's own time limit: for starting a browser, closing the page, a busy machine.
ALLOWANCE = 15.0
# One in this many captures is of a hostile page.
HOSTILE_EVERY = 20
# Memory is compared between captures from the 100th on and the same number at the end.
WARM, WINDOW = 100, 50

# A page, and its expected outcome.
HOSTILE: tuple[tuple[str, str], ...] = (
    ("<script>while(1){}</script>", "captured"),
    ("<script>while(1)alert(1)</script>", "captured"),
    ("<script>setInterval(()=>{location='?'+Math.random()},1)</script>", "captured"),
    (
        "<script>let d=document.body;for(let i=0;i<5000;i++)"
        "d=d.appendChild(document.createElement('div'));d.textContent='x'</script>",
        "RendererCrash",
    ),
    ("<script>document.body.remove()</script>", "EmptyDocument"),
    ("<script>onload=()=>{location='about:blank'}</script>", "NavigatedAway"),
    ("<iframe srcdoc=x></iframe>" * 200, "PageTooLarge"),
    ("<img src=http://127.0.0.1:1/x><meta http-equiv=refresh content=0>", "captured"),
    ("<script>for(let i=0;i<15;i++)open('about:blank')</script>", "captured"),
)


def attempt(renderer: Renderer, page: Path | Document, audit: AuditChoice | None = None) -> Capture | str:
    """Read and capture a page; return the error's name if it is one of ours."""
    try:
        document = page if isinstance(page, Document) else read_document(page, max_bytes=MAX_BYTES)
        return renderer.capture(document, role="candidate", audit=audit)
    except Design2a11yError as error:
        return type(error).__name__


def name_of(outcome: Capture | str) -> str:
    return outcome if isinstance(outcome, str) else "captured"


def laps(renderer: Renderer, pages: Sequence[Path], choice: argparse.Namespace) -> bool:
    """Capture every page with its audit, twice; the results must be identical to the last bit."""
    number = choice.number or 2 * len(pages) * HOSTILE_EVERY // (HOSTILE_EVERY - 1) + 1
    seen: dict[Path, dict[str, str]] = {}
    outcomes: Counter[str] = Counter()
    compared, wrong = 0, 0
    memory: list[tuple[float, float]] = []
    waiting = list(pages) * 2
    for index in range(1, number + 1):
        if index % HOSTILE_EVERY == 0:
            html, expected = HOSTILE[index // HOSTILE_EVERY % len(HOSTILE)]
            outcome = attempt(renderer, Document("<html>", f"<!doctype html><h1>x</h1>{html}".encode()))
            if name_of(outcome) != expected:
                wrong += 1
                print(f"{index}: {html[:40]} gave {name_of(outcome)}, not {expected}", flush=True)
        elif waiting:
            path = waiting.pop(0)
            outcome = attempt(renderer, path, AuditChoice())
            essence = _essence(outcome)
            if isinstance(outcome, str):
                print(f"{index}: {path}: {outcome}", flush=True)
            if path in seen:
                compared += 1
                differing = [part for part in essence if essence[part] != seen[path].get(part)]
                wrong += bool(differing)
                if differing:
                    print(f"{index}: {path}: differs in {', '.join(differing)}", flush=True)
            seen[path] = essence
        else:
            break
        outcomes[name_of(outcome)] += 1
        del outcome
        memory.append(_memory())
        if index % 50 == 0:
            print(f"{index:5} ours {memory[-1][0]:.0f} MB, browser {memory[-1][1]:.0f} MB", flush=True)
    print(f"captures {len(memory)}  {dict(outcomes)}")
    print(f"pages captured twice {compared}; not as they should be {wrong}")
    return wrong > 0 or _has_grown(memory)


def _essence(outcome: Capture | str) -> dict[str, str]:
    if isinstance(outcome, str):
        return {"outcome": outcome}
    parts = {
        "screenshot": outcome.screenshot.pixels.tobytes(),
        "text": repr(outcome.text_runs).encode(),
        "audit": repr(outcome.audit).encode(),
        "warnings": repr(outcome.warnings).encode(),
    }
    return {name: hashlib.sha256(part).hexdigest() for name, part in parts.items()}


def _memory() -> tuple[float, float]:
    gc.collect()
    return resident_megabytes([os.getpid()]), resident_megabytes(browser_processes())


def _has_grown(memory: Sequence[tuple[float, float]]) -> bool:
    warm = min(WARM, len(memory) // 2)
    early, late = memory[warm : warm + WINDOW], memory[-WINDOW:]
    has_grown = False
    for column, name in enumerate(("ours", "browser")):
        before, after = (statistics.median(each[column] for each in some) for some in (early, late))
        print(f"memory, {name}: {before:.0f} MB from capture {warm} on, {after:.0f} MB at the end", end="")
        print(f" (medians of {WINDOW}): {after / before - 1:+.1%}")
        has_grown |= after > 1.1 * before
    return has_grown


def mutants(renderer: Renderer, pages: Sequence[Path], choice: argparse.Namespace) -> bool:
    """Capture damaged pages; each must give a capture or one of our errors, within its time limit."""
    texts = [path.read_bytes() for path in pages]
    outcomes: Counter[str] = Counter()
    slowest, unnamed = 0.0, 0
    last = choice.first + choice.number - 1
    for index in range(choice.first, last + 1):
        chance = random.Random(f"{choice.seed}:{index}")
        origin = chance.randrange(len(pages))
        html = chance.choice(MUTATIONS)(texts[origin], texts, chance)
        began = time.monotonic()
        try:
            outcome = name_of(attempt(renderer, _document(html, pages[origin].parent)))
        except Design2a11yError as error:
            outcome = type(error).__name__
        except Exception:
            unnamed += 1
            outcome = "unnamed"
            print(f"mutant {index}: {traceback.format_exc()}", flush=True)
        seconds = time.monotonic() - began
        if seconds > choice.timeout:
            print(f"mutant {index}: {outcome} after {seconds:.1f} s", flush=True)
        slowest = max(slowest, seconds)
        outcomes[outcome] += 1
        if index % 100 == 0 or index == last:
            print(f"mutants {choice.first}-{index}  {dict(outcomes)}  slowest {slowest:.1f} s", flush=True)
    print(f"unnamed {unnamed}, slowest {slowest:.1f} s of {choice.timeout:g} s and {ALLOWANCE:g} s beside")
    return unnamed > 0 or slowest > choice.timeout + ALLOWANCE


def _document(html: bytes, folder: Path) -> Document:
    """Read a mutant as if it were a file, with the files beside its original."""
    with tempfile.NamedTemporaryFile(suffix=".html") as file:
        file.write(html)
        file.flush()
        document = read_document(Path(file.name), max_bytes=MAX_BYTES)
        return replace(document, folder=str(folder.resolve()), site=None)


Mutation = Callable[[bytes, Sequence[bytes], random.Random], bytes]


def _cut(html: bytes, _: Sequence[bytes], chance: random.Random) -> bytes:
    return html[: chance.randrange(1, len(html))]


def _spliced(html: bytes, others: Sequence[bytes], chance: random.Random) -> bytes:
    other = chance.choice(others)
    return html[: chance.randrange(len(html))] + other[chance.randrange(len(other)) :]


def _flipped(html: bytes, _: Sequence[bytes], chance: random.Random) -> bytes:
    changed = bytearray(html)
    for _number in range(chance.randrange(1, 200)):
        changed[chance.randrange(len(changed))] ^= 1 << chance.randrange(8)
    return bytes(changed)


def _shuffled(html: bytes, _: Sequence[bytes], chance: random.Random) -> bytes:
    parts = re.split(rb"(<[^>]*>)", html)
    start = chance.randrange(len(parts))
    some = parts[start : start + 60]
    chance.shuffle(some)
    return b"".join([*parts[:start], *some, *parts[start + 60 :]])


MUTATIONS: tuple[Mutation, ...] = (_cut, _spliced, _flipped, _shuffled)


def kills(renderer: Renderer, pages: Sequence[Path], choice: argparse.Namespace) -> bool:
    """Kill the browser during captures; results must not change, and must say if they were retried."""
    outcomes: Counter[str] = Counter()
    profiles: set[Path] = set()
    for index in range(choice.first, choice.first + choice.number):
        chance = random.Random(f"{choice.seed}:{index}")
        page = pages[index % len(pages)]
        began = time.monotonic()
        plain = attempt(renderer, page)
        moment = chance.uniform(0, time.monotonic() - began)
        process_id = renderer.browser_process_id()
        profiles.add(_profile(process_id))
        timer = threading.Timer(moment, os.kill, (process_id, signal.SIGKILL))
        timer.start()
        under_fire = attempt(renderer, page)
        timer.join()
        if isinstance(plain, str) or isinstance(under_fire, str):
            outcome = f"{name_of(plain)}, {name_of(under_fire)}"
        else:
            is_retried = "retried" in {warning.code for warning in under_fire.warnings}
            is_same = all(
                _essence(plain)[part] == _essence(under_fire)[part] for part in ("screenshot", "text")
            )
            outcome = f"{'retried' if is_retried else 'untouched'}, {'same' if is_same else 'DIFFERENT'}"
        outcomes[outcome] += 1
        print(f"kill {index} after {moment:.2f} s: {outcome}  {page}", flush=True)
    renderer.close()
    left = sum(profile.exists() for profile in profiles)
    print(f"kills {choice.number}  {dict(outcomes)}  profile folders left {left}")
    return left > 0 or any(not outcome.endswith("same") for outcome in outcomes)


def _profile(browser: int | None) -> Path:
    arguments = Path(f"/proc/{browser}/cmdline").read_text().split("\0")
    return Path(next(each for each in arguments if each.startswith("--user-data-dir=")).partition("=")[2])


def main() -> int:
    parser = argparse.ArgumentParser(description="Show whether the capture stage lasts.")
    parser.add_argument("what", choices=("laps", "mutants", "kills"))
    parser.add_argument("pages", nargs="+", type=Path)
    parser.add_argument("--number", type=int)
    parser.add_argument("--first", type=int, default=1)
    parser.add_argument("--seed", type=int, default=7)
    parser.add_argument("--timeout", type=float, default=30.0)
    choice = parser.parse_args()
    if choice.what != "laps" and not choice.number:
        parser.error("--number is needed")
    task = {"laps": laps, "mutants": mutants, "kills": kills}[choice.what]
    began = time.monotonic()
    with open_renderer(limits=CaptureLimits(timeout=choice.timeout)) as renderer:
        has_failed = task(renderer, choice.pages, choice)
    left = browser_processes()
    print(f"browser processes left: {len(left)}; {time.monotonic() - began:.0f} s in all")
    return int(has_failed or bool(left))


if __name__ == "__main__":
    sys.exit(main())

"""Whether the capture stage lasts: many pages, damaged pages, killed browsers, the same page twice.

    python benchmarks/capture_soak.py twice PAGE.html ...           every page twice, to the last bit
    python benchmarks/capture_soak.py soak 1000 PAGE.html ...       many pages, hostile ones between; memory
    python benchmarks/capture_soak.py mutants 5000 PAGE.html ...    pages cut, spliced, flipped, shuffled
    python benchmarks/capture_soak.py kills 50 PAGE.html ...        the browser killed at random moments

Each ends with status 1 where something is not as it should be.
"""

from __future__ import annotations

import os
import random
import re
import signal
import sys
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from pytest_design2a11y.capture.renderer import Renderer, open_renderer
from pytest_design2a11y.exceptions import Design2a11yError
from pytest_design2a11y.models import Capture, Document
from pytest_design2a11y.source import read_document

MEGABYTE = 1 << 20
TIMEOUT = 15.0

HOSTILE = (
    "<!doctype html><h1>x</h1><script>while(1){}</script>",
    "<!doctype html><h1>x</h1><script>while(1)alert(1)</script>",
    "<!doctype html><h1>x</h1><script>setInterval(()=>{location='?'+Math.random()},1)</script>",
    "<!doctype html><h1>x</h1><script>let d=document.body;for(let i=0;i<5000;i++)"
    "d=d.appendChild(document.createElement('div'));d.textContent='x'</script>",
    "<!doctype html><h1>x</h1><script>document.body.remove()</script>",
    "<!doctype html><h1>x</h1><img src=http://127.0.0.1:1/x><meta http-equiv=refresh content=0>",
)


def attempt(renderer: Renderer, document: Document) -> Capture | str:
    """Capture a page; give the error's name where that is one of ours. Any other error ends the run."""
    try:
        return renderer.capture(document, role="candidate", audit=None)
    except Design2a11yError as error:
        return type(error).__name__


def document_of(path: Path) -> Document:
    return read_document(path, max_bytes=10_000_000)


def twice(renderer: Renderer, pages: Sequence[Path]) -> int:
    differing = 0
    for path in pages:
        first, second = (attempt(renderer, document_of(path)) for _ in range(2))
        if isinstance(first, str) or isinstance(second, str):
            is_same = first == second
            print(f"{path}: {first if isinstance(first, str) else second}", flush=True)
        else:
            is_same = (
                first.screenshot.pixels.tobytes() == second.screenshot.pixels.tobytes()
                and first.text_runs == second.text_runs
                and first.warnings == second.warnings
            )
        if not is_same:
            differing += 1
            print(f"{path}: two captures differ", flush=True)
    print(f"pages {len(pages)}  differing {differing}")
    return differing


def soak(renderer: Renderer, pages: Sequence[Path], number: int) -> int:
    outcomes: Counter[str] = Counter()
    sizes: dict[int, tuple[int, int]] = {}
    for index in range(1, number + 1):
        document = Document("<html>", HOSTILE[index // 20 % len(HOSTILE)].encode())
        if index % 20:
            document = document_of(pages[index % len(pages)])
        outcome = attempt(renderer, document)
        outcomes[outcome if isinstance(outcome, str) else "captured"] += 1
        if index == min(100, number // 10) or index % 100 == 0 or index == number:
            sizes[index] = (resident([os.getpid()]), resident(browser_processes()))
            print(f"{index:5} ours {sizes[index][0]} MB, browser {sizes[index][1]} MB", flush=True)
    print(dict(outcomes))
    (ours, browsers), (ours_now, browsers_now) = sizes[min(sizes)], sizes[max(sizes)]
    print(f"growth: ours {ours_now / ours - 1:+.1%}, browser {browsers_now / browsers - 1:+.1%}")
    return int(ours_now > 1.1 * ours or browsers_now > 1.1 * browsers)


def mutants(renderer: Renderer, pages: Sequence[Path], number: int) -> int:
    chance = random.Random(7)
    texts = [path.read_bytes() for path in pages]
    outcomes: Counter[str] = Counter()
    slowest = 0.0
    for index in range(number):
        html = chance.choice(MUTATIONS)(chance.choice(texts), texts, chance)
        began = time.monotonic()
        try:
            outcome = attempt(renderer, read_document(html.decode("latin-1"), max_bytes=10_000_000))
        except Design2a11yError as error:
            outcome = type(error).__name__
        slowest = max(slowest, time.monotonic() - began)
        outcomes[outcome if isinstance(outcome, str) else "captured"] += 1
        if index % 100 == 99:
            print(index + 1, dict(outcomes), f"slowest {slowest:.1f} s", flush=True)
    print(f"mutants {number}  {dict(outcomes)}  slowest {slowest:.1f} s")
    return int(slowest > TIMEOUT + 15)


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


def kills(renderer: Renderer, pages: Sequence[Path], number: int) -> int:
    chance = random.Random(7)
    outcomes: Counter[str] = Counter()
    for index in range(number):
        document = document_of(pages[index % len(pages)])
        plain = attempt(renderer, document)
        process_id = renderer.browser_process_id()
        timer = threading.Timer(chance.uniform(0, 0.8), os.kill, (process_id, signal.SIGKILL))
        timer.start()
        under_fire = attempt(renderer, document)
        timer.join()
        if isinstance(plain, str) or isinstance(under_fire, str):
            outcomes[f"{plain} / {under_fire}"] += 1
            continue
        is_same = plain.screenshot.pixels.tobytes() == under_fire.screenshot.pixels.tobytes()
        is_retried = "retried" in {warning.code for warning in under_fire.warnings}
        outcomes[f"{'retried' if is_retried else 'untouched'}, {'same' if is_same else 'DIFFERENT'}"] += 1
    print(f"kills {number}  {dict(outcomes)}")
    return sum(count for outcome, count in outcomes.items() if "same" not in outcome)


def resident(processes: Sequence[int]) -> int:
    """Memory that processes hold, in megabytes."""
    page = os.sysconf("SC_PAGE_SIZE")
    total = 0
    for process in processes:
        try:
            total += int(Path(f"/proc/{process}/statm").read_text().split()[1]) * page
        except OSError:
            continue
    return total // MEGABYTE


def browser_processes() -> list[int]:
    return [process for process in descendants(os.getpid()) if is_chromium(process)]


def is_chromium(process: int) -> bool:
    try:
        command = Path(f"/proc/{process}/cmdline").read_bytes()
    except OSError:
        return False
    return b"chrom" in command.split(b"\0")[0]


def descendants(root: int) -> Iterator[int]:
    for children in Path(f"/proc/{root}/task").glob("*/children"):
        try:
            found = children.read_text().split()
        except OSError:
            continue
        for child in map(int, found):
            yield child
            yield from descendants(child)


def main() -> int:
    what, *rest = sys.argv[1:] or ["help"]
    if what == "twice":
        with open_renderer(timeout=60.0) as renderer:
            return bool(twice(renderer, [Path(name) for name in rest]))
    tasks = {"soak": soak, "mutants": mutants, "kills": kills}
    if what not in tasks:
        print(__doc__)
        return 2
    with open_renderer(timeout=TIMEOUT) as renderer:
        status = tasks[what](renderer, [Path(name) for name in rest[1:]], int(rest[0]))
    left = browser_processes()
    print(f"browser processes left: {len(left)}")
    return status or bool(left)


if __name__ == "__main__":
    sys.exit(main())

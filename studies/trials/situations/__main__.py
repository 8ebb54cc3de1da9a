"""Every situation as a table: scores against the settled page, bits, seconds.

    python -m studies.trials.situations [--only NAME ...] [--twice]
    python -m studies.trials.situations --site FOLDER [--page PAGE] [--url] --ready SELECTOR  a build of yours

The settled page is the same page in a plain browser, in real time, its scripts on, until it shows that it has
nothing more to do; it is read as it stands. Ends with status 1 where a capture shows anything else.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Sequence
from contextlib import closing
from pathlib import Path
from tempfile import TemporaryDirectory

from playwright.sync_api import Browser, sync_playwright
from playwright.sync_api import Error as PlaywrightError

from pytest_design2a11y.capture.browser.launch import launch, starting
from pytest_design2a11y.capture.limits import CaptureLimits
from pytest_design2a11y.capture.renderer import Renderer
from pytest_design2a11y.exceptions import Design2a11yError
from studies.trials.situations.scoring import Outcome, limits_of, score
from studies.trials.situations.table import Situation, read_situations

HEAD = (
    f"{'situation':24}{'first':>8}{'second':>8}  {'pixels':>9}  {'text':5}{'twice':7}{'seconds':>8}  warnings"
)


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--only", nargs="+", metavar="NAME", help="these situations")
    parser.add_argument("--twice", action="store_true", help="capture each twice and compare the bits")
    parser.add_argument("--site", type=Path, help="the root of a build of your own")
    parser.add_argument("--page", default="index.html", help="its start page, with query and fragment")
    parser.add_argument("--ready", default="body", help="what appears when it has settled")
    parser.add_argument("--url", action="store_true", help="capture it from a server, not from the file")
    options = parser.parse_args(arguments)
    situations = [_own(options)] if options.site else _named(options.only)
    with sync_playwright() as playwright:
        start = starting(playwright.chromium)
        browser = launch(start, chromium=None, options={}).browser
        print(HEAD)
        num_right = sum(_is_right(each, browser, start, options.twice) for each in situations)
        browser.close()
    print(f"{num_right} of {len(situations)} as a person sees them")
    return 0 if num_right == len(situations) else 1


def _own(options: argparse.Namespace) -> Situation:
    site = options.site.resolve()
    served = "url" if options.url else "file"
    return Situation(site.parent.name, str(site), options.page, served, ready=options.ready)


def _named(names: Sequence[str] | None) -> list[Situation]:
    return [each for each in read_situations() if not names or each.name in names]


def _is_right(situation: Situation, browser: Browser, start: Callable[..., Browser], is_twice: bool) -> bool:
    try:
        with TemporaryDirectory() as folder:
            limits = CaptureLimits(**limits_of(situation, Path(folder)))
            with closing(Renderer(start, limits=limits)) as renderer:
                outcomes = score(situation, browser=browser, renderer=renderer, times=2 if is_twice else 1)
    except (Design2a11yError, PlaywrightError) as error:
        print(f"{situation.name:24}the page does not settle: {error}", flush=True)
        return False
    print(_row(situation, outcomes), flush=True)
    return all(outcome.is_as_seen for outcome in outcomes) and _is_same(outcomes)


def _row(situation: Situation, outcomes: Sequence[Outcome]) -> str:
    first, *others = outcomes
    scores = "".join(f"{_number(each.score):>8}" for each in outcomes) + (" " * 8 if not others else "")
    text = "same" if first.is_text_equal else "other"
    bits = ("same" if _is_same(outcomes) else "differ") if others else ""
    seconds = max(outcome.seconds for outcome in outcomes)
    told = first.error.splitlines()[0] if first.error else ", ".join(first.warnings)
    return f"{situation.name:24}{scores}  {first.differing:9.5f}  {text:5} {bits:7}{seconds:8.1f}  {told}"


def _number(value: float | None) -> str:
    return "-" if value is None else f"{value:.4f}"


def _is_same(outcomes: Sequence[Outcome]) -> bool:
    return all(outcome.is_same_as(outcomes[0]) for outcome in outcomes)


if __name__ == "__main__":
    sys.exit(main())

"""Browsers for all tests that need a real one."""

from __future__ import annotations

import json
import signal
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

import pytest

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Playwright

    from pytest_design2a11y.capture.renderer import Renderer
    from tests.one_browser import OneBrowser


#: Where the cache keeps the tests of the last run that passed.
PASSED = "design2a11y/passed"

TINY_CLIP = {
    "embed_dim": 32,
    "vision_cfg": {"image_size": 32, "layers": 2, "width": 64, "head_width": 32, "patch_size": 8},
    "text_cfg": {"context_length": 8, "vocab_size": 64, "width": 32, "heads": 2, "layers": 1},
}


def pytest_configure(config: pytest.Config) -> None:
    # A shell has what it starts in the background ignore interrupts, which tests send.
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)
    # pytest-base-url's fixture trips it with pytest 9.2, not ours to fix; older ones do not know it.
    if hasattr(pytest, "PytestRemovedIn10Warning"):
        config.addinivalue_line("filterwarnings", "ignore:.*:pytest.PytestRemovedIn10Warning")


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--not-passed", action="store_true", help="Run what did not pass in the last run.")


def pytest_itemcollected(item: pytest.Item) -> None:
    mark = item.get_closest_marker("alike")
    if mark is not None and max(cast("pytest.Function", item).callspec.indices.values()) >= mark.args[0]:
        item.add_marker(pytest.mark.slow(**mark.kwargs))


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    # What takes minutes comes last.
    items.sort(key=lambda item: any("is_long" in mark.kwargs for mark in item.iter_markers("slow")))
    if config.option.not_passed and config.cache is not None:
        passed = set(config.cache.get(PASSED, []))
        config.hook.pytest_deselected(items=[item for item in items if item.nodeid in passed])
        items[:] = [item for item in items if item.nodeid not in passed]


def pytest_sessionfinish(session: pytest.Session) -> None:
    """Keep what passed, for `--not-passed`, also of a run that was interrupted."""
    terminal = session.config.pluginmanager.get_plugin("terminalreporter")
    cache = getattr(session.config, "cache", None)  # Without pytest's cacheprovider there is none.
    if terminal is None or cache is None or hasattr(session.config, "workerinput"):
        return
    passed = {one.nodeid for kind in ("passed", "skipped") for one in terminal.stats.get(kind, ())}
    failed = {one.nodeid for kind in ("failed", "error") for one in terminal.stats.get(kind, ())}
    before = cache.get(PASSED, []) if session.config.option.not_passed else []
    cache.set(PASSED, sorted({*before, *passed} - failed))


@pytest.fixture(scope="session")
def chromium(playwright: Playwright) -> Iterator[Browser]:
    """A browser like those of the renderers, for pages that a test opens itself."""
    from pytest_design2a11y.capture.browser.launch import launch, starting

    browser = launch(starting(playwright.chromium), chromium=None, options={}).browser
    yield browser
    browser.close()


@pytest.fixture(scope="session")
def make_renderer(playwright: Playwright) -> Iterator[Callable[..., Renderer]]:
    """Makes renderers with limits of their own, and closes them in the end.

    They share their browsers, which cost more to start than most pages to render, unless one is to be fresh.
    """
    from pytest_design2a11y.capture.browser.launch import starting
    from pytest_design2a11y.capture.limits import CaptureLimits
    from pytest_design2a11y.capture.renderer import GRACE, Renderer
    from pytest_design2a11y.files import CacheFolder
    from tests.one_browser import LastingPair

    launch = starting(playwright.chromium)
    shared = LastingPair(launch, chromium=None, options={}, patience=GRACE)
    made: list[Renderer] = []

    def make(
        *,
        is_fresh: bool = False,
        launch_options: Mapping[str, Any] | None = None,
        cache_folder: Path | None = None,
        **limits: Any,
    ) -> Renderer:
        limited = CaptureLimits(**limits)
        kept = None if cache_folder is None else CacheFolder(cache_folder)
        renderer = Renderer(launch, launch_options=launch_options, limits=limited, references=kept)
        if not is_fresh and launch_options is None:
            renderer._browsers = shared
        made.append(renderer)
        return renderer

    yield make
    for renderer in made:
        renderer.close()
    shared.end()


@pytest.fixture(scope="session")
def renderer(make_renderer: Callable[..., Renderer]) -> Renderer:
    """A renderer with the default settings, through which every browser test goes."""
    return make_renderer()


@pytest.fixture(scope="session")
def keeping_renderer(request: pytest.FixtureRequest, make_renderer: Callable[..., Renderer]) -> Renderer:
    """A renderer for tests of what comes after a capture: it keeps those of references for the next run.

    It finds them by digest of page, browser, fonts and capture code; `make test-slow` takes all of them anew.
    """
    cache = getattr(request.config, "cache", None)  # Without pytest's cacheprovider there is none.
    return make_renderer(cache_folder=None if cache is None else cache.mkdir("captures"))


@pytest.fixture(scope="session")
def one_browser() -> Iterator[OneBrowser]:
    """The browser that runs and scorers may share; see `in_one_browser`."""
    from tests.one_browser import OneBrowser

    one = OneBrowser()
    yield one
    one.close()


@pytest.fixture
def in_one_browser(one_browser: OneBrowser, monkeypatch: pytest.MonkeyPatch) -> OneBrowser:
    """Have what a test runs in this process use one browser, which it neither starts nor ends."""
    one_browser.serve(monkeypatch)
    return one_browser


@pytest.fixture(scope="session")
def make_tiny_clip(tmp_path_factory: pytest.TempPathFactory) -> Callable[..., Path]:
    """Makes a small CLIP model, and a file of weights `SEED.pt` for each seed; gives their folder."""
    from pytest_design2a11y.visual.clip.choice import clip_libraries

    def make(name: str, *seeds: int) -> Path:
        libraries = clip_libraries()
        folder = tmp_path_factory.mktemp("tiny")
        (folder / f"{name}.json").write_text(json.dumps(TINY_CLIP), encoding="utf-8")
        libraries.open_clip.add_model_config(folder)
        for seed in seeds:
            libraries.torch.manual_seed(seed)
            libraries.torch.save(libraries.open_clip.create_model(name).state_dict(), folder / f"{seed}.pt")
        return folder

    return make

"""Which browser starts, with which arguments, and what is said when none does."""

from __future__ import annotations

import atexit
import os
import shutil
import socket
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from types import SimpleNamespace
from typing import Any, ClassVar, cast
from unittest.mock import MagicMock
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import BrowserType
from playwright.sync_api import Error as PlaywrightError
from playwright.sync_api import TimeoutError as PlaywrightTimeoutError

from pytest_design2a11y.capture.browser import launch as browsers
from pytest_design2a11y.capture.browser import pages
from pytest_design2a11y.capture.browser import pair as pairs
from pytest_design2a11y.capture.browser.pair import BrowserPair
from pytest_design2a11y.capture.browser.processes import Watchdog
from pytest_design2a11y.capture.isolation.remote import refusing_proxy
from pytest_design2a11y.exceptions import BrowserLost, BrowserNotFound, ConfigurationError


class Session:
    answers: ClassVar[dict[str, dict[str, Any]]] = {
        "SystemInfo.getProcessInfo": {"processInfo": [{"type": "browser", "id": 999_999_999}]},
        "Browser.getVersion": {"product": "HeadlessChrome/9.8"},
    }

    def send(self, method: str, *_: object, **__: object) -> dict[str, Any]:
        return self.answers[method]

    def detach(self) -> None:
        pass


class Starts:
    """Stands for Playwright's `launch`: remembers its options, and fails as told."""

    def __init__(self, *failures: str, name: str = "chromium") -> None:
        self.failures = list(failures)
        self.asked: list[dict[str, Any]] = []
        self.name = name

    def __call__(self, **options: Any) -> Any:
        self.asked.append(options)
        if self.failures:
            raise PlaywrightError(self.failures.pop(0))
        return SimpleNamespace(
            browser_type=SimpleNamespace(name=self.name),
            version="9.8",
            new_browser_cdp_session=Session,
            is_connected=lambda: True,
            close=lambda: None,
        )


@pytest.fixture
def program(tmp_path: Path) -> str:
    path = tmp_path / "my-chromium"
    path.write_text("#!/bin/sh\n")
    path.chmod(0o755)
    return str(path)


@pytest.fixture(autouse=True)
def _no_browser_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(browsers.ENVIRONMENT_VARIABLE, raising=False)


def launch(start: Starts, chromium: str | None = None, **options: Any) -> browsers.LaunchedBrowser:
    return browsers.launch(start, chromium=chromium, options=options)


def test_a_named_browser_starts(program: str) -> None:
    start = Starts()
    launch(start, program)

    assert start.asked[0]["executable_path"] == program


def test_the_environment_variable_names_one(monkeypatch: pytest.MonkeyPatch, program: str) -> None:
    monkeypatch.setenv(browsers.ENVIRONMENT_VARIABLE, program)
    start = Starts()
    launch(start)

    assert start.asked[0]["executable_path"] == program


def test_playwrights_own_comes_before_the_machines() -> None:
    start = Starts()
    launch(start)

    assert "executable_path" not in start.asked[0]


def test_without_playwrights_own_the_machines_starts(monkeypatch: pytest.MonkeyPatch, program: str) -> None:
    monkeypatch.setattr("shutil.which", lambda name: program if name == "chromium" else None)
    start = Starts("BrowserType.launch: Executable doesn't exist at /nowhere")
    launch(start)

    assert start.asked[-1]["executable_path"] == program


@pytest.mark.parametrize(
    ("options", "expected"), [({}, "chromium-headless-shell"), ({"headless": False}, "chromium")]
)
def test_the_shell_comes_first_unless_a_window_is_wanted(
    monkeypatch: pytest.MonkeyPatch, options: dict[str, Any], expected: str
) -> None:
    monkeypatch.setattr("shutil.which", lambda name: f"/somewhere/{name}")
    start = Starts("BrowserType.launch: Executable doesn't exist at /nowhere")
    launch(start, **options)

    assert start.asked[-1]["executable_path"] == f"/somewhere/{expected}"


@pytest.mark.parametrize(
    ("product", "expected"), [("HeadlessChrome/9.8", "9.8 headless shell"), ("Chrome/9.8", "9.8")]
)
def test_the_build_tells_the_shell_from_the_browser(
    monkeypatch: pytest.MonkeyPatch, product: str, expected: str
) -> None:
    monkeypatch.setitem(Session.answers, "Browser.getVersion", {"product": product})

    assert launch(Starts()).build == expected


@pytest.mark.parametrize(
    ("installed", "expected"),
    [(None, "the machine's"), ("chromium-9", None), ("chromium_headless_shell-9", None)],
)
def test_playwright_is_not_asked_for_what_it_does_not_have(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, installed: str | None, expected: str | None
) -> None:
    """It would leave folders behind; `playwright install` may install the shell without windows alone."""
    monkeypatch.setattr(browsers, "installed_chromium", lambda headless: "the machine's")
    if installed:
        (tmp_path / installed).mkdir()
    start = Starts()
    own = tmp_path / "chromium-9" / "chrome-linux64" / "chrome"

    browser_type = SimpleNamespace(name="chromium", executable_path=own, launch=start)
    browsers.starting(cast(BrowserType, browser_type))(args=["--some"])

    assert start.asked[0].get("executable_path") == expected
    assert start.asked[0]["args"] == ["--some"]


def test_without_any_the_three_ways_are_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("shutil.which", lambda name: None)

    with pytest.raises(BrowserNotFound) as caught:
        launch(Starts("BrowserType.launch: Executable doesn't exist at /nowhere"))

    for way in ("playwright install chromium", "installing chromium", "--design2a11y-chromium PATH"):
        assert way in str(caught.value)


def test_a_missing_folder_for_temporary_files_is_told_as_such() -> None:
    missing = "BrowserType.launch: ENOENT: no such file or directory, mkdtemp '/none/x'"

    with pytest.raises(BrowserNotFound, match=r"mkdtemp '/none/.*Let TMPDIR name a folder") as caught:
        launch(Starts(missing, missing))

    assert "playwright install" not in str(caught.value)


def test_a_named_browser_that_is_none_is_an_error() -> None:
    with pytest.raises(BrowserNotFound, match="/no/such/browser is not a program"):
        launch(Starts(), "/no/such/browser")


def test_a_start_script_is_replaced_by_the_browser(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, program: str
) -> None:
    real = tmp_path / "real"
    real.touch()
    monkeypatch.setitem(browsers.WRAPPED, program, str(real))
    start = Starts()
    launch(start, program)

    assert start.asked[0]["executable_path"] == str(real)


def test_the_users_own_executable_and_arguments_stay() -> None:
    start = Starts()
    launch(start, executable_path="/own", args=["--own-argument"])

    assert "executable_path" not in start.asked[0]
    assert "--own-argument" in start.asked[0]["args"]


def test_a_browser_without_network_keeps_so_whatever_the_user_asks_for() -> None:
    start = Starts()
    rules = "--host-resolver-rules=MAP * 127.0.0.1"
    browsers.launch(start, chromium=None, options={"args": [rules]}, is_hermetic=True)

    named = [argument for argument in start.asked[0]["args"] if argument.startswith("--host-resolver-rules")]
    assert named == [rules, "--host-resolver-rules=MAP * ~NOTFOUND"], "the last one counts"


def test_documents_and_addresses_have_browsers_of_their_own() -> None:
    start = Starts()
    pair = BrowserPair(start, chromium=None, options={}, patience=1.0)
    hermetic, other = pair.get(is_hermetic=True), pair.get(is_hermetic=False)

    assert pair.get(is_hermetic=True) is hermetic
    assert pair.get(is_hermetic=False) is other
    assert ["--host-resolver-rules=MAP * ~NOTFOUND" in asked["args"] for asked in start.asked] == [
        True,
        False,
    ]


def test_browsers_are_ended_where_ctrl_c_has_ended_playwright_before(monkeypatch: pytest.MonkeyPatch) -> None:
    """There is no event loop then that could close them."""
    ended: list[bool] = []
    monkeypatch.setattr(Watchdog, "end_browser", lambda _watchdog: ended.append(True))
    pair = BrowserPair(Starts(), chromium=None, options={}, patience=0.01)
    pair.get(is_hermetic=True)

    # In the main thread, the loop of a test before may still run.
    with ThreadPoolExecutor(1) as thread:
        thread.submit(pair.close).result()

    assert ended == [True]


@pytest.mark.parametrize("num_refusals", [0, 1])
def test_a_profile_that_windows_still_holds_is_removed_later(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, num_refusals: int
) -> None:
    """Playwright removes it, unless a process that ends, or a scanner for viruses, has a file of it open."""
    profile = tmp_path / "playwright_chromiumdev_profile-x"
    later: list[Callable[[], None]] = []
    (profile / "Default").mkdir(parents=True)
    remove, asked = shutil.rmtree, []

    def refused(path: Path, *, ignore_errors: bool) -> None:
        asked.append(path)
        if len(asked) > num_refusals:
            remove(path, ignore_errors=ignore_errors)

    def register(call: Callable[..., None], *arguments: Any, **more: Any) -> None:
        later.append(lambda: call(*arguments, **more))

    monkeypatch.setattr(browsers, "profile_of", lambda _process_id: profile)
    monkeypatch.setattr(browsers, "own_descendant", lambda process_id: process_id)
    monkeypatch.setattr(pairs, "bounded", lambda call, **_how: call())
    monkeypatch.setattr(shutil, "rmtree", refused)
    monkeypatch.setattr(atexit, "register", register)
    pair = BrowserPair(Starts(), chromium=None, options={}, patience=0.01)
    pair.get(is_hermetic=True)

    pair.close()

    assert len(later) == num_refusals
    for call in later:
        call()
    assert not profile.exists()


def test_the_proxy_refuses_by_itself() -> None:
    address = urlsplit(refusing_proxy()["server"])
    with pytest.raises(ConnectionRefusedError):
        socket.create_connection((address.hostname, address.port))
    with pytest.raises(OSError, match="in use"), socket.socket() as other:
        other.bind((address.hostname, address.port))


def test_the_sandbox_is_on_where_the_system_lets_us(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "geteuid", lambda: 1000)
    start = Starts()

    assert launch(start).has_sandbox
    assert start.asked[0]["chromium_sandbox"] is True


def test_without_a_usable_sandbox_the_browser_starts_without(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "geteuid", lambda: 1000)
    start = Starts("BrowserType.launch: No usable sandbox!")

    assert not launch(start).has_sandbox
    assert [asked["chromium_sandbox"] for asked in start.asked] == [True, False]


def test_a_browser_that_hangs_is_given_up_and_not_tried_again(monkeypatch: pytest.MonkeyPatch) -> None:
    """Playwright waits three minutes, which came twice where there is a sandbox."""
    monkeypatch.setattr(os, "geteuid", lambda: 1000)
    asked: list[dict[str, Any]] = []

    def hang(**options: Any) -> Any:
        asked.append(options)
        raise PlaywrightTimeoutError("BrowserType.launch: Timeout 60000ms exceeded.")

    with pytest.raises(BrowserNotFound, match=r"did not start: .* Timeout 60000ms"):
        browsers.launch(hang, chromium=None, options={})
    assert [options["timeout"] for options in asked] == [60_000]


def test_the_users_own_time_for_starting_stays() -> None:
    start = Starts()
    launch(start, timeout=5)

    assert "timeout" not in start.asked[0]


def test_root_has_no_sandbox(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "geteuid", lambda: 0)

    assert not launch(Starts()).has_sandbox


def test_another_kind_of_browser_is_refused() -> None:
    with pytest.raises(ConfigurationError, match=r"not with firefox.*--browser chromium"):
        launch(Starts(name="firefox"))


def test_a_process_that_is_not_ours_is_never_killed() -> None:
    assert launch(Starts()).process_id is None


def test_a_page_that_does_not_open_in_time_names_the_time(monkeypatch: pytest.MonkeyPatch) -> None:
    def abandoned(call: object, *, browser: object, seconds: float) -> None:
        raise TimeoutError

    monkeypatch.setattr(pages, "bounded", abandoned)
    pool = pages.PagePool(cast(Any, None))

    with pytest.raises(BrowserLost, match=r"does not open a page: no answer within 12 seconds\. "):
        pool.open(pages.PageOptions({}, is_answered=True), seconds=12.0)


def test_a_shared_page_has_all_of_a_pages_time_to_take_our_scripts(monkeypatch: pytest.MonkeyPatch) -> None:
    allowed: list[float] = []
    monkeypatch.setattr(pages, "bounded", lambda call, **_: call())
    monkeypatch.setattr(pages, "send_command", lambda *_, seconds: allowed.append(seconds))
    pool = pages.PagePool(MagicMock())
    pool._names["() => 1"] = "ours"

    blank = pool.open(pages.PageOptions({}, is_answered=False, language="en"), seconds=25.0)

    assert allowed == [25.0, 25.0]
    assert blank.library is not None
    assert blank.library.name_of("() => 1") == "ours"

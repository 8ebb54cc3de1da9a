"""Find a Chromium on this machine, and start it as safely as the system allows."""

import json
import os
import shutil
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, BrowserType
from playwright.sync_api import Error as PlaywrightError
from playwright.sync_api import TimeoutError as PlaywrightTimeoutError

from pytest_design2a11y.capture.browser.bounded import send_command
from pytest_design2a11y.capture.browser.machine import (
    ARGUMENTS,
    FONTS_ADVICE,
    HERMETIC_ARGUMENTS,
    UNWANTED,
    few_files,
    list_fonts,
    standard_places,
)
from pytest_design2a11y.capture.browser.pages import PagePool
from pytest_design2a11y.capture.browser.processes import own_descendant, profile_of
from pytest_design2a11y.exceptions import BrowserNotFound, CaptureError, ConfigurationError
from pytest_design2a11y.wording import flag

ENVIRONMENT_VARIABLE = "DESIGN2A11Y_CHROMIUM"

# Playwright would wait three minutes for a browser that hangs, and then again without the sandbox.
_START_SECONDS = 60

# The shell opens no windows, which makes a page a third cheaper.
HEADLESS_SHELLS = ("chromium-headless-shell", "chrome-headless-shell")

COMMANDS = (
    "chromium",
    "chromium-browser",
    "google-chrome",
    "google-chrome-stable",
    "microsoft-edge",
    "msedge",
)

# A distribution's start script adds flags of its own, which must not affect the page.
WRAPPED = {
    "/usr/bin/chromium": "/usr/lib/chromium/chromium",
    "/usr/bin/chromium-browser": "/usr/lib/chromium-browser/chromium-browser",
    "/usr/bin/chromium-headless-shell": "/usr/lib/chromium/chromium-headless-shell",
}

_THREE_WAYS = (
    "Get one by `playwright install chromium`, or by installing chromium-headless-shell, chromium, Google"
    " Chrome or Microsoft Edge,"
    " or name one with {} PATH or the environment variable {}."
)

TEMPORARY_FOLDER = "Let TMPDIR name a folder that exists and can be written to."


@dataclass(frozen=True)
class LaunchedBrowser:
    """A running browser and what is known about it."""

    browser: Browser  # Playwright's handle
    build: str  # Its version, and whether it is the shell that opens no windows; see `build_of`
    process_id: int | None  # Of the browser process; None if it runs elsewhere
    profile: Path | None  # The folder that Playwright creates for it and removes afterwards; None if unknown
    has_sandbox: bool  # Whether its renderers are sandboxed
    pages: PagePool  # Opens pages in it


def named_chromium(named: str | None) -> str | None:
    """Return the executable that the user names, by option or environment variable; None if neither."""
    named = named or os.environ.get(ENVIRONMENT_VARIABLE)
    if not named:
        return None
    if not (path := shutil.which(named)):
        raise BrowserNotFound(
            f"{named} is not a program that can be run.", stage="launch", advice=three_ways()
        )
    return _resolved(path)


def three_ways() -> str:
    """Return how to get a Chromium, or to name one."""
    return _THREE_WAYS.format(flag("chromium"), ENVIRONMENT_VARIABLE)


def installed_chromium(*, headless: bool = True) -> str:
    """Find a browser among this machine's commands, and in the places where installers put it."""
    commands = (*HEADLESS_SHELLS, *COMMANDS) if headless else COMMANDS
    programs = (*commands, *standard_places(sys.platform, os.environ))
    found = next(filter(None, map(shutil.which, programs)), None)
    if not found:
        raise BrowserNotFound("There is no Chromium on this machine.", stage="launch", advice=three_ways())
    return _resolved(found)


def starting(
    browser_type: BrowserType,
    *,
    options: Mapping[str, Any] | None = None,
    connect_options: Mapping[str, Any] | None = None,
) -> Callable[..., Browser]:
    """Make a function that starts Playwright's own browser, or the machine's if that is not installed.

    It does not simply try Playwright's first, which would leave folders behind. The function's arguments take
    precedence over the user's `options`. With `connect_options`, browsers are started elsewhere.
    """
    given = options or {}

    def start(**more: Any) -> Browser:
        chosen = {"headless": True, **given, **more}
        if connect_options:
            headers = {
                "x-playwright-launch-options": json.dumps(chosen),
                **(connect_options.get("headers") or {}),
            }
            return browser_type.connect(**{**connect_options, "headers": headers})
        return browser_type.launch(**{**chosen, **machines_own(browser_type, chosen)})

    return start


def machines_own(
    browser_type: Any, options: Mapping[str, Any], *, named: str | None = None
) -> dict[str, Any]:
    """Return launch options that make Playwright start the machine's Chromium if it has none of its own.

    The browser type is of either API; `named` is the user's choice if the `options` so far name none.
    """
    is_chosen = options.get("executable_path") or options.get("channel")
    if is_chosen or browser_type.name != "chromium" or has_own(browser_type):
        return {}
    is_headless = options.get("headless") is not False
    return {"executable_path": named_chromium(named) or installed_chromium(headless=is_headless)}


def has_own(browser_type: Any) -> bool:
    """Return whether Playwright has installed its Chromium, or its windowless shell."""
    path = Path(browser_type.executable_path)
    folder = next((folder for folder in path.parents if folder.name.startswith("chromium-")), path)
    shell = folder.with_name(folder.name.replace("chromium-", "chromium_headless_shell-"))
    return folder.exists() or shell.exists()


def _resolved(path: str) -> str:
    target = WRAPPED.get(path, path)
    return target if Path(target).exists() else path


def launch(
    start: Callable[..., Browser],
    *,
    chromium: str | None,
    options: Mapping[str, Any],
    is_hermetic: bool = False,
) -> LaunchedBrowser:
    """Start a browser, with its sandbox unless the system or the user forbids it; see `starting`.

    The arguments in the user's options are kept. A hermetic browser reaches no network at all.
    """
    last = HERMETIC_ARGUMENTS if is_hermetic else ()
    choice: dict[str, Any] = {"args": [*ARGUMENTS, *options.get("args", ()), *last]}
    if "timeout" not in options:
        choice["timeout"] = _START_SECONDS * 1000
    unwanted = options.get("ignore_default_args", ())
    if unwanted is not True:
        choice["ignore_default_args"] = [*unwanted, *UNWANTED]
    if not options.get("executable_path") and not options.get("channel"):
        executable = named_chromium(chromium)
        choice |= {"executable_path": executable} if executable else {}
    is_root = hasattr(os, "geteuid") and os.geteuid() == 0
    is_forbidden = "--no-sandbox" in choice["args"] or options.get("chromium_sandbox", True) is not True
    wants_sandbox = not is_root and not is_forbidden
    is_headless = options.get("headless") is not False
    browser, has_sandbox = _start(start, choice, sandbox=wants_sandbox, headless=is_headless)
    if browser.browser_type.name != "chromium":
        browser.close()
        raise ConfigurationError(
            f"Pages are captured with Chromium, not with {browser.browser_type.name}.",
            stage="launch",
            advice="Run with --browser chromium.",
        )
    processes = _asked(browser, "SystemInfo.getProcessInfo").get("processInfo", ())
    found = next((process["id"] for process in processes if process["type"] == "browser"), None)
    process_id = own_descendant(found) if found else None
    if process_id is not None and list_fonts() == ():
        browser.close()
        raise CaptureError("There are no fonts on this machine.", stage="launch", advice=FONTS_ADVICE)
    profile = profile_of(process_id) if process_id is not None else None
    return LaunchedBrowser(browser, build_of(browser), process_id, profile, has_sandbox, PagePool(browser))


def build_of(browser: Browser) -> str:
    """Return a browser's version, and whether it is the headless shell, whose pictures differ slightly."""
    is_shell = str(_asked(browser, "Browser.getVersion").get("product")).startswith("HeadlessChrome/")
    return f"{browser.version} headless shell" if is_shell else browser.version


def is_sandboxed(browser: Browser) -> bool:
    """Return whether a browser started elsewhere has its sandbox, if it reveals that."""
    command = _asked(browser, "SystemInfo.getInfo").get("commandLine")
    return command is not None and "--no-sandbox" not in command.split()


def _asked(browser: Browser, method: str) -> dict[str, Any]:
    """Return a browser's answer about itself; empty if it does not answer."""
    session = browser.new_browser_cdp_session()
    try:
        return send_command(session, method, seconds=10)
    except PlaywrightError:
        return {}
    finally:
        session.detach()


def _start(
    start: Callable[..., Browser], choice: dict[str, Any], *, sandbox: bool, headless: bool
) -> tuple[Browser, bool]:
    try:
        return start(**choice, chromium_sandbox=sandbox), sandbox
    except PlaywrightError as error:
        if "Executable doesn't exist" in error.message and "executable_path" not in choice:
            found = {**choice, "executable_path": installed_chromium(headless=headless)}
            return _start(start, found, sandbox=sandbox, headless=headless)
        if sandbox and not isinstance(error, PlaywrightTimeoutError):
            return _start(start, choice, sandbox=False, headless=headless)
        lines = (line.strip() for line in error.message.splitlines())
        reason = next(filter(None, lines), "no reason given")
        named = choice.get("executable_path")
        if "mkdtemp" in reason:
            advice = TEMPORARY_FOLDER
        elif few := few_files(error.message):
            advice = few
        elif named:
            advice = (
                f"If {named} is not a Chromium, name one with {flag('chromium')} or the environment"
                f" variable {ENVIRONMENT_VARIABLE}."
            )
        else:
            advice = three_ways()
        what = f"The browser did not start: {reason}"
        raise BrowserNotFound(what, stage="launch", advice=advice) from error

"""What this machine has for a browser, and the switches of one in which a page looks the same each time."""

import hashlib
import shutil
import subprocess
import sys
from collections.abc import Iterator, Mapping
from functools import cache

FONTS_ADVICE = (
    "Install some, such as by `apt-get install fonts-liberation fonts-noto-core`; where they are installed,"
    " look at what the environment variables FONTCONFIG_FILE and FONTCONFIG_PATH name."
)

# Seconds; the first listing after an installation reads every font.
_PATIENCE = 60


def list_fonts() -> tuple[str, ...] | None:
    """Return the font files of this machine, sorted; None if fontconfig is unavailable."""
    command = shutil.which("fc-list")
    if command is None or sys.platform != "linux":
        return None
    try:
        answer = subprocess.run([command, ":", "file"], capture_output=True, timeout=_PATIENCE, check=True)
    except (OSError, subprocess.SubprocessError):
        return None
    return tuple(sorted(answer.stdout.decode(errors="replace").splitlines()))


@cache
def fonts_digest() -> str | None:
    """Return a key of this machine's fonts; None if unknown."""
    fonts = list_fonts()
    return None if fonts is None else hashlib.sha256("\n".join(fonts).encode()).hexdigest()


_MAC = (
    "Chromium.app/Contents/MacOS/Chromium",
    "Google Chrome.app/Contents/MacOS/Google Chrome",
    "Microsoft Edge.app/Contents/MacOS/Microsoft Edge",
)
_WINDOWS = (
    r"Chromium\Application\chrome.exe",
    r"Google\Chrome\Application\chrome.exe",
    r"Microsoft\Edge\Application\msedge.exe",
)
_WINDOWS_FOLDERS = ("PROGRAMFILES", "PROGRAMFILES(X86)", "LOCALAPPDATA")


def standard_places(platform: str, environment: Mapping[str, str]) -> Iterator[str]:
    """Yield the usual paths of a system's browsers, preferred first; commands on Linux."""
    if platform == "darwin":
        folders = ["/Applications", *(f"{home}/Applications" for home in _known(environment, ("HOME",)))]
        yield from (f"{folder}/{program}" for program in _MAC for folder in folders)
    elif platform == "win32":
        folders = _known(environment, _WINDOWS_FOLDERS)
        yield from (f"{folder}\\{program}" for program in _WINDOWS for folder in folders)


def _known(environment: Mapping[str, str], names: tuple[str, ...]) -> list[str]:
    return [environment[name] for name in names if environment.get(name)]


#: Number of files that a browser and its driver need to have open.
_FEWEST_FILES = 256


def few_files(message: str = "") -> str:
    """Return advice if this process may open too few files for a browser; "" otherwise."""
    if sys.platform == "win32":  # It has no such limit.
        return ""
    else:  # noqa: RET505  # Types of the module are known on other systems only.
        from resource import RLIMIT_NOFILE, getrlimit

        number = getrlimit(RLIMIT_NOFILE)[0]
        if not 0 <= number < _FEWEST_FILES and "EMFILE" not in message:
            return ""
        advice = "too few for a browser: allow 1024 (ulimit -n 1024)."
        return f"Only {number} files may be open at a time, {advice}"


# The last occurrence of this switch counts. The first four are what Playwright sets for a headless
# browser; the last one makes animated images show only their first picture.
_BLINK_SETTINGS = (
    "primaryHoverType=2",
    "availableHoverTypes=2",
    "primaryPointerType=4",
    "availablePointerTypes=4",
    "imageAnimationPolicy=2",
)

# Here too only the last occurrence counts: what Playwright 1.65 turns off; address bar suggestions, for which
# a headless window would start two renderers with every page; and whatever shows frames late.
_DISABLED_FEATURES = (
    "AvoidUnnecessaryBeforeUnloadCheckSync",
    "DestroyProfileOnBrowserClose",
    "HttpsUpgrades",
    "HttpsFirstBalancedModeAutoEnable",
    "LensOverlay",
    "MediaRouter",
    "PaintHolding",
    "ThirdPartyStoragePartitioning",
    "AvoidCorsURLLoaderRestartOnRedirect",
    "TcpPortRandomizationWin",
    "OptimizationHints",
    "NetworkTimeServiceQuerying",
    "AimEnabled",
    "PreconnectToSearch",
    "WebUIOmniboxPopup",
    "WebUIOmniboxAimPopup",
    "WebUIOmniboxFullPopup",
    "PaintHoldingForIframes",
    "ThrottleUnimportantFrameRate",
    "ThrottleUnimportantFrameTimers",
    # Their requests go through the routing of the page that starts them.
    "SharedWorker",
)

_NO_DIRECT_WEBRTC = "--webrtc-ip-handling-policy=disable_non_proxied_udp"

ARGUMENTS = (
    f"--disable-features={','.join(_DISABLED_FEATURES)}",
    f"--blink-settings={','.join(_BLINK_SETTINGS)}",
    # All frames of a page run in one process, so that sandboxed and foreign ones can be read too. Pages are
    # separated by their contexts, and none has anything that another frame of it could steal.
    "--disable-site-isolation-trials",
    _NO_DIRECT_WEBRTC,
    # With small tiles, some of them kept from before the page was fully laid out, rounded corners differ by
    # one level of one color between shots.
    "--default-tile-width=2048",
    "--default-tile-height=2048",
    "--disable-partial-raster",
    "--hide-scrollbars",
    "--mute-audio",
    # Here too only the last occurrence counts. CSS's random() would make a page look different on every load;
    # without it, the page uses its fallback for older browsers.
    "--disable-blink-features=AutomationControlled,CSSRandomFunction",
)

# No name is resolved and no address reached, not even a proxy's: neither by page features other than requests
# (WebRTC, WebTransport, preconnect), nor by the browser itself. These come after the user's own arguments.
HERMETIC_ARGUMENTS = ("--host-resolver-rules=MAP * ~NOTFOUND", _NO_DIRECT_WEBRTC)

# Playwright lets pages open windows without a click.
UNWANTED = ("--disable-popup-blocking",)

"""Events while a page was open, as warnings."""

from bisect import insort
from collections import Counter
from dataclasses import dataclass, field
from urllib.parse import urlsplit

from pytest_design2a11y.models.page import CaptureWarning
from pytest_design2a11y.wording import command_flag, flag, listed, setting

MESSAGES = {
    "blocked_requests": "Requests and connections that leave the page's own site were blocked: {names}.",
    "refused_files": "Files that the page may not read (hidden ones, the design that it is compared with and "
    "its folder, links out of the site) were refused: {names}.",
    "missing_files": "Files that the page requests do not exist: {names}.",
    "unrecorded_assets": "Assets of other hosts are not recorded, or their files have changed: {names}.",
    "asset_versions": "Assets were answered by recordings whose address differs in its version: {names}.",
    "unreachable_hosts": "Hosts that are allowed gave no answer: {names}.",
    "asset_limits": "Files of other hosts were left out, which are too large (20 MB), too many (300) or, all "
    "together, take more than half of the page's time: {names}.",
    "load_limits": "The page requested more than a page may load, and did not get the rest: {names}.",
    "placeholders_drawn": "Plain pictures stand for placeholders: {names}.",
    "dialogs": "Dialogs that the page opened were dismissed: {names}.",
    "popups": "Windows that the page tried to open were refused.",
    "downloads": "Downloads that the page started were cancelled.",
    "navigations": "Attempts of the page to leave for another address were refused: {names}.",
    "unbuilt_scripts": "{names} could not run as it is: build the project (npm run build) and take dist/.",
    "js_errors": "Scripts of the page threw errors: {names}.",
    "load_unfinished": "The page was still loading or busy after its time, and was captured as it stood.",
    "timers_pending": "Timers of the page were still to come when it was frozen: after {names} ({settle}).",
    "requests_pending": "Requests were still open when the page was to be frozen: {names}"
    " ({timeout}, {settle}).",
    "scripts_stopped": "The page was still busy when it was to be captured, and its scripts were stopped.",
    "page_clipped": "The page is larger than what is captured: {names}.",
    "iframes_skipped": "Frames that could not be entered are seen in the screenshot only.",
    "hidden_overflow": "Parts of the page that scroll by themselves show only their beginning.",
    "unclosed_element": "An element without its end tag swallows what follows it: {names}.",
    "shadowing_names": "Fields whose names hide properties of their form were taken out of it: {names}.",
    "redirected": "The server answered with another page, {names}; behind a login, give it"
    " {storage_state} or {header}.",
    "quirks_mode": "The page has no doctype that puts the browser into standards mode.",
}


def _spelled() -> dict[str, str]:
    """Return the options that messages name, by the names of their places."""
    return {
        **{name: flag(name) for name in ("timeout", "assets", "allow_host")},
        **{name: setting(name) for name in ("settle", "storage_state", "root")},
        "header": command_flag("header"),
    }


# Maximum length of a reason: its first words, before a driver's own account.
MAX_REASON = 200


def nothing_shown() -> CaptureWarning:
    """Return the warning of a page without text that did not get all its files."""
    return CaptureWarning("nothing_shown", _NOTHING_SHOWN.format(**_spelled()))


def retried(reason: str) -> CaptureWarning:
    """Return the warning that the browser was lost, and why."""
    line = (reason.splitlines() or [""])[0][:MAX_REASON]
    message = f"The browser ended during the capture, which was done again in a new one: {line}"
    return CaptureWarning("retried", message)


UNCLOSED = CaptureWarning(
    "not_closed", "The page could not be closed after its capture, so its browser was ended."
)

#: Given once per run, on its first page.
UNWATCHED = CaptureWarning(
    "unwatched_browser",
    "The browser is not a process that was started here: its memory is not watched, and where it hangs it"
    " cannot be ended. Render untrusted pages with a browser on this machine.",
)

#: Codes of pages that did not get everything they requested.
NOT_SERVED = frozenset(
    {
        *("blocked_requests", "refused_files", "missing_files"),
        *("unrecorded_assets", "unreachable_hosts", "asset_limits", "load_limits"),
    }
)

#: Codes whose messages end with the hosts, and the ways to let pages have their files.
_WAYS_OUT = {
    "blocked_requests": " To have them in every run: design2a11y assets record PAGE {hosts} -o assets/, then "
    "{assets}=assets/; to fetch them in each run: {allow_host}.",
    "unrecorded_assets": " Record them: design2a11y assets record PAGE {hosts} -o FOLDER.",
}

_NOTHING_SHOWN = (
    "The page shows no text, and files that it requests were not served, so it was probably not "
    "rendered as intended. "
    "Where they are files of its site, name the folder that addresses start from: {root}."
)

# Dialogs, or attempts to leave: far more than on any page for people, and few enough to be over soon.
FLOOD = 20

_SHOWN = 5
_KEPT = 1_500  # As many as a page may request.
LENGTH = 120


@dataclass
class WarningLog:
    """Counts events on a page, under stable codes, with what they concern."""

    counts: Counter[str] = field(default_factory=Counter)  # How often, by code
    examples: dict[str, list[str]] = field(default_factory=dict)  # What they concern, by code and alphabet
    # Digests of the files that the page requested, by path of their address; None if missing
    files: dict[str, str | None] = field(default_factory=dict)
    num_fetched: int = 0  # Number of files fetched from opened hosts
    fetch_seconds: float = 0.0  # Time for these
    num_bytes: int = 0  # Size of all answers to the page
    is_repeatable: bool = True  # Whether everything that the page loaded came from its folder
    has_moving_picture: bool = False  # Whether it was given a picture that moves by itself
    mentions_moving: bool = False  # Whether an answer may contain such a picture
    # Requested addresses, without fragments, with what the browser takes them for, such as "script"
    asked: dict[str, str] = field(default_factory=dict)
    served: set[str] = field(default_factory=set)  # Those that were answered with something
    # Codes and addresses of requests that have been counted
    noted: set[tuple[str, str]] = field(default_factory=set)

    def note(self, code: str, example: str = "", *, times: int = 1) -> None:
        """Count events of a kind; `example` names them in the warning."""
        if not times:
            return
        self.counts[code] += times
        known = self.examples.setdefault(code, [])
        short = example if len(example) <= LENGTH else example[: LENGTH - 1] + "…"
        name = "".join(sign if sign.isprintable() else "\N{REPLACEMENT CHARACTER}" for sign in short)
        if name and name not in known:
            insort(known, name)  # By alphabet, not by time: requests come in any order.
            del known[_KEPT:]

    def named(self, code: str) -> str:
        """Return what the events of a kind concern, the first by alphabet; "" if nothing is named."""
        return listed(self.examples.get(code, ()), most=_SHOWN).removesuffix(".")

    def note_unbuilt(self, script: str) -> None:
        """Note a script that must be built before a browser can run it; the first one is enough."""
        if not self.counts["unbuilt_scripts"]:
            self.note("unbuilt_scripts", script)

    def note_request(self, code: str, address: str) -> None:
        """Count an unanswered request once: timing decides whether it is made again."""
        if (code, address) not in self.noted:
            self.noted.add((code, address))
            self.note(code, address)

    def warnings(self) -> tuple[CaptureWarning, ...]:
        """Return the counted events, in the table's order, which does not depend on timing."""
        found, spelled = [], _spelled()
        for code, message in MESSAGES.items():
            if self.counts[code]:
                names = self.examples.get(code, [])
                hosts = {urlsplit(name).hostname for name in names if name.startswith("http")}
                options = " ".join(f"--allow-host {host}" for host in sorted(filter(None, hosts)))
                way_out = _WAYS_OUT.get(code, "").format(hosts=options, **spelled) if options else ""
                text = message.format(names=self.named(code) or "unnamed", **spelled) + way_out
                found.append(CaptureWarning(code, text, self.counts[code], names=tuple(names)))
        return tuple(found)

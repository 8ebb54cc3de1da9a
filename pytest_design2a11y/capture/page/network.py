"""The requests of a page: those under way, those that scripts wait for, and the login that they carry."""

import json
from asyncio import CancelledError
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from http import HTTPStatus
from typing import Any, cast
from urllib.parse import urljoin, urlsplit

from playwright.sync_api import CDPSession, Frame, Request, Route
from playwright.sync_api import Error as PlaywrightError

from pytest_design2a11y.capture.isolation import HostClient
from pytest_design2a11y.capture.limits import CaptureLimits
from pytest_design2a11y.capture.warning_log import WarningLog
from pytest_design2a11y.exceptions import ConfigurationError

# Scripts continue in the order in which these are answered.
AWAITED = frozenset({"fetch", "xhr", "script", "other"})
# Requests that end late or never, and those no script waits for.
UNENDING = frozenset({"EventSource", "WebSocket", "Media", "Ping", "Preflight", "Other"})

#: Requests that one page may make; one more ends its capture.
MAX_REQUESTS = 1_500
#: The same limit for the renderer's events, which arrive earlier and include answers from its memory cache.
MAX_REPORTED = 6_000
TOO_MANY = f"made more than {MAX_REQUESTS:,} requests"

Handler = Callable[[Route, Request], None]


@dataclass
class Traffic:
    """The requests of a page: passes those that scripts wait for one at a time, and tracks those under way.

    Requests still held when the page is frozen are never answered: promises go on though scripts are stopped.
    """

    answer: Handler  # Answers a request
    main_frame: str = ""  # The protocol's id of the page's main frame
    worker_prefix: str = ""  # Prepended to the script of every worker
    has_loaded: bool = False  # Whether the page has loaded; until then requests for scripts pass at once
    is_open: bool = False  # Whether everything passes
    urgent: set[str] = field(default_factory=set)  # Addresses of requests that block a script
    workers: set[str] = field(default_factory=set)  # Addresses of the scripts of workers
    # Requests that wait, in order of arrival
    held: list[tuple[Route, Request]] = field(default_factory=list)
    # Called with a description if there are too many; later requests are never answered
    flooded: Callable[[str], None] = lambda _: None
    num_arrived: int = 0  # Requests of the page so far
    num_reported: int = 0  # Those that its renderer reported
    # Address and frame of each request under way, by the protocol's request id
    under_way: dict[str, tuple[str, str]] = field(default_factory=dict)
    # Returns whether the page's time is used up; then nothing more is read or sent
    is_over: Callable[[], bool] = lambda: False

    def release(self) -> str:
        """Let through the request that has waited longest; return its address without the query."""
        route, request = self.held.pop(0)
        self._pass(route, request)
        return _bare(request.url).partition("?")[0]

    def hurry(self, address: str) -> None:
        """Let requests for an address pass at once, including earlier ones that are still held."""
        self.urgent.add(address)
        waiting = [(route, request) for route, request in self.held if _bare(request.url) == address]
        self.held = [held for held in self.held if held not in waiting]
        for route, request in waiting:
            self._pass(route, request)

    def arrive(self, route: Route, request: Request) -> None:
        """Let a request pass, or hold it."""
        self.num_arrived += 1
        if self.num_arrived > MAX_REQUESTS:
            self.flooded(TOO_MANY)
        elif self.is_over():
            with suppress(PlaywrightError, CancelledError):
                route.abort()
        elif (
            not self.is_open
            and request.resource_type in AWAITED
            and _bare(request.url) not in self.urgent
            and (self.has_loaded or request.resource_type in ("fetch", "xhr"))
        ):
            self.held.append((route, request))
        else:
            # Abandoning a call also cancels the answers under way (see `bounded`).
            with suppress(CancelledError):
                self._pass(route, request)

    def _pass(self, route: Route, request: Request) -> None:
        is_worker = _bare(request.url) in self.workers and request.resource_type == "script"
        self.answer(cast(Route, WorkerRoute(route, self.worker_prefix)) if is_worker else route, request)

    def listen(self, session: CDPSession) -> None:
        """Follow the requests from now on."""
        session.on("Network.requestWillBeSent", self._began)
        session.on("Network.loadingFinished", self._ended)
        session.on("Network.loadingFailed", self._ended)
        session.on("Page.frameDetached", self._left)

    def moving(self) -> list[str]:
        """Return the ids of the requests that are neither held nor ended."""
        held = {_bare(request.url) for _, request in self.held}
        return [number for number, (address, _) in self.under_way.items() if address not in held]

    def _began(self, event: dict[str, Any]) -> None:
        request, kind, frame = event["request"], event.get("type"), event.get("frameId", "")
        address = _bare(request["url"])
        self.num_reported += address.startswith("http")
        if self.num_reported > MAX_REPORTED:
            self.flooded(TOO_MANY)
            return
        if kind == "XHR" and request.get("initialPriority") == "VeryHigh":
            # Only synchronous requests have this priority.
            self.hurry(address)
        # Their ends are reported elsewhere: a page's by its load event, a worker script's in the worker.
        is_page = kind == "Document" and frame == self.main_frame
        is_worker = kind == "Script" and address == _bare(event["documentURL"])
        if is_worker:
            self.workers.add(address)
        if kind not in UNENDING and not is_page and not is_worker and address.startswith("http"):
            self.under_way[event["requestId"]] = (address, frame)

    def _ended(self, event: dict[str, Any]) -> None:
        self.under_way.pop(event["requestId"], None)

    def _left(self, event: dict[str, Any]) -> None:
        gone = event["frameId"]
        self.under_way = {number: sent for number, sent in self.under_way.items() if sent[1] != gone}


@dataclass(frozen=True)
class WorkerRoute:
    """The route of a request for a worker's script: prepends our script to the answer."""

    route: Route  # Playwright's
    prefix: str  # Our script

    def fulfill(self, *, body: str | bytes | None = None, status: int | None = None, **answer: Any) -> None:
        """Handler with a script of the page's site, or with an error unchanged."""
        content = body.encode() if isinstance(body, str) else body
        if content is not None and (status or HTTPStatus.OK) < HTTPStatus.MULTIPLE_CHOICES:
            content = self.prefix.encode() + content
        self.route.fulfill(body=content, status=status, **answer)

    def continue_(self) -> None:
        """Fetch the script from the network, and answer with it."""
        response = self.route.fetch()
        body = self.prefix.encode() + response.body() if response.ok else response.body()
        self.route.fulfill(response=response, body=body)

    def abort(self, error_code: str | None = None) -> None:
        """Refuse the request."""
        self.route.abort(error_code)


def pass_on(route: Route, request: Request) -> None:
    """Pass a request on to the network, if the user gave an address."""
    with suppress(PlaywrightError):
        route.continue_()


def refuse_leaving(answer: Handler, frame: Frame, log: WarningLog) -> Handler:
    """Wrap `answer` so that a page which has arrived stays at its own address."""

    def keep(route: Route, request: Request) -> None:
        with suppress(PlaywrightError):
            if request.is_navigation_request() and request.frame == frame:
                log.note("navigations", request.url)
                route.fulfill(status=HTTPStatus.NO_CONTENT)
                return
        answer(route, request)

    return keep


def _bare(address: str) -> str:
    return address.partition("#")[0]


_MOST_REDIRECTS = 20


def hosts_of(limits: CaptureLimits, url: str) -> HostClient:
    """Return the hosts that may see the login: those opened by name, else the address's own."""
    host = urlsplit(url).netloc.rpartition("@")[2].lower()
    default_port = {"http": 80, "https": 443}.get(urlsplit(url).scheme)
    return HostClient(limits.allow_host or ((host if urlsplit(url).port else f"{host}:{default_port}"),))


def stored_login(limits: CaptureLimits, url: str) -> dict[str, Any]:
    """Return Playwright's option with the cookies and storage of named hosts; else ConfigurationError."""
    if limits.storage_state is None:
        return {}
    hosts = hosts_of(limits, url)
    names = [name.partition(":")[0] if name.count(":") == 1 else name for name in hosts.names]
    try:
        kept = json.loads(limits.storage_state.read_text(encoding="utf-8"))
        cookies = [cookie for cookie in kept.get("cookies", ()) if _is_named(names, cookie["domain"])]
        origins = [origin for origin in kept.get("origins", ()) if hosts.allows(origin["origin"])]
    except (OSError, ValueError, LookupError, TypeError, AttributeError) as error:
        raise ConfigurationError(
            f"{limits.storage_state} is not a Playwright storage state: {type(error).__name__}.",
            advice="Write one by context.storage_state(path=...), or playwright codegen --save-storage.",
        ) from None
    return {"storage_state": {"cookies": cookies, "origins": origins}}


def _is_named(names: Sequence[str], domain: str) -> bool:
    """Return whether a cookie's domain is a named host, or a parent domain of one."""
    bare = domain.lstrip(".").lower()
    return any(name == bare or (domain.startswith(".") and name.endswith(f".{bare}")) for name in names)


def passing_on(limits: CaptureLimits, url: str) -> Callable[[Route, Request], None]:
    """Return a handler that passes requests on to the network, adding the user's headers for named hosts."""
    if not limits.header:
        return pass_on
    hosts, more = hosts_of(limits, url), {name.lower(): value for name, value in limits.header}

    def answer(route: Route, request: Request) -> None:
        if not isinstance(route, Route) or not hosts.allows(request.url):
            pass_on(route, request)
            return
        headers = {**request.headers, **more}
        with suppress(PlaywrightError):
            response = route.fetch(headers=headers, max_redirects=0)
            # A page that is handed over, not loaded, may ask nothing of this machine's servers; and a header
            # passed to `continue_` goes along every redirect, wherever it leads.
            is_loaded = request.is_navigation_request() or 300 <= response.status < 400
            if is_loaded and _stays(route, headers, response.headers, request.url, hosts):
                route.continue_(headers=headers)
            else:
                route.fulfill(response=response)
            return
        with suppress(PlaywrightError):
            route.abort()

    return answer


def _stays(
    route: Route, headers: dict[str, str], answered: dict[str, str], url: str, hosts: HostClient
) -> bool:
    """Return whether redirects end on named hosts, by following them."""
    for _ in range(_MOST_REDIRECTS):
        if "location" not in answered:
            return True
        url = urljoin(url, answered["location"])
        if not hosts.allows(url):
            return False
        response = route.fetch(url=url, method="GET", headers=headers, max_redirects=0)
        answered = response.headers if 300 <= response.status < 400 else {}
    return False

"""The requests of a page: which are under way, and a queue for those that its scripts wait for."""

from __future__ import annotations

from asyncio import CancelledError
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from http import HTTPStatus
from typing import Any, cast

from playwright.sync_api import CDPSession, Frame, Request, Route
from playwright.sync_api import Error as PlaywrightError

from pytest_design2a11y.capture.warning_log import WarningLog

# Scripts continue in the order in which these are answered.
AWAITED = frozenset({"fetch", "xhr", "script", "other"})
# What ends late or never, and what no script waits for.
UNENDING = frozenset({"EventSource", "WebSocket", "Media", "Ping", "Preflight", "Other"})

#: What one page may ask for; with one more its capture ends.
MAX_REQUESTS = 1_500
#: The same limit for the renderer's events, which arrive earlier and include what comes from its memory.
MAX_TOLD = 6_000
TOO_MANY = f"made more than {MAX_REQUESTS:,} requests"

Answer = Callable[[Route, Request], None]


@dataclass
class RequestQueue:
    """Stands before what answers a page's requests, and lets those pass one by one that scripts wait for.

    What still waits when the page is frozen is never answered: promises go on though scripts are stopped.
    """

    answer: Answer  # Answers a request
    worker_prefix: str = ""  # What goes before the script of every worker
    has_loaded: bool = False  # Whether the page has loaded; until then its scripts pass at once
    is_open: bool = False  # Whether everything passes
    urgent: set[str] = field(default_factory=set)  # Addresses of requests for which a script stands still
    workers: set[str] = field(default_factory=set)  # Addresses of the scripts of workers
    # Requests that wait, in the order in which they came
    held: list[tuple[Route, Request]] = field(default_factory=list)
    # Called with what happened where there are too many; those after it are never answered
    flooded: Callable[[str], None] = lambda _: None
    num_arrived: int = 0  # Requests of the page so far
    # Tells whether the page's time is spent; then nothing is read and sent any more
    is_over: Callable[[], bool] = lambda: False

    def release(self) -> str:
        """Let the request pass that has waited longest; return its address without the query."""
        route, request = self.held.pop(0)
        self._pass(route, request)
        return _bare(request.url).partition("?")[0]

    def hurry(self, address: str) -> None:
        """Let requests of an address pass at once, those too that came before it was known to be urgent."""
        self.urgent.add(address)
        waiting = [(route, request) for route, request in self.held if _bare(request.url) == address]
        self.held = [one for one in self.held if one not in waiting]
        for route, request in waiting:
            self._pass(route, request)

    def addresses(self) -> list[str]:
        """Return the addresses of the requests that wait."""
        return [_bare(request.url) for _, request in self.held]

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
            # What gives up a call cancels the answers under way, too (see `bounded`).
            with suppress(CancelledError):
                self._pass(route, request)

    def _pass(self, route: Route, request: Request) -> None:
        is_worker = _bare(request.url) in self.workers and request.resource_type == "script"
        self.answer(cast(Route, WorkerRoute(route, self.worker_prefix)) if is_worker else route, request)


@dataclass
class Traffic:
    """The requests of a page that have begun and not ended, as its renderer tells."""

    request_queue: RequestQueue  # Learns which requests cannot wait
    main_frame: str  # The protocol's name of the page's main frame
    # Address and frame of each, by the protocol's number of the request
    open: dict[str, tuple[str, str]] = field(default_factory=dict)
    num_told: int = 0  # Requests so far

    def listen(self, session: CDPSession) -> None:
        """Follow the requests from now on."""
        session.on("Network.requestWillBeSent", self._began)
        session.on("Network.loadingFinished", self._ended)
        session.on("Network.loadingFailed", self._ended)
        session.on("Page.frameDetached", self._left)

    def moving(self) -> list[str]:
        """Return the numbers of the requests that are neither held nor ended."""
        held = set(self.request_queue.addresses())
        return [number for number, (address, _) in self.open.items() if address not in held]

    def _began(self, event: dict[str, Any]) -> None:
        request, kind, frame = event["request"], event.get("type"), event.get("frameId", "")
        address = _bare(request["url"])
        self.num_told += address.startswith("http")
        if self.num_told > MAX_TOLD:
            self.request_queue.flooded(TOO_MANY)
            return
        if kind == "XHR" and request.get("initialPriority") == "VeryHigh":
            # Only one that is not asynchronous is so urgent.
            self.request_queue.hurry(address)
        # The ends of these are told elsewhere: a page's by its loading, a worker's script in the worker.
        is_page = kind == "Document" and frame == self.main_frame
        is_worker = kind == "Script" and address == _bare(event["documentURL"])
        if is_worker:
            self.request_queue.workers.add(address)
        if kind not in UNENDING and not is_page and not is_worker and address.startswith("http"):
            self.open[event["requestId"]] = (address, frame)

    def _ended(self, event: dict[str, Any]) -> None:
        self.open.pop(event["requestId"], None)

    def _left(self, event: dict[str, Any]) -> None:
        self.open = {number: one for number, one in self.open.items() if one[1] != event["frameId"]}


@dataclass(frozen=True)
class WorkerRoute:
    """The route of a request for a worker's script: what it is answered with begins with ours."""

    route: Route  # Playwright's
    prefix: str  # Our script

    def fulfill(self, *, body: str | bytes | None = None, status: int | None = None, **answer: Any) -> None:
        """Answer with a script of the page's site, or with an error as it is."""
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
    """Leave a request to the network, where the user gave an address."""
    with suppress(PlaywrightError):
        route.continue_()


def refuse_leaving(answer: Answer, frame: Frame, log: WarningLog) -> Answer:
    """Return what answers as `answer` does, and keeps a page that has arrived at its own address."""

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

"""What every hostile page goes through: bounded and alone; the last of a file twice, then a harmless one."""

from __future__ import annotations

import socket
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from functools import cache
from typing import TYPE_CHECKING, Any

import pytest

from pytest_design2a11y.exceptions import Design2a11yError
from pytest_design2a11y.models.audit import AuditChoice
from pytest_design2a11y.models.page import Capture, Document

if TYPE_CHECKING:
    from pytest_design2a11y.capture.renderer import Renderer

TIMEOUT = 15.0
# Beyond the page's own time: starting a browser, closing the page, a busy machine.
ALLOWANCE = 15.0

# Said of pages that are written shortly here, and beside the point.
HARMLESS = {"quirks_mode", "js_errors"}
# Said where the page was not done in its time, which depends on the machine, too.
SLOW = {"load_unfinished", "scripts_stopped"}

PAGE = "<!doctype html><html lang=en><title>Case</title><body><h1>Shown</h1>{}</body></html>"

NEXT_PAGE = b"<!doctype html><html lang=en><title>Next</title><main><h1>The next page</h1><p>as usual</main>"


@dataclass
class Logger:
    """Counts whatever arrives on one loopback port, by TCP and by UDP."""

    port: int = 0
    packets: list[str] = field(default_factory=list)

    def serve(self) -> Callable[[], None]:
        """Start listening; give what stops it."""
        stream = socket.create_server(("127.0.0.1", 0))
        self.port = stream.getsockname()[1]
        datagrams = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        datagrams.bind(("127.0.0.1", self.port))
        threading.Thread(target=self._accept, args=(stream,), daemon=True).start()
        threading.Thread(target=self._receive, args=(datagrams,), daemon=True).start()

        def stop() -> None:
            for listening in (stream, datagrams):
                listening.close()

        return stop

    def _accept(self, stream: socket.socket) -> None:
        while True:
            try:
                connection, _ = stream.accept()
            except OSError:
                return
            self.packets.append("tcp")
            connection.close()

    def _receive(self, datagrams: socket.socket) -> None:
        while True:
            try:
                datagrams.recvfrom(2048)
            except OSError:
                return
            self.packets.append("udp")


@pytest.fixture(scope="session")
def logger() -> Iterator[Logger]:
    opened = Logger()
    stop = opened.serve()
    yield opened
    stop()


@dataclass
class Trial:
    """Captures pages and checks what must hold for every one of them.

    A page without an <html> tag is put into the body of one that shows "Shown"; @PORT@ is the logger's.
    """

    renderers: dict[bool, Renderer]
    logger: Logger
    usual: Capture
    record: Callable[[str, object], None]
    batch: list[Callable[[], None]]  # What checks the last page once more, after all of its file

    def with_renderer(self, renderer: Renderer) -> Trial:
        """Put pages through a renderer with settings of its own."""
        return replace(self, renderers=dict.fromkeys((True, False), renderer))

    def scored(self, page: str | bytes | Document, *codes: str, shows: str = "Shown", **how: bool) -> Capture:
        """Capture a page that must be scored, with these warnings and no others, showing this text.

        A machine with other work to do may add that the page was slow.
        """
        outcome = self.put_through(page, **how)
        if isinstance(outcome, Design2a11yError):
            raise outcome
        found = {warning.code for warning in outcome.warnings} - HARMLESS
        assert set(codes) <= found <= set(codes) | SLOW
        assert shows in " ".join(run.text for run in outcome.text_runs)
        return outcome

    def refused(
        self,
        page: str | bytes | Document,
        error: type[Design2a11yError],
        *words: str,
        **how: bool,
    ) -> Design2a11yError:
        """Capture a page that must be refused with this error, whose message has these words."""
        outcome = self.put_through(page, **how)
        assert isinstance(outcome, error), f"not refused but {outcome!r}"
        for word in words:
            assert word in str(outcome)
        return outcome

    def put_through(
        self, page: str | bytes | Document, *, javascript: bool = True, audit: bool = False
    ) -> Capture | Design2a11yError:
        """Capture a page; give what came of it, a capture or an error."""
        first = self.read(page, javascript=javascript, audit=audit)

        def repeat() -> None:
            second = self.read(page, javascript=javascript, audit=audit)
            assert _essence(first) == _essence(second), f"two captures differ {_lost(first) + _lost(second)}"
            following = self._capture(_document(NEXT_PAGE), javascript, audit=False)
            assert _essence(following) == _essence(self.usual), (
                f"the next page is not as usual {_lost(following)}"
            )

        self.batch[:] = [repeat]
        return first

    def read(
        self, page: str | bytes | Document, *, javascript: bool = True, audit: bool = False
    ) -> Capture | Design2a11yError:
        """Capture a page in its time; give what came of it, a capture or an error."""
        document = page if isinstance(page, Document) else self._document(page)
        began = time.monotonic()
        outcome = self._capture(document, javascript, audit)
        seconds = time.monotonic() - began
        assert seconds < TIMEOUT + ALLOWANCE, "over the budget"
        self._report(outcome, seconds)
        return outcome

    def _document(self, page: str | bytes) -> Document:
        if isinstance(page, str):
            page = (page if "<html" in page else PAGE.format(page)).encode("utf-8", "surrogatepass")
        return _document(page.replace(b"@PORT@", str(self.logger.port).encode()))

    def _report(self, outcome: Capture | Design2a11yError, seconds: float) -> None:
        self.record("seconds", round(seconds, 2))
        if isinstance(outcome, Design2a11yError):
            self.record("outcome", type(outcome).__name__)
        else:
            codes = sorted({warning.code for warning in outcome.warnings})
            problem = [type(outcome.audit_error).__name__] if outcome.audit_error else []
            self.record("outcome", " ".join(["scored", *problem, *codes]))
        self.record("packets", len(self.logger.packets))

    def _capture(self, document: Document, javascript: bool, audit: bool) -> Capture | Design2a11yError:
        choice = AuditChoice() if audit else None
        outcome: Capture | Design2a11yError
        try:
            outcome = self.renderers[javascript].capture(document, role="candidate", audit=choice)
        except Design2a11yError as error:
            outcome = error
        assert self.logger.packets == [], "something reached the network"
        return outcome


def _lost(outcome: Capture | Design2a11yError) -> list[str]:
    """Tell why a page was captured again in a new browser."""
    warnings = () if isinstance(outcome, Design2a11yError) else outcome.warnings
    return [warning.message for warning in warnings if warning.code == "retried"]


def _document(html: bytes) -> Document:
    return Document(label="<html>", html=html)


def _essence(outcome: Capture | Design2a11yError) -> tuple[Any, ...]:
    if isinstance(outcome, Design2a11yError):
        return type(outcome), outcome.stage
    codes = [warning.code for warning in outcome.warnings if warning.code not in SLOW]
    problem = outcome.audit_error and type(outcome.audit_error)
    return outcome.screenshot.pixels.tobytes(), outcome.text_runs, outcome.audit, problem, codes


@pytest.fixture(scope="session")
def renderers(make_renderer: Callable[..., Renderer]) -> dict[bool, Renderer]:
    """One renderer that runs scripts, and one that does not."""
    return {javascript: make_renderer(timeout=TIMEOUT, javascript=javascript) for javascript in (True, False)}


@pytest.fixture(scope="session")
def renderer_of(make_renderer: Callable[..., Renderer]) -> Callable[[float], Renderer]:
    """Gives a renderer that leaves pages so many seconds, the same one each time."""
    return cache(lambda seconds: make_renderer(timeout=seconds))


@pytest.fixture(scope="session")
def usual(renderers: dict[bool, Renderer]) -> Capture:
    """What a harmless page looks like in a browser that has seen no other."""
    return renderers[True].capture(_document(NEXT_PAGE), role="candidate", audit=None)


@pytest.fixture(scope="module")
def batch(usual: Capture) -> Iterator[list[Callable[[], None]]]:
    """Repeats the last page of a file, and captures a harmless one after all of them."""
    checks: list[Callable[[], None]] = []
    yield checks
    for check in checks:
        check()


@pytest.fixture
def record(request: pytest.FixtureRequest) -> Callable[[str, object], None]:
    """Tells the JUnit report, from which the table of cases is made, what came of a page."""
    # pytest's own record_property warns with every report of today's format.
    return lambda name, value: request.node.user_properties.append((name, value))


@pytest.fixture
def trial(
    renderers: dict[bool, Renderer],
    logger: Logger,
    usual: Capture,
    record: Callable[[str, object], None],
    batch: list[Callable[[], None]],
) -> Trial:
    """Puts a page through everything; see `Trial`."""
    return Trial(renderers, logger, usual, record, batch)

"""What a tool is called with, what it may read, and how it answers; one session measures for all."""

import asyncio
import inspect
import threading
import time
from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Annotated, Any, TypedDict, TypeVar, get_args, get_type_hints
from urllib.parse import unquote, urlsplit

from mcp.server.mcpserver import Context
from mcp.server.mcpserver.exceptions import ToolError
from mcp.server.mcpserver.resolve import ListRoots, Resolve
from mcp_types import CallToolResult, ListRootsResult, TextContent
from pydantic import Field

from pytest_design2a11y.agents import answers
from pytest_design2a11y.exceptions import ConfigurationError, Design2a11yError
from pytest_design2a11y.files import label_from
from pytest_design2a11y.models.evaluation import Evaluation
from pytest_design2a11y.models.page import Answer
from pytest_design2a11y.settings import CALL_FIELDS, Settings
from pytest_design2a11y.source.files import kind_of, path_of_file_url

if TYPE_CHECKING:
    from pytest_design2a11y.capture.renderer import Renderer
    from pytest_design2a11y.measuring.browser_thread import BrowserThread
    from pytest_design2a11y.models.page import Capture

T = TypeVar("T")

#: Is told how many seconds of how many have passed.
Told = Callable[[float, float], Awaitable[None]]

#: Seconds between two messages on progress.
_BETWEEN = 1.0


class Session:
    """Measures pages for one client, one after the other; it writes into a temporary folder only."""

    def __init__(self, settings: Settings) -> None:
        """Prepare, without starting a browser yet."""
        self._temporary = TemporaryDirectory(prefix="design2a11y-")
        self.pictures = Path(self._temporary.name, "pictures")
        self.settings = replace(
            settings, cache_folder=Path(self._temporary.name, "cache"), picture_folder=None
        )
        self._thread: BrowserThread | None = None

    def close(self) -> None:
        """End the browser."""
        if self._thread is not None:
            self._thread.close()
        self._temporary.cleanup()

    def _open_thread(self) -> "BrowserThread":
        # Its imports would be half of the server's start.
        from pytest_design2a11y.measuring.browser_thread import BrowserThread

        self._thread = self._thread or BrowserThread(self.settings)
        return self._thread

    async def measure(
        self,
        page: str,
        design: str | None,
        choice: Mapping[str, Any],
        told: Told,
        *,
        has_pictures: bool = False,
    ) -> Evaluation:
        """Return the evaluation of a page, with its verdicts, and its pictures if they are needed."""
        from pytest_design2a11y.limits import judge
        from pytest_design2a11y.measuring.executors.serial import score_pair
        from pytest_design2a11y.measuring.pairs import Pair, along_variants
        from pytest_design2a11y.models.verdicts import Subject

        settings = replace(self.settings, picture_folder=self.pictures) if has_pictures else self.settings
        given = {name: value for name, value in choice.items() if value and name in CALL_FIELDS}
        name = "<html>" if isinstance(page, Answer) else label_from(Path.cwd(), Path(page)) or page
        pair = Pair(Subject(name, ""), design, page, Path.cwd(), choices=given)
        (variant,) = along_variants([pair], settings)
        evaluation = await self.run(
            lambda renderer: score_pair(variant, renderer=renderer, settings=settings), told
        )
        return judge(evaluation, settings.limits_on(evaluation.case)).evaluation

    async def capture(self, design: str, choice: Mapping[str, Any], told: Told) -> "Capture":
        """Return the capture of a design."""
        from pytest_design2a11y.measuring.sources import capture_source

        settings = self.settings.with_choices({name: value for name, value in choice.items() if value})
        how: dict[str, Any] = {"role": "reference", "settings": settings, "folders": (Path.cwd(),)}
        return await self.run(lambda renderer: capture_source(design, renderer=renderer, **how), told)

    async def run(self, work: "Callable[[Renderer], T]", told: Told) -> T:
        """Return the result of work in the browser's thread; if the call is cancelled, the page ends."""
        started = time.monotonic()
        while True:
            thread = self._open_thread()
            future = thread.submit(work)
            waiting = asyncio.wrap_future(future)
            try:
                while not waiting.done():
                    await asyncio.wait([waiting], timeout=_BETWEEN)
                    await told(time.monotonic() - started, self.settings.capture.timeout)
            except asyncio.CancelledError:
                if not future.cancel() and thread is self._thread:
                    # Only closing the browser ends a page; what waits behind it goes to the next one.
                    self._thread = None
                    threading.Thread(target=thread.close, name="design2a11y-abandoned").start()
                raise
            if not waiting.cancelled():
                return waiting.result()


def client_roots(context: Context) -> ListRoots | None:
    """Return the request for the client's folders, if it has any to give."""
    known = context.client_capabilities
    return ListRoots() if known is not None and known.roots is not None else None


Roots = Annotated[ListRootsResult | None, Resolve(client_roots)]
Design = Annotated[
    str, Field(description="Path or allowed address of the design: a page or a picture of one")
]
Part = Annotated[str, Field(description="CSS selector of the only part that counts")]
Save = Annotated[str, Field(description="Name of a run to save, for compare_runs and list_runs")]
RunName = Annotated[str, Field(description="Name of a saved run")]


class Looks(TypedDict, total=False):
    """How pages are rendered, which every tool that renders takes."""

    viewport: Annotated[str, Field(description="Window, such as 1280x720 or 375x812@3+mobile")]
    scheme: Annotated[str, Field(description="light or dark")]


class OnePage(Looks, total=False):
    """The page that a tool is about, and how it is rendered."""

    page: Annotated[str, Field(description="Path or allowed address of the generated page")]
    html: Annotated[str, Field(description="The generated page's HTML, instead of `page`")]


Tool = TypeVar("Tool", bound=Callable[..., Any])


def flat(tool: Tool) -> Tool:
    """Give a tool the keys of its `**given` as parameters, from which the SDK makes its schema."""
    signature = inspect.signature(tool, eval_str=True)
    *kept, given = signature.parameters.values()
    keys = get_type_hints(get_args(given.annotation)[0], include_extras=True)
    more = [
        inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=get_args(key)[0](), annotation=key)
        for name, key in keys.items()
    ]
    tool.__signature__ = signature.replace(parameters=[*kept, *more])  # type: ignore[attr-defined]
    return tool


class ToolSet:
    """Tools that measure in one session."""

    def __init__(self, session: Session) -> None:
        """Keep the session that measures."""
        self._session = session

    def _source(self, source: str, roots: ListRootsResult | None) -> str:
        folders = folders_of(str(root.uri) for root in roots.roots) if roots else []
        return checked_source(source, folders or [Path.cwd()], self._session.settings.capture.allow_host)

    def _page(self, given: OnePage, roots: ListRootsResult | None) -> str:
        page, html = given.get("page", ""), given.get("html", "")
        if bool(page) == bool(html):
            raise ToolError("Give the page as either page (a path or address) or html (its text).")
        return Answer(html) if html else self._source(page, roots)

    def _settings(self, given: OnePage) -> Settings:
        """Return how a page is rendered that stays open."""
        choices = {name: value for name, value in given.items() if value and name in CALL_FIELDS}
        return self._session.settings.with_choices(choices)

    async def _measured(
        self,
        context: Context,
        roots: ListRootsResult | None,
        design: str | None,
        given: OnePage,
        *,
        has_pictures: bool = False,
    ) -> Evaluation:
        with told_errors():
            source = self._page(given, roots)
            reference = None if design is None else self._source(design, roots)
            evaluation = await self._session.measure(
                source, reference, given, progress(context), has_pictures=has_pictures
            )
        if evaluation.error is not None:
            raise ToolError(str(evaluation.error))
        return evaluation


class told_errors:  # noqa: N801  # Used as a statement, as contextlib.suppress is.
    """Turn our own errors into answers that say what to do."""

    def __enter__(self) -> None:
        return None

    def __exit__(self, kind: object, error: BaseException | None, trace: object) -> None:
        if isinstance(error, Design2a11yError):
            raise ToolError(str(error)) from error


def progress(context: Context) -> Told:
    """Return what tells the client how far a call is."""

    async def told(seconds: float, limit: float) -> None:
        await context.report_progress(min(seconds, limit), limit, "rendering and measuring")

    return told


def result(answer: Any, lines: Iterable[str], *more: Any) -> CallToolResult:
    """Return an answer as a text and as data."""
    text = TextContent(type="text", text=answers.text_of(lines))
    return CallToolResult(content=[text, *more], structured_content=asdict(answer))


def folders_of(addresses: Iterable[str]) -> list[Path]:
    """Return the folders that a client gives as file: addresses; others are left out."""
    paths = (path_of_file_url(address) for address in addresses)
    return [Path(unquote(path)).resolve() for path in paths if path]


def checked_source(source: str, folders: Sequence[Path], hosts: Sequence[str]) -> str:
    """Return a source: a file in one of the folders, an allowed address, HTML; or ConfigurationError."""
    match kind_of(source):
        case "html":
            return source
        case "url":
            _require_host(source, hosts)
            return source
    path, page, query = (path_of_file_url(source) or source).partition("?")
    options = [(folder / path).resolve() for folder in folders]
    inside = [option for option in options if any(option.is_relative_to(folder) for folder in folders)]
    if not inside:
        raise ConfigurationError(
            f"{source} is outside of the folders that this server may read: {_listed(folders)}.",
            advice="Give a file in one of them.",
        )
    found = next((option for option in inside if option.exists()), None)
    if found is None:
        raise ConfigurationError(
            f"There is no {source} in {_listed(folders)}.", advice="Check the path, or give the page as html."
        )
    return f"{found}{page}{query}"


def _require_host(address: str, hosts: Sequence[str]) -> None:
    parts = urlsplit(address)
    if parts.hostname not in hosts and parts.netloc not in hosts:
        raise ConfigurationError(
            f"The host of {address} is not allowed.",
            advice=f"Start the server with --allow-host {parts.hostname}, or give a file.",
        )


def _listed(folders: Sequence[Path]) -> str:
    return ", ".join(map(str, folders))

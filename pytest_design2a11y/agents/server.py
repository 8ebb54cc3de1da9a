"""The tools that an agent calls, over standard input and output."""

from __future__ import annotations

import base64
import inspect
from collections.abc import AsyncIterator, Callable, Iterable, Sequence
from contextlib import asynccontextmanager
from dataclasses import asdict
from importlib.metadata import version
from pathlib import Path
from typing import Annotated, Any, TypedDict, TypeVar, Unpack, get_args, get_type_hints

from mcp.server.mcpserver import Context, MCPServer
from mcp.server.mcpserver.exceptions import ToolError
from mcp.server.mcpserver.resolve import ListRoots, Resolve
from mcp_types import CallToolResult, ImageContent, ListRootsResult, TextContent, ToolAnnotations
from pydantic import Field

from pytest_design2a11y.agents import answers
from pytest_design2a11y.agents.session import Session, Told
from pytest_design2a11y.agents.sources import checked_source, folders_of
from pytest_design2a11y.exceptions import Design2a11yError
from pytest_design2a11y.models.metrics import METRICS
from pytest_design2a11y.models.page import Answer
from pytest_design2a11y.models.run import Evaluation
from pytest_design2a11y.report.differences import differences_of
from pytest_design2a11y.settings.options import in_command
from pytest_design2a11y.settings.values import Settings

_INSTRUCTIONS = (
    "Measures how closely a generated web page matches its design, and how accessible it is, in a real "
    "browser. Work in a loop: score_page, then fix_list for what to change and where, change the page, and "
    "score again, until blocking is 0 and every limit is kept. describe_design lists what a design consists "
    "of before you write a page; show_pair lets you look at both. Paths are relative to the project's folder."
)
#: Items of a fix list, unless more are asked for.
_MOST_ITEMS = 12
#: Differences that a picture marks.
_MOST_MARKED = 12

_READS = ToolAnnotations(read_only_hint=True, open_world_hint=False)
_WRITES = ToolAnnotations(read_only_hint=False, destructive_hint=False, open_world_hint=False)


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


class Scored(OnePage, total=False):
    """A page to score."""

    part: Part
    mask: Annotated[list[str], Field(description="CSS selectors of parts that do not count")]


class Audited(OnePage, total=False):
    """A page to audit."""

    part: Part
    probes: Annotated[
        str, Field(description="Checks on the running page: quick, all, or some such as keyboard")
    ]


Tool = TypeVar("Tool", bound=Callable[..., Any])


def flat(tool: Tool) -> Tool:
    """Give a tool the keys of its `**given` as parameters, from which the SDK makes its schema."""
    signature = inspect.signature(tool, eval_str=True)
    *own, given = signature.parameters.values()
    keys = get_type_hints(get_args(given.annotation)[0], include_extras=True)
    more = [
        inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=get_args(key)[0](), annotation=key)
        for name, key in keys.items()
    ]
    tool.__signature__ = signature.replace(parameters=[*own, *more])  # type: ignore[attr-defined]
    return tool


class Tools:
    """The tools of one server."""

    def __init__(self, session: Session) -> None:
        """Keep the session that measures."""
        self._session = session

    @flat
    async def score_page(
        self, context: Context, roots: Roots, design: Design, save: Save = "", **given: Unpack[Scored]
    ) -> Annotated[CallToolResult, answers.ScoreAnswer]:
        """Compare a page with its design.

        Returns fidelity (0..1), blocking (differences that a reviewer would not accept), the differences with
        their places, accessibility rates, and which limits of the project are broken.
        """
        evaluation = await self._measured(context, roots, design, given)
        with _told_errors():
            run = _saved(evaluation, save) if save else None
            answer = answers.score_answer(evaluation, run, self._complaints(evaluation))
        from pytest_design2a11y.report.failure_text import describe

        lines = [*describe(evaluation, has_details=False), *answers.outcome_lines(answer)]
        return _result(answer, lines)

    @flat
    async def audit_page(
        self, context: Context, roots: Roots, **given: Unpack[Audited]
    ) -> Annotated[CallToolResult, answers.AuditAnswer]:
        """List every accessibility failure on a page, with the elements, the reason and how to fix it."""
        evaluation = await self._measured(context, roots, None, given)
        from pytest_design2a11y.report.failure_text import audit_lines

        answer = answers.audit_answer(evaluation, self._complaints(evaluation))
        return _result(answer, [*audit_lines(evaluation), *answers.outcome_lines(answer)])

    @flat
    async def describe_design(
        self, context: Context, roots: Roots, design: Design, **given: Unpack[Looks]
    ) -> Annotated[CallToolResult, answers.DesignAnswer]:
        """List what a design consists of: size, colors, fonts, every text and element with its place."""
        from pytest_design2a11y.report.design_words import inventory_lines
        from pytest_design2a11y.visual.inventory import inventory_of

        with _told_errors():
            source = self._source(design, roots)
            inventory = inventory_of(await self._session.capture(source, given, _progress(context)))
        return _result(answers.design_answer(inventory), inventory_lines(inventory))

    @flat
    async def fix_list(
        self,
        context: Context,
        roots: Roots,
        design: Design = "",
        max_items: int = _MOST_ITEMS,
        **given: Unpack[OnePage],
    ) -> Annotated[CallToolResult, answers.FixListAnswer]:
        """List what to change on a page so that it matches its design and is accessible, the worst first."""
        from pytest_design2a11y.report.feedback import feedback

        advice = feedback(await self._measured(context, roots, design or None, given))
        return _result(answers.fix_answer(advice, max_items), advice.lines(max_items=max_items))

    @flat
    async def show_pair(
        self, context: Context, roots: Roots, design: Design, **given: Unpack[OnePage]
    ) -> Annotated[CallToolResult, answers.PairAnswer]:
        """Show design and page side by side in one picture, with numbered marks on the worst differences."""
        from pytest_design2a11y.agents.picture import side_by_side
        from pytest_design2a11y.runs.pictures import load_picture

        evaluation = await self._measured(context, roots, design, given, has_pictures=True)
        roles = ("reference", "candidate")
        pictures = [load_picture(evaluation, role, self._session.pictures) for role in roles]
        marked = differences_of(evaluation)[:_MOST_MARKED]
        answer = answers.pair_answer(evaluation, marked)
        lines = ["left: the design; right: the page"]
        lines += [f"{mark.number}. {mark.message} ({mark.severity or 'minor'})" for mark in answer.marks]
        data = side_by_side(
            [picture.full for picture in pictures if picture],
            [evaluation.page_sizes[role] for role in roles],
            marked,
        )
        image = ImageContent(type="image", data=base64.b64encode(data).decode(), mime_type="image/png")
        return _result(answer, lines, image)

    def compare_runs(self, old: RunName, new: RunName) -> Annotated[CallToolResult, answers.CompareAnswer]:
        """Compare two saved runs: which metrics surely changed, which severe differences are new or gone."""
        from pytest_design2a11y.report.comparison.rows import comparison_to_dict
        from pytest_design2a11y.report.comparison.terminal import comparison_lines
        from pytest_design2a11y.run_end.gating import compare_groups, old_and_new
        from pytest_design2a11y.runs.store import check_name, load_run

        with _told_errors():
            for name in (old, new):
                check_name(name)
            run, settings = load_run(new, has_audit=False), self._session.settings
            (gated,) = compare_groups(*old_and_new(old, run, settings), settings).groups
        record = comparison_to_dict(gated.comparison, gated.outcomes)
        return _result(
            answers.compare_answer(record), comparison_lines(gated.comparison, gated.outcomes, width=100)
        )

    def list_runs(self) -> Annotated[CallToolResult, answers.RunsAnswer]:
        """List the saved runs with their means, the oldest first."""
        from pytest_design2a11y.comparing.history import history_lines, make_history
        from pytest_design2a11y.runs.store import load_runs

        runs, problems = load_runs()
        entries = make_history(runs)
        lines = history_lines(entries) if entries else ["No run is saved yet: score_page with save=NAME."]
        return _result(answers.runs_answer(entries, problems), [*lines, *map(str, problems)])

    def _source(self, source: str, roots: ListRootsResult | None) -> str:
        folders = folders_of(str(root.uri) for root in roots.roots) if roots else []
        return checked_source(source, folders or [Path.cwd()], self._session.settings.capture.allow_host)

    async def _measured(
        self,
        context: Context,
        roots: ListRootsResult | None,
        design: str | None,
        given: OnePage,
        *,
        has_pictures: bool = False,
    ) -> Evaluation:
        page, html = given.get("page", ""), given.get("html", "")
        if bool(page) == bool(html):
            raise ToolError("Give the page as either page (a path or address) or html (its text).")
        with _told_errors():
            source = Answer(html) if html else self._source(page, roots)
            reference = None if design is None else self._source(design, roots)
            evaluation = await self._session.measure(
                source, reference, given, _progress(context), has_pictures=has_pictures
            )
        if evaluation.error is not None:
            raise ToolError(in_command(str(evaluation.error)))
        return evaluation

    def _complaints(self, evaluation: Evaluation) -> Sequence[str]:
        """Return what does not pass besides broken limits: failures not accepted, and limits not judged."""
        from pytest_design2a11y.limits.apply import judge
        from pytest_design2a11y.measuring.accepted import unaccepted
        from pytest_design2a11y.report.failure_text import explain_unmeasured

        settings = self._session.settings
        has_design = evaluation.reference is not None
        limits = settings.limits_on(evaluation.case)
        asked = [limit for limit in limits if has_design or not METRICS[limit.metric].needs_design]
        unjudged = judge(evaluation, asked).unmeasured
        return [*unaccepted(evaluation, settings), *explain_unmeasured(evaluation, unjudged)]


class _told_errors:  # noqa: N801  # Used as a statement, as contextlib.suppress is.
    """Turn our own errors into answers that say what to do."""

    def __enter__(self) -> None:
        return None

    def __exit__(self, kind: object, error: BaseException | None, trace: object) -> None:
        if isinstance(error, Design2a11yError):
            raise ToolError(in_command(str(error))) from error


def _progress(context: Context) -> Told:
    async def told(seconds: float, limit: float) -> None:
        await context.report_progress(min(seconds, limit), limit, "rendering and measuring")

    return told


def _saved(evaluation: Evaluation, name: str) -> str:
    from pytest_design2a11y.measuring.records import make_run
    from pytest_design2a11y.runs.store import DEFAULT_FOLDER, check_name, save_details, save_run

    run = make_run(check_name(name, folder=DEFAULT_FOLDER), [evaluation])
    path = save_run(run)
    save_details(run)
    return str(path)


def _result(answer: Any, lines: Iterable[str], *more: Any) -> CallToolResult:
    text = TextContent(type="text", text=answers.text_of(lines))
    return CallToolResult(content=[text, *more], structured_content=asdict(answer))


def make_server(settings: Settings) -> MCPServer:
    """Return a server whose browser starts with the first page and ends with the client."""
    session = Session(settings)

    @asynccontextmanager
    async def lifespan(_server: MCPServer) -> AsyncIterator[None]:
        try:
            yield
        finally:
            session.close()

    server = MCPServer(
        "design2a11y",
        title="Designs and generated pages compared",
        instructions=_INSTRUCTIONS,
        version=version("pytest-design2a11y"),
        lifespan=lifespan,
        log_level="WARNING",
    )
    tools = Tools(session)
    for tool, hints in (
        (tools.score_page, _WRITES),
        (tools.audit_page, _READS),
        (tools.describe_design, _READS),
        (tools.fix_list, _READS),
        (tools.compare_runs, _READS),
        (tools.list_runs, _READS),
        (tools.show_pair, _READS),
    ):
        server.add_tool(tool, description=inspect.getdoc(tool), annotations=hints)
    return server

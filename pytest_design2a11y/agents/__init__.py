"""The tools that an agent calls, by the Model Context Protocol, over standard input and output."""

import inspect
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from importlib.metadata import version
from typing import Annotated, Unpack

from mcp.server.mcpserver import Context, MCPServer
from mcp_types import CallToolResult, ToolAnnotations
from pydantic import Field

from pytest_design2a11y.agents import answers
from pytest_design2a11y.agents.call import (
    Design,
    Looks,
    OnePage,
    Part,
    Roots,
    RunName,
    Save,
    Session,
    ToolSet,
    flat,
    progress,
    result,
    told_errors,
)
from pytest_design2a11y.agents.fix_answers import changes_of
from pytest_design2a11y.agents.fix_tools import FixTools
from pytest_design2a11y.models.evaluation import Evaluation
from pytest_design2a11y.models.metrics import METRICS
from pytest_design2a11y.settings import Settings

_INSTRUCTIONS = (
    "Measures how closely a generated web page matches its design, and how accessible it is, in a real "
    "browser. Work in a loop: score_page, then fix_list for what to change and where, change the page, and "
    "score again, until blocking is 0 and every limit is kept. describe_design lists what a design consists "
    "of before you write a page; show_pair lets you look at both, try_patch tries a change without writing a "
    "file, measure tells an element's box and style, why explains an item. Paths are relative to the "
    "project's folder."
)
_READS = ToolAnnotations(read_only_hint=True, open_world_hint=False)
_WRITES = ToolAnnotations(read_only_hint=False, destructive_hint=False, open_world_hint=False)


class ScoredPage(OnePage, total=False):
    """A page to score."""

    part: Part
    mask: Annotated[list[str], Field(description="CSS selectors of parts that do not count")]


class AuditedPage(OnePage, total=False):
    """A page to audit."""

    part: Part
    probes: Annotated[
        str, Field(description="Checks on the running page: quick, all, or some such as keyboard")
    ]


class Tools(ToolSet):
    """The tools that measure and compare."""

    def __init__(self, session: Session) -> None:
        """Keep the session that measures, and no page yet."""
        super().__init__(session)
        self._last: dict[str, Evaluation] = {}

    @flat
    async def score_page(
        self, context: Context, roots: Roots, design: Design, save: Save = "", **given: Unpack[ScoredPage]
    ) -> Annotated[CallToolResult, answers.ScoreAnswer]:
        """Compare a page with its design.

        Returns fidelity (0..1), blocking (differences that a reviewer would not accept), the differences with
        their places, accessibility rates, which limits of the project are broken, and what changed by region
        since the page was scored last.
        """
        evaluation = await self._measured(context, roots, design, given)
        key = str((design, {**given, "html": bool(given.get("html"))}))
        last, self._last[key] = self._last.get(key), evaluation
        changes = [] if last is None else [*changes_of(last, evaluation)]
        with told_errors():
            run = _saved(evaluation, save) if save else None
            answer = answers.score_answer(evaluation, run, self._complaints(evaluation), changes)
        from pytest_design2a11y.report.failure_text import pair_lines

        lines = [*pair_lines(evaluation, has_details=False), *changes, *answers.outcome_lines(answer)]
        return result(answer, lines)

    @flat
    async def audit_page(
        self, context: Context, roots: Roots, **given: Unpack[AuditedPage]
    ) -> Annotated[CallToolResult, answers.AuditAnswer]:
        """List every accessibility failure on a page, with the elements, the reason and how to fix it."""
        evaluation = await self._measured(context, roots, None, given)
        from pytest_design2a11y.report.failure_text import audit_lines

        answer = answers.audit_answer(evaluation, self._complaints(evaluation))
        return result(answer, [*audit_lines(evaluation), *answers.outcome_lines(answer)])

    @flat
    async def describe_design(
        self, context: Context, roots: Roots, design: Design, **given: Unpack[Looks]
    ) -> Annotated[CallToolResult, answers.DesignAnswer]:
        """List what a design consists of: size, colors, fonts, every text and element with its place."""
        from pytest_design2a11y.report.inventory import inventory_of

        with told_errors():
            source = self._source(design, roots)
            inventory = inventory_of(await self._session.capture(source, given, progress(context)))
        return result(answers.DesignAnswer(**inventory.to_dict()), inventory.lines())

    def compare_runs(self, old: RunName, new: RunName) -> Annotated[CallToolResult, answers.CompareAnswer]:
        """Compare two saved runs: which metrics surely changed, which severe differences are new or gone."""
        from pytest_design2a11y.report.comparison.rows import comparison_to_dict
        from pytest_design2a11y.report.comparison.text import comparison_lines
        from pytest_design2a11y.run_end.gating import compare_groups, old_and_new
        from pytest_design2a11y.runs import check_name, load_run

        with told_errors():
            for name in (old, new):
                check_name(name)
            run, settings = load_run(new, has_audit=False), self._session.settings
            (gated,) = compare_groups(*old_and_new(old, run, settings), settings).groups
        record = comparison_to_dict(gated.comparison, gated.outcomes)
        return result(
            answers.compare_answer(record), comparison_lines(gated.comparison, gated.outcomes, width=100)
        )

    def list_runs(self) -> Annotated[CallToolResult, answers.RunsAnswer]:
        """List the saved runs with their means, the oldest first."""
        from pytest_design2a11y.comparing.compare import history_lines, make_history
        from pytest_design2a11y.runs import load_runs

        runs, problems = load_runs()
        entries = make_history(runs)
        lines = history_lines(entries) if entries else ["No run is saved yet: score_page with save=NAME."]
        return result(answers.runs_answer(entries, problems), [*lines, *map(str, problems)])

    def _complaints(self, evaluation: Evaluation) -> Sequence[str]:
        """Return what does not pass besides broken limits: failures not accepted, and limits not judged."""
        from pytest_design2a11y.limits import judge
        from pytest_design2a11y.measuring.accepted import unaccepted
        from pytest_design2a11y.report.failure_text import explain_unmeasured

        settings = self._session.settings
        has_design = evaluation.reference is not None
        limits = settings.limits_on(evaluation.case)
        asked = [limit for limit in limits if has_design or not METRICS[limit.metric].needs_design]
        unjudged = judge(evaluation, asked).unmeasured
        return [*unaccepted(evaluation, settings), *explain_unmeasured(evaluation, unjudged)]


def _saved(evaluation: Evaluation, name: str) -> str:
    from pytest_design2a11y.measuring.records import make_run
    from pytest_design2a11y.runs import DEFAULT_FOLDER, check_name, save_details, save_run

    run = make_run(check_name(name, folder=DEFAULT_FOLDER), [evaluation])
    path = save_run(run)
    save_details(run)
    return str(path)


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
    tools, fixing = Tools(session), FixTools(session)
    for tool, hints in (
        (tools.score_page, _WRITES),
        (tools.audit_page, _READS),
        (tools.describe_design, _READS),
        (fixing.fix_list, _READS),
        (fixing.why, _READS),
        (fixing.try_patch, _READS),
        (fixing.measure, _READS),
        (tools.compare_runs, _READS),
        (tools.list_runs, _READS),
        (fixing.show_pair, _READS),
    ):
        server.add_tool(tool, description=inspect.getdoc(tool), annotations=hints)
    return server

"""API for programs with an event loop."""

import asyncio
from collections.abc import AsyncIterator, Iterable
from pathlib import Path
from typing import Any, Self

from pytest_design2a11y.measuring.pairs import Source, pair_from
from pytest_design2a11y.models.evaluation import Evaluation
from pytest_design2a11y.models.page import Capture, Role
from pytest_design2a11y.models.verdicts import Axes, Subject
from pytest_design2a11y.scorer import Scorer
from pytest_design2a11y.settings.configuration import read_project

_END = object()


class AsyncScorer:
    """`Scorer` for a running event loop, with awaitable methods. Tasks may share one; `jobs` run at a time.

    Examples:
        ```python
        async with AsyncScorer() as scorer:
            evaluation = await scorer.score("designs/login.html", "generated/login.html")
        ```
    """

    def __init__(self, **settings: Any) -> None:
        """Create a scorer with the arguments of `Scorer`."""
        self._scorer = Scorer(**settings)

    @classmethod
    def from_project(cls, folder: Source = ".", **settings: Any) -> Self:
        """Create a scorer with a project's configuration; see `Scorer.from_project`."""
        return cls(_project=read_project(Path(folder)).given, **settings)

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *error: object) -> None:
        await self.close()

    async def close(self) -> None:
        """Close the browser and remove the temporary folder; a page in progress has two seconds to finish."""
        await asyncio.to_thread(self._scorer.close)

    async def score(
        self,
        reference: Source,
        candidate: Source,
        *,
        id: str | None = None,
        case: str = "",
        sample: str = "1",
        axes: Axes | None = None,
        **choice: Any,
    ) -> Evaluation:
        """Score a page against its design; see `Scorer.score`."""
        pair = pair_from(reference, candidate, Subject(id or "", case, sample, axes or {}), choice)
        with self._scorer.waiting(self._scorer.submit_pair(pair)) as future:
            return await asyncio.wrap_future(future)

    async def audit(
        self, source: Source, *, id: str | None = None, case: str = "", sample: str = "1", **choice: Any
    ) -> Evaluation:
        """Audit a page by itself; see `Scorer.score`."""
        pair = pair_from(None, source, Subject(id or "", case, sample), choice)
        with self._scorer.waiting(self._scorer.submit_pair(pair)) as future:
            return await asyncio.wrap_future(future)

    async def render(self, source: Source, *, role: Role = "candidate", **choice: Any) -> Capture:
        """Render a page; see `Scorer.render`."""
        with self._scorer.waiting(self._scorer.submit_render(source, role=role, **choice)) as future:
            return await asyncio.wrap_future(future)

    async def score_many(
        self, pairs: Iterable[Any], *, jobs: int = 1, is_ordered: bool = True
    ) -> AsyncIterator[Evaluation]:
        """Score many pages; see `Scorer.score_many`."""
        found = self._scorer.score_many(pairs, jobs=jobs, is_ordered=is_ordered)
        while (evaluation := await asyncio.to_thread(next, found, _END)) is not _END:
            assert isinstance(evaluation, Evaluation)
            yield evaluation

    def unaccepted(self, evaluation: Evaluation) -> tuple[str, ...]:
        """Return the accessibility failures beyond those accepted; see `Scorer.unaccepted`."""
        return self._scorer.unaccepted(evaluation)

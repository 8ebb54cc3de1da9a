"""API for programs: score, render and audit pages without pytest and without the command."""

import os
from collections.abc import Iterable, Iterator
from concurrent.futures import Future
from dataclasses import replace
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any, Self

from pytest_design2a11y.exceptions import ConfigurationError
from pytest_design2a11y.limits import judge
from pytest_design2a11y.limits.known_file import load_known
from pytest_design2a11y.measuring.accepted import unaccepted
from pytest_design2a11y.measuring.browser_thread import BrowserThread
from pytest_design2a11y.measuring.executors import score_pairs
from pytest_design2a11y.measuring.executors.processes import ProcessPool, score_together
from pytest_design2a11y.measuring.executors.serial import score_pair
from pytest_design2a11y.measuring.pairs import (
    Pair,
    Source,
    along_variants,
    checked_choice,
    pair_from,
    read_item,
    source_text,
)
from pytest_design2a11y.models.evaluation import Evaluation
from pytest_design2a11y.models.metric import Metric
from pytest_design2a11y.models.metrics import METRICS
from pytest_design2a11y.models.page import Capture, Role
from pytest_design2a11y.models.verdicts import Axes, Subject
from pytest_design2a11y.registry import require_portable
from pytest_design2a11y.settings import Settings
from pytest_design2a11y.settings.configuration import Given, read_project
from pytest_design2a11y.settings.options import settings_from_keywords
from pytest_design2a11y.settings.variants import only_variant

if TYPE_CHECKING:
    from pytest_design2a11y.report.inventory import Inventory


class Scorer:
    """Scores pages in a browser of its own, which starts with the first page and ends with `close`.

    It may be used from any thread, and in a running event loop, which `AsyncScorer` does not block. Pages are
    rendered one after the other, or in `jobs` processes. References are rendered once and kept as long as
    they and the files that they load do not change.

    Examples:
        >>> from pytest_design2a11y import Scorer
        >>> with Scorer(timeout=10) as scorer:
        ...     evaluation = scorer.score("<p>Log in</p>", "<p>Log in</p>")
        ...     evaluation.visual.score, evaluation.error
        (1.0, None)
    """

    def __init__(
        self,
        *,
        cache_folder: Source | None = None,
        pictures: Source | None = None,
        jobs: int = 1,
        metrics: Iterable[Metric | Source] | Metric | Source = (),
        _project: Given | None = None,
        **settings: Any,
    ) -> None:
        """Create a scorer, without starting a browser yet.

        Args:
            cache_folder: Where captures of references and embeddings are kept for later scorers; None: in a
                temporary folder, until this one is closed.
            pictures: Folder for small screenshots of both pages, which evaluations name and notebooks show;
                None: they are not kept.
            jobs: Number of pairs scored at a time, each in a process with its own browser; 1: one after the
                other, in a thread of this process.
            metrics: Your own metrics to measure on every page, or the files and modules that have them at
                their top level. With several processes they must be defined in a file.
            **settings: The options of `design2a11y score` that concern a page, as in docs/reference.md, with
                underscores: `timeout=10`, `audit=False`, `allow_host=["cdn.example.com"]`, `max_iwir=0.3`,
                `known="known.toml"`.

        Raises:
            ConfigurationError: A setting is unknown, or has an invalid value.
        """
        self._temporary = TemporaryDirectory(prefix="design2a11y-") if cache_folder is None else None
        folder = Path(self._temporary.name if self._temporary else os.fspath(cache_folder or ""))
        is_one = isinstance(metrics, str) or not isinstance(metrics, Iterable)
        given: Iterable[Any] = [metrics] if is_one else [*metrics]  # type: ignore[misc]
        files = [os.fspath(metric) for metric in given if isinstance(metric, str | os.PathLike)]
        try:
            self._settings = settings_from_keywords(
                {**settings, "metrics": files or None},
                cache_folder=folder,
                metrics=[metric for metric in given if not isinstance(metric, str | os.PathLike)],
                project=_project,
            )
            only_variant(self._settings)
            if self._settings.known is not None:
                load_known(self._settings.known)
            own = {metric.name for metric in self._settings.own_metrics}
            for limit in self._settings.limits:
                if METRICS[limit.metric].is_own and limit.metric not in own:
                    raise ConfigurationError(
                        f"This scorer does not measure {limit.metric!r}.",
                        advice="Give the metric by metrics=[...].",
                    )
            if not isinstance(jobs, int) or jobs < 1:
                raise ConfigurationError(
                    f"jobs={jobs!r} is not a number of processes.", advice="Give 1 or more."
                )
            if jobs > 1:
                require_portable(self._settings.own_metrics)
        except ConfigurationError:
            self._remove_temporary()
            raise
        if pictures is not None:
            self._settings = replace(self._settings, picture_folder=Path(pictures))
        self._judged = partial(_judged, self._settings)
        self._thread = BrowserThread(self._settings)
        self.waiting = self._thread.waiting
        self._pool = ProcessPool(self._settings, jobs, finish=self._judged) if jobs > 1 else None

    @classmethod
    def from_project(cls, folder: Source = ".", **settings: Any) -> Self:
        """Create a scorer with a project's configuration: what pages are measured in, and limits.

        Args:
            folder: The configuration is in this folder, or in the nearest above it.
            **settings: As of `Scorer`; they win over the configuration.

        Raises:
            ConfigurationError: The configuration or a setting is not valid.
        """
        return cls(_project=read_project(Path(folder)).given, **settings)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    def close(self) -> None:
        """Close the browser and remove the temporary folder; a page in progress has two seconds to finish."""
        if self._pool is not None:
            self._pool.close()
        self._thread.close()
        self._remove_temporary()

    def score(
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
        """Score a page against its design.

        Args:
            reference: Path, URL, HTML text or picture of the design; paths are relative to the cwd.
            candidate: The same for the generated page; `Answer(text)` for a model's unmodified answer.
            id: The evaluation's name in a run; None: the candidate's path.
            case: Name by which runs are compared; "": the reference's path.
            sample: Which of the generated pages for that case it is.
            axes: Other properties in which candidates vary, such as {"model": "large"}.
            **choice: Settings for this pair only, such as viewport="375x812@3" or scheme="dark": those that
                the fixture `render` accepts, too.

        Returns:
            All results for the candidate; what could not be measured is None, with the reason in `error`.

        Raises:
            ConfigurationError: The scorer is closed, or a choice is not valid.
        """
        pair = pair_from(reference, candidate, Subject(id or "", case, sample, axes or {}), choice)
        with self.waiting(self.submit_pair(pair)) as future:
            return future.result()

    def audit(
        self, source: Source, *, id: str | None = None, case: str = "", sample: str = "1", **choice: Any
    ) -> Evaluation:
        """Audit a page by itself; see `score`."""
        pair = pair_from(None, source, Subject(id or "", case, sample), choice)
        with self.waiting(self.submit_pair(pair)) as future:
            return future.result()

    def render(self, source: Source, *, role: Role = "candidate", **choice: Any) -> Capture:
        """Render a page, for the functions that take captures; for `choice` see `score`.

        Raises:
            SourceError: The source is not a page.
            CaptureError: The page could not be rendered.
            ConfigurationError: The scorer is closed, or a choice is not valid.
        """
        with self.waiting(self.submit_render(source, role=role, **choice)) as future:
            return future.result()

    def describe(self, design: Source, **choice: Any) -> "Inventory":
        """List what a design consists of; for `choice` and errors see `render`.

        Returns:
            Its size, colors, fonts, and every text and element with its place, in reading order; `lines()`
            has them in words, `to_dict()` as JSON values.
        """
        from pytest_design2a11y.report.inventory import inventory_of

        return inventory_of(self.render(design, role="reference", **choice))

    def score_many(
        self, pairs: Iterable[Any], *, jobs: int = 1, is_ordered: bool = True
    ) -> Iterator[Evaluation]:
        """Score many pages; an error in one is part of its evaluation.

        Args:
            pairs: (reference, candidate), or the keys of a line in a pairs file: {"id": ..., "reference":
                ..., "candidate": ...}. They are consumed as needed.
            jobs: Number of processes to start for these pairs; 1: they are scored by this scorer itself, as
                many at a time as it has `jobs`.
            is_ordered: Whether results come in the order of the pairs, or when each is ready.

        Raises:
            ConfigurationError: The scorer is closed, or other processes cannot load its metrics.
        """
        read = (read_item(item, number) for number, item in enumerate(pairs, 1))
        if jobs == 1 and self._pool is not None:
            return score_together(read, self.submit_pair, pool=self._pool, is_ordered=is_ordered)
        if jobs == 1:
            return (self.submit_pair(pair).result() for pair in read)
        require_portable(self._settings.own_metrics)
        found = score_pairs(
            along_variants(read, self._settings), settings=self._settings, jobs=jobs, is_ordered=is_ordered
        )
        return map(self._judged, found)

    def unaccepted(self, evaluation: Evaluation) -> tuple[str, ...]:
        """Return the accessibility failures of a page beyond those that `known` accepts, in words.

        Returns:
            Empty if there are none, without `known`, and for a page that was not audited. Accepted
            differences need no call: each has its note in `accepted`, and `blocking` does not count it.
        """
        return unaccepted(evaluation, self._settings)

    def submit_pair(self, pair: Pair) -> Future[Evaluation]:
        """Return the future of a pair's evaluation; `AsyncScorer` awaits it."""
        settings = self._settings
        variant, *others = along_variants([pair], settings)
        if others:
            only_variant(settings.with_choices(pair.choices))
        if self._pool is not None:
            return self._pool.submit(variant)
        return self._thread.submit(
            lambda renderer: _judged(settings, score_pair(variant, renderer=renderer, settings=settings))
        )

    def submit_render(self, source: Source, *, role: Role, **choice: Any) -> Future[Capture]:
        """Return the future of a page's capture; `AsyncScorer` awaits it."""
        settings = self._settings.with_choices(checked_choice(choice))
        return self._thread.capture(source_text(source), role=role, settings=settings, folders=(Path.cwd(),))

    def _remove_temporary(self) -> None:
        if self._temporary is not None:
            self._temporary.cleanup()


def _judged(settings: Settings, evaluation: Evaluation) -> Evaluation:
    """Return an evaluation with its verdicts, and absolute paths of its pictures."""
    if settings.picture_folder is not None:
        paths = {role: str(settings.picture_folder / name) for role, name in evaluation.pictures.items()}
        evaluation = replace(evaluation, pictures=paths)
    return judge(evaluation, settings.limits_on(evaluation.case)).evaluation

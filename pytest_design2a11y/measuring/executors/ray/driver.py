"""The driver: sends pairs to actors one by one, collects their answers, and sends lost pairs again."""

from __future__ import annotations

import time
from collections.abc import Generator, Iterable, Iterator, Mapping
from contextlib import ExitStack, suppress
from dataclasses import dataclass
from functools import partial
from itertools import chain
from pathlib import Path
from typing import Any

from pytest_design2a11y.exceptions import BrowserLost
from pytest_design2a11y.measuring.conditions import machine_conditions
from pytest_design2a11y.measuring.executors.ray.actor import Actor, digests_of
from pytest_design2a11y.measuring.executors.ray.clip_model import SharedModel, shared_model
from pytest_design2a11y.measuring.executors.ray.cluster import joined, require_ray, resolved
from pytest_design2a11y.measuring.executors.ray.tasks import References, Task, Tasks
from pytest_design2a11y.measuring.pairs import Pair
from pytest_design2a11y.measuring.sources import open_renderer
from pytest_design2a11y.models.run import Evaluation
from pytest_design2a11y.report.pictures import with_files
from pytest_design2a11y.settings.values import Settings

#: Seconds between checks of workers that do not answer, and before retrying a worker that is down.
_PAUSE = 0.5

#: Seconds that a pair may take, besides four times a page's limit: the model may have to be loaded.
_PATIENCE = 600.0

#: Seconds that browsers have to end.
_LAST_SECONDS = 10.0

#: Number of consecutive failed starts that one worker may have.
_STARTS = 5


@dataclass
class _Worker:
    """An actor with its pending request: to score its task, or to start if it has none.

    `answer` and `entries` are handles of its pending results (None: no request): the evaluation, and
    captures of designs. `num_failed` counts consecutive failed starts.
    """

    actor: Any
    answer: Any = None
    entries: Any = None
    task: Task | None = None
    since: float = 0.0
    is_started: bool = False
    num_failed: int = 0


def score_on_ray(
    pairs: Iterable[Pair],
    *,
    settings: Settings,
    jobs: int,
    is_ordered: bool = True,
    address: str | None = None,
    clip_gpus: float | None = None,
) -> Generator[Evaluation, None, None]:
    """Score pairs with as many actors as `jobs`, each with a browser and a processor.

    If a pair's worker ends, the pair is given to another one; after three such losses, it is an error.
    """
    ray, place = require_ray(), resolved(address)
    waiting = iter(pairs)
    for first in waiting:
        with open_renderer(settings) as renderer:
            conditions = machine_conditions(renderer, settings)
        with ExitStack() as stack:
            stack.enter_context(joined(ray, place, num_workers=jobs + (clip_gpus is not None)))
            model = None
            if clip_gpus is not None:
                shared = shared_model(ray, settings, gpus=clip_gpus, expected=conditions["model"])
                model = stack.enter_context(shared)
                conditions = {**conditions, "model": model.identity}
            driver = _Driver(ray, settings, conditions, model)
            yield from driver.score(chain([first], waiting), jobs=jobs, is_ordered=is_ordered)


class _Driver:
    def __init__(
        self, ray: Any, settings: Settings, conditions: Mapping[str, Any], model: SharedModel | None
    ) -> None:
        self._ray = ray
        self._settings = settings
        # Ray's own restarts keep the place on the cluster; attempts at a pair are counted here.
        remote = ray.remote(num_cpus=1, max_restarts=-1, max_task_retries=0)(Actor).remote
        self._new_actor = partial(remote, settings, str(Path.cwd()), conditions)
        self._model = model
        self._references = References()
        self._limit = _PATIENCE + 4 * settings.capture.timeout

    def score(self, pairs: Iterable[Pair], *, jobs: int, is_ordered: bool) -> Iterator[Evaluation]:
        tasks = Tasks(pairs, references=self._references, num_workers=jobs, is_ordered=is_ordered)
        workers = [_Worker(self._new_actor()) for _ in range(jobs)]
        try:
            while True:
                for worker in workers:
                    self._occupy(worker, tasks)
                if tasks.is_done:
                    return
                for worker in self._answering(workers, tasks):
                    self._receive(worker, tasks)
                yield from tasks.finished()
        finally:
            # Idle browsers end in a few seconds at most, and all workers after that.
            with suppress(Exception):
                ends = [worker.actor.stop.remote() for worker in workers if worker.task is None]
                if ends:
                    self._ray.wait(ends, num_returns=len(ends), timeout=_LAST_SECONDS)
                for worker in workers:
                    self._ray.kill(worker.actor)

    def _occupy(self, worker: _Worker, tasks: Tasks) -> None:
        """Send an idle worker a request: to start, or to score."""
        if worker.answer is not None:
            return
        if not worker.is_started:
            if time.monotonic() - worker.since > _PAUSE:
                worker.answer, worker.since = worker.actor.start.remote(self._model), time.monotonic()
            return
        task = tasks.take()
        if task is not None:
            kept = self._references.begin(task.design)
            given = [] if kept is None else [kept]
            score = worker.actor.score.options(num_returns=2).remote
            worker.answer, worker.entries = score(task.pair, digests_of(task.pair), given)
            worker.task, worker.since = task, time.monotonic()

    def _answering(self, workers: Iterable[_Worker], tasks: Tasks) -> list[_Worker]:
        """Wait briefly for answers; workers that are silent for too long are replaced."""
        busy = {worker.answer: worker for worker in workers if worker.answer is not None}
        if not busy:
            time.sleep(_PAUSE)
            return []
        ready, _ = self._ray.wait(list(busy), num_returns=1, timeout=_PAUSE)
        for worker in busy.values():
            if worker.task is not None and time.monotonic() - worker.since > self._limit:
                tasks.lose(worker.task)
                self._replace(worker)
        return [busy[answer] for answer in ready if busy[answer].answer is answer]

    def _receive(self, worker: _Worker, tasks: Tasks) -> None:
        answer, entries, task = worker.answer, worker.entries, worker.task
        worker.answer = worker.entries = worker.task = None
        try:
            result = self._ray.get(answer)
        except self._ray.exceptions.RayError as error:
            worker.is_started = False
            if task is not None:
                tasks.lose(task)
            elif not isinstance(error, self._ray.exceptions.ActorUnavailableError):  # Else Ray restarts it.
                worker.num_failed += 1
                if worker.num_failed == _STARTS:
                    raise BrowserLost(
                        f"A worker ended {_STARTS} times while it started.",
                        stage="launch",
                        advice="Look for its reason in Ray's logs: too little memory, for example.",
                    ) from error
                self._replace(worker)
            return
        if task is not None:
            self._references.end(task.design, entries, result.num_bytes)
            evaluation, folder = result.evaluation, self._settings.picture_folder
            if folder is not None:
                evaluation = with_files(evaluation, result.pictures, folder)
            tasks.finish(task, evaluation)
        elif result is not None:
            raise result
        else:
            worker.is_started, worker.num_failed = True, 0

    def _replace(self, worker: _Worker) -> None:
        self._ray.kill(worker.actor)
        worker.actor = self._new_actor()
        worker.answer = worker.entries = worker.task = None
        worker.is_started = False

"""The Ray executor against a cluster that breaks: every pair once, whatever is lost."""

from __future__ import annotations

import random
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from concurrent.futures import Future
from contextlib import nullcontext
from dataclasses import dataclass
from pathlib import Path
from threading import Timer
from types import SimpleNamespace
from typing import Any

import pytest

from pytest_design2a11y.exceptions import BrowserNotFound, ConfigurationError
from pytest_design2a11y.measuring.executors import ray as ray_executor
from pytest_design2a11y.measuring.executors import score_pairs
from pytest_design2a11y.measuring.executors.ray import TRIES
from pytest_design2a11y.measuring.pairs import Pair
from pytest_design2a11y.models.evaluation import Evaluation
from pytest_design2a11y.models.verdicts import Subject
from pytest_design2a11y.settings import Settings
from tests.factories import make_evaluation


class RayActorError(Exception):
    pass


class ActorUnavailableError(RayActorError):
    pass


@dataclass(eq=False)
class Handle:
    """What a call will answer, or raise; None: it never answers."""

    answer: Any
    seconds: float = 0.0

    def future(self) -> Future[Any]:
        future: Future[Any] = Future()
        end = future.set_exception if isinstance(self.answer, RayActorError) else future.set_result
        if self.seconds >= 0:
            Timer(self.seconds, end, [self.answer]).start()
        return future


class Cluster:
    """Stands for Ray: calls end in any order, and some with their worker, as often as Ray tries them.

    Attributes:
        starts: What starts of workers come to, in turn; after these, they go well.
        room: For how many workers there is room; others never start.
    """

    exceptions = SimpleNamespace(RayActorError=RayActorError, ActorUnavailableError=ActorUnavailableError)

    def __init__(self, *, poison: Sequence[str] = (), loss: float = 0.0, room: int = 99) -> None:
        self.chance = random.Random(0)
        self.poison = poison
        self.loss = loss
        self.num_lost: Counter[str] = Counter()
        self.starts: list[Any] = []
        self.room = room
        self.num_actors = 0
        self.num_ended: Counter[str] = Counter()

    def remote(self, **options: Any) -> Any:
        assert options == {"num_cpus": 1, "max_restarts": -1}
        return lambda actor: SimpleNamespace(remote=self._actor)

    def _actor(self, *_: Any) -> Any:
        self.num_actors += 1
        seconds = 0.0 if self.num_actors <= self.room else -1.0

        def start() -> Handle:
            return Handle(self.starts.pop(0) if self.starts else None, seconds)

        return SimpleNamespace(
            start=SimpleNamespace(remote=start),
            score=SimpleNamespace(remote=self._score),
            stop=SimpleNamespace(remote=lambda: self.num_ended.update(["stopped"])),
        )

    def _score(self, pair: Pair) -> Handle:
        if pair.subject.id in self.poison or self.chance.random() < self.loss:
            self.num_lost[pair.subject.id] += 1
            self.starts = [ActorUnavailableError(), None]
            return Handle(RayActorError(), self.chance.random() / 500)
        evaluation = make_evaluation(pair.subject.id, id=pair.subject.id)
        return Handle(evaluation, self.chance.random() / 500)

    def wait(self, handles: list[Any], num_returns: int, timeout: float) -> None:
        assert num_returns == len(handles)

    def kill(self, actor: Any) -> None:
        self.num_ended.update(["killed"])


@pytest.fixture(autouse=True)
def _no_browser(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ray_executor, "_PAUSE", 0.001)
    monkeypatch.setattr(ray_executor, "_joined", lambda ray, address, num_workers: nullcontext())


def pairs(number: int) -> Iterator[Pair]:
    for each in range(number):
        yield Pair(Subject(str(each), ""), f"{each // 4}.html", "page.html", Path())


def score(
    monkeypatch: pytest.MonkeyPatch, cluster: Cluster, number: int, *, is_ordered: bool = True
) -> list[Evaluation]:
    monkeypatch.setattr(ray_executor, "_require_ray", lambda: cluster)
    how: dict[str, Any] = {"settings": Settings(), "jobs": 5, "executor": "ray"}
    return list(score_pairs(pairs(number), is_ordered=is_ordered, **how))


@pytest.mark.parametrize("room", [99, 2])
@pytest.mark.parametrize("is_ordered", [True, False])
def test_every_pair_is_given_once_and_a_poison_page_costs_no_other(
    monkeypatch: pytest.MonkeyPatch, room: int, is_ordered: bool
) -> None:
    cluster = Cluster(poison=["3", "17"], room=room)

    found = score(monkeypatch, cluster, 60, is_ordered=is_ordered)

    ids = [one.id for one in found]
    assert sorted(ids, key=int) == [str(number) for number in range(60)]
    assert not is_ordered or ids == sorted(ids, key=int)
    errors = {one.id: one.error for one in found if one.error}
    assert {name: error.type for name, error in errors.items()} == {"3": "BrowserLost", "17": "BrowserLost"}
    assert "3 workers ended while they scored this page" in str(errors["3"])
    assert all(one.visual is None and one.accessibility is None for one in found if one.error)
    assert cluster.num_lost == {"3": TRIES, "17": TRIES}
    assert cluster.num_ended["killed"] == 5
    assert 1 <= cluster.num_ended["stopped"] <= min(room, 5)


@pytest.mark.parametrize("is_ordered", [True, False])
def test_a_pair_whose_worker_ended_is_scored_by_another(
    monkeypatch: pytest.MonkeyPatch, is_ordered: bool
) -> None:
    cluster = Cluster(loss=0.3)

    found = score(monkeypatch, cluster, 200, is_ordered=is_ordered)

    assert sorted(one.id for one in found) == sorted(str(number) for number in range(200))
    given_up = {one.id for one in found if one.error is not None}
    assert given_up == {name for name, count in cluster.num_lost.items() if count == TRIES}
    assert len(given_up) < len(cluster.num_lost)


def test_no_pairs_start_no_cluster(monkeypatch: pytest.MonkeyPatch) -> None:
    cluster = Cluster()

    assert score(monkeypatch, cluster, 0) == []
    assert cluster.num_actors == 0


def test_pairs_are_taken_as_they_are_needed(monkeypatch: pytest.MonkeyPatch) -> None:
    taken: list[int] = []

    def endless() -> Iterator[Pair]:
        while True:
            taken.append(1)
            yield Pair(Subject(str(len(taken)), ""), "same.html", "page.html", Path())

    monkeypatch.setattr(ray_executor, "_require_ray", Cluster)
    found = score_pairs(endless(), settings=Settings(), jobs=2, executor="ray")

    assert [next(found).id for _ in range(100)] == [str(number) for number in range(1, 101)]
    assert len(taken) < 300
    found.close()


def test_a_node_that_cannot_render_ends_the_run(monkeypatch: pytest.MonkeyPatch) -> None:
    cluster = Cluster()
    cluster.starts = [BrowserNotFound("There is none.")] * 5

    with pytest.raises(BrowserNotFound, match=r"There is none\."):
        score(monkeypatch, cluster, 20)


def test_without_ray_it_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "ray", None)

    with pytest.raises(ConfigurationError, match=r"needs the package ray.*pytest-design2a11y\[ray\]"):
        next(score_pairs(pairs(1), settings=Settings(), executor="ray"))


def test_an_address_for_remote_clients_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.undo()
    monkeypatch.setenv("RAY_ADDRESS", "ray://10.0.0.1:10001")

    with (
        pytest.raises(ConfigurationError, match="takes HOST:PORT") as refused,
        ray_executor._joined(SimpleNamespace(), None, num_workers=1),
    ):
        pass
    assert "10.0.0.1" not in str(refused.value)

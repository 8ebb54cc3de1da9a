"""The driver of the Ray executor against a cluster that breaks: every pair once, whatever is lost."""

from __future__ import annotations

import random
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import nullcontext
from dataclasses import dataclass
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from pytest_design2a11y.exceptions import BrowserLost, BrowserNotFound, ConfigurationError
from pytest_design2a11y.measuring.executors import score_pairs
from pytest_design2a11y.measuring.executors.ray import driver
from pytest_design2a11y.measuring.executors.ray.actor import Scored
from pytest_design2a11y.measuring.executors.ray.tasks import References, Tasks
from pytest_design2a11y.measuring.pairs import Pair
from pytest_design2a11y.models.run import Evaluation, Subject
from pytest_design2a11y.settings.values import Settings
from studies.trials.simulate_cluster import MUCH, Costs, Simulation
from tests.factories import make_evaluation


class RayError(Exception):
    pass


class ActorUnavailableError(RayError):
    pass


class ActorDiedError(RayError):
    pass


@dataclass(eq=False)
class Handle:
    """Of what a call will send, or raise."""

    told: Any = None


class Cluster:
    """Stands for Ray: calls end in any order, and some with their worker.

    Attributes:
        starts: What starts of workers come to, in turn; after these, they go well.
        rendered: Designs, once for each time that one was rendered.
    """

    exceptions = SimpleNamespace(RayError=RayError, ActorUnavailableError=ActorUnavailableError)

    def __init__(self, seed: int = 0, *, poison: Sequence[str] = (), loss: float = 0.0) -> None:
        self.chance = random.Random(seed)
        self.poison = poison
        self.loss = loss
        self.starts: list[Any] = []
        self.num_actors = 0
        self.num_lost: Counter[str] = Counter()
        self.rendered: list[str] = []
        self.is_silent = False

    def remote(self, **options: Any) -> Any:
        assert options == {"num_cpus": 1, "max_restarts": -1, "max_task_retries": 0}
        return lambda actor: SimpleNamespace(remote=self._actor)

    def _actor(self, *_: Any) -> Any:
        self.num_actors += 1
        score = SimpleNamespace(remote=self._score)
        return SimpleNamespace(
            start=SimpleNamespace(remote=lambda model: Handle(self.starts.pop(0) if self.starts else None)),
            score=SimpleNamespace(options=lambda num_returns: score),
            stop=SimpleNamespace(remote=Handle),
        )

    def _score(
        self, pair: Pair, digests: Sequence[str | None], given: Sequence[Any]
    ) -> tuple[Handle, Handle]:
        if pair.subject.id in self.poison or self.chance.random() < self.loss:
            self.num_lost[pair.subject.id] += 1
            return Handle(self.chance.choice([ActorUnavailableError(), ActorDiedError()])), Handle()
        if not given:
            self.rendered.append(str(pair.reference))
        evaluation = make_evaluation(pair.subject.id, id=pair.subject.id)
        return Handle(Scored(evaluation, {}, 0 if given else 1000)), Handle()

    def wait(
        self, handles: list[Handle], num_returns: int, timeout: float
    ) -> tuple[list[Handle], list[Handle]]:
        if self.is_silent:
            return [], handles
        return self.chance.sample(handles, num_returns), []

    def get(self, handle: Handle) -> Any:
        if isinstance(handle.told, RayError):
            raise handle.told
        return handle.told

    def kill(self, actor: Any) -> None:
        self.is_silent = False


@pytest.fixture(autouse=True)
def _no_browser(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(driver, "open_renderer", lambda settings: nullcontext())
    monkeypatch.setattr(driver, "machine_conditions", lambda renderer, settings: {})
    monkeypatch.setattr(driver, "joined", lambda ray, address, num_workers: nullcontext())
    monkeypatch.setattr(driver, "_PAUSE", 0.0)


def pairs(number: int, *, samples: int = 4) -> Iterator[Pair]:
    for each in range(number):
        yield Pair(Subject(str(each), ""), f"{each // samples}.html", "page.html", Path())


def score(
    monkeypatch: pytest.MonkeyPatch, cluster: Cluster, number: int, *, is_ordered: bool = True
) -> list[Evaluation]:
    monkeypatch.setattr(driver, "require_ray", lambda: cluster)
    found = score_pairs(
        pairs(number), settings=Settings(), jobs=5, is_ordered=is_ordered, executor="ray", ray_address="auto"
    )
    return list(found)


@pytest.mark.parametrize("seed", range(10))
@pytest.mark.parametrize("is_ordered", [True, False])
def test_every_pair_is_given_once_whatever_is_lost(
    monkeypatch: pytest.MonkeyPatch, seed: int, is_ordered: bool
) -> None:
    cluster = Cluster(seed, loss=0.3)

    found = score(monkeypatch, cluster, 200, is_ordered=is_ordered)

    ids = [one.id for one in found]
    assert sorted(ids, key=int) == [str(number) for number in range(200)]
    assert not is_ordered or ids == sorted(ids, key=int)
    given_up = {one.id for one in found if one.error is not None}
    assert given_up == {name for name, count in cluster.num_lost.items() if count == 3}
    assert max(cluster.num_lost.values()) <= 3
    assert all(one.visual is None and one.accessibility is None for one in found if one.error)


def test_a_poison_page_is_an_error_and_costs_no_other(monkeypatch: pytest.MonkeyPatch) -> None:
    cluster = Cluster(poison=["3", "17"])

    found = score(monkeypatch, cluster, 30)

    assert {one.id: one.error.type for one in found if one.error} == {"3": "BrowserLost", "17": "BrowserLost"}
    assert "3 workers ended while they scored this page" in str(found[3].error)
    assert found[3].visual is None
    assert cluster.num_lost == {"3": 3, "17": 3}


def test_a_design_is_rendered_once_for_all_workers(monkeypatch: pytest.MonkeyPatch) -> None:
    cluster = Cluster()

    score(monkeypatch, cluster, 200)

    assert sorted(cluster.rendered) == sorted({f"{number}.html" for number in range(50)})


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

    monkeypatch.setattr(driver, "require_ray", Cluster)
    found = score_pairs(endless(), settings=Settings(), jobs=2, executor="ray")

    assert [next(found).id for _ in range(100)] == [str(number) for number in range(1, 101)]
    assert len(taken) < 300


def test_a_worker_that_is_down_is_asked_again_and_one_that_died_is_replaced(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    cluster = Cluster()
    cluster.starts = [ActorUnavailableError()] * 30 + [ActorDiedError()]

    assert len(score(monkeypatch, cluster, 20)) == 20
    assert cluster.num_actors == 6


def test_a_worker_that_never_answers_is_replaced(monkeypatch: pytest.MonkeyPatch) -> None:
    cluster = Cluster()
    silent = cluster._score

    def fall_silent(*given: Any) -> Any:
        cluster.is_silent = cluster.num_actors == 5
        return silent(*given)

    monkeypatch.setattr(cluster, "_score", fall_silent)
    monkeypatch.setattr(driver, "_PATIENCE", -1000.0)

    assert len(score(monkeypatch, cluster, 20)) == 20
    assert cluster.num_actors > 5


@pytest.mark.parametrize(
    ("starts", "error", "message"),
    [
        ([BrowserNotFound("There is none.")], BrowserNotFound, "There is none."),
        ([ActorDiedError()] * 100, BrowserLost, "A worker ended 5 times while it started"),
    ],
)
def test_a_node_that_cannot_render_ends_the_run(
    monkeypatch: pytest.MonkeyPatch, starts: list[Any], error: type[Exception], message: str
) -> None:
    cluster = Cluster()
    cluster.starts = starts

    with pytest.raises(error, match=message):
        score(monkeypatch, cluster, 20)


def test_designs_are_let_go_of_by_size_and_number() -> None:
    references = References(max_bytes=250, max_count=3)
    for design in "abc":
        assert references.begin(design) is None
        references.end(design, design.upper(), 100)

    assert [references.begin(design) for design in "cba"] == ["C", "B", None]
    references.end("a", None, 0)
    assert not references.has_to_wait("a")
    assert [references.begin(design) for design in "ab"] == [None, "B"]


def test_pairs_of_a_design_wait_for_the_first_unless_too_many_do() -> None:
    references = References()
    given = pairs(20, samples=20)
    tasks = Tasks(given, references=references, num_workers=1, is_ordered=True, ahead=8)
    first = tasks.take()
    assert first is not None
    references.begin(first.design)

    second = tasks.take()

    # Eight wait; the ninth renders the design, too, rather than to be read in vain.
    assert second is not None
    assert second.number == 9
    tasks.lose(first)
    third = tasks.take()
    assert third is first


def test_slow_and_poison_pages_and_lost_workers_leave_the_others_at_work() -> None:
    simulation = Simulation(Costs(pages=[0.5], design=0.5), 8, MUCH, seed=0)

    seconds = simulation.run(4000)

    assert simulation.busy / seconds / 8 > 0.9


@pytest.mark.parametrize("own", [{"ray_address": "auto"}, {"clip_gpus": 0.0}])
def test_an_address_and_gpus_are_for_ray_alone(own: dict[str, Any]) -> None:
    with pytest.raises(ConfigurationError, match="Give --executor ray, too"):
        score_pairs([], settings=Settings(), executor="processes", **own)


def test_gpus_are_for_clip_alone() -> None:
    with pytest.raises(ConfigurationError, match=r"clip_gpus is for CLIP.*Give .*appearance=clip"):
        score_pairs([], settings=Settings(), executor="ray", clip_gpus=0.5)


def test_an_address_for_remote_clients_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(driver, "require_ray", Cluster)
    monkeypatch.setenv("RAY_ADDRESS", "ray://10.0.0.1:10001")

    with pytest.raises(ConfigurationError, match="takes HOST:PORT") as refused:
        next(score_pairs(pairs(1), settings=Settings(), executor="ray"))
    assert "10.0.0.1" not in str(refused.value)


def test_without_ray_it_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "ray", None)

    with pytest.raises(ConfigurationError, match=r"needs the package ray.*pytest-design2a11y\[ray\]"):
        next(score_pairs(pairs(1), settings=Settings(), executor="ray"))

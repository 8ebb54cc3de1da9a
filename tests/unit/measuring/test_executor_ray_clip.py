"""The one CLIP model of a cluster: what it may run on, what it refuses, and what workers get from it."""

from __future__ import annotations

import sys
from contextlib import ExitStack
from types import SimpleNamespace
from typing import Any

import pytest

from pytest_design2a11y.exceptions import (
    AppearanceUnavailable,
    BrowserLost,
    ConfigurationError,
    Design2a11yError,
    NodeDiffers,
)
from pytest_design2a11y.measuring.executors.ray.clip_model import SharedModel, shared_model
from pytest_design2a11y.settings.values import Settings

HERE, THERE = "clip:M/w sha256:0123 cpu", "clip:M/w sha256:0123 cuda"


class RayError(Exception):
    pass


class RayTaskError(RayError):
    cause = MemoryError("/home/somebody/weights.pt")


class GetTimeoutError(RayError):
    pass


class Cluster:
    """Stands for Ray, with one actor whose every call comes to the same."""

    exceptions = SimpleNamespace(RayError=RayError, RayTaskError=RayTaskError)

    def __init__(self, told: Any, *, gpus: float = 0.0) -> None:
        self.told = told
        self.gpus = gpus
        self.options: dict[str, Any] = {}
        self.is_killed = False
        call = SimpleNamespace(remote=lambda *given: self.told)
        self.actor = SimpleNamespace(start=call, encode=call)

    def cluster_resources(self) -> dict[str, float]:
        return {"CPU": 8.0, **({"GPU": self.gpus} if self.gpus else {})}

    def remote(self, **options: Any) -> Any:
        self.options = options
        return lambda cls: SimpleNamespace(remote=lambda *given: self.actor)

    def get(self, told: Any, timeout: float | None = None) -> Any:
        if isinstance(told, RayError):
            raise told
        return told

    def kill(self, actor: Any) -> None:
        self.is_killed = True


def started(cluster: Cluster, gpus: float) -> SharedModel:
    with ExitStack() as stack:
        return stack.enter_context(shared_model(cluster, Settings(), gpus=gpus, expected=HERE))


@pytest.mark.parametrize("gpus", [0.0, 0.5, 2.0])
def test_it_gets_as_many_gpus_as_asked_for_and_may_be_restarted(gpus: float) -> None:
    cluster = Cluster(THERE if gpus else HERE, gpus=2.0)

    model = started(cluster, gpus)

    assert cluster.options == {"num_cpus": 1, "num_gpus": gpus, "max_restarts": -1, "max_task_retries": -1}
    assert model.device == ("cuda" if gpus else "cpu")
    assert cluster.is_killed


def test_gpus_that_no_node_has_are_refused_before_anything_waits_for_them() -> None:
    with pytest.raises(ConfigurationError, match=r"does not have 1 GPUs\. Give -o design2a11y_clip_gpus=0"):
        started(Cluster(THERE), 1.0)


@pytest.mark.parametrize(
    ("told", "error", "message"),
    [
        ("clip:M/w sha256:9999 cuda", NodeDiffers, "has other weights than this machine"),
        (GetTimeoutError(), ConfigurationError, r"did not start \(GetTimeoutError\)"),
        (AppearanceUnavailable("Damaged.", stage="appearance"), AppearanceUnavailable, "Damaged"),
    ],
)
def test_a_model_that_is_another_or_does_not_start_is_an_error(
    told: Any, error: type[Design2a11yError], message: str
) -> None:
    cluster = Cluster(told)

    with pytest.raises(error, match=message):
        started(cluster, 0.0)
    assert cluster.is_killed


@pytest.mark.parametrize(
    ("failure", "error"), [(RayTaskError(), AppearanceUnavailable), (RayError(), BrowserLost)]
)
def test_a_model_that_fails_gives_an_error_without_numbers_or_paths(
    failure: RayError, error: type[Design2a11yError], monkeypatch: pytest.MonkeyPatch
) -> None:
    cluster = Cluster(failure)
    monkeypatch.setitem(sys.modules, "ray", cluster)
    model = SharedModel(cluster.actor, HERE)

    with pytest.raises(error) as raised:
        model.features([])
    assert "somebody" not in str(raised.value)

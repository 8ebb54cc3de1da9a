"""Ray for real: two nodes on this machine, of which workers and one node are killed."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from pytest_design2a11y.capture.browser.processes import descendants, kill
from pytest_design2a11y.measuring.executors import ray as ray_executor
from pytest_design2a11y.measuring.executors import score_pairs
from pytest_design2a11y.measuring.executors.ray import Actor
from pytest_design2a11y.measuring.pairs import Pair
from pytest_design2a11y.models.evaluation import Evaluation
from pytest_design2a11y.models.page import Answer
from pytest_design2a11y.models.verdicts import Subject
from pytest_design2a11y.settings import Settings

pytestmark = pytest.mark.slow

NUM_PAIRS = 100
PAGE = "<!doctype html><html lang=en><title>x</title><h1>Sign up</h1><p>Page {}</p><p>{}</p>"


@pytest.fixture(scope="module")
def cluster() -> Iterator[Any]:
    """Two nodes with one processor each; Ray's token and folders go when it ends."""
    pytest.importorskip("ray", reason="needs the extra ray")
    folder = tempfile.mkdtemp(prefix="r")  # Sockets lie in it, whose paths must be short.
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("HOME", folder)
        patch.setenv("RAY_TMPDIR", folder)
        patch.setenv("RAY_USAGE_STATS_ENABLED", "0")
        from ray.cluster_utils import Cluster

        node = {"num_cpus": 1, "include_dashboard": False, "object_store_memory": 1 << 28}
        try:
            started: Any = Cluster(initialize_head=True, head_node_args=node)
        except Exception as error:
            pytest.skip(f"no local Ray cluster can be started here ({type(error).__name__})")
        started.add_node(num_cpus=1, object_store_memory=1 << 28)
        started.wait_for_nodes()
        yield started
        started.shutdown()
    shutil.rmtree(folder, ignore_errors=True)


@pytest.fixture(scope="module")
def pairs(tmp_path_factory: pytest.TempPathFactory) -> list[Pair]:
    folder = tmp_path_factory.mktemp("pages")
    for number in range(5):
        (folder / f"{number}.html").write_text(PAGE.format(number, "A design. " * number))
    return [
        Pair(
            Subject(str(each), ""), f"{each // 20}.html", Answer(PAGE.format(each, "A page. " * each)), folder
        )
        for each in range(NUM_PAIRS)
    ]


def running(name: bytes) -> list[int]:
    """Processes that this one started, directly or not, by what their command lines begin with."""
    found = []
    for process in descendants(os.getpid()):
        try:
            line = Path(f"/proc/{process}/cmdline").read_bytes()
        except OSError:
            continue
        if name in line.split(b"\0")[0]:
            found.append(process)
    return found


def score(cluster: Any, pairs: list[Pair], settings: Settings, *, jobs: int = 2) -> Iterator[Evaluation]:
    settings = replace(settings, ray_address=cluster.address)
    return score_pairs(pairs, settings=settings, jobs=jobs, executor="ray")


def test_killed_workers_and_a_lost_node_change_nothing(
    cluster: Any, pairs: list[Pair], tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    settings = Settings(cache_folder=tmp_path)
    expected = list(score_pairs(pairs, settings=settings))
    browsers = set(running(b"chrom"))
    node = list(cluster.list_all_nodes())[-1]
    found = []

    for evaluation in score(cluster, pairs, settings):
        found.append(evaluation)
        if len(found) in (10, 80):
            kill(running(b"ray::Actor")[0])
        elif len(found) == 30:
            cluster.remove_node(node, allow_graceful=False)
        elif len(found) == 50:
            cluster.add_node(num_cpus=1, object_store_memory=1 << 28)

    assert all(one.error is None for one in expected)
    assert found == expected
    assert set(running(b"chrom")) == browsers
    # Ray would print there how the workers ended, and where.
    assert capfd.readouterr().out == ""


def test_a_poison_page_and_failed_pages_are_errors_without_numbers(
    cluster: Any, pairs: list[Pair], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    deaths = tmp_path / "deaths"

    class Fragile(Actor):
        def score(self, pair: Pair) -> Evaluation:
            if pair.subject.id == "poison":
                with deaths.open("a") as file:
                    file.write("x")
                kill(os.getpid())
            return super().score(pair)

    monkeypatch.setattr(ray_executor, "Actor", Fragile)
    folder = pairs[0].folder
    given = [
        pairs[0],
        Pair(Subject("poison", ""), "0.html", Answer(PAGE), folder),
        Pair(Subject("missing", ""), "0.html", "none.html", folder),
        Pair(Subject("no design", ""), "none.html", Answer(PAGE), folder),
        Pair(Subject("refusal", ""), "0.html", Answer("I'm sorry, I can't help with that."), folder),
        *pairs[18:23],
    ]
    ours = Settings(cache_folder=tmp_path / "cache", picture_folder=tmp_path / "serial")
    expected = {one.id: one for one in score_pairs(given, settings=ours)}

    found = list(
        score(cluster, given, Settings(cache_folder=tmp_path / "cache", picture_folder=tmp_path / "ray"))
    )

    assert [one.id for one in found] == list(expected)
    poison = next(one for one in found if one.id == "poison")
    assert deaths.read_text() == "xxx"
    assert poison.error is not None
    assert "3 workers ended while they scored this page" in poison.error.message
    assert (poison.visual, poison.accessibility) == (None, None)
    assert all(one == expected[one.id] for one in found if one is not poison)
    assert [one.id for one in found if one.visual is None] == ["poison", "missing", "no design", "refusal"]
    kept = {path.name: path.read_bytes() for path in (tmp_path / "serial").iterdir()}
    got = {path.name: path.read_bytes() for path in (tmp_path / "ray").iterdir()}
    assert got.items() <= kept.items()
    assert {name for one in found for name in one.pictures.values()} <= got.keys()


def test_the_command_joins_a_cluster_and_tells_no_secret(
    cluster: Any, pairs: list[Pair], tmp_path: Path
) -> None:
    line = '{"id": "1", "reference": "0.html", "candidate": "1.html"}\n'
    (tmp_path / "pairs.jsonl").write_text(line)
    for number in range(2):
        shutil.copy(pairs[0].folder / f"{number}.html", tmp_path)

    def command(address: str) -> subprocess.CompletedProcess[str]:
        arguments = ["score", "--pairs", "pairs.jsonl", "--out", "out", "--executor", "ray"]
        return subprocess.run(
            [sys.executable, "-m", "pytest_design2a11y", *arguments, "--set", f"ray_address={address}"],
            cwd=tmp_path,
            capture_output=True,
            text=True,
        )

    host, _, port = cluster.address.rpartition(":")
    nowhere = command(f"{host}:1")
    joined = command(cluster.address)

    assert joined.returncode == 0, joined.stderr
    assert "1 page in out" in joined.stdout
    assert nowhere.returncode == 2
    assert "No Ray cluster could be joined or started" in nowhere.stderr
    home = Path(os.environ["HOME"])
    secrets = [host, port, str(home), *(token.read_text() for token in home.glob(".ray/auth_token"))]
    for told in (joined.stdout, joined.stderr, nowhere.stdout, nowhere.stderr):
        assert not [secret for secret in secrets if secret in told]

"""The actor that scores pairs on a node, in its own browser."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

from pytest_design2a11y.exceptions import Design2a11yError, NodeDiffers
from pytest_design2a11y.measuring.browser_thread import BrowserThread
from pytest_design2a11y.measuring.caches import embed_elsewhere
from pytest_design2a11y.measuring.conditions import machine_conditions
from pytest_design2a11y.measuring.executors.ray.clip_model import SharedModel
from pytest_design2a11y.measuring.executors.serial import score_pair
from pytest_design2a11y.measuring.pairs import Pair, file_digest
from pytest_design2a11y.measuring.records import failed_evaluation
from pytest_design2a11y.models.run import Evaluation
from pytest_design2a11y.report.pictures import picture_files
from pytest_design2a11y.settings.values import Settings

Entry = tuple[str, bytes]

#: Conditions that may differ: a node's kernel. Processor and operating system are part of every evaluation.
_HARMLESS = frozenset({"platform"})

_ADVICE = (
    "Give every node the same environment, and the files under the same paths, as on a shared file system."
)


class Scored(NamedTuple):
    """An actor's answer for a pair: pictures by file name, and the bytes of captures sent separately."""

    evaluation: Evaluation
    pictures: Mapping[str, bytes]
    num_bytes: int


class Passed:
    """Captures of designs that came with a pair, and those that were made for it."""

    def __init__(self) -> None:
        self.given: dict[str, bytes] = {}
        self.made: dict[str, bytes] = {}

    def read(self, name: str) -> bytes:
        """Return an entry; KeyError if it did not come."""
        return self.given[name]

    def write(self, name: str, content: bytes) -> None:
        """Store an entry that was made."""
        self.made[name] = content


class Actor:
    """Scores pairs one after the other; Ray calls it from any thread, its browser lives in one."""

    def __init__(self, settings: Settings, folder: str, conditions: Mapping[str, Any]) -> None:
        """Prepare; `start` starts the browser."""
        self._pictures = TemporaryDirectory(prefix="design2a11y-") if settings.picture_folder else None
        if self._pictures is not None:
            settings = replace(settings, picture_folder=Path(self._pictures.name))
        self._settings = settings
        self._folder = folder
        self._conditions = conditions
        self._passed = Passed()
        self._thread = BrowserThread(settings, references=self._passed)

    def start(self, model: SharedModel | None = None) -> Design2a11yError | None:
        """Start the browser; return the reason if this node cannot score."""
        if model is not None:
            embed_elsewhere(model)
        settings = self._settings
        try:
            os.chdir(self._folder)
            own = self._thread.submit(lambda renderer: machine_conditions(renderer, settings)).result()
        except OSError:
            return NodeDiffers("A node does not have the working directory.", stage="launch", advice=_ADVICE)
        except Design2a11yError as error:
            return error
        names = sorted({*own, *self._conditions} - _HARMLESS)
        if differing := [name for name in names if own.get(name) != self._conditions.get(name)]:
            what = f"A node differs from the machine that asks it in: {', '.join(differing)}."
            return NodeDiffers(what, stage="launch", advice=_ADVICE)
        return None

    def score(
        self, pair: Pair, digests: Sequence[str | None], given: Sequence[Any]
    ) -> tuple[Scored, list[Entry]]:
        """Score a pair."""
        if digests_of(pair) != list(digests):
            error = NodeDiffers(
                "The files of this pair differ between the node that got it and the machine that asks.",
                stage="source",
                advice=_ADVICE,
            )
            failed = failed_evaluation(pair.subject, pair.candidate, error, reference=pair.reference)
            return Scored(failed, {}, 0), []
        import ray

        self._passed.given, self._passed.made = {}, {}
        with suppress(ray.exceptions.RayError):  # The node that held the design's captures is gone.
            self._passed.given = dict(entry for handle in given for entry in ray.get(handle))
        settings, folder = self._settings, self._settings.picture_folder
        evaluation = self._thread.submit(
            lambda renderer: score_pair(pair, renderer=renderer, settings=settings)
        ).result()
        pictures = {} if folder is None else picture_files(evaluation, folder)
        num_bytes = sum(map(len, self._passed.made.values()))
        return Scored(evaluation, pictures, num_bytes), list(self._passed.made.items())

    def stop(self) -> None:
        """End the browser, and remove the files that were written."""
        self._thread.close()
        if self._pictures is not None:
            self._pictures.cleanup()


def digests_of(pair: Pair) -> list[str | None]:
    """Return the digests of a pair's reference and candidate, if they are files."""
    return [file_digest(pair, source) for source in (pair.reference, pair.candidate)]

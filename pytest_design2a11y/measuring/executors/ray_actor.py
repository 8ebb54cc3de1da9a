"""The actor that scores pairs on a node of a Ray cluster, in its own browser."""

import os
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

from pytest_design2a11y.exceptions import Design2a11yError, NodeDiffers
from pytest_design2a11y.measuring.browser_thread import BrowserThread
from pytest_design2a11y.measuring.conditions import machine_conditions
from pytest_design2a11y.measuring.executors.serial import score_pair
from pytest_design2a11y.measuring.pairs import Pair, file_digest
from pytest_design2a11y.measuring.records import failed_evaluation
from pytest_design2a11y.models.evaluation import Evaluation
from pytest_design2a11y.runs.pictures import picture_files
from pytest_design2a11y.settings import Settings
from pytest_design2a11y.wording import Audience, read_by

#: Conditions that may differ: a node's kernel. Processor and operating system are part of every evaluation.
_HARMLESS = frozenset({"platform"})
_ADVICE = (
    "Give every node the same environment, and the files under the same paths, as on a shared file system."
)


class ScoredPair(NamedTuple):
    """An actor's answer for a pair, with the pictures that it wrote, by file name."""

    evaluation: Evaluation
    pictures: Mapping[str, bytes]


class Actor:
    """Scores pairs one after the other; Ray calls it from any thread, its browser lives in one."""

    def __init__(
        self, settings: Settings, folder: str, conditions: Mapping[str, Any], read: Audience
    ) -> None:
        """Prepare; the browser starts with the first call."""
        self._pictures = TemporaryDirectory(prefix="design2a11y-") if settings.picture_folder else None
        if self._pictures is not None:
            settings = replace(settings, picture_folder=Path(self._pictures.name))
        self._settings = settings
        self._folder = folder
        self._conditions = conditions
        self._read = read
        self._is_started = False
        self._thread = BrowserThread(settings)

    def start(self) -> Design2a11yError | None:
        """Start the browser; return the reason if this node cannot score."""
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
        self._is_started = True
        return None

    def score(self, pair: Pair, digests: Sequence[str | None]) -> ScoredPair | Design2a11yError:
        """Score a pair; return the reason if this node, where Ray may just have restarted it, cannot."""
        if not self._is_started and (error := self.start()) is not None:
            return error
        if digests_of(pair) != list(digests):
            differs = NodeDiffers(
                "The files of this pair differ between the node that got it and the machine that asks.",
                stage="source",
                advice=_ADVICE,
            )
            failed = failed_evaluation(pair.subject, pair.candidate, differs, reference=pair.reference)
            return ScoredPair(failed, {})
        settings, folder = self._settings, self._settings.picture_folder
        with read_by(self._read):
            evaluation = self._thread.submit(
                lambda renderer: score_pair(pair, renderer=renderer, settings=settings)
            ).result()
        return ScoredPair(evaluation, {} if folder is None else picture_files(evaluation, folder))

    def stop(self) -> None:
        """End the browser, and remove the files that were written."""
        self._thread.close()
        if self._pictures is not None:
            self._pictures.cleanup()


def digests_of(pair: Pair) -> list[str | None]:
    """Return the digests of a pair's reference and candidate, if they are files."""
    return [file_digest(pair, source) for source in (pair.reference, pair.candidate)]

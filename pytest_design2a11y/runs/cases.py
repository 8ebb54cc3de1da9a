"""Cases and their samples: which files belong together, however many there are."""

from __future__ import annotations

import heapq
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain, groupby
from pathlib import Path

from pytest_design2a11y.exceptions import ConfigurationError
from pytest_design2a11y.models.page import STATE_IN_NAME
from pytest_design2a11y.models.run import Axes, CaseKey, case_key, read_axes
from pytest_design2a11y.runs.case_files import (
    CaseFile,
    designs_in,
    pages_by_pattern,
    pages_in,
    place_of_page,
)
from pytest_design2a11y.runs.encoding import natural_key
from pytest_design2a11y.runs.sorting import SortedRows

_MAX_NAMED = 10


@dataclass(frozen=True, slots=True)
class FilePair:
    """A reference file and one candidate generated for it.

    Attributes:
        case: The reference's name.
        sample: Which generation it is.
        axes: From the pattern's {model} and {prompt}, and the state in the design's name.
        reference: The design.
        candidate: The generated page; its file may be missing.
        is_reached: Whether steps bring the candidate into the state of its design.
    """

    case: str
    sample: str
    axes: Axes
    reference: Path
    candidate: Path
    is_reached: bool = False

    @property
    def case_key(self) -> CaseKey:
        """The case along its axes: its samples share it."""
        return case_key(self.case, self.axes)


class FilePairs:
    """Every reference with the pages generated for it, made anew each time that they are read.

    They come by case, axes and sample in natural order. A reference without a candidate, along any of the
    axes that there are, has one whose file is missing. Of many files, names lie in a temporary file.
    """

    def __init__(
        self, reference_dir: str | Path, candidates: str | Path, *, states: Collection[str] = ()
    ) -> None:
        """Find the files.

        Args:
            reference_dir: Folder with one page a case; the file's stem is the case.
            candidates: A folder with `<case>.html`, or `<case>/<sample>.html`; or a pattern with {case} and,
                as wished, {sample}, {prompt} and {model}, such as "generated/{prompt}/{case}-{sample}.html".
                A placeholder stands for any text without a slash.
            states: States for which there are designs, as signup~error.html, and no files: the candidates of
                their cases are brought into them.
        """
        self._reference_dir = reference_dir
        self._candidates = str(candidates)
        self._states = states
        self._axes: dict[CaseKey, Axes] = {}
        self._is_nested = False
        pages = pages_by_pattern if "{" in self._candidates else _in_folder
        files = chain(designs_in(Path(reference_dir)), map(self._noted, pages(self._candidates)))
        self._rows = SortedRows(file.row() for file in files)
        self._num_pairs = sum(1 for _ in self)

    def __len__(self) -> int:
        """Return how many pairs there are."""
        return self._num_pairs

    def __iter__(self) -> Iterator[FilePair]:
        """Return the pairs."""
        for files in self._cases():
            references, pairs = self._paired(files)
            if any(pair.case not in references for pair in pairs):
                raise self._unpaired()
            _refuse_twice(pairs)
            yield from sorted(map(_with_state, [*pairs, *self._missing(references, pairs)]), key=_order)

    def _noted(self, file: CaseFile) -> CaseFile:
        """Remember what is known only when all pages have been seen."""
        axes = read_axes(file.names)
        self._axes[case_key("", axes)] = axes
        self._is_nested = self._is_nested or Path(file.path).parent != Path(self._candidates)
        return file

    def _cases(self) -> Iterator[list[CaseFile]]:
        """Return the files of each case, those of its states among them."""
        for _key, rows in groupby(self._rows, key=lambda row: row[0]):
            yield [CaseFile.of(row) for row in rows]

    def _paired(self, files: Iterable[CaseFile]) -> tuple[dict[str, Path], list[FilePair]]:
        references: dict[str, Path] = {}
        pairs = []
        for file in files:  # Designs come first.
            if file.is_page:
                pairs.append(_pair_of(file, references))
            elif file.case in references:
                raise ConfigurationError(
                    f"{references[file.case]} and {file.path} are both the reference of case {file.case!r}.",
                    advice="Keep one page a case.",
                )
            else:
                references[file.case] = Path(file.path)
        return references, list(_in_states(pairs, references, self._states))

    def _missing(self, references: Mapping[str, Path], pairs: Sequence[FilePair]) -> Iterator[FilePair]:
        """Pair the references that have no candidate, along some axes, with the file that it would be."""
        found = {pair.case_key for pair in pairs}
        for axes in self._axes.values() or [{}]:
            for case, page in references.items():
                if case_key(case, axes) not in found:
                    place = place_of_page(self._candidates, case, axes, is_nested=self._is_nested)
                    yield FilePair(case, "1", axes, page, place)

    def _unpaired(self) -> ConfigurationError:
        def lonely() -> Iterator[str]:
            for references, pairs in map(self._paired, self._cases()):
                yield from (str(pair.candidate) for pair in pairs if pair.case not in references)

        shown = ", ".join(heapq.nsmallest(_MAX_NAMED, lonely(), key=natural_key))
        num_more = sum(1 for _ in lonely()) - _MAX_NAMED
        return ConfigurationError(
            f"No reference in {self._reference_dir} for {shown}{f' and {num_more} more' * (num_more > 0)}.",
            advice="Add the reference, or take the candidate away.",
        )


def _in_folder(candidates: str) -> Iterator[CaseFile]:
    return pages_in(Path(candidates))


def _pair_of(page: CaseFile, references: Mapping[str, Path]) -> FilePair:
    return FilePair(
        case=page.case,
        sample=page.names.get("sample", "1"),
        axes=read_axes(page.names),
        reference=references.get(page.case, Path()),
        candidate=Path(page.path),
    )


def _in_states(
    pairs: Sequence[FilePair], references: Mapping[str, Path], states: Collection[str]
) -> Iterator[FilePair]:
    """Return the pairs of files, and candidates with the designs of states that they are brought into."""
    by_file = {pair.case for pair in pairs}
    for pair in pairs:
        reached = [name for name in (f"{pair.case}~{state}" for state in states) if name in references]
        if pair.case in references or not reached:
            yield pair
        for name in reached:
            if name not in by_file:
                yield replace(pair, case=name, reference=references[name], is_reached=True)


def _with_state(pair: FilePair) -> FilePair:
    """Take the state in a design's name for an axis of its case."""
    found = STATE_IN_NAME.search(pair.case)
    if found is None:
        return pair
    return replace(pair, case=pair.case[: found.start()], axes={**pair.axes, "state": found[1]})


def _order(pair: FilePair) -> tuple[object, ...]:
    return tuple(natural_key(part) for part in (pair.case, *pair.axes.values(), pair.sample))


def _refuse_twice(pairs: Iterable[FilePair]) -> None:
    seen: dict[tuple[CaseKey, str], FilePair] = {}
    for pair in pairs:
        key = (pair.case_key, pair.sample)
        if key in seen:
            raise ConfigurationError(
                f"{seen[key].candidate} and {pair.candidate} are both sample {pair.sample} "
                f"of case {pair.case!r}.",
                advice="Name the samples apart: <case>/1.html, <case>/2.html.",
            )
        seen[key] = pair

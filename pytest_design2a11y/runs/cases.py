"""Cases and their samples: which files belong together."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from pytest_design2a11y.exceptions import ConfigurationError
from pytest_design2a11y.models.evaluation import Axes, CaseKey, case_key
from pytest_design2a11y.models.page import STATE_IN_NAME
from pytest_design2a11y.models.paths import label_of_path
from pytest_design2a11y.models.run import read_axes
from pytest_design2a11y.runs.case_files import designs_in, pages_by_pattern, pages_in, place_of_page
from pytest_design2a11y.runs.encoding import natural_key
from pytest_design2a11y.wording import listed

_MAX_NAMED = 10


@dataclass(frozen=True, slots=True)
class FilePair:
    """A reference file and one candidate generated for it."""

    case: str  # The reference's name
    sample: str  # Which generation it is
    axes: Axes  # From the pattern's {model} and {prompt}, and the state in the design's name
    reference: Path  # The design
    candidate: Path  # The generated page; its file may be missing
    is_reached: bool = False  # Whether steps bring the candidate into the state of its design

    @property
    def case_key(self) -> CaseKey:
        """The case along its axes: its samples share it."""
        return case_key(self.case, self.axes)


def file_pairs(
    reference_dir: str | Path, candidates: str | Path, *, states: Collection[str] = ()
) -> list[FilePair]:
    """Pair every reference with the pages generated for it, by case, axes and sample in natural order.

    A reference's stem is its case; without a candidate, along any of the axes that there are, it has one
    whose file is missing. Candidates lie in a folder as `<case>.html`, or `<case>/<sample>.html`; or where a
    pattern says that has {case} and, as wished, {sample}, {prompt} and {model}, such as
    "generated/{prompt}/{case}-{sample}.html". A placeholder stands for any text without a slash.

    For states there are designs, as signup~error.html, and no files: candidates are brought into them.

    Raises:
        ConfigurationError: A folder is missing, there are no references, a pattern is not valid, or a
            candidate has no reference; the message names it.
    """
    named, references = label_of_path(candidates), _references(Path(reference_dir))
    files = list(pages_by_pattern(named) if "{" in named else pages_in(Path(named)))
    in_files = [
        FilePair(
            case=file.case,
            sample=file.names.get("sample", "1"),
            axes=read_axes(file.names),
            reference=references.get(file.case, Path()),
            candidate=Path(file.path),
        )
        for file in files
    ]
    pairs = list(_in_states(in_files, references, states))
    if lonely := [str(pair.candidate) for pair in pairs if pair.case not in references]:
        shown = listed(sorted(lonely, key=natural_key), most=_MAX_NAMED)
        raise ConfigurationError(
            f"No reference in {reference_dir} for {shown}.",
            advice="Add the reference, or take the candidate away.",
        )
    _refuse_twice(pairs)
    is_nested = any(Path(file.path).parent != Path(named) for file in files)
    found = {pair.case_key for pair in pairs}
    axes_found = {case_key("", axes): axes for axes in (read_axes(file.names) for file in files)}
    pairs += [
        FilePair(case, "1", axes, page, place_of_page(named, case, axes, is_nested=is_nested))
        for axes in axes_found.values() or [{}]
        for case, page in references.items()
        if case_key(case, axes) not in found
    ]
    return sorted(
        map(_with_state, pairs),
        key=lambda pair: [natural_key(part) for part in (pair.case, *pair.axes.values(), pair.sample)],
    )


def _references(folder: Path) -> dict[str, Path]:
    references: dict[str, Path] = {}
    for design in designs_in(folder):
        path = Path(design.path)
        if (first := references.setdefault(design.case, path)) != path:
            raise ConfigurationError(
                f"{first} and {path} are both the reference of case {design.case!r}.",
                advice="Keep one page a case.",
            )
    return references


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

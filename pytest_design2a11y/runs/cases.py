"""Cases and their samples: where designs and pages are, what their names mean, and which belong together."""

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path, PurePath
from typing import NamedTuple

from pytest_design2a11y.exceptions import ConfigurationError
from pytest_design2a11y.extending import Reader
from pytest_design2a11y.files import label_of_path
from pytest_design2a11y.models.page import PICTURE_SUFFIXES, SCALE_IN_NAME, STATE_IN_NAME
from pytest_design2a11y.models.verdicts import USUAL_AXES, Axes, CaseKey, case_key, read_axes
from pytest_design2a11y.registry import available
from pytest_design2a11y.runs.encoding import natural_key
from pytest_design2a11y.wording import listed

PAGE_SUFFIXES = frozenset({".html", ".htm", ".xhtml"})
#: File that makes its folder a page.
INDEX_NAME = "index.html"
PLACEHOLDERS = ("case", "sample", *USUAL_AXES)

_PLACEHOLDER = re.compile(r"\{(\w*)\}")


class CaseFile(NamedTuple):
    """A file with what its path says about it."""

    path: str  # Where it is
    case: str  # Its case, with the state if it has one: login~error
    names: Mapping[str, str]  # Values of the pattern's other placeholders


def designs_in(folder: Path) -> Iterator[CaseFile]:
    """Return the designs in a folder; ConfigurationError if it is missing or has none."""
    names = (*_pages_in(folder, "reference"), *_folders_of_pages(folder))
    if not names:
        raise ConfigurationError(
            f"There are no pages in the reference folder {folder}.", advice="Put the designs there."
        )
    for name in names:
        design = PurePath(name)
        is_picture = design.suffix.lower() in PICTURE_SUFFIXES
        case = SCALE_IN_NAME.sub("", design.stem) if is_picture else design.stem
        yield CaseFile(str(folder / name), case, {})


def pages_in(folder: Path) -> Iterator[CaseFile]:
    """Return the pages `<case>.html`, `<case>/index.html` and `<case>/<sample>.html` in a folder."""
    for name in _pages_in(folder, "candidate"):
        yield CaseFile(str(folder / name), PurePath(name).stem, {"sample": "1"})
    folders = frozenset(_folders_of_pages(folder))
    for name in folders:
        yield CaseFile(str(folder / name), name, {"sample": "1"})
    for entry in _entries(folder):
        if entry.is_dir() and not entry.name.startswith(".") and entry.name not in folders:
            for name in _pages_in(entry, "candidate"):
                yield CaseFile(str(entry / name), entry.name, {"sample": PurePath(name).stem})


def pages_by_pattern(pattern: str) -> Iterator[CaseFile]:
    """Return the files that match a pattern; ConfigurationError if its folder is missing."""
    expression = _expression(pattern)
    fixed = _fixed(pattern)
    root = Path(fixed)
    if not root.is_dir():
        raise ConfigurationError(f"There is no candidate folder {root}.", advice="Check the pattern's path.")
    is_empty = True
    for name in _files_in(root, pattern[len(fixed) :].count("/")):
        if (match := expression.fullmatch(name)) is not None:
            is_empty = False
            names = match.groupdict()
            yield CaseFile(str(root / name), names.pop("case"), names)
    if is_empty:
        raise ConfigurationError(f"No file fits the pattern {pattern!r}.", advice="Check the pattern.")


def place_of_page(candidates: str, case: str, axes: Axes, *, is_nested: bool) -> Path:
    """Return where the page of a case would be: as a pattern says, or beside the others in its folder."""
    if "{" in candidates:
        names = {"case": case, "sample": "1", **axes}
        return Path(_PLACEHOLDER.sub(lambda match: names[match[1]], candidates))
    return Path(candidates, case, "1.html") if is_nested else Path(candidates, f"{case}.html")


def _pages_in(folder: Path, role: str) -> Iterator[str]:
    if not folder.is_dir():
        if folder.exists():
            raise ConfigurationError(f"{folder} is a file, not a folder of pages.", advice="Give its folder.")
        raise ConfigurationError(f"There is no {role} folder {folder}.", advice="Check the path.")
    readers = available(Reader).values() if role == "reference" else ()
    suffixes = PAGE_SUFFIXES.union(*(reader.suffixes for reader in readers))
    yield from (name for name in _files_in(folder, 0) if PurePath(name).suffix.lower() in suffixes)


def _folders_of_pages(folder: Path) -> Iterator[str]:
    visible = (entry for entry in _entries(folder) if not entry.name.startswith("."))
    return (entry.name for entry in visible if (entry / INDEX_NAME).is_file())


def _files_in(folder: Path, depth: int) -> Iterator[str]:
    """Return the files exactly `depth` folders below a folder, as paths relative to it."""
    for entry in _entries(folder):
        if depth and entry.is_dir():
            yield from (f"{entry.name}/{name}" for name in _files_in(entry, depth - 1))
        elif not depth and entry.is_file():
            yield entry.name


def _entries(folder: Path) -> Iterator[Path]:
    try:
        yield from folder.iterdir()
    except OSError as error:
        raise ConfigurationError(
            f"Cannot read the folder {folder}: {error.strerror}.", advice="Check its permissions."
        ) from None


def _fixed(pattern: str) -> str:
    """Return the pattern up to its first component with a placeholder."""
    return re.split(r"[^/\\]*\{", pattern, maxsplit=1)[0]


def _expression(pattern: str) -> re.Pattern[str]:
    """Compile the rest of a pattern, from the first component with a placeholder, to a regular expression."""
    names = _PLACEHOLDER.findall(pattern)
    unknown = [name for name in names if name not in PLACEHOLDERS]
    if unknown or "case" not in names:
        what = f"knows no {{{unknown[0]}}}" if unknown else "has no {case}"
        raise ConfigurationError(
            f"The pattern {pattern!r} {what}.",
            advice="Use {case} and, as wished, {sample}, {prompt} and {model}.",
        )
    seen: set[str] = set()
    parts = []
    for number, part in enumerate(_PLACEHOLDER.split(pattern[len(_fixed(pattern)) :])):
        if number % 2 == 0:
            parts.append(re.escape(part))
        else:
            parts.append(f"(?P={part})" if part in seen else f"(?P<{part}>[^/]+)")
            seen.add(part)
    return re.compile("".join(parts))


_MAX_NAMED = 10


@dataclass(frozen=True, slots=True)
class FilePair:
    """A reference file and one candidate generated for it."""

    case: str  # The reference's name
    sample: str  # Which of the generated pages it is
    axes: Axes  # From the pattern's {model} and {prompt}, and from the state in the design's name
    reference: Path  # The design
    candidate: Path  # The generated page; its file may be missing
    is_reached: bool = False  # Whether steps bring the candidate into its design's state

    @property
    def case_key(self) -> CaseKey:
        """The case along its axes, which its samples share."""
        return case_key(self.case, self.axes)


def file_pairs(
    reference_dir: str | Path, candidates: str | Path, *, states: Collection[str] = ()
) -> list[FilePair]:
    """Pair every reference with the pages generated for it, by case, axes and sample in natural order.

    A reference's stem is its case. If it has no candidate along some of the existing axes, it gets one whose
    file is missing. Candidates are in a folder as `<case>.html` or `<case>/<sample>.html`, or as given by a
    pattern with {case} and optionally {sample}, {prompt} and {model}, such as
    "generated/{prompt}/{case}-{sample}.html". A placeholder matches any text without a slash.

    A state has a design, such as signup~error.html, but no file: steps bring candidates into it.

    Raises:
        ConfigurationError: A folder is missing, there are no references, a pattern is not valid, or a
            candidate has no reference; the message names it.
    """
    named, references = label_of_path(candidates), _references(Path(reference_dir))
    in_files = []
    for file in pages_by_pattern(named) if "{" in named else pages_in(Path(named)):
        sample, axes = file.names.get("sample", "1"), read_axes(file.names)
        reference = references.get(file.case, Path())
        in_files.append(FilePair(file.case, sample, axes, reference, Path(file.path)))
    pairs = list(_in_states(in_files, references, states))
    if lonely := [str(pair.candidate) for pair in pairs if pair.case not in references]:
        shown = listed(sorted(lonely, key=natural_key), most=_MAX_NAMED)
        raise ConfigurationError(
            f"No reference in {reference_dir} for {shown}.",
            advice="Add the reference, or take the candidate away.",
        )
    samples: dict[tuple[CaseKey, str], FilePair] = {}
    for pair in pairs:
        if (first := samples.setdefault((pair.case_key, pair.sample), pair)) is not pair:
            raise ConfigurationError(
                f"{first.candidate} and {pair.candidate} are both sample {pair.sample} "
                f"of case {pair.case!r}.",
                advice="Name the samples apart: <case>/1.html, <case>/2.html.",
            )
    is_nested = any(pair.candidate.parent != Path(named) for pair in in_files)
    paired = {pair.case_key for pair in pairs}
    axes_found = {case_key("", pair.axes): pair.axes for pair in in_files}
    pairs += [
        FilePair(case, "1", axes, page, place_of_page(named, case, axes, is_nested=is_nested))
        for axes in axes_found.values() or [{}]
        for case, page in references.items()
        if case_key(case, axes) not in paired
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
    """Yield the pairs of files, and for states that steps reach, pairs with their designs."""
    by_file = {pair.case for pair in pairs}
    for pair in pairs:
        reached = [name for name in (f"{pair.case}~{state}" for state in states) if name in references]
        if pair.case in references or not reached:
            yield pair
        for name in reached:
            if name not in by_file:
                yield replace(pair, case=name, reference=references[name], is_reached=True)


def _with_state(pair: FilePair) -> FilePair:
    match = STATE_IN_NAME.search(pair.case)
    if match is None:
        return pair
    return replace(pair, case=pair.case[: match.start()], axes={**pair.axes, "state": match[1]})

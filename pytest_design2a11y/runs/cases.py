"""Cases and their samples: which files belong together, and which evaluations."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path, PurePath

from pytest_design2a11y.exceptions import ConfigurationError
from pytest_design2a11y.models.page import PICTURE_SUFFIXES, SCALE_IN_NAME, STATE_IN_NAME
from pytest_design2a11y.models.run import USUAL_AXES, Axes, CaseKey, case_key, read_axes
from pytest_design2a11y.runs.encoding import natural_key

PAGE_SUFFIXES = frozenset({".html", ".htm", ".xhtml"})
PLACEHOLDERS = ("case", "sample", *USUAL_AXES)

_PLACEHOLDER = re.compile(r"\{(\w*)\}")
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


def pair_files(
    reference_dir: str | Path, candidates: str | Path, *, states: Collection[str] = ()
) -> tuple[FilePair, ...]:
    """Pair every reference with the pages generated for it.

    Args:
        reference_dir: Folder with one page a case; the file's stem is the case.
        candidates: A folder with `<case>.html`, or `<case>/<sample>.html`; or a pattern with {case} and, as
            wished, {sample}, {prompt} and {model}, such as "generated/{prompt}/{case}-{sample}.html". A
            placeholder stands for any text without a slash.
        states: States for which there are designs, as signup~error.html, and no files: the candidates of
            their cases are brought into them.

    Returns:
        The pairs, by case, axes and sample in natural order. A reference without a candidate, along any of
        the axes that there are, has one whose file is missing.

    Raises:
        ConfigurationError: A folder is missing, there are no references, a pattern is not valid, or a
            candidate has no reference; the message names it.
    """
    references = _references(Path(reference_dir))
    text = str(candidates)
    found = _by_pattern(text) if "{" in text else _by_folder(Path(candidates))
    pairs = [
        FilePair(
            case=case,
            sample=names.get("sample", "1"),
            axes=read_axes(names),
            reference=references.get(case, Path()),
            candidate=path,
        )
        for case, names, path in found
    ]
    pairs = list(_in_states(pairs, references, states))
    _refuse_unpaired(references, pairs, reference_dir)
    _refuse_twice(pairs)
    return tuple(sorted(map(_with_state, [*pairs, *_missing(references, pairs, text)]), key=_order))


def _in_states(
    pairs: Sequence[FilePair], references: Mapping[str, Path], states: Collection[str]
) -> Iterator[FilePair]:
    """Give the pairs of files, and candidates with the designs of states that they are brought into."""
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


def _references(folder: Path) -> dict[str, Path]:
    pages = _pages(folder, "reference")
    cases: dict[str, Path] = {}
    for page in pages:
        case = _stem(page)
        if case in cases:
            raise ConfigurationError(
                f"{cases[case]} and {page} are both the reference of case {case!r}.",
                advice="Keep one page a case.",
            )
        cases[case] = page
    if not cases:
        raise ConfigurationError(
            f"There are no pages in the reference folder {folder}.", advice="Put the designs there."
        )
    return cases


def case_of_design(reference: PurePath) -> str:
    """Name a case by the file of its design; scale and state, as in login~error@2x.png, are left out."""
    return STATE_IN_NAME.sub("", _stem(reference))


def _stem(reference: PurePath) -> str:
    is_picture = reference.suffix.lower() in PICTURE_SUFFIXES
    return SCALE_IN_NAME.sub("", reference.stem) if is_picture else reference.stem


def _pages(folder: Path, role: str) -> list[Path]:
    if not folder.is_dir():
        raise ConfigurationError(f"There is no {role} folder {folder}.", advice="Check the path.")
    suffixes = PAGE_SUFFIXES | PICTURE_SUFFIXES if role == "reference" else PAGE_SUFFIXES
    return sorted(path for path in folder.iterdir() if path.is_file() and path.suffix.lower() in suffixes)


def _by_folder(folder: Path) -> list[tuple[str, dict[str, str], Path]]:
    flat = [(page.stem, {"sample": "1"}, page) for page in _pages(folder, "candidate")]
    nested = [
        (inner.name, {"sample": page.stem}, page)
        for inner in sorted(
            path for path in folder.iterdir() if path.is_dir() and not path.name.startswith(".")
        )
        for page in _pages(inner, "candidate")
    ]
    return flat + nested


def _by_pattern(pattern: str) -> list[tuple[str, dict[str, str], Path]]:
    expression = _expression(pattern)
    fixed = re.split(r"[^/\\]*\{", pattern, maxsplit=1)[0]
    root = Path(fixed or ".")
    if not root.is_dir():
        raise ConfigurationError(f"There is no candidate folder {root}.", advice="Check the pattern's path.")
    depth = pattern[len(fixed) :].count("/")
    found = []
    for path in sorted(root.glob("/".join(["*"] * (depth + 1)))):
        match = expression.fullmatch(path.relative_to(root).as_posix()) if path.is_file() else None
        if match is not None:
            names = match.groupdict()
            found.append((names.pop("case"), names, path))
    if not found:
        raise ConfigurationError(f"No file fits the pattern {pattern!r}.", advice="Check the pattern.")
    return found


def _expression(pattern: str) -> re.Pattern[str]:
    """Make the expression of the pattern's part from the first component with a placeholder on."""
    names = _PLACEHOLDER.findall(pattern)
    unknown = [name for name in names if name not in PLACEHOLDERS]
    if unknown or "case" not in names:
        what = f"knows no {{{unknown[0]}}}" if unknown else "has no {case}"
        raise ConfigurationError(
            f"The pattern {pattern!r} {what}.",
            advice="Use {case} and, as wished, {sample}, {prompt} and {model}.",
        )
    relative = pattern[len(re.split(r"[^/\\]*\{", pattern, maxsplit=1)[0]) :]
    seen: set[str] = set()
    parts = []
    for place, part in enumerate(_PLACEHOLDER.split(relative)):
        if place % 2 == 0:
            parts.append(re.escape(part))
        else:
            parts.append(f"(?P={part})" if part in seen else f"(?P<{part}>[^/]+)")
            seen.add(part)
    return re.compile("".join(parts))


def _refuse_unpaired(
    references: dict[str, Path], pairs: Sequence[FilePair], reference_dir: str | Path
) -> None:
    lonely = [str(pair.candidate) for pair in pairs if pair.case not in references]
    if lonely:
        raise ConfigurationError(
            f"No reference in {reference_dir} for {_listed(lonely)}.",
            advice="Add the reference, or take the candidate away.",
        )


def _missing(references: dict[str, Path], pairs: Sequence[FilePair], candidates: str) -> Iterator[FilePair]:
    """Pair the references that have no candidate, along some axes, with the file that it would be."""
    found = {pair.case_key for pair in pairs}
    for axes in {pair.case_key[1]: pair.axes for pair in pairs}.values() or [{}]:
        for case, page in references.items():
            if case_key(case, axes) not in found:
                yield FilePair(case, "1", axes, page, _place(candidates, case, axes, pairs))


def _place(candidates: str, case: str, axes: Axes, pairs: Sequence[FilePair]) -> Path:
    """Say where the candidate of a case would be, as the others are."""
    if "{" in candidates:
        names = {"case": case, "sample": "1", **axes}
        return Path(_PLACEHOLDER.sub(lambda match: names[match[1]], candidates))
    is_nested = any(pair.candidate.parent != Path(candidates) for pair in pairs)
    return Path(candidates, case, "1.html") if is_nested else Path(candidates, f"{case}.html")


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


def _listed(names: list[str]) -> str:
    shown = ", ".join(sorted(names, key=natural_key)[:_MAX_NAMED])
    return shown if len(names) <= _MAX_NAMED else f"{shown} and {len(names) - _MAX_NAMED} more"

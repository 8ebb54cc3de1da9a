"""Critical and serious differences that are new or gone between two runs, in words."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator

from pytest_design2a11y.comparing.comparison import Comparison
from pytest_design2a11y.escaping import sanitize
from pytest_design2a11y.models.visual import Difference
from pytest_design2a11y.models.words import in_words
from pytest_design2a11y.report.shared_causes import fault_of, join_faults
from pytest_design2a11y.wording import counted, listed

#: Number of differences listed per case, and of cases named per difference; maximum characters of each.
_NUM_LISTED, _LONGEST = 5, 160


def blocker_lines(comparison: Comparison, num_cases: int | None) -> Iterator[str]:
    """Yield the critical and serious differences that are new or gone: those of several cases first, joined.

    Of both, `num_cases` are listed, those with most new ones first; None: all of them.
    """
    changes = sorted(comparison.blockers, key=lambda change: (-len(change.new), -len(change.gone)))
    lines: list[list[str]] = [[] for _change in changes[:num_cases]]
    for sign, found in (
        ("new", [change.new for change in changes]),
        ("gone", [change.gone for change in changes]),
    ):
        shared = join_faults([map(fault_of, differences) for differences in found])[:num_cases]
        for cause in shared:
            names = listed([changes[number].name for number in cause.pages], most=_NUM_LISTED)
            yield f"{sign} in {len(cause.pages)} cases: {sanitize(cause.text, limit=_LONGEST)} ({names})"
        keys = {cause.key for cause in shared}
        for differences, own in zip(found, lines, strict=False):
            alone = [difference for difference in differences if fault_of(difference).key not in keys]
            own += [f"{len(alone)} {sign}: {_blockers_in_words(alone)}"] if alone else []
    for change, own in zip(changes, lines, strict=False):
        yield from (f"{change.name}: {text}" for text in own)
    if num_cases and len(changes) > num_cases:
        yield f"and {counted(len(changes) - num_cases, 'more case')} with new or gone ones (--cases all)"


def _blockers_in_words(blockers: Iterable[Difference]) -> str:
    counts = Counter(f"{item.severity}: {sanitize(in_words(item), limit=_LONGEST)}" for item in blockers)
    texts = [text if times == 1 else f"{text} ({times} times)" for text, times in counts.items()]
    if (rest := len(texts) - _NUM_LISTED) > 0:
        texts[_NUM_LISTED:] = [f"and {rest} more"]
    return "; ".join(texts)

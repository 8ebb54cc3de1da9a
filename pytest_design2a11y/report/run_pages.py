"""The pages of a run together: their states, the worst first, and what is wrong with several of them."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from pytest_design2a11y.models.evaluation import Evaluation
from pytest_design2a11y.models.metrics import METRICS
from pytest_design2a11y.models.run import Run
from pytest_design2a11y.models.thing_words import things
from pytest_design2a11y.models.visual import Difference
from pytest_design2a11y.models.words import in_words, in_words_anywhere
from pytest_design2a11y.report.causes import differences_of, failed_rules, page_causes, rule_in_words

#: States of a page, in words, the worst first.
STATES = {"error": "not measured", "fail": "breaks a limit", "pass": "within limits", "none": "no limits"}


@dataclass(frozen=True, slots=True)
class PageRow:
    """One measured page."""

    number: int  # Position in the run, from 0; names the page's part of the report
    evaluation: Evaluation
    state: str  # Key of `STATES`
    values: dict[str, float | None]  # By metric, None where not measured


def likeness_of(evaluation: Evaluation) -> tuple[str, float | None]:
    """Return the most informative metric of likeness, and its value."""
    for metric in ("fidelity", "visual"):
        value = evaluation.value(metric)
        if value is not None:
            return metric, value
    return "fidelity", None


def worst_first(run: Run) -> list[PageRow]:
    """Return one row per page: first not measured, then by limits broken, likeness and accessibility."""
    rows = []
    for number, page in enumerate(run.evaluations):
        values = {metric: page.value(metric) for metric in METRICS}
        rows.append(PageRow(number, page, state_of(page), values))

    def badness(row: PageRow) -> tuple[int, float, float, int]:
        rank = min(list(STATES).index(row.state), 2)
        _metric, likeness = likeness_of(row.evaluation)
        return rank, 2.0 if likeness is None else likeness, -(row.values["weighted_ir"] or 0.0), row.number

    return sorted(rows, key=badness)


def state_of(evaluation: Evaluation) -> str:
    """Return the state of a page: a key of `STATES`."""
    if evaluation.error is not None:
        return "error"
    if not evaluation.verdicts:
        return "none"
    return "pass" if all(verdict.is_passed for verdict in evaluation.verdicts) else "fail"


def count_states(rows: Iterable[PageRow]) -> dict[str, int]:
    """Return the number of pages per state, in the order of `STATES`, leaving out states with none."""
    counts = Counter(row.state for row in rows)
    return {state: counts[state] for state in STATES if counts[state]}


def counted_states(rows: Sequence[PageRow]) -> str:
    """Return how many pages are in each state, in words: "3 break a limit, 1 within limits"."""
    return ", ".join(
        f"{count} {'break a limit' if state == 'fail' and count > 1 else STATES[state]}"
        for state, count in count_states(rows).items()
    )


#: Differences of these kinds are equal if the same property of such things changed to the same value.
_OF_A_STYLE = frozenset({"recolored", "restyled", "font"})

#: What people call the landmarks of a page, by role.
_LANDMARKS = {"banner": "header", "contentinfo": "footer", "navigation": "navigation"}

#: Facts of a single thing, which others of its kind do not share.
_OF_ONE = frozenset({"box", "label", "text", "is_repeated", "within", "part", "number", "several"})

#: Addresses of files that bring a page's icons.
_BRINGS_ICONS = re.compile(
    r"lucide|feather|font-?awesome|icon|tabler|phosphor|glyph|material.?symbols", re.IGNORECASE
)
_ICONS = ("icons", "")

FaultKey = tuple[object, ...]


@dataclass(frozen=True, slots=True)
class Fault:
    """One thing that is wrong with one page."""

    key: FaultKey  # Equal on several pages if it has one cause
    cost: float  # As of `Cause`
    text: str = ""  # In words, if it is no difference
    difference: Difference | None = None
    rule: tuple[str, int] | None = None  # The accessibility rule that fails, and on how many elements


@dataclass(frozen=True, slots=True)
class SharedCause:
    """One thing that is wrong with several pages."""

    key: FaultKey
    text: str  # In words, without the pages
    pages: tuple[int, ...]  # The positions of these pages, at least two
    of: int  # Number of all pages
    cost: float  # The sum of its costs on these pages, each as of `Cause`

    @property
    def sentence(self) -> str:
        """Return it with the number of pages: "9 of 12 pages: header is #333333 instead of #16324f"."""
        return f"{len(self.pages)} of {self.of} pages: {self.text}"


def shared_causes(evaluations: Iterable[Evaluation]) -> list[SharedCause]:
    """Return what is wrong with at least two pages in the same way, the most costly over all pages first."""
    return join_faults(map(_faults, evaluations))


def join_faults(pages: Iterable[Iterable[Fault]]) -> list[SharedCause]:
    """Join the equal faults of at least two pages, the most costly over all pages first."""
    by_key: dict[FaultKey, list[tuple[int, Fault]]] = {}
    of = 0
    for of, faults in enumerate(pages, 1):
        for fault in faults:
            by_key.setdefault(fault.key, []).append((of - 1, fault))
    causes = []
    for key, members in by_key.items():
        numbers = tuple(dict.fromkeys(number for number, _fault in members))
        if len(numbers) > 1:
            faults = [fault for _number, fault in members]
            cost = sum(fault.cost for fault in faults)
            causes.append(SharedCause(key, _in_words(faults), numbers, of, cost))
    return sorted(causes, key=lambda cause: (-cause.cost, -len(cause.pages)))


def fault_of(difference: Difference) -> Fault:
    """Return the fault that a difference makes, wherever on a page it is."""
    names = {member.design.get("name") for member in difference.members}
    subjects = difference.design.get("name"), *(names if len(names) == 1 else ())
    if difference.kind in {"missing", "icon"} and "icon" in subjects:
        return Fault(_ICONS, difference.cost, "icons missing")
    changed = difference.expected, difference.actual
    key: FaultKey = (in_words_anywhere(difference),)
    if difference.kind in _OF_A_STYLE and None not in changed:
        key = difference.kind, difference.what, difference.property, *changed, _thing(difference)
    return Fault(key, difference.cost, difference=difference)


def _faults(evaluation: Evaluation) -> Iterator[Fault]:
    causes = page_causes(evaluation, has_each_file=True)
    faults = [fault_of(one) for one in differences_of(evaluation) if one.property != "small"]
    files = (cause for cause in causes if cause.key.endswith("not loaded"))
    bringing = next((cause for cause in files if _BRINGS_ICONS.search(cause.text)), None)
    if bringing and any(fault.key == _ICONS for fault in faults):
        causes.remove(bringing)
        why = f"icons missing ({bringing.text})"
        faults = [replace(one, key=(why,), text=why) if one.key == _ICONS else one for one in faults]
    lacks_scripts = any(cause.key == "script not loaded" for cause in (*causes, bringing) if cause)
    for cause in causes:
        if not (lacks_scripts and cause.key == "js errors"):  # The scripts that run call those that do not.
            faults.append(Fault((cause.text,), cause.cost, cause.text))
    yield from faults
    for cause, rule in failed_rules(evaluation):
        cost = cause.cost if cause.is_counted else 0.0
        yield Fault(("rule", rule.rule), cost, rule=(rule.rule, rule.num_violations))


def _thing(difference: Difference) -> str:
    """Return what people call a thing of its kind: "header", "button", "text"."""
    side = difference.design or difference.made
    return _LANDMARKS.get(str(side.get("role"))) or str(side.get("name", difference.what))


def _in_words(faults: Sequence[Fault]) -> str:
    """Return what equal faults say: what all of them do, else of which kind of thing it is true."""
    first = faults[0]
    if first.rule is not None:
        return rule_in_words(first.rule[0], sum(fault.rule[1] for fault in faults if fault.rule))
    differences = [fault.difference for fault in faults if fault.difference is not None]
    if not differences:
        return first.text
    difference, thing = differences[0], _thing(differences[0])
    if thing not in _LANDMARKS.values():
        for words in (in_words, in_words_anywhere):
            if len(said := {*map(words, differences)}) == 1:
                return said.pop()
        thing = things(thing, 2)
    # The facts that all things of the kind share, with the name that they have together
    common = {"name": thing} | ({} if thing in _LANDMARKS.values() else {"several": True})
    reference, candidate = (
        {name: value for name, value in facts.items() if name not in _OF_ONE} | common
        for facts in (difference.design, difference.made)
    )
    return in_words(replace(difference, reference=reference, candidate=candidate, members=()))

"""Measuring conditions: which may differ between two runs, and which metrics then cannot be compared."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files
from itertools import groupby
from operator import itemgetter
from typing import Any, Literal

import msgspec

from pytest_design2a11y.models.evaluation import Evaluation
from pytest_design2a11y.models.metric import Basis
from pytest_design2a11y.models.metrics import METRICS
from pytest_design2a11y.models.page import Environment

Effect = Literal["refused", "warned"]


#: Metrics affected by a condition: those with a basis, those about the look of a candidate, all or none.
Touched = Basis | Literal["looks", "all", "none"]


def touched_metrics(touched: Touched) -> tuple[str, ...]:
    """Return the names of metrics that a condition touches."""
    if touched == "looks":
        return tuple(name for name, metric in METRICS.items() if metric.is_own or "design" in metric.basis)
    return tuple(name for name, metric in METRICS.items() if touched == "all" or touched in metric.basis)


@dataclass(frozen=True, slots=True)
class Rule:
    """The effect of a differing condition on metrics."""

    label: str  # Its name for users
    effect: Effect  # Whether the metrics are refused, or compared with a warning
    touched: Touched  # The metrics that depend on it
    why: str  # Half a sentence for the user

    @property
    def metrics(self) -> tuple[str, ...]:
        """The names of the metrics that depend on it."""
        return touched_metrics(self.touched)


#: Effect of each condition if it differs. `sandbox` is left out: it changes no number.
RULES = msgspec.json.decode(files(__package__).joinpath("conditions.json").read_bytes(), type=dict[str, Rule])

#: An unknown condition: numbers may depend on it.
_UNKNOWN = Rule("", "refused", "all", "this version does not know it, so numbers may depend on it")

#: Start of a condition that is the version of an extension metric.
_VERSION_OF = "version of "
_VERSION = Rule("", "refused", "none", "other versions measure other things")

#: The condition of those that only one of two runs records.
NOT_RECORDED = "not recorded"
_NOT_RECORDED = Rule("conditions that one of the runs does not record", "warned", "all", "they may differ")

#: Conditions recorded in the visual score; a page without a score has none of them.
_OF_SCORES = ("text_ratio", "published", "appearance")

#: Conditions of a page, each with its value as text.
Recorded = tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class DifferingCondition:
    """A condition in which two runs differ."""

    condition: str  # Key of `RULES`, `NOT_RECORDED`, or a condition that this version does not know
    label: str
    effect: Effect
    metrics: tuple[str, ...]  # Ids of the metrics that it affects
    why: str
    old: str
    new: str
    num_cases: int  # Number of paired cases in which they differ

    def __str__(self) -> str:
        return f"{self.label}: {self.old} -> {self.new} ({self.why})"


#: The conditions that were read, by what they are read from.
ReadConditions = dict[tuple[Environment | None, str, Recorded], Recorded]


def read_conditions(pages: Iterable[tuple[int, Evaluation]]) -> Iterator[frozenset[Recorded]]:
    """Yield the conditions of each case; pages come with the number of their case, grouped by case."""
    known: ReadConditions = {}
    sets: dict[frozenset[Recorded], frozenset[Recorded]] = {}
    for _case, group in groupby(pages, key=itemgetter(0)):
        found = frozenset(read for _, page in group if (read := recorded_conditions(page, known)))
        yield sets.setdefault(found, found)


def recorded_conditions(evaluation: Evaluation, known: ReadConditions) -> Recorded:
    """Return the conditions of an evaluation, read once for all in `known`; empty if nothing was measured."""
    environment, settings, visual = evaluation.environment, evaluation.settings, evaluation.visual
    scored: Recorded = ()
    if visual is not None:
        values = visual.text_ratio, visual.published or "none", visual.appearance_backend or "none"
        scored = tuple(zip(_OF_SCORES, values, strict=True))
    source = environment, repr(settings), scored
    if source not in known:
        known[source] = scored if environment is None else tuple(_conditions(environment, settings, scored))
    return known[source]


def find_differences(
    pairs: Iterable[tuple[frozenset[Recorded], frozenset[Recorded]]],
) -> tuple[DifferingCondition, ...]:
    """Return the conditions in which the paired cases differ."""
    by_condition: dict[str, list[tuple[frozenset[str], frozenset[str]]]] = {}
    for old, new in pairs:
        for condition, old_values, new_values in _differing(old, new):
            by_condition.setdefault(condition, []).append((old_values, new_values))
    differences = []
    for condition, of_cases in by_condition.items():
        rule = _NOT_RECORDED if condition == NOT_RECORDED else RULES.get(condition, _UNKNOWN)
        metrics, label = rule.metrics, rule.label or f"condition {condition}"
        if condition.startswith(_VERSION_OF):
            rule, metrics, label = _VERSION, (condition.removeprefix(_VERSION_OF),), condition
        joint = ", " if condition == NOT_RECORDED else " or "
        of_runs = (sorted(frozenset().union(*of_run)) for of_run in zip(*of_cases, strict=True))
        before, after = (joint.join(values) or "none" for values in of_runs)
        differences.append(
            DifferingCondition(condition, label, rule.effect, metrics, rule.why, before, after, len(of_cases))
        )
    return tuple(sorted(differences, key=lambda one: (one.effect != "refused", one.label)))


def _conditions(
    environment: Environment, settings: Mapping[str, Any], scored: Recorded
) -> Iterator[tuple[str, str]]:
    for name in ("axe", "chromium", "platform", "package", "playwright"):
        yield name, str(getattr(environment, name))
    yield from scored
    fonts, rest = _divided(settings)
    if fonts is not None:
        yield "fonts", _text(fonts)
    rest.setdefault("engines", [])  # axe-core alone, which is not recorded
    rest.setdefault("probes", [])  # none, which is not recorded
    rest = {"steps": 0, "login": [], "wait_for": "", "mask": [], "part": "", "placeholders": "none"} | rest
    for name, metric in settings.get("metrics", {}).items():
        yield _VERSION_OF + name, metric["version"]
    for name in sorted(rest):
        if name != "metrics":
            yield name, _text(rest[name])


def _divided(settings: Mapping[str, Any]) -> tuple[Any, dict[str, Any]]:
    """Return the fonts to compare, and the conditions without the fonts.

    The fonts of a pair are those of its design, which only another machine changes; a page without a design
    records its own.
    """
    rest = {name: value for name, value in settings.items() if name != "fonts"}
    reference = rest.get("reference")
    if not isinstance(reference, Mapping):
        return settings.get("fonts"), rest
    rest["reference"] = {name: value for name, value in reference.items() if name != "fonts"}
    return reference.get("fonts") or settings.get("fonts"), rest


def _text(value: Any) -> str:
    if isinstance(value, Mapping):
        parts = [f"{key}={_text(value[key])}" for key in value if value[key] not in (None, (), [], "")]
        return ", ".join(parts) or "default"
    if isinstance(value, list | tuple):
        return "+".join(_text(part) for part in value) or "none"
    return str(value)


@lru_cache(maxsize=4096)
def _differing(
    old: frozenset[Recorded], new: frozenset[Recorded]
) -> tuple[tuple[str, frozenset[str], frozenset[str]], ...]:
    if old == new or not (old and new):  # nothing rendered, no conditions
        return ()
    old_values, new_values = _by_name(old), _by_name(new)
    both = old_values.keys() & new_values.keys()
    one_sided = {
        name
        for name in old_values.keys() ^ new_values.keys()
        if not (name in _OF_SCORES or name.startswith(_VERSION_OF))
    }
    unrecorded = [frozenset(one_sided.intersection(RULES) - run.keys()) for run in (old_values, new_values)]
    nothing = frozenset({NOT_RECORDED})
    return (
        *(
            (name, old_values[name], new_values[name])
            for name in both
            if old_values[name] != new_values[name]
        ),
        *(
            (name, old_values.get(name, nothing), new_values.get(name, nothing))
            for name in one_sided.difference(RULES)
        ),
        *([(NOT_RECORDED, unrecorded[0], unrecorded[1])] if any(unrecorded) else []),
    )


def _by_name(conditions: frozenset[Recorded]) -> dict[str, frozenset[str]]:
    names = {name for pairs in conditions for name, _value in pairs}
    return {
        name: frozenset(value for pairs in conditions for key, value in pairs if key == name)
        for name in names
    }

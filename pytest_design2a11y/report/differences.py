"""How a page differs from its design, in words: one by one, and similar differences grouped."""

from collections.abc import Iterable
from dataclasses import dataclass

from pytest_design2a11y.models.evaluation import Evaluation
from pytest_design2a11y.models.thing_words import things
from pytest_design2a11y.models.visual import (
    LEAST_COST,
    SEVERITIES,
    Difference,
    DifferenceKind,
    DifferenceSubject,
    Severity,
)
from pytest_design2a11y.models.words import in_words, subject

# Wording for groups; a member of what moved together, or is set alike, may stand for several things.
_SHARED: dict[DifferenceKind, str] = {
    "missing": "{} {} are missing",
    "extra": "{} {} are not in the design",
    "moved": "{1} are in other places",
    "resized": "{} {} have other sizes",
    "restyled": "{} {} are styled otherwise",
    "recolored": "{} {} have other colors",
    "reworded": "{} {} read otherwise",
    "font": "typography differs in {} ways",
    "ground": "{} {} have other backgrounds",
    "covered": "{} {} are covered",
    "overflowing": "{} {} overflow",
    "distorted": "{} {} are distorted",
    "blank": "{} {} are blank",
    "state": "{} {} are in another state",
    "figure": "{} figures are wrong",
    "icon": "{} icons differ",
    "unreadable": "{} {} cannot be read",
    "unexplained": "{} regions look different",
    "exchanged": "{} times two {} were exchanged",
    "turned": "{} {} are turned",
    "mirrored": "{} {} are mirrored",
}
#: Number of group members that are listed.
_MOST_LISTED = 2


@dataclass(frozen=True, slots=True)
class DifferenceGroup:
    """Differences of one kind between things of the same type."""

    kind: DifferenceKind
    what: DifferenceSubject
    members: tuple[Difference, ...]  # The most costly first; at least one

    @property
    def cost(self) -> float:
        """Their total cost in fidelity, 0..1; in the visual score if fidelity was not measured."""
        return sum(member.cost for member in self.members)

    @property
    def is_small(self) -> bool:
        """Whether it sums up differences too small to list, none of which names anything to fix."""
        return self.members[0].property == "small"

    @property
    def key(self) -> str:
        """Its kind, equal on all pages: "picture missing", "small differences"."""
        return "small differences" if self.is_small else f"{self.what} {self.kind}"

    @property
    def head(self) -> str:
        """What its members have in common, in words: "3 pictures are missing"."""
        return _SHARED[self.kind].format(len(self.members), things(self.what, 2))

    @property
    def message(self) -> str:
        """The group in words, without a full stop."""
        if len(self.members) == 1:
            return in_words(self.members[0])
        words = subject if self.kind in {"missing", "extra"} else in_words
        members = [*dict.fromkeys(map(words, self.members))]
        members[_MOST_LISTED:] = [f"and {rest} more"] if (rest := len(members) - _MOST_LISTED) > 0 else []
        if self.what == "page" and self.kind != "unexplained":  # There is only one page.
            return "; ".join(members)
        return f"{self.head}: {'; '.join(members)}"


def rank(severity: Severity | None) -> int:
    """Return the rank of a severity, 0 for the worst; ungraded counts as minor."""
    return SEVERITIES.index(severity or "minor")


def differences_of(evaluation: Evaluation) -> tuple[Difference, ...]:
    """Return the differences between a page and its design that are not accepted, the most costly first."""
    visual = evaluation.visual
    return () if visual is None else tuple(found for found in visual.differences if found.accepted is None)


def lacks_differences(evaluation: Evaluation) -> bool:
    """Return whether a page differs from its design and the run lacks differences, for want of details."""
    visual = evaluation.visual
    if visual is None:
        return False
    has_blocks = bool(visual.matches or visual.missing or visual.extra)
    if visual.differences and (has_blocks or visual.differences != visual.blockers):
        return False
    whole = visual.score if visual.fidelity is None else visual.fidelity
    # A run with its details omits only differences that cost next to nothing.
    return 1 - whole > (LEAST_COST if has_blocks else 0.0)


def group_differences(differences: Iterable[Difference]) -> list[DifferenceGroup]:
    """Group similar differences, the most costly group first; those too small to list come last."""
    groups: dict[tuple[DifferenceKind, DifferenceSubject], list[Difference]] = {}
    for difference in differences:
        groups.setdefault((difference.kind, difference.what), []).append(difference)
    made = (
        DifferenceGroup(kind, what, tuple(sorted(members, key=lambda difference: -difference.cost)))
        for (kind, what), members in groups.items()
    )
    return sorted(made, key=lambda group: (group.is_small, -group.cost))

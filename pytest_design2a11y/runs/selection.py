"""The pages of a run with chosen values of axes."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from pytest_design2a11y.exceptions import ConfigurationError
from pytest_design2a11y.models.evaluation import Subject
from pytest_design2a11y.models.run import Evaluation, Run
from pytest_design2a11y.wording import command_flag, listed

#: Axis -> the values to keep.
Chosen = Mapping[str, frozenset[str]]
Page = Evaluation | Subject


def parse_only(texts: Sequence[str]) -> Chosen:
    """Parse "model=large"; several values of one axis are alternatives; ConfigurationError if malformed."""
    chosen: dict[str, set[str]] = {}
    for text in texts:
        name, mark, value = text.partition("=")
        if not (name.strip() and mark):
            raise ConfigurationError(
                f"{command_flag('only')} does not take {text!r}.",
                advice=f"Write AXIS=VALUE, such as {command_flag('only')}=model=large.",
            )
        chosen.setdefault(name.strip(), set()).add(value.strip())
    return {name: frozenset(values) for name, values in chosen.items()}


def select(run: Run, chosen: Chosen) -> Run:
    """Return a run's pages with a chosen value in every chosen axis; ConfigurationError if there are none."""
    if not chosen:
        return run
    kept = tuple(page for page in run.evaluations if is_chosen(page, chosen))
    if not kept:
        raise none_chosen(f"The run {run.name!r}", run.evaluations, chosen, run=run.name)
    return replace(run, evaluations=kept)


def is_chosen(page: Page, chosen: Chosen) -> bool:
    """Check whether a page has a chosen value in every axis; a case may be named by the end of its path."""
    return all(
        any(value == _value(page, name) for value in values)
        or (name == "case" and any(page.case.endswith(f"/{value}") for value in values))
        for name, values in chosen.items()
    )


def none_chosen(what: str, pages: Iterable[Page], chosen: Chosen, *, run: str = "") -> ConfigurationError:
    """Return the error that no page has the chosen values, which also lists the existing ones.

    If `run`, the name of a saved run, is given, the advice says how to add an axis that its pages lack.
    """
    pages = list(pages)
    wanted = ", ".join(f"{name}={' or '.join(sorted(values))}" for name, values in chosen.items())
    there = {name: sorted({_value(page, name) for page in pages} - {""}) for name in chosen}
    known = "; ".join(f"{name}: {listed(values, most=20)}" for name, values in there.items() if values)
    unnamed = [name for name, values in there.items() if not values]
    advice = [f"It has {known}."] * bool(known)
    advice += [f"None of its pages has an axis {name!r}." for name in unnamed]
    if unnamed and run:
        label = f"design2a11y runs label {run} {unnamed[0]}={min(chosen[unnamed[0]])}"
        advice.append(f"Add it: {label}; for a folder of --out, score the pages again.")
    return ConfigurationError(f"{what} has no page with {wanted}.", advice=" ".join(advice))


def _value(page: Page, axis: str) -> str:
    return page.axes.get(axis) or {"case": page.case, "sample": page.sample}.get(axis, "")

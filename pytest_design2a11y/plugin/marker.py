"""The marker `design2a11y`: what it takes, and what the markers of a test say."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from pathlib import Path, PurePath
from typing import TYPE_CHECKING, Any

from pytest_design2a11y.exceptions import ConfigurationError
from pytest_design2a11y.models.option import options_of
from pytest_design2a11y.models.paths import label_from
from pytest_design2a11y.settings.values import CALL_FIELDS, LimitOptions, Settings

if TYPE_CHECKING:
    import pytest

    from pytest_design2a11y.models.run import Subject

MARKER = "design2a11y"

#: Arguments of the marker, all by keyword, and what each says; limits and choices are the options' own.
MARKER_ARGUMENTS: dict[str, str] = {
    "reference": "The page that the fixture `reference` renders.",
    "candidate": "The page that the fixture `candidate` renders.",
    "steps": "What the fixture `candidate` does to the page first: functions of Playwright's page.",
    "case": "What the test is about; its reference's path where nothing is said.",
    "sample": "Which of several samples of its case this is; they are judged together.",
    "prompt": "The prompt that the candidate comes from: an axis.",
    "model": "The model that the candidate comes from: an axis.",
    "axes": 'Whatever else candidates of one case differ in, such as {"state": "open"}.',
    **{one.field: one.help for one in options_of(LimitOptions)},
    **{one.field: one.help for one in options_of(Settings) if one.field in CALL_FIELDS},
}

#: What may be said of a page by parameters of these names, and by arguments of `render`.
NAMING = ("case", "sample", "prompt", "model")

MARKER_HELP = (
    f"{MARKER}({', '.join(f'{name}=' for name in MARKER_ARGUMENTS)}): "
    "pages for the fixtures of the same names, what the test is about, its limits, the pages' site and "
    "viewports, and which accessibility rules run."
)


def marker_values(item: pytest.Item | pytest.Session) -> dict[str, Any]:
    """Merge the arguments of a test's design2a11y markers, the closest one winning."""
    return _merged(item.iter_markers(MARKER))


def own_values(item: pytest.Item) -> dict[str, Any]:
    """Merge the arguments of the design2a11y markers that a test has itself, not from its class or module."""
    return _merged(marker for marker in reversed(item.own_markers) if marker.name == MARKER)


def _merged(markers: Iterable[pytest.Mark]) -> dict[str, Any]:
    values: dict[str, Any] = {}
    for marker in markers:
        unknown = sorted(set(marker.kwargs) - set(MARKER_ARGUMENTS))
        if marker.args or unknown:
            wrong = ", ".join([*map(repr, marker.args), *unknown])
            raise ConfigurationError(
                f"The marker design2a11y does not take {wrong}.",
                advice=f"It takes, by keyword: {', '.join(sorted(MARKER_ARGUMENTS))}.",
            )
        _marker_axes(marker.kwargs)
        axes = {**marker.kwargs.get("axes", {}), **values.get("axes", {})}
        values = {**marker.kwargs, **values, **({"axes": axes} if axes else {})}
    return values


def choices_of(markers: Iterable[pytest.Mark]) -> dict[str, Any]:
    """Return what markers, the closest first, say of pages' sites, viewports and accessibility rules."""
    return {name: value for name, value in _merged(markers).items() if name in CALL_FIELDS}


def parameters(item: pytest.Item) -> Mapping[str, Any]:
    """Return a test's parameters, by name."""
    return getattr(getattr(item, "callspec", None), "params", {})


def named_values(item: pytest.Item) -> dict[str, Any]:
    """Return what a test's markers say and, where they do not, its parameters of the names `NAMING`."""
    values = marker_values(item)
    said = {**values.get("axes", {}), **values}
    own = {
        name: value
        for name, value in parameters(item).items()
        if name in (*NAMING, "design")
        and name not in said
        and (isinstance(value, str | int | float | PurePath) and not isinstance(value, bool) and value != "")
    }
    if (design := own.pop("design", None)) is not None:
        own.setdefault("case", Path(str(design)))
    return {**own, **values}


def subject_of(item: pytest.Item) -> Subject:
    """Say what a test is about: its case is the marker's or the parameter's, else the reference's path."""
    return replace(said_of_page(named_values(item), item.config), id=item.nodeid)


def said_of_page(values: Mapping[str, Any], config: pytest.Config, *, sample: str = "1") -> Subject:
    """Return what is said of a page by case, sample, model, prompt and axes, as a subject without an id.

    Other names are passed over; `sample` stands where nothing is said of it.
    """
    from pytest_design2a11y.models.run import Subject

    case = values.get("case", "")
    if isinstance(case, PurePath):  # Named as `render` of that file names it.
        from pytest_design2a11y.measuring.records import case_of

        case = case_of(label_from(config.rootpath, config.rootpath / case) or case.as_posix())
    return Subject(
        id="",
        case=str(case),
        sample=str(sample if values.get("sample") is None else values["sample"]),
        axes=_marker_axes(values),
    )


def _marker_axes(values: Mapping[str, Any]) -> dict[str, str]:
    from pytest_design2a11y.models.run import read_axes

    try:
        return read_axes(values)
    except ValueError as error:
        raise ConfigurationError(
            f"The marker design2a11y: {error}.", advice='Write axes={"state": "open"}, for example.'
        ) from None

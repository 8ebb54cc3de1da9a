"""The marker `design2a11y`, and the settings of a run and a test from options, markers and variants."""

import sys
from collections.abc import Iterable, Mapping
from dataclasses import replace
from pathlib import Path, PurePath
from typing import TYPE_CHECKING, Any

import pytest

from pytest_design2a11y.exceptions import ConfigurationError
from pytest_design2a11y.files import label_from, label_of_path
from pytest_design2a11y.models.option import options_of
from pytest_design2a11y.settings import CALL_FIELDS, Settings
from pytest_design2a11y.settings.options import settings_from_pytest
from pytest_design2a11y.settings.run_options import LimitOptions
from pytest_design2a11y.settings.variants import AXES

if TYPE_CHECKING:
    from pytest_design2a11y.limits import Limit
    from pytest_design2a11y.models.verdicts import Subject

MARKER = "design2a11y"

#: Keyword arguments of the marker with their help texts; limits and choices are options.
MARKER_ARGUMENTS: dict[str, str] = {
    "reference": "Page that the fixture `reference` renders.",
    "candidate": "Page that the fixture `candidate` renders.",
    "steps": "Functions of Playwright's page that the fixture `candidate` calls before it captures.",
    "case": "Case that the test is about. Default: the path of its reference.",
    "sample": "Sample of the case; all samples of a case are judged together.",
    "prompt": "Prompt that the candidate was generated from: an axis.",
    "model": "Model that generated the candidate: an axis.",
    "axes": 'Any other axes by which candidates of a case differ, such as {"state": "open"}.',
    **{option.field: option.help for option in options_of(LimitOptions)},
    **{option.field: option.help for option in options_of(Settings) if option.field in CALL_FIELDS},
}

#: Test parameters and arguments of `render` that name a page.
NAMING = ("case", "sample", "prompt", "model")

MARKER_HELP = (
    f"{MARKER}({', '.join(f'{name}=' for name in MARKER_ARGUMENTS)}): "
    "the pages of the fixtures with these names, the test's case and limits, the pages' site and "
    "viewports, and the accessibility rules to run."
)


def marker_values(item: pytest.Item | pytest.Session) -> dict[str, Any]:
    """Merge the arguments of a test's design2a11y markers; the closest one wins."""
    return _merged(item.iter_markers(MARKER))


def own_values(item: pytest.Item) -> dict[str, Any]:
    """Merge the arguments of a test's own design2a11y markers, without those of its class or module."""
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
    """Return the choices of sites, viewports and accessibility rules in markers, ordered closest first."""
    return {name: value for name, value in _merged(markers).items() if name in CALL_FIELDS}


def parameters(item: pytest.Item) -> Mapping[str, Any]:
    """Return a test's parameters, by name."""
    return getattr(getattr(item, "callspec", None), "params", {})


def named_values(item: pytest.Item) -> dict[str, Any]:
    """Return the arguments of a test's markers, supplemented by its parameters named in `NAMING`."""
    values = marker_values(item)
    marked = {**values.get("axes", {}), **values}
    named = {
        name: value
        for name, value in parameters(item).items()
        if name in (*NAMING, "design")
        and name not in marked
        and (isinstance(value, str | int | float | PurePath) and not isinstance(value, bool) and value != "")
    }
    if (design := named.pop("design", None)) is not None:
        named.setdefault("case", Path(str(design)))
    return {**named, **values}


def subject_of(item: pytest.Item) -> "Subject":
    """Return the subject of a test; the case defaults to the reference's path."""
    return replace(subject_from(named_values(item), item.config), id=item.nodeid)


def subject_from(values: Mapping[str, Any], config: pytest.Config, *, sample: str = "1") -> "Subject":
    """Return a subject without an id from the values case, sample, model, prompt and axes."""
    from pytest_design2a11y.models.verdicts import Subject

    case = values.get("case", "")
    if isinstance(case, PurePath):  # The same name as `render` gives to that file.
        from pytest_design2a11y.measuring.records import case_of

        case = case_of(label_from(config.rootpath, config.rootpath / case) or case.as_posix())
    return Subject(
        id="",
        case=str(case),
        sample=str(sample if values.get("sample") is None else values["sample"]),
        axes=_marker_axes(values),
    )


def _marker_axes(values: Mapping[str, Any]) -> dict[str, str]:
    from pytest_design2a11y.models.verdicts import read_axes

    try:
        return read_axes(values)
    except ValueError as error:
        raise ConfigurationError(
            f"The marker design2a11y: {error}.", advice='Write axes={"state": "open"}, for example.'
        ) from None


#: The fixture with the variant that a test is running for.
VARIANT = "design2a11y_variant"

settings_key: pytest.StashKey[Settings] = pytest.StashKey()


def take_given(config: pytest.Config, kind: str, given: object) -> None:
    """Register the result of a hook, including hooks of a conftest.py that pytest loads later."""
    from pytest_design2a11y import extending, registry

    registry.take(getattr(extending, kind), given)
    settings = config.stash.get(settings_key, None)
    if settings is not None:
        own_metrics = registry.use_metrics(files=settings.metrics)
        config.stash[settings_key] = replace(settings, own_metrics=own_metrics)


def forget_given() -> None:
    """Forget the results of a run's hooks, at its end."""
    if registry := sys.modules.get("pytest_design2a11y.registry"):
        registry.forget_taken()


def settings_of(config: pytest.Config) -> Settings:
    """Return the options of a run, read on first use."""
    if settings_key not in config.stash:
        config.stash[settings_key] = settings_from_pytest(config)
    return config.stash[settings_key]


def settings_in(item: pytest.Item, case: str | None = None) -> Settings:
    """Return a test's settings: the run's, updated by its markers, in the variant that it runs for.

    What the configuration says of the page's case, by default the test's, comes before the markers. Only a
    test's own markers can define variants, not those of its parameters.
    """
    chosen, variant = choices_of(item.iter_markers(MARKER)), parameters(item).get(VARIANT, {})
    marks = getattr(getattr(item, "callspec", None), "marks", ())
    parameter = choices_of(mark for mark in marks if mark.name == MARKER)
    if variant and not parameter.keys().isdisjoint(AXES):
        raise ConfigurationError(
            "A parameter's marker cannot choose the viewport of a test that runs in each of several.",
            advice="Mark the test itself, or give render the choice.",
        )
    settings, of_case = settings_of(item.config), {}
    if settings.cases:
        of_case = settings.choices_for(case := case_in(item) if case is None else case)
    for name, value in variant.items():
        if name in of_case and name not in chosen and value not in of_case[name]:
            raise ConfigurationError(
                f"The configuration has a {name} for {case}, and the test runs in each of several.",
                advice="Mark the test itself.",
            )
    return settings.with_choices(of_case).with_choices(chosen).with_choices(variant)


def source_label(source: Any, root: Path) -> str:
    """Return a source's name in reports; for a file below pytest's root, its path from there."""
    if isinstance(source, Path):
        return label_of_path(source.relative_to(root) if source.is_relative_to(root) else source)
    if isinstance(source, str):
        return source if type(source) is str and len(source) < 500 and "<" not in source else "<html>"
    return str(getattr(source, "url", type(source).__name__))


def case_in(item: pytest.Item) -> str:
    """Return the case that a test's markers or parameters name, or that of their reference, or ""."""
    named = named_values(item).get("case")
    source = parameters(item).get("reference", marker_values(item).get("reference"))
    if named is not None or source is None:
        return "" if named is None else subject_of(item).case
    from pytest_design2a11y.measuring.records import case_of

    return case_of(source_label(source, item.config.rootpath))


def marker_limits(item: pytest.Item | pytest.Session) -> "tuple[Limit, ...]":
    """Return the limits set by a test's markers."""
    values = marker_values(item)
    if not values:
        return ()
    from pytest_design2a11y.limits import named_limits, refuse_unmeasured

    limits, settings = named_limits(values, origin="marker"), settings_of(item.config)
    refuse_unmeasured(limits, is_audited=settings.audit, engines=settings.engines)
    return limits


def limits_on(item: pytest.Item | pytest.Session) -> "tuple[Limit, ...]":
    """Return the limits on everything that a test renders, from its markers and the run."""
    return (*marker_limits(item), *settings_of(item.config).limits)

"""The frozen Settings that the options of a run, or of a command, make."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from pytest_design2a11y.limits.thresholds import Limit, most_specific, named_limits
from pytest_design2a11y.models.metrics import Impact, TextRatio
from pytest_design2a11y.settings.options import (
    OPTIONS,
    Given,
    given_to_command,
    given_to_pytest,
    has_pytest_html,
)

if TYPE_CHECKING:
    import argparse

    import pytest

    from pytest_design2a11y.models.audit import AuditChoice

#: Where runs, pictures and caches are kept, from pytest's root directory or the working directory.
FOLDER = Path(".design2a11y")


@dataclass(frozen=True, eq=False, repr=False)
class Settings:
    """What the options say; see `OPTIONS` for their meaning.

    Attributes:
        limits: From command line and ini file, the most specific ones.
        cache_folder: Where captures and embeddings are kept between runs; None: nowhere.
        picture_folder: Where pictures for reports are kept; None: nowhere.
    """

    limits: tuple[Limit, ...] = ()
    chromium: str | None = None
    timeout: float = 30.0
    allow_host: tuple[str, ...] = ()
    javascript: bool = True
    max_bytes: int = 10_000_000
    max_nodes: int = 30_000
    max_frames: int = 100
    max_height: int = 16_000
    max_width: int = 4_000
    text_ratio: TextRatio = "indel"
    appearance: str = "embedded"
    clip_batch: int = 16
    cache_folder: Path | None = None
    picture_folder: Path | None = None
    axe_script: Path | None = None
    axe_tags: tuple[str, ...] = ()
    rules_on: tuple[str, ...] = ()
    rules_off: tuple[str, ...] = ()
    include: tuple[str, ...] = ()
    exclude: tuple[str, ...] = ()
    minimum_impact: Impact | None = None
    audit_reference: bool = False
    known: Path | None = None
    update_known: bool = False
    samples: str = "mean"
    html: Path | None = None
    sarif: Path | None = None
    save: str | None = None
    compare: str | None = None
    fail_on: tuple[str, ...] = ()
    fail_on_point: bool = False

    @property
    def has_output(self) -> bool:
        """Whether something is to be done at the end of a run even if nothing was measured."""
        return any((self.save, self.compare, self.html, self.sarif))

    @property
    def has_checks(self) -> bool:
        """Whether something can be refused at the start that would otherwise fail at the end."""
        defaults = Settings()
        names = ("appearance", "known", "update_known", "samples", "save", "compare", "fail_on")
        return any(getattr(self, name) != getattr(defaults, name) for name in names)

    def with_audit(self, values: Mapping[str, Any]) -> Settings:
        """Give settings whose audit choice is changed by `AUDIT_FIELDS`, as a marker or call gives them.

        Raises:
            ConfigurationError: A value cannot be meant.
        """
        changes: dict[str, Any] = {}
        for name, value in values.items():
            option = next(option for option in OPTIONS if option.name == name)
            texts = (value,) if isinstance(value, str | PathLike) else tuple(value)
            read = tuple(option.value_of(str(text)) for text in texts)
            changes[name] = read if option.is_repeatable else read[0]
        return replace(self, **changes)

    @property
    def audit(self) -> AuditChoice:
        """Which accessibility rules run, and where."""
        from pytest_design2a11y.models.audit import AuditChoice

        return AuditChoice(
            tags=self.axe_tags,
            rules_on=self.rules_on,
            rules_off=self.rules_off,
            include=self.include,
            exclude=self.exclude,
            minimum_impact=self.minimum_impact,
        )


def make_settings(
    given: Given,
    *,
    folder: Path = FOLDER,
    cache_folder: Path | None = None,
    has_pictures: bool = False,
) -> Settings:
    """Make Settings from values by option name, each with its origin ("command line" or "ini file").

    Args:
        given: Value and origin by option name.
        folder: Where runs and pictures are kept.
        cache_folder: Where captures and embeddings are kept; None: nowhere.
        has_pictures: Whether pictures are wanted besides those for our own reports.

    Raises:
        ConfigurationError: A limit is unknown or impossible, or a file does not exist.
    """
    values = {option.name: option.default for option in OPTIONS} | {
        name: value for name, (value, _origin) in given.items()
    }
    return Settings(
        limits=_limits(given),
        chromium=values["chromium"],
        timeout=values["timeout"],
        allow_host=values["allow_host"] or (),
        javascript=not values["no_javascript"],
        max_bytes=values["max_bytes"],
        max_nodes=values["max_nodes"],
        max_frames=values["max_frames"],
        max_height=values["max_height"],
        max_width=values["max_width"],
        text_ratio=cast("TextRatio", values["text_ratio"]),
        appearance=values["appearance"],
        clip_batch=values["clip_batch"],
        cache_folder=None if values["no_cache"] else cache_folder,
        picture_folder=folder / "pictures" if values["html"] or values["save"] or has_pictures else None,
        axe_script=values["axe_script"],
        axe_tags=values["axe_tags"] or (),
        rules_on=values["rules_on"] or (),
        rules_off=values["rules_off"] or (),
        include=values["include"] or (),
        exclude=values["exclude"] or (),
        minimum_impact=cast("Impact | None", values["minimum_impact"]),
        audit_reference=bool(values["audit_reference"]),
        known=_path(values["known"]),
        update_known=bool(values["update_known"]),
        samples=values["samples"],
        html=_path(values["html"]),
        sarif=_path(values["sarif"]),
        save=values["save"],
        compare=values["compare"],
        fail_on=values["fail_on"] or (),
        fail_on_point=bool(values["fail_on_point"]),
    )


def _limits(given: Given) -> tuple[Limit, ...]:
    limits: list[Limit] = []
    for origin in ("command line", "ini file"):
        said = {name: value for name, (value, said_at) in given.items() if said_at == origin}
        limits.extend(named_limits(said, origin=origin))
    return most_specific(limits)


def _path(value: str | None) -> Path | None:
    return None if value is None else Path(value).expanduser()


def settings_from_pytest(config: pytest.Config) -> Settings:
    """Make the Settings of a pytest run.

    Raises:
        ConfigurationError: An option cannot be meant as written.
    """
    return make_settings(
        given_to_pytest(config),
        folder=config.rootpath / FOLDER,
        cache_folder=_pytest_cache_folder(config),
        has_pictures=has_pytest_html(config),
    )


def _pytest_cache_folder(config: pytest.Config) -> Path | None:
    """Give a folder that `pytest --cache-clear` empties; None where pytest keeps no cache."""
    cache: pytest.Cache | None = getattr(config, "cache", None)
    return None if cache is None else cache.mkdir("design2a11y")


def settings_from_namespace(namespace: argparse.Namespace) -> Settings:
    """Make the Settings of a `design2a11y` command.

    Raises:
        ConfigurationError: An option cannot be meant as written.
    """
    return make_settings(given_to_command(namespace), cache_folder=FOLDER / "cache")

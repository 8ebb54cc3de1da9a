"""The frozen Settings of a run or command, whose fields declare the options; and variants of rendering.

Imported in every pytest run of every user: keep module-level imports cheap.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING, Any, NamedTuple, get_args

from pytest_design2a11y.capture.limits import STANDARD_LIMITS, CaptureLimits
from pytest_design2a11y.files import file_path
from pytest_design2a11y.models import readers
from pytest_design2a11y.models.option import (
    ALL_PROBES,
    AXE,
    QUICK_PROBES,
    Impact,
    Published,
    TextRatio,
    option,
    options_of,
)
from pytest_design2a11y.settings.run_options import FILE_FIELDS, MEASURING, SCORING, RunOptions

if TYPE_CHECKING:
    from pytest_design2a11y.limits import Limit
    from pytest_design2a11y.models.audit import AuditChoice
    from pytest_design2a11y.models.metric import Metric

#: Where runs, pictures and caches are stored, relative to pytest's root or the working directory.
FOLDER = Path(".design2a11y")

_RENDERING = MEASURING | {"assets record", "assets add", "describe", "feedback"}


class CaseRule(NamedTuple):
    """What the configuration says of the cases that a pattern matches."""

    match: str  # Such as "checkout*", of the last parts of a case's name
    values: Mapping[str, Any]  # By field: limits, and choices for the pages

    def is_for(self, case: str) -> bool:
        """Return whether a case matches."""
        return PurePosixPath(case).match(self.match)

    @property
    def limits(self) -> "tuple[Limit, ...]":
        """The limits on these cases."""
        from pytest_design2a11y.limits import named_limits

        return named_limits(self.values, origin="case")


class Settings(RunOptions):
    """Values of all options."""

    limits: "tuple[Limit, ...]" = ()  # From command line and ini file, the most specific ones
    capture: CaptureLimits = STANDARD_LIMITS  # Limits on what one page may load, run and use
    # Where captures and embeddings are cached between runs; None: nowhere, so every page is rendered and
    # scored
    cache_folder: Path | None = None
    picture_folder: Path | None = None  # Where pictures for reports are stored; None: nowhere
    own_metrics: "tuple[Metric, ...]" = ()  # Extension metrics, measured on every page
    typed: frozenset[str] = frozenset()  # Fields given on the command line
    cases: tuple[CaseRule, ...] = ()  # What the configuration says of cases; the last one that matches counts

    # fmt: off
    viewport: tuple[str, ...] = option(
        (), "Window, with an optional scale (1280x720, 375x812@3, 375x812@3+mobile), or Playwright's name of "
        'a device, such as "iPhone 13". With several, every page is measured in each.',
        read=readers.read_window, metavar="WINDOW", commands=MEASURING, flag="pages", is_for_calls=True)
    scheme: tuple[str, ...] = option(
        (), "Media preferences to emulate: light or dark, forced-colors, full-motion, print, joined by +. "
        "With several, every page is measured in each.",
        read=readers.read_scheme, metavar="WORDS", commands=MEASURING, flag="pages", is_for_calls=True)
    locale: tuple[str, ...] = option(
        (), "Language and region of the browser, such as de-DE. Default: en-US.",
        read=readers.read_locale, metavar="NAME", commands=MEASURING, is_for_calls=True)
    timezone: tuple[str, ...] = option(
        (), "Time zone of the browser, such as Europe/Berlin. Default: UTC.",
        read=readers.read_timezone, metavar="NAME", commands=MEASURING, is_for_calls=True)
    wait_for: str | None = option(
        None, "Selector of an element that must be visible before a page is captured.",
        metavar="SELECTOR", commands=MEASURING, is_for_calls=True)
    mask: tuple[str, ...] = option(
        (),
        "Ignore elements with this CSS selector in visual scores, text and pixels, on both pages.",
        metavar="SELECTOR", commands=SCORING, flag="pages", is_of_command=True, is_for_calls=True)
    part: str | None = option(
        None, "Capture only the part of a page with this CSS selector: its text, pixels and accessibility.",
        metavar="SELECTOR", commands=MEASURING, flag="pages", is_of_command=True, is_for_calls=True)
    root: tuple[Path, ...] = option(
        (), "Folder that absolute addresses in pages start from. Default: the nearest one with their files.",
        read=file_path, metavar="FOLDER", commands=_RENDERING, is_for_calls=True)
    clean_urls: bool = option(
        False, 'Serve about.html or about/index.html for "/about".',
        commands=_RENDERING, is_for_calls=True)
    single_page: bool = option(
        False,
        "Serve the index.html of the site's root for a path without a file, as single-page apps expect.",
        commands=_RENDERING, flag="pages", is_of_command=True, is_for_calls=True)
    text_ratio: TextRatio = option(
        "indel", "Similarity of two texts: indel or difflib; published figures need `published`.",
        read=readers.one_of(*get_args(TextRatio)), metavar="NAME", commands=SCORING)
    published: Published | None = option(
        None,
        "Reproduce published visual figures, bugs included: design2code or ui2code-study. Not for gates.",
        read=readers.one_of(*get_args(Published)), metavar="NAME", commands=SCORING, flag="measuring")
    appearance: str = option(
        "embedded",
        "Backend of the fifth component: embedded, clip, clip:MODEL/PRETRAINED or clip:MODEL@WEIGHTS.",
        metavar="NAME", commands=SCORING | {"assets clip"}, flag="measuring", is_of_command=True)
    picture_scale: float | None = option(
        None,
        "Pixels of a design's picture per CSS pixel. Default: inferred from its name, density or width.",
        read=readers.number_above_zero, metavar="X", commands=SCORING, is_for_calls=True)
    picture_crop: str = option(
        "auto",
        "Whether a picture as tall as a screen is compared with the candidate's first screen: auto or never.",
        read=readers.one_of("auto", "never"), metavar="WHEN", commands=SCORING)
    clip_batch: int = option(
        16, "Number of pictures prepared for the CLIP model at a time.",
        read=readers.count_above_zero, metavar="N", commands=SCORING)
    ray_address: str | None = option(
        None, "Ray cluster to join. Default: RAY_ADDRESS, or a new one on this machine.",
        metavar="HOST:PORT", commands=SCORING)
    axe_script: Path | None = option(
        None, "axe-core script to use instead of the one that axe-playwright-python ships.",
        read=readers.existing_file, metavar="FILE", commands=MEASURING, flag="measuring",
        is_of_command=True, is_for_calls=True)
    engines: str = option(
        AXE, "Accessibility engines: axe, or axe,htmlcs to add HTML_CodeSniffer's counts.",
        read=readers.engine_names, metavar="NAMES", commands=MEASURING, flag="measuring")
    htmlcs_script: Path | None = option(
        None, "HTML_CodeSniffer script to use instead of the bundled one.",
        read=readers.existing_file, metavar="FILE", commands=MEASURING)
    probes: str = option(
        "",
        "Probes to run on candidates: all, none, quick (names, targets, layout; audit's default), or some, "
        "joined by commas, of keyboard, reflow, zoom, spacing, names, targets, layout, responds.",
        read=readers.probe_names, metavar="NAMES", commands=MEASURING, flag="measuring", is_for_calls=True)
    axe_tags: tuple[str, ...] = option(
        (), "Run only rules with this tag or preset (wcag2a, wcag2aa, wcag21aa, wcag22aa, best-practice).",
        metavar="TAG", commands=MEASURING, is_for_calls=True)
    rules_on: tuple[str, ...] = option(
        (), "Run this rule whatever its tags.",
        metavar="RULE", commands=MEASURING, is_for_calls=True)
    rules_off: tuple[str, ...] = option(
        (), "Do not run this rule.",
        metavar="RULE", commands=MEASURING, is_for_calls=True)
    include: tuple[str, ...] = option(
        (), "Check only the parts of the page with this selector.",
        metavar="SELECTOR", commands=MEASURING, is_for_calls=True)
    exclude: tuple[str, ...] = option(
        (), "Do not check the parts of the page with this selector.",
        metavar="SELECTOR", commands=MEASURING, is_for_calls=True)
    minimum_impact: Impact | None = option(
        None, "Count only failures of this impact or worse (minor, moderate, serious, critical).",
        read=readers.one_of(*get_args(Impact)), metavar="IMPACT", commands=MEASURING, is_for_calls=True)
    audit: bool = option(True, "Skip the accessibility audit.", commands=SCORING, flag="measuring")
    metrics: tuple[str, ...] = option(
        (), "Python file, or importable module, whose metrics are measured too; see docs/extending.md.",
        metavar="FILE", commands=MEASURING, flag="measuring")
    chromium: str | None = option(
        None, "Chromium to render with.", metavar="PATH", commands=_RENDERING, flag="measuring")
    max_bytes: int = option(
        10_000_000, "Largest input, in bytes.",
        read=readers.count_above_zero, metavar="N", commands=_RENDERING)
    cache: bool = option(
        True, "Render every page, even unchanged references and pages equal to an earlier one.",
        commands=SCORING, flag="measuring", is_of_command=True)
    # fmt: on

    @property
    def has_output(self) -> bool:
        """Whether something must be done at the end of a run even if nothing was measured."""
        return any(getattr(self, name) for name in ("save", "compare", *FILE_FIELDS))

    @property
    def has_checks(self) -> bool:
        """Whether there are settings to check at the start that would otherwise fail at the end."""
        defaults = Settings()
        names = (
            "appearance", "axe_tags", "compare", "fail_on", "known", "only", "prompt_file", "rules_off",
            "rules_on", "samples", "save", "update_known", "viewport", *FILE_FIELDS,
        )  # fmt: skip
        return any(getattr(self, name) != getattr(defaults, name) for name in names)

    def with_choices(self, values: Mapping[str, Any]) -> "Settings":
        """Return settings updated with a marker's or call's values of `CALL_FIELDS`."""
        if not values:
            return self
        declared = {option.field: option for option in options_of(Settings)}
        chosen = {name: declared[name].value_of(value) for name, value in values.items()}
        require_probes(chosen.get("probes", ""), self.metrics)
        return replace(self, **chosen)

    def choices_for(self, case: str) -> dict[str, Any]:
        """Return the choices of `CALL_FIELDS` that the configuration has for a case."""
        rules = [rule.values for rule in self.cases if rule.is_for(case)]
        return {name: value for values in rules for name, value in values.items() if name in CALL_FIELDS}

    def limits_on(self, case: str) -> "tuple[Limit, ...]":
        """Return the limits on a case: its own, and the run's where it has none."""
        of_case: list[Limit] = []
        for rule in reversed(self.cases):
            if rule.is_for(case):
                limited = {limit.bound for limit in of_case}
                of_case += [limit for limit in rule.limits if limit.bound not in limited]
        if not of_case:
            return self.limits
        from pytest_design2a11y.limits import most_specific

        return most_specific((*of_case, *self.limits))

    @property
    def audit_choice(self) -> "AuditChoice":
        """Which accessibility rules run, and where."""
        from pytest_design2a11y.models.audit import AuditChoice

        return AuditChoice(
            tags=self.axe_tags,
            rules_on=self.rules_on,
            rules_off=self.rules_off,
            include=self.include or ((self.part,) if self.part else ()),
            exclude=self.exclude,
            minimum_impact=self.minimum_impact,
        )


def require_probes(names: str, files: Sequence[str]) -> None:
    """Refuse unknown names of probes; `files` may define some."""
    if names and names not in (ALL_PROBES, QUICK_PROBES):
        from pytest_design2a11y.extending import Probe
        from pytest_design2a11y.registry import require

        require(Probe, names.split(","), files)


#: Settings that markers and calls accept too: a page's site, viewport and media, and accessibility rules.
CALL_FIELDS = tuple(option.field for option in options_of(Settings) if option.is_for_calls)

"""Every flag, ini key and default, declared once.

The same table serves pytest (`add_to_pytest`) and the command line (`add_to_parser`). The value of an
option is the command line's, else the ini file's (or pyproject's), else the default; `settings` makes the
frozen Settings of them. Imported in every pytest run of every user: nothing at the top that costs time.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Collection
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, get_args

from pytest_design2a11y.exceptions import ConfigurationError
from pytest_design2a11y.models.metrics import Impact, TextRatio

if TYPE_CHECKING:
    import pytest

#: Value and origin ("command line" or "ini file") by option name, for the options that somebody gave.
Given = dict[str, tuple[Any, str]]

FLAG_PREFIX = "--design2a11y-"
INI_PREFIX = "design2a11y_"


def number_above_zero(text: str) -> float:
    """Read a number greater than 0."""
    value = float(text)
    if not 0 < value < float("inf"):
        raise ValueError(f"{text} is not above 0")
    return value


def count_above_zero(text: str) -> int:
    """Read a whole number greater than 0."""
    value = int(text)
    if value < 1:
        raise ValueError(f"{text} is not above 0")
    return value


def existing_file(text: str) -> Path:
    """Read the path of a file that is there."""
    path = Path(text).expanduser()
    if not path.is_file():
        raise ValueError("there is no such file")
    return path


def one_of(*choices: str) -> Callable[[str], str]:
    """Make a reader that takes the named values only."""

    def read(text: str) -> str:
        if text not in choices:
            raise ValueError(f"{text!r} is none of {', '.join(choices)}")
        return text

    return read


class Option(NamedTuple):
    """One option.

    Attributes:
        name: Field of `Settings`; the ini key is `design2a11y_` + name.
        flag: As typed.
        help: One sentence.
        read: Text to value; ValueError where the text cannot be meant.
        default: Where nobody says anything.
        metavar: Placeholder in the help text.
        is_repeatable: Whether it may be given several times, and its value is a tuple.
        is_switch: Whether it takes no value.
        commands: Commands of `design2a11y` that take it, besides pytest.
    """

    name: str
    flag: str
    help: str
    read: Callable[[str], Any] = str
    default: Any = None
    metavar: str | None = None
    is_repeatable: bool = False
    is_switch: bool = False
    commands: frozenset[str] = frozenset()

    @property
    def ini(self) -> str:
        """The key in pytest's ini file."""
        return INI_PREFIX + self.name

    def value_of(self, text: str) -> Any:
        """Read one value.

        Raises:
            ConfigurationError: The text cannot be meant.
        """
        try:
            return self.read(text)
        except ValueError as error:
            raise ConfigurationError(
                f"{self.flag} does not take {text!r}: {error}.", advice=self.help
            ) from None


_MEASURING = frozenset({"score", "audit"})
_SCORING = frozenset({"score"})
_COMPARING = frozenset({"compare"})
_REPORTING = frozenset({"report"})
_JUDGING = frozenset({"score", "audit", "check"})


def _option(name: str, help: str, **more: Any) -> Option:
    return Option(name, FLAG_PREFIX + name.replace("_", "-"), help, **more)


OPTIONS: tuple[Option, ...] = (
    Option(
        "max_iwir",
        "--max-iwir",
        "Fail where the mean severity of a candidate's failed checks is above X (0..1).",
        read=float,
        metavar="X",
        commands=_JUDGING,
    ),
    Option(
        "max_ir",
        "--max-ir",
        "Fail where the share of a candidate's checks that failed is above X (0..1).",
        read=float,
        metavar="X",
        commands=_JUDGING,
    ),
    Option(
        "min_visual_similarity",
        "--min-visual-similarity",
        "Fail where a candidate's visual similarity to its reference is below X (0..1).",
        read=float,
        metavar="X",
        commands=frozenset({"score", "check"}),
    ),
    _option(
        "require",
        'Limit on any metric, such as "position>=0.8".',
        metavar="LIMIT",
        is_repeatable=True,
        commands=_JUDGING,
    ),
    _option("chromium", "Chromium to render with.", metavar="PATH", commands=_MEASURING),
    _option(
        "timeout",
        "Seconds that one page may take.",
        read=number_above_zero,
        default=30.0,
        metavar="SECONDS",
        commands=_MEASURING,
    ),
    _option(
        "allow_host",
        "Host that pages may load from, such as a CDN; none by default.",
        metavar="HOST",
        is_repeatable=True,
        commands=_MEASURING,
    ),
    _option(
        "no_javascript", "Render without running the pages' scripts.", is_switch=True, commands=_MEASURING
    ),
    _option(
        "max_bytes",
        "Largest input in bytes.",
        read=count_above_zero,
        default=10_000_000,
        metavar="N",
        commands=_MEASURING,
    ),
    _option(
        "max_nodes",
        "Most elements that a page may have.",
        read=count_above_zero,
        default=30_000,
        metavar="N",
        commands=_MEASURING,
    ),
    _option(
        "max_frames",
        "Most frames that a page may have.",
        read=count_above_zero,
        default=100,
        metavar="N",
        commands=_MEASURING,
    ),
    _option(
        "max_height",
        "Pixels at which a taller page is clipped, with a warning.",
        read=count_above_zero,
        default=16_000,
        metavar="N",
        commands=_MEASURING,
    ),
    _option(
        "max_width",
        "Pixels from which on a wider page is clipped to the window, with a warning.",
        read=count_above_zero,
        default=4_000,
        metavar="N",
        commands=_MEASURING,
    ),
    _option(
        "text_ratio",
        "How alike two texts are: indel, or difflib for comparison with published tables.",
        read=one_of(*get_args(TextRatio)),
        default="indel",
        metavar="NAME",
        commands=_SCORING,
    ),
    _option(
        "appearance",
        "What computes the fifth component: embedded, clip, clip:MODEL/PRETRAINED or clip:MODEL@WEIGHTS.",
        default="embedded",
        metavar="NAME",
        commands=_SCORING | {"fetch-clip"},
    ),
    _option(
        "clip_batch",
        "Pictures that are made ready for the CLIP model at once.",
        read=count_above_zero,
        default=16,
        metavar="N",
        commands=_SCORING,
    ),
    _option(
        "no_cache",
        "Render references anew instead of taking unchanged ones from the cache.",
        is_switch=True,
        commands=_SCORING,
    ),
    _option(
        "axe_script",
        "The axe-core script to use instead of the one that axe-playwright-python ships.",
        read=existing_file,
        metavar="FILE",
        commands=_MEASURING,
    ),
    _option(
        "axe_tags",
        "Only rules with this tag or preset (wcag2a, wcag2aa, wcag21aa, wcag22aa, best-practice).",
        metavar="TAG",
        is_repeatable=True,
        commands=_MEASURING,
    ),
    _option(
        "rules_on",
        "Run this rule whatever its tags.",
        metavar="RULE",
        is_repeatable=True,
        commands=_MEASURING,
    ),
    _option("rules_off", "Leave this rule out.", metavar="RULE", is_repeatable=True, commands=_MEASURING),
    _option(
        "include",
        "Check only the parts of the page with this selector.",
        metavar="SELECTOR",
        is_repeatable=True,
        commands=_MEASURING,
    ),
    _option(
        "exclude",
        "Leave the parts of the page with this selector unchecked.",
        metavar="SELECTOR",
        is_repeatable=True,
        commands=_MEASURING,
    ),
    _option(
        "minimum_impact",
        "Count failures from this impact up (minor, moderate, serious, critical); milder ones pass.",
        read=one_of(*get_args(Impact)),
        metavar="IMPACT",
        commands=_MEASURING,
    ),
    _option(
        "audit_reference",
        "Audit the references too, to tell whether the candidates are better or worse.",
        is_switch=True,
        commands=_SCORING,
    ),
    _option(
        "known",
        "Accepted accessibility violations; what is beyond them fails.",
        metavar="FILE",
        commands=_REPORTING,
    ),
    _option(
        "update_known", "Accept the violations that there are now, and say what changed.", is_switch=True
    ),
    _option(
        "samples",
        "How several samples of a case are judged: mean, median, worst, or at_least=4/5.",
        default="mean",
        metavar="POLICY",
        commands=frozenset({"check"}) | _REPORTING,
    ),
    _option("html", "Write a report that opens in any browser.", metavar="FILE"),
    _option("sarif", "Write the accessibility violations as SARIF 2.1.0.", metavar="FILE"),
    _option("save", "Save the run under this name.", metavar="NAME", commands=_SCORING),
    _option("compare", "Compare the run with a saved one.", metavar="RUN"),
    _option(
        "fail_on",
        "With --design2a11y-compare: fail where a metric is surely worse by more than a margin, such as "
        '"visual:0.02", "iwir:10%" or "position".',
        metavar="GATE",
        is_repeatable=True,
        commands=_COMPARING,
    ),
    _option(
        "fail_on_point",
        "Let --design2a11y-fail-on judge the mean difference itself, however unsure it is.",
        is_switch=True,
        commands=_COMPARING,
    ),
)


#: Settings that say which accessibility rules run, where, and whose; markers and calls take them too.
AUDIT_FIELDS = ("axe_script", "axe_tags", "rules_on", "rules_off", "include", "exclude", "minimum_impact")


def add_to_pytest(parser: pytest.Parser) -> None:
    """Declare every option as a pytest flag and ini key."""
    group = parser.getgroup(
        "design2a11y", "design2a11y: visual similarity and accessibility of generated pages"
    )
    for option in OPTIONS:
        group.addoption(option.flag, dest=option.ini, **_argparse_arguments(option))
        kind: Any = "bool" if option.is_switch else "linelist" if option.is_repeatable else "string"
        parser.addini(option.ini, option.help, type=kind, default=None)


def add_to_parser(parser: argparse.ArgumentParser, command: str) -> None:
    """Declare the options that a command of `design2a11y` takes."""
    for option in OPTIONS:
        if command in option.commands:
            parser.add_argument(option.flag, dest=option.ini, **_argparse_arguments(option))


def _argparse_arguments(option: Option) -> dict[str, Any]:
    default = "" if option.default is None else f" Default: {option.default}."
    help_text = (option.help + default).replace("%", "%%")
    if option.is_switch:
        return {"action": "store_true", "default": None, "help": help_text}
    action = "append" if option.is_repeatable else "store"
    return {"action": action, "default": None, "metavar": option.metavar, "help": help_text}


def has_pytest_html(config: pytest.Config) -> bool:
    """Tell whether pytest-html writes a report of this run."""
    return bool(config.getoption("htmlpath", None))


def given_to_pytest(config: pytest.Config) -> Given:
    """Read the options of a pytest run.

    Raises:
        ConfigurationError: An option cannot be meant as written.
    """
    given: Given = {}
    for option in OPTIONS:
        typed = config.getoption(option.ini)
        if typed is not None:
            given[option.name] = (_value(option, typed), "command line")
            continue
        written = config.getini(option.ini)
        if written not in (None, "", []):
            given[option.name] = (_value(option, written), "ini file")
    return given


def given_to_command(namespace: argparse.Namespace) -> Given:
    """Read the options of a `design2a11y` command.

    Raises:
        ConfigurationError: An option cannot be meant as written.
    """
    typed = {option: getattr(namespace, option.ini, None) for option in OPTIONS}
    return {
        option.name: (_value(option, value), "command line")
        for option, value in typed.items()
        if value is not None
    }


def _value(option: Option, raw: bool | str | Collection[str]) -> Any:
    if isinstance(raw, bool):
        return raw
    if isinstance(raw, str):
        return option.value_of(raw)
    return tuple(option.value_of(text) for text in raw)

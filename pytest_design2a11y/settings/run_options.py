"""Options of a whole run: limits, and what becomes of its results.

Imported in every pytest run of every user: keep module-level imports cheap.
"""

from pathlib import Path
from typing import Literal

from pytest_design2a11y.files import file_path
from pytest_design2a11y.models import readers
from pytest_design2a11y.models.option import Options, option, options_of

#: Commands that use an option, by what they do.
RUNNING = frozenset({"score", "audit"})
SCORING = frozenset({"score", "mcp"})
MEASURING = RUNNING | {"mcp"}
_JUDGING = MEASURING | {"check"}
_COMPARING = RUNNING | {"compare", "report"}


def named_digest(text: str) -> tuple[str, str]:
    """Return the name or path of a text file, and its SHA-256, whatever its line endings."""
    import hashlib

    path = readers.existing_file(text)
    absolute = path.resolve()
    inside = absolute.is_relative_to(Path.cwd())
    name = absolute.relative_to(Path.cwd()).as_posix() if inside else path.name
    try:
        return name, hashlib.sha256(path.read_bytes().replace(b"\r\n", b"\n")).hexdigest()
    except OSError as error:
        raise ValueError(f"it cannot be read: {error.strerror}") from None


class LimitOptions(Options):
    """Options that are limits; `limits` makes limits from their values and origins."""

    # fmt: off
    min_fidelity: float | None = option(
        None, 'Least fidelity of a candidate to its reference, 0..1: "fidelity>=X".',
        read=readers.number, metavar="X", commands=SCORING | {"check"}, flag="limits", is_bare=True)
    max_blocking: float | None = option(
        None, 'Most critical and serious differences from its reference: "blocking<=N".',
        read=readers.number, metavar="N", commands=SCORING | {"check"}, flag="limits", is_bare=True)
    min_visual_similarity: float | None = option(
        None, 'Least visual similarity to its reference, 0..1: "visual>=X".',
        read=readers.number, metavar="X", commands=SCORING | {"check"}, flag="limits", is_bare=True)
    max_ir: float | None = option(
        None, 'Largest share of a candidate\'s checks that may fail, 0..1: "ir<=X".',
        read=readers.number, metavar="X", commands=_JUDGING, flag="limits", is_bare=True)
    max_iwir: float | None = option(
        None, 'Largest mean severity of a candidate\'s failed checks, 0..1: "iwir<=X".',
        read=readers.number, metavar="X", commands=_JUDGING, flag="limits", is_bare=True)
    require: tuple[str, ...] = option(
        (), 'Limit on any metric, such as "position>=0.8"; the limits above are short for it.',
        metavar="LIMIT", commands=_JUDGING, flag="limits")
    fail_on_warnings: tuple[str, ...] = option(
        (), 'Warning that a page must not have, such as page_clipped: "warnings.page_clipped<=0".',
        metavar="CODE", commands=_JUDGING)
    # fmt: on


class RunOptions(Options):
    """Options of what becomes of a run's results."""

    # fmt: off
    samples: str = option(
        "mean", "How several samples of a case are judged: mean, median, worst, or at_least=4/5.",
        metavar="POLICY", commands=_JUDGING | {"report"}, flag="limits")
    html: Path | None = option(
        None, "Write an HTML report.",
        read=readers.html_path, metavar="FILE", commands=RUNNING, flag="results")
    findings: tuple[Path, ...] = option(
        (), "Write the accessibility violations: FILE.sarif (SARIF 2.1.0), FILE.csv (one row per element; "
        "-: print it) or FILE.json (GitLab's Code Quality).",
        read=readers.findings_file, metavar="FILE", commands=RUNNING | {"runs export"}, flag="results")
    save: str | None = option(
        None, "Save the run under this name.", metavar="NAME", commands=RUNNING, flag="results")
    label: tuple[tuple[str, str], ...] = option(
        (), 'Label to save with the run, such as "prompt=3f2a" or "temperature=0.2".',
        read=readers.key_value, metavar="KEY=VALUE", commands=RUNNING)
    prompt_file: tuple[tuple[str, str], ...] = option(
        (), "Prompt file that the pages were generated from; its name and digest are saved with the run.",
        read=named_digest, metavar="FILE", commands=RUNNING)
    compare: str | None = option(
        None, 'Compare the run with a saved one, or with the part of itself that has this value of an '
        'axis, such as "prompt=v1".',
        metavar="RUN", commands=RUNNING, flag="results")
    fail_on: tuple[str, ...] = option(
        (), 'Fail if a comparison finds a metric surely worse by more than a margin, such as '
        '"fidelity:0.02", "iwir:10%" or "position".',
        metavar="GATE", commands=_COMPARING, flag="results")
    fail_on_point: bool = option(
        False, "Let gates judge the mean difference itself, however wide its interval.",
        commands=_COMPARING)
    inconclusive: Literal["pass", "fail"] = option(
        "pass",
        "Result of a gate on a metric that is neither surely worse nor surely not worse: pass or fail.",
        read=readers.one_of("pass", "fail"), metavar="WORD", commands=_COMPARING)
    allow_missing: float = option(
        0.0, "Share of pages (0..1, or 10%) that may be missing from a run; a larger share does not pass.",
        read=readers.share, metavar="SHARE", commands=_COMPARING)
    only: tuple[str, ...] = option(
        (), 'Compare only pages with this value of an axis, such as "model=large".',
        metavar="AXIS=VALUE", commands=_COMPARING | {"runs plan"}, flag="results", is_of_command=True)
    known: Path | None = option(
        None, "File of accepted accessibility violations and differences; any other violations fail.",
        read=file_path, metavar="FILE", commands=MEASURING | {"report", "accept"}, flag="results")
    update_known: bool = option(
        False, "Accept the current violations, and report what changed.",
        commands=RUNNING, flag="results")
    # fmt: on


#: Settings that name a file to write at the end of a run.
FILE_FIELDS = ("html", "findings")

#: Settings of a whole run, as opposed to a page.
RUN_FIELDS = frozenset({option.field for option in options_of(RunOptions)} - {"known"} | {"cache"})

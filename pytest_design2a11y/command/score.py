"""`design2a11y score`: scores one pair of pages, or many; with `--out FOLDER` in chunks that are kept."""

import argparse
import sys
import time
from pathlib import Path

from pytest_design2a11y.command.audit import PageLines, measure, table_of
from pytest_design2a11y.command.shell import EXIT_MEASURED, EXIT_UNMEASURED, Progress, say, say_json
from pytest_design2a11y.exceptions import ConfigurationError
from pytest_design2a11y.measuring.pair_files import open_pairs
from pytest_design2a11y.measuring.pairs import Pair, along_variants, with_steps
from pytest_design2a11y.models.evaluation import Evaluation
from pytest_design2a11y.models.option import options_of
from pytest_design2a11y.models.verdicts import Subject
from pytest_design2a11y.registry import take_files
from pytest_design2a11y.runs.cases import INDEX_NAME
from pytest_design2a11y.settings import Settings
from pytest_design2a11y.settings.options import settings_from_namespace
from pytest_design2a11y.settings.run_options import FILE_FIELDS, LimitOptions
from pytest_design2a11y.settings.variants import variants
from pytest_design2a11y.source.files import kind_of
from pytest_design2a11y.wording import counted, flag


def _are_several(reference: str, candidate: str) -> bool:
    """Return whether folders of pages are given, or a folder with a pattern.

    A folder with an index.html is a page itself.
    """
    is_name = kind_of(candidate) == "path" and not Path(candidate).exists()
    if is_name and "{" in candidate:
        return True
    if is_name and "*" in candidate:
        raise ConfigurationError(
            f"{candidate} stands for several pages.",
            advice="Mark the case in their names: design2a11y score DESIGNS --pairs "
            '"generated/{case}.html", or give their folder.',
        )
    are_folders = [
        Path(page).is_dir() and not Path(page, INDEX_NAME).is_file() for page in (reference, candidate)
    ]
    if any(are_folders) and not all(are_folders):
        folder, page = (reference, candidate) if are_folders[0] else (candidate, reference)
        if kind_of(page) == "path" and not Path(page).exists():
            raise ConfigurationError(f"There is no folder {page}.", advice="Check the path.")
        raise ConfigurationError(
            f"{folder} is a folder of pages, and {page} is not.",
            advice="Give two pages, or two folders whose pages have the same names.",
        )
    return all(are_folders)


def _score(namespace: argparse.Namespace) -> int:
    take_files(settings_from_namespace(namespace).metrics)
    if namespace.pairs is not None and namespace.candidate is not None:
        raise ConfigurationError(
            "--pairs and a page exclude each other.", advice="Give --pairs or two pages."
        )
    named = namespace.pairs
    if named is None and namespace.candidate is None:
        raise ConfigurationError("Two pages are needed.", advice="Give REFERENCE CANDIDATE, or --pairs FILE.")
    if named is None and _are_several(namespace.reference, namespace.candidate):
        named = namespace.candidate
    if namespace.out is not None:
        if named is None:
            raise ConfigurationError(
                "--out is for several pages.",
                advice="Give --pairs FILE, or a folder of designs and one of pages.",
            )
        return score_into_folder(namespace, named)
    if named is not None:
        pairs = list(open_pairs(named, namespace.reference, states=[*filter(None, namespace.steps)]).pairs)
    else:
        subject = Subject(id=namespace.candidate, case="")
        pairs = [Pair(subject, namespace.reference, namespace.candidate, Path.cwd())]
    return measure(
        pairs, namespace, lines=_page_lines(namespace), prints_each=namespace.details or namespace.verbose
    )


def _page_lines(namespace: argparse.Namespace) -> PageLines:
    from pytest_design2a11y.report.failure_text import pair_lines

    if namespace.pairs is not None and not namespace.details:
        from pytest_design2a11y.report.terminal import page_line

        return lambda evaluation, _settings: [page_line(evaluation)]

    def lines(evaluation: Evaluation, _settings: Settings) -> list[str]:
        found = pair_lines(evaluation, has_details=namespace.details)
        if namespace.details or evaluation.error is not None:
            return found
        return [*found, f"  See all of it: --details, or {flag('html')}=report.html"]

    return lines


#: Interval between progress lines if standard error is not a terminal.
_SECONDS_BETWEEN_LINES = 60.0
#: What is applied to the saved run of `--out` later.
_AFTER_SCORING = {option.field for option in options_of(LimitOptions)} | {
    *("save", "compare", "fail_on", "known", "samples", *FILE_FIELDS)
}
#: Up to this many pages, all are read again at the end to print their means.
_MOST_IN_TABLE = 20_000


def score_into_folder(namespace: argparse.Namespace, named: str) -> int:
    """Score pairs into a folder, print progress, and return the exit code."""
    from pytest_design2a11y.run_end.corpus import score_corpus
    from pytest_design2a11y.run_end.gating import check_settings
    from pytest_design2a11y.runs import DEFAULT_FOLDER, load_run

    settings = settings_from_namespace(namespace)
    if settings.typed & _AFTER_SCORING:
        raise ConfigurationError(
            "--out only scores and saves; limits, comparisons and reports come after it.",
            advice="Give the folder to design2a11y check, compare, report or runs export.",
        )
    check_settings(settings, folder=DEFAULT_FOLDER)
    started = time.monotonic()
    num_pages = num_known = num_errors = 0
    given = open_pairs(named, namespace.reference, states=[*filter(None, namespace.steps)])
    # May be too many: a line of pairs that names its own viewport is only one page.
    total = given.num_pairs * len(variants(settings))
    with Progress(total, sys.stderr, every=_SECONDS_BETWEEN_LINES) as progress:
        for done in score_corpus(
            along_variants((with_steps(pair, namespace.steps) for pair in given.pairs), settings),
            folder=namespace.out,
            settings=settings,
            jobs=namespace.jobs,
            executor=namespace.executor,
            chunk_size=namespace.chunk,
        ):
            num_pages += done.num_pages
            num_known += 0 if done.is_new else done.num_pages
            num_errors += done.num_errors
            progress.advance(done.num_pages, is_work=done.is_new)
    if namespace.json:
        say_json(
            {
                "folder": str(namespace.out),
                "pages": num_pages,
                "known": num_known,
                "errors": num_errors,
                "seconds": round(time.monotonic() - started, 1),
            }
        )
    else:
        if 1 < num_pages <= _MOST_IN_TABLE:
            pages = load_run(namespace.out, has_audit=False).evaluations
            say(*table_of(pages, settings, is_long=namespace.verbose), "")
        say(
            f"{counted(num_pages, 'page')} in {namespace.out}, {num_known} of them from earlier, "
            f"{num_errors} could not be measured. "
            f"See: design2a11y check {namespace.out}, compare, report, runs export."
        )
    return EXIT_UNMEASURED if num_errors else EXIT_MEASURED

"""`design2a11y score --pairs FILE --out FOLDER`: many pages, in chunks that are kept."""

from __future__ import annotations

import argparse
import sys
import time

from pytest_design2a11y.command.measure import table_of
from pytest_design2a11y.command.output import EXIT_MEASURED, EXIT_UNMEASURED, say, say_json
from pytest_design2a11y.exceptions import ConfigurationError
from pytest_design2a11y.measuring.pair_files import open_pairs
from pytest_design2a11y.measuring.pairs import along_variants, with_steps
from pytest_design2a11y.settings.options import settings_from_namespace
from pytest_design2a11y.settings.values import Settings
from pytest_design2a11y.settings.variants import variants
from pytest_design2a11y.wording import counted

#: How often a log that is not a terminal hears how far it is.
_SECONDS_BETWEEN_LINES = 60.0
#: Up to this many pages, all are read again at the end to print their means.
_MOST_IN_TABLE = 20_000


def score_into_folder(namespace: argparse.Namespace) -> int:
    """Score pairs into a folder, print progress, and return the exit code."""
    from pytest_design2a11y.report.progress import Progress
    from pytest_design2a11y.run_end.check_settings import check_settings
    from pytest_design2a11y.run_end.corpus import score_corpus
    from pytest_design2a11y.runs.store import DEFAULT_FOLDER, load_run

    settings = settings_from_namespace(namespace)
    _refuse_other_ends(settings)
    check_settings(settings, folder=DEFAULT_FOLDER)
    started = time.monotonic()
    num_pages = num_known = num_errors = 0
    given = open_pairs(namespace.pairs, namespace.reference, states=[*filter(None, namespace.steps)])
    # A line that names its own viewport is one page, so that this may be too many.
    total = given.num_pairs * len(variants(settings))
    with Progress(total, sys.stderr, every=_SECONDS_BETWEEN_LINES) as progress:
        for done in score_corpus(
            along_variants((with_steps(pair, namespace.steps) for pair in given.pairs), settings),
            folder=namespace.out,
            settings=settings,
            jobs=namespace.jobs,
            executor=namespace.executor,
            ray_address=namespace.ray_address,
            clip_gpus=namespace.clip_gpus,
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
            f"{num_errors} could not be measured. See: design2a11y check {namespace.out}, compare, export."
        )
    return EXIT_UNMEASURED if num_errors else EXIT_MEASURED


def _refuse_other_ends(settings: Settings) -> None:
    if settings.has_output or settings.limits or settings.known or settings.fail_on:
        raise ConfigurationError(
            "--out only scores and saves; limits, comparisons and reports come after it.",
            advice="Give the folder to design2a11y check, compare, report or export.",
        )

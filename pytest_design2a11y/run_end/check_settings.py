"""Checks at the start of a run for what would fail at its end."""

from __future__ import annotations

import os
from pathlib import Path

from pytest_design2a11y.comparing.gates import parse_gates
from pytest_design2a11y.exceptions import ConfigurationError
from pytest_design2a11y.files import STANDARD_OUTPUT, is_special
from pytest_design2a11y.limits.cases import parse_policy
from pytest_design2a11y.limits.known_file import load_known
from pytest_design2a11y.measuring.caches import clip_backend
from pytest_design2a11y.measuring.viewports import require_devices
from pytest_design2a11y.run_end.gating import is_part
from pytest_design2a11y.runs.run_file import SUFFIX
from pytest_design2a11y.runs.store import check_name, load_run, parse_only
from pytest_design2a11y.settings.values import Settings
from pytest_design2a11y.wording import flag, setting


def check_settings(settings: Settings, *, folder: Path) -> None:
    """Refuse settings that would fail only at the end of the run."""
    parse_policy(settings.samples)
    require_devices(settings)
    if settings.audit and settings.audit_choice.has_names:
        from pytest_design2a11y.capture.renderer import check_choice

        check_choice(settings.audit_choice, settings.axe_script)
    if settings.html is not None:
        check_writable(settings.html, flag("html"))
    for path in settings.findings:
        check_writable(path, flag("findings"))
    if settings.update_known and settings.known is None:
        raise ConfigurationError(
            f"{flag('update_known')} needs {flag('known')} FILE.", advice="Name the file to write."
        )
    if settings.known is not None and settings.update_known:
        check_writable(settings.known, flag("known"))
    elif settings.known is not None:
        load_known(settings.known)
    if settings.appearance != "embedded":
        clip_backend(settings.appearance, settings.clip_batch, settings.cache_folder)
    parse_only(settings.only)
    if "fail_on" in settings.typed and settings.compare is None:
        raise ConfigurationError(
            f"{flag('fail_on')} needs {flag('compare')}.", advice="Name the run to compare with."
        )
    if len(dict(settings.prompt_file)) < len(settings.prompt_file):
        raise ConfigurationError(
            f"Two files of {setting('prompt_file')} have the same name.", advice="Name each file once."
        )
    if settings.save is not None:
        check_name(settings.save, folder=folder)
        check_writable(folder / f"{settings.save}{SUFFIX}", flag("save"))
    if settings.compare is not None and not is_part(settings.compare, folder=folder):
        load_run(settings.compare, folder=folder, has_audit=False)
    parse_gates(settings.fail_on)  # Last, because gates may name metrics of the saved run.


def check_writable(path: Path, flag: str) -> None:
    """Refuse a file, named by the option `flag`, that could not be written at the end of the run."""
    if problem := _problem(path):
        raise ConfigurationError(
            f"{flag} cannot write {path}: {problem}.",
            advice="Name a file in a folder that can be written to.",
        )


def _problem(path: Path) -> str | None:
    if path == STANDARD_OUTPUT:
        return None
    if path.is_dir():
        return "it is a folder"
    if is_special(path):
        return "it is not a regular file"
    there = next(place for place in (path, *path.absolute().parents) if place.exists())
    if there != path and not there.is_dir():
        return f"{there} is not a folder"
    return None if os.access(there, os.W_OK) else f"{there} is read-only"

"""The axe-core script: the one that comes with axe-playwright-python, or a file of the user's."""

from __future__ import annotations

import json
import re
from functools import lru_cache
from importlib.util import find_spec
from pathlib import Path

from pytest_design2a11y.exceptions import AxeError

_VERSION = re.compile(r"""\baxe\.version\s*=\s*["'](\d+)\.(\d+)\.[^"']+["']""")
_OTHER_THAN_ASCII = re.compile(r"[^\x00-\x7f]")
_RULE = re.compile(r"""\bid:\s*["']([a-z0-9-]+)["'],[^{}]{0,2000}?\btags:\s*\[([^\]]*)\]""")
_TAG = re.compile(r"""["']([^"']+)["']""")
_OLDEST = (4, 3)  # the first with runPartial, without which frames cannot be checked one by one
_ADVICE = "Give axe.min.js or axe.js of the npm package axe-core, 4.3 or newer (--design2a11y-axe-script)."


def read_axe_script(path: Path | None) -> str:
    """Read the script to audit with, as ASCII."""
    source = path
    if source is None:
        # Found without importing the package, which would read the script once more.
        package = find_spec("axe_playwright_python")
        if package is None or package.origin is None:
            told = "axe-playwright-python, which ships the axe-core script, is not installed."
            raise AxeError(told, advice=_ADVICE)
        source = Path(package.origin).parent / "axe.min.js"
    try:
        return _read(source, source.stat().st_mtime_ns)
    except (OSError, UnicodeDecodeError) as error:
        raise AxeError(f"The axe-core script {source} cannot be read: {error}.", advice=_ADVICE) from error


@lru_cache(maxsize=4)
def _read(source: Path, modified: int) -> str:
    text = source.read_text(encoding="utf-8")
    version = _VERSION.search(text)
    if version is None:
        raise AxeError(f"{source} is not axe-core.", advice=_ADVICE)
    if (int(version[1]), int(version[2])) < _OLDEST:
        raise AxeError(f"{source} is axe-core {version[1]}.{version[2]}, which is too old.", advice=_ADVICE)
    # A handful of other characters would make the browser hold and scan the whole script at two bytes each.
    return _OTHER_THAN_ASCII.sub(lambda match: json.dumps(match[0])[1:-1], text)


def rules_of(script: str) -> dict[str, tuple[str, ...]]:
    """Return tags by rule, without running the script; nothing where it is not written as axe-core's."""
    return {rule: tuple(_TAG.findall(tags)) for rule, tags in _RULE.findall(script)}

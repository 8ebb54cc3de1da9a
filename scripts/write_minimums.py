"""Print constraints that pin every dependency to the lowest version allowed by pyproject.toml.

`write_minimums.py dev --but pytest`: for the package and its dependency group or extra `dev`, without
a constraint on pytest.
"""

from __future__ import annotations

import argparse
import tomllib
from collections.abc import Iterable
from pathlib import Path

from packaging.requirements import Requirement
from packaging.specifiers import Specifier

PYPROJECT = Path(__file__).parents[1] / "pyproject.toml"


def minimums(requirements: Iterable[str]) -> dict[str, str]:
    """Return the lowest version of each requirement that specifies one, by name."""
    found = {}
    for requirement in map(Requirement, requirements):
        lowest = [one.version for one in requirement.specifier if _is_lowest(one)]
        if lowest:
            found[requirement.name] = lowest[0]
    return found


def _is_lowest(specifier: Specifier) -> bool:
    return specifier.operator in (">=", "==", "~=")


def main() -> None:
    """Print the constraints."""
    parser = argparse.ArgumentParser()
    parser.add_argument("groups", nargs="*")
    parser.add_argument("--but", action="append", default=[])
    options = parser.parse_args()
    declared = tomllib.loads(PYPROJECT.read_text(encoding="utf-8"))
    project = declared["project"]
    groups = project["optional-dependencies"] | declared["dependency-groups"]
    named = [line for group in options.groups for line in groups[group]]
    for name, version in minimums([*project["dependencies"], *named]).items():
        if name not in options.but:
            print(f"{name}=={version}")


if __name__ == "__main__":
    main()

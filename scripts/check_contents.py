"""Check that a wheel and an sdist contain what they should: `check_contents.py FOLDER`.

The wheel must have every file of the package under version control, its metadata, and nothing else; the sdist
must also have what is needed to build and test.
"""

from __future__ import annotations

import re
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path

ROOT = Path(__file__).parents[1]
PACKAGE = "pytest_design2a11y"
METADATA = {"METADATA", "RECORD", "WHEEL", "entry_points.txt", "licenses/LICENSE"}
#: One file of each kind that code loads by name, and those that licences require.
NEEDED = (
    "py.typed",
    "__init__.pyi",
    "runs/run.schema.json",
    "source/blocks.schema.json",
    "visual/appearance.json",
    "report/html/templates/report.html.j2",
    "report/html/assets/report.js",
    "capture/page/settle.js",
    "capture/audit/htmlcs/vendor/HTMLCS.js",
    "capture/audit/htmlcs/vendor/licence.txt",
)
TOP = {
    *(
        "PKG-INFO",
        "pyproject.toml",
        "hatch_build.py",
        "LICENSE",
        "README.md",
        "CHANGELOG.md",
        "CONTRIBUTING.md",
    ),
    *("SECURITY.md", "CITATION.cff", "Makefile", "mkdocs.yml", "action.yml", "gitlab.yml"),
    *("Dockerfile", "Dockerfile.constraints", ".gitignore"),
}
FOLDERS = {PACKAGE, "tests", "scripts", "studies", "benchmarks", "examples", "docs", ".github", ".ci"}
#: Maximum size in MB; a larger file is probably a packaging mistake.
LARGEST = {".whl": 1.1, ".gz": 8.0}


def tracked() -> set[str]:
    """Return the files of the package that are under version control."""
    listed = subprocess.run(
        ["git", "ls-files", "-z", PACKAGE], cwd=ROOT, capture_output=True, text=True, check=True
    )
    return {name for name in listed.stdout.split("\0") if name}


def wheel_faults(names: set[str]) -> list[str]:
    """Return what a wheel lacks, and what it should not contain."""
    metadata = {name.partition(".dist-info/")[2] for name in names if ".dist-info/" in name}
    package = {name for name in names if ".dist-info/" not in name}
    expected = tracked()
    lacking = {f"{PACKAGE}/{name}" for name in NEEDED} | expected
    return [
        *(f"the wheel lacks {name}" for name in sorted(lacking - package)),
        *(f"the wheel has {name}" for name in sorted(package - expected)),
        *(f"the wheel's metadata differ in {name}" for name in sorted(metadata ^ METADATA)),
    ]


def readme_faults(wheel: Path) -> list[str]:
    """Return which links in the description would be broken on PyPI."""
    with zipfile.ZipFile(wheel) as archive:
        (name,) = (name for name in archive.namelist() if name.endswith(".dist-info/METADATA"))
        links = re.findall(r"\]\(([^)]+)\)", archive.read(name).decode())
    faults = [f"the description links to {link}" for link in links if not link.startswith("https://")]
    return faults if links else ["the description has no links"]


def sdist_faults(names: set[str]) -> list[str]:
    """Return what an sdist lacks, and what it should not contain."""
    inner = {name.partition("/")[2] for name in names}
    others = {name for name in inner if name not in TOP and name.partition("/")[0] not in FOLDERS}
    return [
        *(f"the sdist lacks {name}" for name in sorted((tracked() | TOP) - inner)),
        *(f"the sdist has {name}" for name in sorted(others)),
    ]


def size_faults(path: Path) -> list[str]:
    """Return a message if a file is larger than it should be."""
    megabytes = path.stat().st_size / 1e6
    return [f"{path.name} has {megabytes:.2f} MB"] if megabytes > LARGEST[path.suffix] else []


def main() -> None:
    """Check the wheel and the sdist in a folder."""
    folder = Path(sys.argv[1])
    (wheel,), (sdist,) = folder.glob("*.whl"), folder.glob("*.tar.gz")
    in_wheel = set(zipfile.ZipFile(wheel).namelist())
    with tarfile.open(sdist) as archive:
        in_sdist = {one.name for one in archive if one.isfile()}
    faults = [*wheel_faults(in_wheel), *readme_faults(wheel), *sdist_faults(in_sdist)]
    faults += [*size_faults(wheel), *size_faults(sdist)]
    for path, names in ((wheel, in_wheel), (sdist, in_sdist)):
        print(f"{path.name}: {len(names)} files, {path.stat().st_size / 1e3:,.0f} kB")
    sys.exit("\n".join(faults) or 0)


if __name__ == "__main__":
    main()

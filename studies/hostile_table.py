"""Prints the hostile cases as a table: outcome of each, duration of its capture, packets that got out.

    python -m studies.hostile_table [--junit FILE]

Runs the tests named in `tests/browser/hostile/cases.txt`, or reads what an earlier run of them wrote with
`--junitxml FILE`. For a case with several tests, packets are added up and the longest capture is shown. Cases
about reports capture nothing: their time is that of the test. Exits with status 1 if a case failed or is
missing.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from xml.etree import ElementTree

ROOT = Path(__file__).parents[1]
CASES = ROOT / "tests" / "browser" / "hostile" / "cases.txt"


@dataclass(frozen=True)
class Case:
    number: int
    name: str
    file: str
    tests: tuple[str, ...]


@dataclass(frozen=True)
class Outcome:
    test: str
    is_passed: bool
    said: str
    seconds: float
    packets: int


def read_cases() -> list[Case]:
    lines = [line.split() for line in CASES.read_text().splitlines() if line and not line.startswith("#")]
    return [Case(int(number), name, file, tuple(tests)) for number, name, file, *tests in lines]


def run(cases: Sequence[Case], junit: Path) -> None:
    pytest = [sys.executable, "-m", "pytest", "-q"]
    files = sorted({f"tests/{case.file}" for case in cases})
    collected = subprocess.run(
        [*pytest, "--collect-only", *files], cwd=ROOT, capture_output=True, text=True, check=True
    )
    wanted = [
        line
        for line in collected.stdout.splitlines()
        if any(line.startswith(f"tests/{case.file}::") and is_of(case, line) for case in cases)
    ]
    subprocess.run([*pytest, *wanted, f"--junitxml={junit}"], cwd=ROOT, stdout=sys.stderr, check=False)


def is_of(case: Case, test: str) -> bool:
    return any(fragment in test for fragment in case.tests)


def read_outcomes(junit: Path) -> dict[str, list[Outcome]]:
    """Return the outcomes of tests by the module that contains them."""
    found: dict[str, list[Outcome]] = {}
    for test in ElementTree.parse(junit).iter("testcase"):
        module = test.get("classname", "").removeprefix("tests.")
        found.setdefault(module, []).append(_outcome(test))
    return found


def _outcome(test: ElementTree.Element) -> Outcome:
    said = {each.get("name"): each.get("value", "") for each in test.iter("property")}
    problem = next((each.tag for each in test if each.tag in ("failure", "error", "skipped")), None)
    return Outcome(
        test=test.get("name", ""),
        is_passed=problem is None,
        said=problem or said.get("outcome", "passed"),
        seconds=float(said.get("seconds") or test.get("time") or 0),
        packets=int(said.get("packets", 0)),
    )


def rows(cases: Sequence[Case], outcomes: dict[str, list[Outcome]]) -> Iterator[tuple[bool, str]]:
    """Yield one line per case, with whether it is all right."""
    for case in cases:
        module = case.file.removesuffix(".py").replace("/", ".")
        of_module = outcomes.get(module, [])
        found = [[one for one in of_module if fragment in one.test] for fragment in case.tests]
        own = [one for some in found for one in some]
        is_well = all(found) and all(one.is_passed for one in own)
        said = " / ".join(dict.fromkeys(one.said for one in own)) if all(found) else "NOT RUN"
        seconds = f"{max((one.seconds for one in own), default=0):.1f}"
        packets = sum(one.packets for one in own)
        tests = f"{Path(case.file).stem} {' '.join(case.tests)}"
        yield is_well, f"| {case.number} | {case.name} | {said} | {seconds} | {packets} | {tests} |"


def main() -> int:
    parser = argparse.ArgumentParser(description="Show what became of every hostile case.")
    parser.add_argument("--junit", type=Path)
    choice = parser.parse_args()
    cases = read_cases()
    with tempfile.TemporaryDirectory() as folder:
        junit = choice.junit or Path(folder) / "junit.xml"
        if not choice.junit:
            run(cases, junit)
        outcomes = read_outcomes(junit)
    lines = list(rows(cases, outcomes))
    print("| # | case | outcome | s | packets | tests |\n| --: | --- | --- | --: | --: | --- |")
    print("\n".join(line for _, line in lines))
    num_well = sum(is_well for is_well, _ in lines)
    print(f"\n{num_well} of {len(lines)} cases as they should be")
    return int(num_well < len(lines))


if __name__ == "__main__":
    sys.exit(main())

"""What action.yml and gitlab.yml run, with a pytest that only tells how it was called."""

from __future__ import annotations

import os
import re
import subprocess
import textwrap
from pathlib import Path

import pytest

ACTION = Path(__file__).parents[3] / "action.yml"
GITLAB = ACTION.with_name("gitlab.yml")
PYTHON = r"""#!/bin/sh
for argument; do printf '%s\n' "$argument"; done >"$RUNNER_TEMP/called"
printf '### a run\n%s' "$SUMMARY" >>"$GITHUB_STEP_SUMMARY"
if [ "$PYTEST_STATUS" -lt 2 ]; then echo '{}' >"$RUNNER_TEMP/design2a11y/prompts/found.sarif"; fi
exit "$PYTEST_STATUS"
"""


def script(step: str) -> str:
    """Return what a step of the action runs."""
    found = re.search(
        rf"    - name: {step}\n.*?      run: \|\n(.*?)(?:\n\n|\Z)", ACTION.read_text(), re.DOTALL
    )
    assert found
    return textwrap.dedent(found[1])


def run(folder: Path, *, status: int = 0, **inputs: str) -> tuple[list[str], dict[str, str]]:
    """Run the step; give how pytest was called, and the step's outputs."""
    (folder / "python").write_text(PYTHON)
    (folder / "python").chmod(0o755)
    (folder / ".design2a11y" / "runs").mkdir(parents=True)
    (folder / ".design2a11y" / "runs" / "prompts.jsonl").write_text("{}\n")
    files = {name: str(folder / name) for name in ("GITHUB_STEP_SUMMARY", "GITHUB_OUTPUT")}
    environment = {
        **files,
        "RUNNER_TEMP": str(folder),
        "PATH": f"{folder}:{os.environ['PATH']}",
        "PYTEST_STATUS": str(status),
        "NAME": "prompts",
        "ARGS": "",
        "BASELINE": "",
        "FAIL_ON": "",
        **inputs,
    }
    # macOS has bash 3.2, which lacks these.
    run_step = f"enable -n mapfile readarray\n{script('Run')}"
    command = ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", run_step]
    subprocess.run(command, cwd=folder, env=environment, check=True, timeout=20)
    called = (folder / "called").read_text().splitlines()
    outputs = (folder / "GITHUB_OUTPUT").read_text().splitlines()
    return called, dict(line.split("=", 1) for line in outputs)


def test_inputs_become_arguments_and_nothing_in_them_is_run(tmp_path: Path) -> None:
    called, outputs = run(
        tmp_path,
        ARGS="tests/pages -k 'log in'\n--max-iwir 0.4 $(touch hacked)",
        BASELINE="main",
        FAIL_ON="visual:0.02\nweighted_ir\n",
    )

    folder = f"{tmp_path}/design2a11y/prompts"
    assert called == [
        "-m",
        "pytest",
        "--design2a11y-save=prompts",
        f"--design2a11y-html={folder}/report.html",
        f"--design2a11y-findings={folder}/found.sarif",
        f"--junitxml={folder}/junit.xml",
        "--design2a11y-compare=main",
        "--design2a11y-fail-on=visual:0.02",
        "--design2a11y-fail-on=weighted_ir",
        "tests/pages",
        "-k",
        "log in",
        "--max-iwir",
        "0.4",
        "$(touch",
        "hacked)",
    ]
    assert outputs == {"exit-code": "0", "folder": folder, "sarif": f"{folder}/found.sarif"}
    assert not (tmp_path / "hacked").exists()


@pytest.mark.parametrize("status", [0, 1, 2])
def test_the_summary_and_the_exit_code_are_kept_whatever_pytest_says(tmp_path: Path, status: int) -> None:
    called, outputs = run(tmp_path, status=status)

    assert len(called) == 6
    assert outputs["exit-code"] == str(status)
    assert (tmp_path / "GITHUB_STEP_SUMMARY").read_text() == "### a run\n"
    kept = {path.name for path in Path(outputs["folder"]).iterdir()}
    assert kept == {"summary.md", "prompts.jsonl"} | ({"found.sarif"} if status < 2 else set())
    assert ("sarif" in outputs) == (status < 2)


@pytest.mark.parametrize("pictures", [(), ("a" * 40, "b" * 40)], ids=["none", "two"])
def test_pictures_of_failing_pages_lie_beside_the_report(tmp_path: Path, pictures: tuple[str, ...]) -> None:
    stored = tmp_path / ".design2a11y" / "pictures"
    stored.mkdir(parents=True)
    for name in (*pictures, "c" * 40):
        (stored / f"{name}.webp").touch()
    summary = "".join(f"![page](https://reports/{name}.webp)\n" for name in pictures)

    _, outputs = run(tmp_path, DESIGN2A11Y_REPORT_ADDRESS="https://reports", SUMMARY=summary)

    kept = {path.stem for path in Path(outputs["folder"], "pictures").iterdir()}
    assert kept == set(pictures)
    assert outputs["exit-code"] == "0"


@pytest.mark.parametrize("status", [0, 1, 5])
def test_the_last_step_of_the_action_ends_as_pytest_did(status: int) -> None:
    step = re.search(
        r"    - name: Pass or fail as pytest did\n.*?      run: (.+)\n", ACTION.read_text(), re.S
    )
    assert step

    ended = subprocess.run(["bash", "-c", step[1]], env={"STATUS": str(status)}, timeout=20)

    assert ended.returncode == status


@pytest.mark.parametrize(
    ("inputs", "called"),
    [
        (
            {"PACKAGE": "", "BROWSER": "true"},
            ["-m pip install --quiet /action", "-m playwright install --with-deps --only-shell chromium"],
        ),
        (
            {"PACKAGE": "pytest-design2a11y==0.5", "BROWSER": "false"},
            ["-m pip install --quiet pytest-design2a11y==0.5"],
        ),
    ],
)
def test_the_package_and_the_browser_are_installed_as_asked(
    tmp_path: Path, inputs: dict[str, str], called: list[str]
) -> None:
    (tmp_path / "python").write_text('#!/bin/sh\necho "$*" >>called\n')
    (tmp_path / "python").chmod(0o755)
    environment = {"PATH": f"{tmp_path}:{os.environ['PATH']}", "ACTION": "/action", **inputs}
    subprocess.run(["bash", "-ec", script("Install")], cwd=tmp_path, env=environment, check=True, timeout=20)

    assert (tmp_path / "called").read_text().splitlines() == called


def test_the_comment_is_made_of_this_runs_summary(tmp_path: Path) -> None:
    (tmp_path / "python").write_text('#!/bin/sh\necho "$*" >called\n')
    (tmp_path / "python").chmod(0o755)
    inputs = {
        "NAME": "prompts",
        "FOLDER": "/out",
        "STATUS": "1",
        "REPORT": "address",
        "ACTION": "/action",
    }
    environment = {"PATH": f"{tmp_path}:{os.environ['PATH']}", **inputs}
    comment = script("Comment on the pull request")
    subprocess.run(["bash", "-ec", comment], cwd=tmp_path, env=environment, check=True, timeout=20)

    assert (tmp_path / "called").read_text().split() == [
        *("/action/scripts/pull_request_comment.py", "/out/summary.md"),
        *("--name", "prompts", "--status", "1", "--report", "address"),
    ]


def test_every_step_of_the_action_is_given_what_it_reads() -> None:
    yaml = pytest.importorskip("yaml")
    action = yaml.safe_load(ACTION.read_text())
    steps = action["runs"]["steps"]

    given = {step["name"]: step.get("env", {}) for step in steps if "run" in step}
    result = "${{ steps.run.outputs.exit-code }}"
    assert given["Install"].items() >= {
        ("PACKAGE", "${{ inputs.package }}"),
        ("BROWSER", "${{ inputs.browser }}"),
    }
    assert given["Run"] == {
        "ARGS": "${{ inputs.pytest-args }}",
        "BASELINE": "${{ inputs.baseline }}",
        "FAIL_ON": "${{ inputs.fail-on }}",
        "NAME": "${{ inputs.name }}",
        "DESIGN2A11Y_REPORT_ADDRESS": "${{ inputs.report-address }}",
    }
    assert given["Comment on the pull request"]["STATUS"] == result
    assert given["Pass or fail as pytest did"] == {"STATUS": result}
    assert steps[-1]["name"] == "Pass or fail as pytest did"
    assert not {"if", "continue-on-error"} & steps[-1].keys()
    assert set(re.findall(r"inputs\.([\w-]+)", ACTION.read_text())) == action["inputs"].keys()


def run_gitlab(folder: Path, *, status: int = 0, arguments: str = "", **inputs: str) -> tuple[int, list[str]]:
    """Run the template's script with sh, as a job does; give its exit status and how pytest was called."""
    (folder / "pytest").write_text(
        """#!/bin/sh\nfor argument; do printf '%s\\n' "$argument"; done >called\nexit "$PYTEST_STATUS"\n"""
    )
    (folder / "pytest").chmod(0o755)
    found = re.search(r"  script:\n    - >\n(.*?)\n  artifacts:", GITLAB.read_text(), re.DOTALL)
    assert found
    script = " ".join(found[1].split("\n")).replace("$[[ inputs.pytest-args ]]", arguments)
    path = f"{folder}:{os.environ['PATH']}"
    environment = {"PATH": path, "PYTEST_STATUS": str(status), "BASELINE": "", "FAIL_ON": "", **inputs}
    ended = subprocess.run(["sh", "-ec", script], cwd=folder, env=environment, timeout=20)
    return ended.returncode, (folder / "called").read_text().splitlines()


WRITTEN = [
    "--design2a11y-html=design2a11y/report.html",
    "--design2a11y-findings=design2a11y/code-quality.json",
    "--junitxml=design2a11y/junit.xml",
]


@pytest.mark.parametrize("status", [0, 1, 5])
def test_gitlabs_job_ends_as_pytest_did_and_writes_what_it_keeps(tmp_path: Path, status: int) -> None:
    ended, called = run_gitlab(tmp_path, status=status)

    assert ended == status
    assert called == ["--design2a11y-save=gitlab", *WRITTEN]


def test_gitlabs_inputs_become_arguments(tmp_path: Path) -> None:
    _, called = run_gitlab(
        tmp_path,
        arguments="tests -k 'log in'",
        BASELINE="main branch",
        FAIL_ON="fidelity:0.02 weighted_ir",
    )

    assert called == [
        *("tests", "-k", "log in", "--design2a11y-save=gitlab", "--design2a11y-compare=main branch"),
        *("--design2a11y-fail-on=fidelity:0.02", "--design2a11y-fail-on=weighted_ir"),
        *WRITTEN,
    ]


def test_gitlabs_job_keeps_what_pytest_writes_and_installs_what_is_named(tmp_path: Path) -> None:
    yaml = pytest.importorskip("yaml")
    inputs, job = yaml.safe_load_all(GITLAB.read_text())
    kept = job["design2a11y"]["artifacts"]

    assert kept["when"] == "always"
    assert f"--junitxml={kept['reports']['junit']}" in WRITTEN
    assert f"--design2a11y-findings={kept['reports']['codequality']}" in WRITTEN
    assert job["design2a11y"]["variables"].items() >= {
        ("BASELINE", "$[[ inputs.baseline ]]"),
        ("FAIL_ON", "$[[ inputs.fail-on ]]"),
    }
    assert set(re.findall(r"\[\[ inputs\.([\w-]+)", GITLAB.read_text())) == inputs["spec"]["inputs"].keys()
    for program in ("pip", "playwright"):
        (tmp_path / program).write_text('#!/bin/sh\necho "${0##*/} $*" >>called\n')
        (tmp_path / program).chmod(0o755)
    before = "\n".join(job["design2a11y"]["before_script"]).replace("$[[ inputs.package ]]", "the package")
    environment = {"PATH": f"{tmp_path}:{os.environ['PATH']}"}
    subprocess.run(["sh", "-ec", before], cwd=tmp_path, env=environment, check=True, timeout=20)

    assert (tmp_path / "called").read_text().splitlines() == [
        "pip install --quiet the package",
        "playwright install --with-deps --only-shell chromium",
    ]

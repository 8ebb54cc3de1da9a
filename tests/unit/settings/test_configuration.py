"""The project's configuration is one file, found from below, and a mistake in it ends the run."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from pathlib import Path

import pytest

from pytest_design2a11y.command.main import main
from pytest_design2a11y.exceptions import ConfigurationError
from pytest_design2a11y.measuring.pairs import Pair, along_variants
from pytest_design2a11y.models.verdicts import Subject
from pytest_design2a11y.settings.configuration import Given, read_project
from pytest_design2a11y.settings.options import make_settings

CASES = """
viewport = "1280x720"
max_ir = 0.1

[[case]]
match = "checkout*"
mask = ".map"
viewport = "iPhone 13"
min_fidelity = 0.5

[[case]]
match = "checkout-pay"
mask = [".total"]
min_fidelity = 0.7
"""

TABLE = """
[tool.design2a11y]
viewport = ["1280x720", "iPhone 13"]
timeout = 5
no_audit = true
html = "out/report.html"
metrics = ["metrics.py", "package.metrics"]
label = "prompt=v1"
"""


def test_the_nearest_table_is_read_and_its_paths_are_beside_it(tmp_path: Path) -> None:
    folder = tmp_path / "tests" / "pages"
    folder.mkdir(parents=True)
    (tmp_path / "pyproject.toml").write_text(TABLE)
    (tmp_path / "tests" / "pyproject.toml").write_text("[tool.ruff]\n")
    (tmp_path / "metrics.py").write_text("")

    project = read_project(folder)

    assert project.file == tmp_path / "pyproject.toml"
    assert project.given.values == {
        "viewport": ("1280x720", "iPhone 13"),
        "timeout": 5.0,
        "audit": False,
        "html": tmp_path / "out" / "report.html",
        "metrics": (str(tmp_path / "metrics.py"), "package.metrics"),
        "label": (("prompt", "v1"),),
    }


def test_a_file_of_its_own_has_the_keys_at_its_top(tmp_path: Path) -> None:
    (tmp_path / "design2a11y.toml").write_text("min_fidelity = 0.8\n")

    assert read_project(tmp_path).given.values == {"min_fidelity": 0.8}


def test_a_case_has_limits_and_choices_of_its_own(tmp_path: Path) -> None:
    (tmp_path / "design2a11y.toml").write_text(CASES)
    settings = make_settings([Given("command line", {"min_fidelity": 0.9}), read_project(tmp_path).given])

    assert settings.choices_for("designs/login") == {}
    assert settings.choices_for("designs/checkout-2") == {"mask": (".map",), "viewport": ("iPhone 13",)}
    assert settings.choices_for("designs/checkout-pay")["mask"] == (".total",)
    limits = [settings.limits_on(case) for case in ("login", "checkout-2", "shop/checkout-pay")]
    assert [[f"{one} {one.origin}" for one in found] for found in limits] == [
        ["fidelity>=0.9 command line", "ir<=0.1 configuration file"],
        ["fidelity>=0.5 case", "ir<=0.1 configuration file"],
        ["fidelity>=0.7 case", "ir<=0.1 configuration file"],
    ]


def test_pairs_are_rendered_as_their_case_says_unless_their_line_says_more(tmp_path: Path) -> None:
    (tmp_path / "design2a11y.toml").write_text(CASES)
    settings = make_settings([read_project(tmp_path).given])
    pair = Pair(Subject("a", ""), "designs/checkout.html", "new.html", tmp_path)

    as_case, as_line = along_variants([pair, replace(pair, choices={"viewport": "640x480"})], settings)

    assert as_case.choices == {"mask": (".map",), "viewport": "iPhone 13"}
    assert as_line.choices == {"mask": (".map",), "viewport": "640x480"}


MISTAKES = {
    "[[case]]\nmask = '.a'": 'a case has no match. Write the cases that it is for: match = "checkout*".',
    "[[case]]\nmatch = 'a'\nmaks = '.a'": "case 'a': there is no key 'maks'. Did you mean 'mask'?",
    "[[case]]\nmatch = 'a'\nsave = 'main'": "case 'a' cannot set save, which applies to the whole run.",
    "case = 3": "case takes tables, not 3. Begin each with [[tool.design2a11y.case]].",
    "setle = 3": "there is no key 'setle'. Did you mean 'settle'?",
    "audit = false": "there is no key 'audit'. Did you mean 'no_audit'?",
    "timeout = 0": "timeout does not take '0': write a number above 0.",
    "no_audit = 'yes'": "no_audit takes true or false, not 'yes'.",
    "timeout = [1, 2]": "timeout takes one value, not [1, 2].",
    "timeout = true": "timeout takes one value, not True.",
    "mask = [true]": "mask takes a list, not [True].",
    "mask = ": "is not TOML: Invalid value",
    "findings = 'found.xml'": "end its name in .sarif, .csv, or .json for GitLab's Code Quality",
    "axe_script = 'nowhere.js'": "there is no such file.",
}


@pytest.mark.parametrize("text", MISTAKES)
def test_a_mistake_is_told_with_its_file_and_key(tmp_path: Path, text: str) -> None:
    file = tmp_path / "design2a11y.toml"
    file.write_text(text)

    with pytest.raises(ConfigurationError, match=re.escape(MISTAKES[text])) as caught:
        read_project(tmp_path)

    assert str(caught.value).startswith(str(file))


def test_two_configurations_in_one_folder_are_refused(tmp_path: Path) -> None:
    (tmp_path / "design2a11y.toml").write_text("")
    (tmp_path / "pyproject.toml").write_text(TABLE)

    with pytest.raises(ConfigurationError, match=r"has two configurations: design2a11y\.toml, and \[tool"):
        read_project(tmp_path)


def test_config_lists_every_key_with_its_value_and_its_origin(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "pyproject.toml").write_text(f"{TABLE}[[tool.design2a11y.case]]\nmatch = 'a*'\nmask = '.b'\n")
    monkeypatch.chdir(tmp_path)

    assert main(["config", "--json"]) == 0
    record = json.loads(capsys.readouterr().out)
    assert main(["config", "settle"]) == 0
    explained = capsys.readouterr().out
    assert main(["config"]) == 0
    listed = capsys.readouterr().out

    keys = {one["key"]: (one["value"], one["source"]) for one in record["keys"]}
    assert record["file"] == str(tmp_path / "pyproject.toml")
    assert keys["no_audit"] == (True, "configuration file")
    assert keys["label"] == (["prompt=v1"], "configuration file")
    assert keys["settle"] == (7.0, "default")
    assert record["cases"] == [{"match": "a*", "keys": [{"key": "mask", "value": [".b"]}]}]
    assert listed.endswith("case a*\n  mask                 .b\n")
    assert "--set settle, in pytest by -o design2a11y_settle." in explained
    assert re.search(r"^timeout +5\.0 +configuration file$", listed, re.MULTILINE)

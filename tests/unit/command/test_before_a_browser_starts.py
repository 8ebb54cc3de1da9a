"""What can be refused without a browser is refused before one starts."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from pytest_design2a11y.command.main import main


@pytest.mark.parametrize(
    ("names", "role", "missing"),
    [
        (("design.html", "nope.html"), "candidate", "nope.html"),
        (("nope.html", "page.html"), "reference", "nope.html"),
    ],
)
def test_a_page_that_is_not_there_starts_no_browser(
    names: tuple[str, str],
    role: str,
    missing: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    for name in ("design.html", "page.html"):
        Path(name).write_text("<!doctype html><title>x</title><p>Hello")
    started = []
    monkeypatch.setattr("pytest_design2a11y.capture.driver.sync_playwright", lambda: started.append(1))

    code = main(["score", *names, "--json"])

    (record,) = map(json.loads, capsys.readouterr().out.splitlines())
    assert (code, started) == (3, [])
    assert record["error"]["type"] == "SourceNotFound"
    assert record["error"]["role"] == role
    assert record["error"]["message"].startswith(f"There is no file '{missing}': looked for ")
    assert (record["reference"], record["candidate"]) == names


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["report", "main"], "the following arguments are required: -o/--output"),
        (["report", "main", "-o", "a.pdf"], "it is HTML; a browser prints it whole as PDF"),
        (["audit", "a.html", "--html", "A.PDF"], "it is HTML; a browser prints it whole as PDF"),
    ],
)
def test_html_is_not_written_as_pdf(
    arguments: list[str], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit, match="2"):
        main(arguments)

    assert message in capsys.readouterr().err

"""A project that is not built yet says so, in place of a low score without a reason."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread

import pytest

from pytest_design2a11y import Scorer
from pytest_design2a11y.models.evaluation import Evaluation

pytestmark = pytest.mark.usefixtures("in_one_browser")

INDEX = '<!doctype html><html lang="en"><title>App</title><body><h1>App</h1><div id="root"></div>{}'
ADVICE = "could not run as it is: build the project (npm run build) and take dist/."


class Quiet(SimpleHTTPRequestHandler):
    def log_message(self, *_: object) -> None:
        pass


@contextmanager
def served(folder: Path) -> Iterator[str]:
    with ThreadingHTTPServer(("127.0.0.1", 0), partial(Quiet, directory=str(folder))) as server:
        Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}/index.html"
        server.shutdown()


def told(evaluation: Evaluation) -> list[str]:
    assert evaluation.error is None
    return [one.message for one in evaluation.warnings if one.code == "unbuilt_scripts"]


@pytest.mark.alike(2, is_long=True)
@pytest.mark.parametrize(
    ("script", "content", "named"),
    [
        ("/src/main.jsx", "import App from './App.jsx'; render(<App />)", "/src/main.jsx"),
        ("/src/main.ts", "const title: string = 'x'", "/src/main.ts"),
        ("/src/index.js", "import React from 'react'", 'The script that imports "react"'),
    ],
)
def test_scripts_that_need_a_build_are_named_once_and_from_a_server_too(
    tmp_path: Path, script: str, content: str, named: str
) -> None:
    (tmp_path / "src").mkdir()
    (tmp_path / script[1:]).write_text(content)
    page = tmp_path / "index.html"
    page.write_text(INDEX.format(f'<script type="module" src="{script}"></script>'))

    with Scorer(audit=False) as scorer, served(tmp_path) as address:
        assert told(scorer.audit(str(page))) == [f"{named} {ADVICE}"]
        assert told(scorer.audit(address)) == [f"{named} {ADVICE}"]


def test_a_built_page_and_one_that_fails_otherwise_are_not_told_to_build(tmp_path: Path) -> None:
    (tmp_path / "app.js").write_text("import './missing.js'")
    page = tmp_path / "index.html"
    page.write_text(INDEX.format('<script type="module" src="/app.js"></script>'))

    with Scorer(audit=False) as scorer:
        assert told(scorer.audit(str(page))) == []

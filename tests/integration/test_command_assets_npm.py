"""`design2a11y assets add --from-npm`, with a client in the place of npm that gives packages of its own."""

from __future__ import annotations

import json
import os
import sys
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from tests.integration.conftest import Project

#: What `npm pack NAME@VERSION --json --ignore-scripts --pack-destination FOLDER` does.
CLIENT = """#!{python}
import io, json, sys, tarfile
name, _, version = sys.argv[2].rpartition("@")
if name != "lucide":
    sys.exit("npm error code E404")
folder = sys.argv[sys.argv.index("--pack-destination") + 1]
files = {{
    "package.json": json.dumps({{"unpkg": "lucide.js"}}),
    "lucide.js": "document.title = 'by lucide'",
}}
with tarfile.open(folder + "/lucide-1.2.3.tgz", "w:gz") as archive:
    for path, text in files.items():
        member = tarfile.TarInfo("package/" + path)
        member.size = len(text)
        archive.addfile(member, io.BytesIO(text.encode()))
print(json.dumps([{{"name": name, "version": "1.2.3"}}]))
"""

PAGE = """<!doctype html><html lang="en"><title>t</title><main><h1>Hello</h1></main>
<script src="https://unpkg.com/lucide@latest"></script>
<link rel="stylesheet" href="https://cdn.jsdelivr.net/npm/nothing@1/a.css">
<script src="https://cdn.tailwindcss.com"></script>
<script src="https://a.test/1.js"></script><script src="https://a.test/2.js"></script>
<script src="https://a.test/3.js"></script><script src="https://a.test/4.js"></script>
<script src="https://a.test/5.js"></script></html>"""


@pytest.mark.skipif(os.name == "nt", reason="the client is a script with a first line for POSIX")
def test_files_of_packages_are_recorded_with_their_version_and_the_rest_is_listed(
    project: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    client = project.write("bin/npm", CLIENT.format(python=sys.executable))
    client.chmod(0o755)
    monkeypatch.setenv("PATH", f"{client.parent}{os.pathsep}{os.environ['PATH']}")
    project.write("page.html", PAGE)

    added = project.command("assets", "add", "--from-npm", "page.html", "-o", "assets")
    audited = project.command("audit", "page.html", "--set", "assets=assets", "--json")

    assert added.returncode == 3, added.stderr
    assert "https://cdn.jsdelivr.net/npm/nothing@1/a.css (npm has no nothing@1: E404)" in added.stdout
    assert (
        "not recorded, or their files have changed: https://a.test/1.js, https://a.test/2.js" in added.stdout
    )
    assert "https://a.test/5.js and 1 more. Record them: " in added.stdout
    assert "page.html: https://cdn.tailwindcss.com/" in added.stdout.splitlines(), (
        "what is not recorded, whole"
    )
    assert "recorded https://unpkg.com/lucide@latest (text/javascript, 28 bytes)" in added.stdout
    (record,) = (project.path / "assets").glob("*/*.asset.json")
    assert json.loads(record.read_text())["final_url"] == "https://unpkg.com/lucide@1.2.3/lucide.js"
    missing = [one["message"] for one in json.loads(audited.stdout)["warnings"]]
    assert not any("lucide" in message for message in missing)


def test_from_where_is_to_be_said(project: Project) -> None:
    refused = project.command("assets", "add", "page.html")

    assert refused.returncode == 2
    assert "--from-npm" in refused.stderr

"""`design2a11y mcp`, by the SDK's own client: over the standard streams of a real process, or in this one."""

from __future__ import annotations

import base64
import io
import os
import shutil
import subprocess
import sys
from collections.abc import Awaitable, Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, cast

import anyio
import psutil
import pytest
from PIL import Image

from pytest_design2a11y.command.main import main
from pytest_design2a11y.command.shell import _parser
from pytest_design2a11y.settings.options import settings_from_namespace
from tests.integration.conftest import DESIGN
from tests.one_browser import OneBrowser

pytest.importorskip("mcp", reason="the server needs the extra `mcp`")

from mcp import Client, StdioServerParameters
from mcp.client.session import ListRootsFnT
from mcp_types import ListRootsResult, Root

COMMAND = str(Path(sys.executable).with_name("design2a11y"))
WRONG = DESIGN.replace("Continue", "Go on now").replace('<label for="mail">E-mail address</label>', "")
TOOLS = {
    "score_page": {"design"},
    "audit_page": set(),
    "describe_design": {"design"},
    "fix_list": set(),
    "why": {"id"},
    "try_patch": {"design"},
    "measure": {"selector"},
    "compare_runs": {"old", "new"},
    "list_runs": set(),
    "show_pair": {"design"},
}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A project's folder with a design and a page that differs from it."""
    (tmp_path / "design.html").write_text(DESIGN)
    (tmp_path / "page.html").write_text(WRONG)
    (tmp_path / "design2a11y.toml").write_text("max_blocking = 1\n")
    return tmp_path


def server_of(folder: Path) -> StdioServerParameters:
    """Return a server in a process of its own, as clients start it."""
    return StdioServerParameters(command=COMMAND, args=["mcp"], cwd=folder)


def server_here() -> Any:
    """Return a server in this process, of the folder that it is in."""
    from pytest_design2a11y.agents import make_server

    return make_server(settings_from_namespace(_parser().parse_args(["mcp"])))


@pytest.fixture
def here(folder: Path, in_one_browser: OneBrowser, monkeypatch: pytest.MonkeyPatch) -> Any:
    """A server of the project in this process, whose browser others use too."""
    monkeypatch.chdir(folder)
    return server_here()


def talk(server: Any, talked: Callable[[Any], Awaitable[None]], *, roots: Path | None = None) -> None:
    """Have a client talk to a server."""

    async def given(_context: Any) -> ListRootsResult:
        return ListRootsResult(roots=[Root.model_validate({"uri": cast(Path, roots).as_uri()})])

    async def run() -> None:
        with anyio.fail_after(120):
            async with Client(
                server, list_roots_callback=cast(ListRootsFnT, given) if roots else None
            ) as client:
                await talked(client)

    # Beside a browser of the worker's, which holds this thread's loop.
    with ThreadPoolExecutor(1) as pool:
        pool.submit(anyio.run, run).result()


def test_an_agent_scores_looks_fixes_and_scores_again(folder: Path) -> None:
    told: list[tuple[float, float | None, str | None]] = []

    async def note(progress: float, total: float | None, message: str | None) -> None:
        told.append((progress, total, message))

    async def talked(client: Any) -> None:
        tools = {tool.name: tool for tool in (await client.list_tools()).tools}
        assert {name: set(tool.input_schema.get("required", ())) for name, tool in tools.items()} == TOOLS
        assert all(tool.output_schema["type"] == "object" for tool in tools.values())
        assert "\n  " not in tools["score_page"].description

        pages = {"design": "design.html", "page": "page.html"}
        before = await client.call_tool("score_page", {**pages, "save": "before"}, progress_callback=note)
        fixes = await client.call_tool("fix_list", pages)
        (folder / "page.html").write_text(DESIGN)
        after = await client.call_tool("score_page", {**pages, "save": "after"})
        compared = await client.call_tool("compare_runs", {"old": "before", "new": "after"})
        runs = await client.call_tool("list_runs", {})

        score = before.structured_content
        assert score["blocking"] == 2
        assert (score["passed"], after.structured_content["passed"]) == (False, True)
        assert [line.startswith("BREAKS ") and "blocking" in line for line in score["limits"]] == [True]
        assert score["page"] == "page.html"
        assert "--details" not in before.content[0].text  # An agent has no such option.
        assert 'text "Continue" reads "Go on now"' in [one["message"] for one in score["differences"]]
        assert "blocking: 2. Call fix_list" in before.content[0].text
        listed = fixes.structured_content
        assert [item["id"] for item in listed["items"]][:2] == ["1.1", "1.2"]
        assert listed["before"]["fidelity"] < 0.95 < listed["after"]["fidelity"]
        assert (listed["after"]["blocking"], listed["after"]["failed"]) == (0, 0)
        edits = [edit for item in listed["items"] for edit in item["edits"]]
        assert ["Continue"] in [edit.get("texts") for edit in edits]
        assert 'its own text is to be "Continue"' in fixes.content[0].text
        changes = after.structured_content["changes"]
        assert changes[0].startswith("fidelity was 0.")
        assert changes[0].endswith("and is 1.0000")
        assert any("1 gone" in line or "2 gone" in line for line in changes[1:])
        assert changes[1] in after.content[0].text
        assert after.structured_content["metrics"]["fidelity"] == 1.0
        assert after.structured_content["blocking"] == 0
        assert compared.structured_content["gone_blockers"]
        assert {run["name"] for run in runs.structured_content["runs"]} == {"before", "after"}

    talk(server_of(folder), talked)

    assert told[-1][1:] == (30.0, "rendering and measuring")
    assert sorted(path.name for path in folder.rglob("*.jsonl")) == [
        "after.details.jsonl",
        "after.jsonl",
        "before.details.jsonl",
        "before.jsonl",
    ]


def test_it_audits_describes_and_shows_and_reads_nothing_outside(folder: Path, here: Any) -> None:
    inside = folder / "project"
    inside.mkdir()
    shutil.copy(folder / "design.html", inside)
    (inside / "link.html").symlink_to(folder / "page.html")

    async def talked(client: Any) -> None:
        audit = await client.call_tool("audit_page", {"html": WRONG, "probes": "names"})
        design = await client.call_tool("describe_design", {"design": "design.html"})
        shown = await client.call_tool("show_pair", {"design": "design.html", "html": WRONG})
        refused = {
            source: (await client.call_tool("score_page", {"design": source, "html": WRONG})).content[0].text
            for source in ("../page.html", "/etc/passwd", "link.html", "nowhere.html", "http://127.0.0.1:9/")
        }
        run = await client.call_tool("compare_runs", {"old": "/etc/passwd", "new": "a"})
        neither = await client.call_tool("audit_page", {})
        lost = await client.call_tool("audit_page", {"html": "no page at all."})

        assert "label" in [rule["rule"] for rule in audit.structured_content["rules"]]
        assert "Sign in to your account" in design.content[0].text
        assert design.structured_content["ground"] == "#ffffff"
        text, picture = shown.content
        assert text.text.startswith("left: the design; right: the page\n1. ")
        image = Image.open(io.BytesIO(base64.b64decode(picture.data)))
        colors = [image.convert("RGB").getpixel((x, y)) for x in range(0, 800, 3) for y in range(24, 400, 3)]
        assert (0xD9, 0x5F, 0x02) in colors  # The mark of a serious difference.
        for source in ("../page.html", "/etc/passwd", "link.html"):
            assert (
                f"{source} is outside of the folders that this server may read: {inside}." in refused[source]
            )
        assert f"There is no nowhere.html in {inside}." in refused["nowhere.html"]
        assert "Start the server with --allow-host 127.0.0.1" in refused["http://127.0.0.1:9/"]
        assert "'/etc/passwd' cannot be the name of a run." in run.content[0].text
        assert "Give the page as either page (a path or address) or html" in neither.content[0].text
        assert "NotHtml: " in lost.content[0].text
        assert all(one.is_error for one in (run, neither, lost))

    talk(here, talked, roots=inside)

    assert not [*folder.rglob(".design2a11y")]


def test_a_patch_is_tried_and_taken_back_and_an_item_explained(here: Any) -> None:
    refused: dict[str, str] = {}

    async def talked(client: Any) -> None:
        pages = {"design": "design.html", "page": "page.html"}

        async def told(tool: str, **given: Any) -> Any:
            answer = await client.call_tool(tool, given)
            if answer.is_error:
                refused[f"{tool} {given.get('id') or given.get('selector') or ''}"] = answer.content[0].text
            return answer.structured_content

        patched = await told("try_patch", **pages, css="h1 { color: #ff0000 }")
        replaced = await told("try_patch", **pages, new_html=DESIGN)
        back = [await told("try_patch", **pages, undo=True) for _ in range(2)]
        await told("try_patch", **pages, undo=True)
        await told("try_patch", **pages)
        element = await told("measure", page="page.html", selector="h1")
        measured = await client.call_tool("measure", {"page": "page.html", "selector": "h1"})
        assert "\ntext in 1 line: Sign in to your account\n" in measured.content[0].text
        await told("measure", page="page.html", selector="h9")
        first = await told("fix_list", **pages, region="h1")
        whole = await told("fix_list", **pages, since="1")
        why = await told("why", id="2.1")
        await told("why", id="7.1")
        await told("why", id="2.99")
        shown = await client.call_tool("show_pair", {**pages, "region": "h1"})

        assert patched["after"]["fidelity"] < patched["before"]["fidelity"]
        assert (replaced["after"]["fidelity"], replaced["patches"]) == (1.0, 2)
        assert [one["after"]["fidelity"] for one in back] == [
            patched[at]["fidelity"] for at in ("after", "before")
        ]
        assert [one["patches"] for one in back] == [1, 0]
        assert (element["selector"], element["text"], element["lines"]) == (
            "h1",
            "Sign in to your account",
            1,
        )
        *_, width, height = element["box"]
        assert len(first["items"]) < len(whole["items"])
        assert (why["item"]["id"], bool(why["differences"])) == ("2.1", True)
        image = Image.open(io.BytesIO(base64.b64decode(shown.content[1].data)))
        assert image.width < 2 * width + 2 * 48 + 17  # Two crops, not two pages.
        assert image.height < height + 48 + 25

    talk(here, talked)

    assert refused == {
        "try_patch ": "Error executing tool try_patch: Give one of css, new_html and undo.",
        "measure h9": "Error executing tool measure: page.html has no element 'h9'; give a CSS selector that "
        "finds one. (stage: fixing)",
        "why 7.1": "Error executing tool why: There is no list 7 in this session: fix_list gives each list "
        "its number.",
        "why 2.99": refused["why 2.99"],
    }
    assert refused["why 2.99"].startswith(
        "Error executing tool why: There is no item 2.99: list 2 has 2.1 to 2."
    )


@pytest.mark.slow
def test_the_example_of_a_loop_ends_when_nothing_blocks() -> None:
    path = os.pathsep.join([str(Path(COMMAND).parent), os.environ["PATH"]])
    loop = Path(__file__).parents[2] / "examples" / "agent" / "loop.py"

    ended = subprocess.run(
        [sys.executable, loop], capture_output=True, text=True, timeout=120, env={**os.environ, "PATH": path}
    )

    assert ended.returncode == 0, ended.stderr
    heads = [line for line in ended.stdout.splitlines() if line.startswith("page ")]
    assert [head.split(",")[0] for head in heads[1:]] == ["page 2: blocking 1", "page 3: blocking 0"]
    assert "; with all " in ended.stdout
    assert "2.1. " in ended.stdout


@pytest.mark.slow
def test_a_cancelled_call_ends_its_page_and_the_next_is_measured(folder: Path) -> None:
    (folder / "busy.html").write_text(DESIGN.replace("<main>", "<main><script>for (;;) {}</script>"))

    async def talked(client: Any) -> None:
        with anyio.move_on_after(4):
            await client.call_tool("audit_page", {"page": "busy.html"})
        with anyio.fail_after(20):
            found = await client.call_tool("audit_page", {"page": "page.html"})
        assert found.structured_content["num_failed"]

    talk(server_of(folder), talked)


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="processes end differently")
def test_no_server_and_no_browser_outlive_a_client_that_is_killed(folder: Path) -> None:
    program = folder / "client.py"
    program.write_text(
        "import anyio\n"
        "from mcp import Client, StdioServerParameters\n"
        "async def run():\n"
        f"    server = StdioServerParameters(command={COMMAND!r}, args=['mcp'], cwd={str(folder)!r})\n"
        "    async with Client(server) as client:\n"
        "        await client.call_tool('audit_page', {'page': 'page.html'})\n"
        "        print('measured', flush=True)\n"
        "        await anyio.sleep(60)\n"
        "anyio.run(run)\n"
    )
    with psutil.Popen([sys.executable, str(program)], stdout=-1) as client:
        assert client.stdout
        assert client.stdout.readline() == b"measured\n"
        left = client.children(recursive=True)
        assert len(left) > 2
        client.kill()
    assert not psutil.wait_procs(left, timeout=20)[1]


def test_a_file_of_what_is_known_that_is_missing_ends_it_at_once(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (folder / "design2a11y.toml").write_text('known = "lost.toml"\n')
    monkeypatch.chdir(folder)

    with pytest.raises(SystemExit) as ended:
        main(["mcp"])

    assert ended.value.code == 2
    assert "lost.toml does not exist. Make it with --update-known" in capsys.readouterr().err


def test_without_the_sdk_it_says_what_to_install(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    for name in [name for name in sys.modules if name.partition(".")[0] == "mcp" or ".agents" in name]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "mcp", None)

    with pytest.raises(SystemExit) as ended:
        main(["mcp"])

    assert ended.value.code == 2
    assert 'Run `pip install "pytest-design2a11y[mcp]"`.' in capsys.readouterr().err

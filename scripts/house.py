"""Print how large the package is, and how many functions a page passes: `python scripts/house.py [--way]`."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
import tempfile
import threading
import tomllib
from collections import Counter, defaultdict
from collections.abc import Iterator
from pathlib import Path
from types import CodeType, FrameType
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
NAME = "pytest_design2a11y"
PACKAGE = ROOT / NAME

#: Files below this many lines make readers jump between files too often.
SMALL = 40
#: The thread that renders pages, for which the test waits; other threads are not traced.
PAGES_THREAD = "design2a11y-browser"

DESIGN = "<!doctype html><html lang=en><title>Shop</title><h1>Shop</h1><p>Two pairs of shoes</p>"
PAGE = DESIGN + "<p id=more></p><script>document.getElementById('more').textContent = 'and one'</script>"
TEST = f"""
def test_that_starts_the_browser(render):
    render(html={DESIGN!r})

def test_one_page(render):
    from pytest_design2a11y import assert_visual_similarity
    reference = render(html={DESIGN!r}, role="reference")
    candidate = render(html={PAGE!r})
    assert_visual_similarity(reference, candidate) > 0.1
"""


def python_files() -> list[Path]:
    """Return the package's modules."""
    return sorted(PACKAGE.rglob("*.py"))


def lines_of(path: Path) -> int:
    """Count lines, including empty ones."""
    return path.read_bytes().count(b"\n")


def called_once(tree: ast.Module) -> Iterator[str]:
    """Yield private functions and methods of a module that it names in only one place."""
    used = Counter(node.id for node in ast.walk(tree) if isinstance(node, ast.Name))
    used += Counter(node.attr for node in ast.walk(tree) if isinstance(node, ast.Attribute))
    for node in ast.walk(tree):
        if not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) or node.decorator_list:
            continue
        if re.match(r"_(?!_)", node.name) and used[node.name] == 1:
            yield node.name


def imports() -> dict[str, set[str]]:
    """Return the package's modules that each module imports, including imports in functions and for types."""
    names = {module_name(path) for path in python_files()}
    found: dict[str, set[str]] = {}
    for path in python_files():
        pending: list[ast.AST] = [ast.parse(path.read_text(encoding="utf-8"))]
        own: set[str] = set()
        while pending:
            node = pending.pop()
            if isinstance(node, ast.ImportFrom) and node.module:
                own |= {f"{node.module}.{alias.name}" for alias in node.names} | {node.module}
            if isinstance(node, ast.Import):
                own |= {alias.name for alias in node.names}
            pending.extend(ast.iter_child_nodes(node))
        # A package's `__init__` imports its modules, which do not depend on it for that.
        name = module_name(path)
        found[name] = {other for other in own & names if not f"{name}.".startswith(f"{other}.")}
    return found


def module_name(path: Path) -> str:
    """Return the dotted name of a module."""
    return ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")


def circles(graph: dict[str, set[str]]) -> list[list[str]]:
    """Return groups of modules that import each other, directly or not."""
    reached = {name: _reachable(graph, name) for name in graph}
    groups = {
        tuple(sorted(one for one in graph if one in reached[name] and name in reached[one]))
        for name in graph
        if name in reached[name]
    }
    return [list(group) for group in sorted(groups)]


def _reachable(graph: dict[str, set[str]], start: str) -> set[str]:
    found: set[str] = set()
    pending = list(graph[start])
    while pending:
        name = pending.pop()
        if name not in found:
            found.add(name)
            pending.extend(graph[name])
    return found


def arrows_up(graph: dict[str, set[str]]) -> list[str]:
    """Return imports against the layers in pyproject.toml, including those that it exempts."""
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    found = []
    for contract in settings["tool"]["importlinter"]["contracts"]:
        if contract["type"] == "layers":
            level = {
                room: number for number, line in enumerate(contract["layers"]) for room in line.split(" | ")
            }
            inside = contract["containers"][0] + "."
            found += [
                f"{name} -> {other}"
                for name, others in graph.items()
                for other in sorted(others)
                if name.startswith(inside) and other.startswith(inside)
                if (own := _room(name, inside)) != (its := _room(other, inside)) and level[its] <= level[own]
            ]
    return found


def _room(name: str, inside: str) -> str:
    return name.removeprefix(inside).partition(".")[0]


class Way:
    """Records, from all threads, which functions a page passes through."""

    def __init__(self) -> None:
        """Prepare; nothing is recorded before `is_on` is set."""
        self.is_on = False
        self._main = threading.get_ident()
        self._callers: dict[CodeType, set[tuple[CodeType, ...]]] = defaultdict(set)
        self._order: dict[CodeType, int] = {}

    def note(self, frame: FrameType, event: str, _: Any) -> None:
        """Record a call; `sys.setprofile` calls this."""
        if not self.is_on or event != "call" or not _is_ours(frame.f_code):
            return
        stack = list(_stack(frame))
        if threading.current_thread().name == PAGES_THREAD:
            stack += _stack(sys._current_frames()[self._main])
        for code in reversed(stack):
            self._order.setdefault(code, len(self._order))
        self._callers[frame.f_code].add(tuple(stack))

    def functions(self) -> list[CodeType]:
        """Return all functions that the page passes through, in the order of their first calls."""
        return list(self._order)

    def is_entered(self, code: CodeType) -> bool:
        """Return whether a function is called from another file, which makes the reader switch files."""
        callers = (stack[1] for stack in self._callers[code] if len(stack) > 1)
        return any(caller.co_filename != code.co_filename for caller in callers)

    def turns(self) -> list[str]:
        """Return where the way re-enters a file that it has left before."""
        found: dict[str, None] = {}
        for code in self._order:
            for stack in self._callers[code]:
                files = [one.co_filename for one in stack]
                if files[1:] and files[1] != files[0] and files[0] in files[2:]:
                    found[f"{_told(stack[1])} -> {_told(code)}"] = None
        return list(found)


def _stack(frame: FrameType | None) -> Iterator[CodeType]:
    while frame is not None:
        if _is_ours(frame.f_code):
            yield frame.f_code
        frame = frame.f_back


def _is_ours(code: CodeType) -> bool:
    return code.co_filename.startswith(f"{PACKAGE}/") and not code.co_name.startswith("<")


def _told(code: CodeType) -> str:
    return f"{Path(code.co_filename).relative_to(PACKAGE)}:{code.co_qualname}"


def print_way() -> None:
    """Run a test of one page in this process, and print the functions that it passes through."""
    import pytest

    way = Way()

    class Tracer:
        @pytest.hookimpl(tryfirst=True)
        def pytest_runtest_call(self, item: pytest.Item) -> None:
            way.is_on = item.name.startswith("test_one_page")

    threading.setprofile(way.note)
    sys.setprofile(way.note)
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "pytest.ini").write_text("[pytest]\n")
        (Path(folder) / "test_way.py").write_text(TEST)
        options = [
            folder,
            "-q",
            "-p",
            "no:cacheprovider",
            "-p",
            "no:xdist",
            "-o",
            "design2a11y_no_cache=true",
        ]
        status = pytest.main(options, plugins=[Tracer()])
    sys.setprofile(None)
    functions = way.functions()
    for code in functions:
        print(f"  {_told(code)}")
    for turn in way.turns():
        print(f"  back: {turn}")
    files = {code.co_filename for code in functions}
    num_entered = sum(map(way.is_entered, functions))
    print(
        f"a page's way: {len(functions)} functions in {len(files)} files ({num_entered} called from another "
        f"file), {len(way.turns())} turns back"
    )
    if status:
        raise SystemExit("The traced test failed; see above.")


def main() -> None:
    """Print all figures; `--once` lists functions called in one place, `--way` those that a page passes."""
    if "--way" in sys.argv:
        print_way()
    else:
        print_figures()


def print_figures() -> None:
    """Print how large the package is, and how many of its functions a page passes through."""
    modules = python_files()
    scripts = [path for path in PACKAGE.rglob("*.js") if "vendor" not in path.parts]
    lines = sum(map(lines_of, modules))
    print(f"lines: {lines + sum(map(lines_of, scripts))} ({lines} Python in {len(modules)} files)")
    print(f"files under {SMALL} lines: {sum(0 < lines_of(path) < SMALL for path in modules)}")
    once = {path: list(called_once(ast.parse(path.read_text(encoding="utf-8")))) for path in modules}
    num_once = sum(map(len, once.values()))
    print(f"private functions with one caller: {num_once} ({1000 * num_once / lines:.1f} per 1,000 lines)")
    if "--once" in sys.argv:
        for path, names in once.items():
            print(*(f"  {module_name(path)}: {name}" for name in names), sep="\n")
    graph = imports()
    print(f"arrows up: {len(arrows_up(graph))}", *arrows_up(graph), sep="\n  ")
    print(f"circles: {len(circles(graph))}", *circles(graph), sep="\n  ")
    # In a fresh process, as a plugin is loaded only once; nothing is traced without a browser.
    done = subprocess.run([sys.executable, __file__, "--way"], capture_output=True, text=True, check=False)
    told = done.stdout.strip().rpartition("\n")[2]
    print(told if done.returncode == 0 else f"a page's way: not traced\n{done.stdout[-500:]}")


if __name__ == "__main__":
    main()

"""Write docs/reference.md (every command, option, fixture and marker argument) and docs/api.md.

Run it after changing a declaration: `make reference`. A unit test fails if the file is out of date.
"""

from __future__ import annotations

import argparse
import ast
import runpy
from collections.abc import Iterator
from pathlib import Path

from pytest_design2a11y import exceptions
from pytest_design2a11y.command.shell import add_commands
from pytest_design2a11y.models.option import Option
from pytest_design2a11y.plugin.marker import MARKER_ARGUMENTS
from pytest_design2a11y.settings.configuration import OPTIONS

ROOT = Path(__file__).parents[1]
TARGET = ROOT / "docs" / "reference.md"
FIXTURES = ROOT / "pytest_design2a11y" / "plugin" / "fixtures.py"

HEAD = """\
# Reference

Written by `make reference` from the declarations in the code; do not edit it.
"""

OPTIONS_HEAD = """
## Options

Every option is a key: in [the configuration](in-tests.md#configuration), as `design2a11y_KEY` in pytest's
ini file, by `-o design2a11y_KEY=VALUE` in pytest and `--set KEY=VALUE` in the commands named here. Those
that people type have a flag, too; one in brackets only in the command. In pytest a flag begins with
`--design2a11y-`, except `--min-fidelity`, `--max-blocking`, `--min-visual-similarity`, `--max-ir` and
`--max-iwir`. Keys with a `…` may be given several times, or as a list.
"""


JSON = """
## JSON

`score --json` and `audit --json` print one object, or with `--pairs` one per line. Saved runs hold the same objects, with
shared values stored once ([run.schema.json](../pytest_design2a11y/runs/run.schema.json)). Values that were not measured are null or
absent.

| key | value |
|---|---|
| `schema` | 1; a change that would break a reader raises it |
| `id`, `case`, `sample`, `axes` | identify the page |
| `reference`, `reference_kind`, `candidate` | what was rendered; the kind is `page` or `picture` |
| `candidate_digest` | equal for pages that are identical byte for byte, including their files |
| `tries` | how often its test ran |
| `error` | `type`, `message` and `role` of what could not be measured |
| `visual` | the [metrics](metrics.md#visual-similarity) (`visual` is `score`, `appearance` has `value` and `backend`), `text_ratio` |
| `accessibility` | the [rates](metrics.md#accessibility) of axe-core, `status`, `by_impact` |
| `delivered`, `delivered_parts` | the share of the design's text that [reaches everyone](metrics.md#delivered), and its parts |
| `metrics` | values of [your own metrics](extending.md), by name; null if not measured |
| `metric_reasons` | reasons for their values, by name; always given if null |
| `metric_findings` | with `--details`: their findings, by name: `message`, `severity`, `box` (left, top, width, height, CSS px, or null), `role` |
| `engines` | counts of [each engine](accessibility.md#a-second-engine) |
| `probes` | counts of each probe |
| `verdicts` | limits: `metric`, `operator`, `limit`, `value`, `is_passed`, `origin` |
| `warnings` | `code`, `message`, `count` |
| `environment`, `settings` | the conditions: browser, axe-core, platform, viewport, fonts, limits, choice of rules |
| `page_sizes`, `pictures` | sizes in CSS px; digests of kept screenshots |
| `audit`, `audits`, `probe_findings`; `matches`, `missing`, `extra`, `differences` in `visual` | elements and blocks one by one, with `--details`; lines of saved runs keep the `critical` and `serious` `differences` |

`compare --json` prints both runs, each metric's means, interval, p-value and verdict, and the gates."""  # noqa: E501


def reference() -> str:
    """Return the text of the reference."""
    parts = (_options(), _commands(), _fixtures(), _marker(), _exceptions(), [JSON])
    return "\n".join([HEAD.rstrip("\n"), *(line for part in parts for line in part)]) + "\n"


def _options() -> Iterator[str]:
    yield OPTIONS_HEAD
    yield "| key | flag | default | commands | meaning |"
    yield "|---|---|---|---|---|"
    for one in OPTIONS:
        commands = ", ".join(sorted(one.commands))
        yield f"| `{_usage(one)}` | {_flag(one)} | {_default(one)} | {commands} | {_cell(one.help)} |"


def _usage(one: Option) -> str:
    value = "" if one.is_switch else f" {one.metavar}"
    return one.name + value + (" …" if one.is_repeatable else "")


def _flag(one: Option) -> str:
    if one.command_flag is None:
        return ""
    return f"(`{one.command_flag}`)" if one.is_of_command else f"`{one.command_flag}`"


def _default(one: Option) -> str:
    return "" if one.is_switch or one.default in (None, ()) else f"{one.default}"


def _commands() -> Iterator[str]:
    yield "\n## Commands\n"
    yield "Besides the options above:\n"
    yield "| command | argument | meaning |"
    yield "|---|---|---|"
    for name, command in _parsers().items():
        actions = [one for one in command._actions if not isinstance(one, argparse._HelpAction)]
        for action in actions:
            yield f"| `{name}` | `{_argument(action)}` | {_cell(action.help or '')} |"
        if not actions:
            yield f"| `{name}` | | |"


def _parsers() -> dict[str, argparse.ArgumentParser]:
    commands = argparse.ArgumentParser(prog="").add_subparsers()
    add_commands(commands)
    parsers: dict[str, argparse.ArgumentParser] = {}
    for name, command in commands.choices.items():
        parts = [one.choices for one in command._actions if isinstance(one, argparse._SubParsersAction)]
        parsers |= (
            {f"{name} {part}": parser for part, parser in parts[0].items()} if parts else {name: command}
        )
    return parsers


def _argument(action: argparse.Action) -> str:
    value = "" if action.nargs == 0 else str(action.metavar or action.dest.upper())
    return " ".join([", ".join(action.option_strings), value]).strip()


def _fixtures() -> Iterator[str]:
    yield "\n## Fixtures\n"
    yield "| fixture | scope | meaning |"
    yield "|---|---|---|"
    for node in ast.parse(FIXTURES.read_text(encoding="utf-8")).body:
        if (
            isinstance(node, ast.FunctionDef)
            and not node.name.startswith("_")
            and (scope := _fixture_scope(node))
        ):
            text = (ast.get_docstring(node) or "").partition("\n")[0]
            yield f"| `{node.name}` | {scope} | {_cell(text)} |"


def _fixture_scope(node: ast.FunctionDef) -> str | None:
    """Return the scope of a function that is a fixture, else None."""
    for decorator in node.decorator_list:
        if ast.unparse(decorator).startswith("pytest.fixture"):
            keywords = decorator.keywords if isinstance(decorator, ast.Call) else []
            return next((ast.literal_eval(one.value) for one in keywords if one.arg == "scope"), "function")
    return None


def _marker() -> Iterator[str]:
    yield "\n## Marker\n"
    yield "`@pytest.mark.design2a11y(...)` takes, all by keyword:\n"
    yield "| argument | meaning |"
    yield "|---|---|"
    for name, text in MARKER_ARGUMENTS.items():
        yield f"| `{name}` | {_cell(text)} |"


def _exceptions() -> Iterator[str]:
    yield "\n## Errors\n"
    yield "All are a `Design2a11yError`, and say in their message what to do.\n"
    yield "| error | kind of | what happened |"
    yield "|---|---|---|"
    for name, one in vars(exceptions).items():
        if isinstance(one, type) and issubclass(one, exceptions.Design2a11yError):
            base = one.__bases__[0]
            text = (one.__doc__ or "").partition("\n")[0]
            if base is not Exception:
                yield f"| `{name}` | `{base.__name__}` | {_cell(text)} |"


def _cell(text: str) -> str:
    return text.replace("|", "\\|")


if __name__ == "__main__":
    TARGET.write_text(reference(), encoding="utf-8")
    runpy.run_path(str(Path(__file__).with_name("write_api.py")), run_name="__main__")

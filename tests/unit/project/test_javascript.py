"""Modules of JavaScript are joined into one text, each in a scope of its own."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import pytest_design2a11y
from pytest_design2a11y import javascript
from pytest_design2a11y.javascript import call_of, functions_of, namespace_of

PACKAGE = Path(pytest_design2a11y.__file__).parent
MODULES = sorted(
    path.relative_to(PACKAGE).as_posix() for path in PACKAGE.rglob("*.js") if "vendor" not in path.parts
)


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a folder whose modules are joined in place of the package's."""
    monkeypatch.setattr(javascript, "files", lambda _: tmp_path)
    monkeypatch.setattr(javascript, "namespace_of", namespace_of.__wrapped__)
    return tmp_path


def joined(path: str) -> str:
    return namespace_of.__wrapped__(path)


@pytest.mark.parametrize("path", MODULES)
def test_every_module_of_the_package_can_be_joined(path: str) -> None:
    assert not re.search(r"^(import|export)\b", namespace_of(path), re.MULTILINE)


@pytest.mark.parametrize("path", [path for path in MODULES if path.startswith("probes/")])
def test_a_probe_sees_of_other_rooms_scripts_the_running_page_alone(path: str) -> None:
    imported = re.findall(r'from "(\.\./[^"]+)"', (PACKAGE / path).read_text(encoding="utf-8"))

    assert {*imported} <= {"../capture/running/page.js"}


def test_a_module_runs_after_those_that_it_imports_in_a_scope_of_its_own(folder: Path) -> None:
    (folder / "a.js").write_text(
        '// The first.\nimport { one as first, two } from "./in/b.js";\nimport * as b from "./in/b.js";\n\n'
        "/** What comes of it. */\nexport const sum = () => first + two + b.one;\n"
    )
    (folder / "in").mkdir()
    (folder / "in" / "b.js").write_text("export const one = 1;\nconst two = 2;\nexport { two };\n")

    assert joined("a.js").splitlines() == [
        "(() => {",
        '"use strict";',
        "const once = (run, exports) => () => (exports ??= run());",
        "const $in_b = once(() => {",
        "const one = 1;",
        "const two = 2;",
        "return { one, two };",
        "});",
        "const $a = once(() => {",
        "const { one: first, two } = $in_b();",
        "const b = $in_b();",
        "",
        "const sum = () => first + two + b.one;",
        "return { sum };",
        "});",
        "return $a();",
        "})()",
    ]


def test_functions_and_classes_are_exported_by_their_names(folder: Path) -> None:
    (folder / "a.js").write_text(
        "export function one() {}\nexport async function two() {}\n"
        "export function* three() {}\nexport class Four {}\n"
    )

    assert "return { one, two, three, Four };" in joined("a.js")


def test_functions_of_several_modules_are_one_text_with_what_they_share_once(folder: Path) -> None:
    (folder / "shared.js").write_text("export const one = 1;\n")
    for name in "ab":
        text = f'import {{ one }} from "./shared.js";\nexport const {name} = (more) => one + more;\n'
        (folder / f"{name}.js").write_text(text)

    whole = functions_of.__wrapped__("a.js", "b.js")

    assert whole.startswith("(path, name, ...given) => (() => {")
    assert whole.count("const one = 1;") == 1
    assert whole.endswith('return { "a.js": $a, "b.js": $b }[path]()[name](...given);\n})()')


def test_a_call_is_a_statement_with_its_arguments_as_json() -> None:
    call = call_of("capture/isolation/withheld.js", "withhold", ["WebTransport"], None, 'a "b"')

    path = "capture/isolation/withheld.js"
    assert call.endswith(f'\n}})())("{path}", "withhold", ["WebTransport"], null, "a \\"b\\"");\n')


def test_modules_that_import_each_other_are_refused(folder: Path) -> None:
    for name, other in ("ab", "bc", "cb"):
        (folder / f"{name}.js").write_text(f'import {{ it }} from "./{other}.js";\nexport const it = 1;\n')

    with pytest.raises(ValueError, match="circle") as caught:
        joined("a.js")

    assert str(caught.value) == (
        "JavaScript modules import each other in a circle: b.js -> c.js -> b.js."
        " Move what both need into a module below both."
    )


@pytest.mark.parametrize(
    "line",
    [
        "export default 1;",
        "export let count = 0;",
        "export * from './b.js';",
        'import "./b.js";',
        "import b from './b.js';",
    ],
)
def test_a_line_that_is_not_understood_is_refused(folder: Path, line: str) -> None:
    (folder / "a.js").write_text(f"{line}\n")

    with pytest.raises(ValueError, match="cannot be joined") as caught:
        joined("a.js")

    assert str(caught.value) == (
        f"a.js has a line that cannot be joined: {line!r}."
        ' Write `import { name } from "./file.js";` or `import * as name from "./file.js";`,'
        " and `export` before `const`, `function` or `class`, or `export { name };`."
    )

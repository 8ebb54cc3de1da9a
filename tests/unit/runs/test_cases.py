from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import Any

import pytest

from pytest_design2a11y.exceptions import ConfigurationError
from pytest_design2a11y.files import label_of_path
from pytest_design2a11y.runs import cases
from pytest_design2a11y.runs.cases import FilePair, file_pairs


def pages(folder: Path, *names: str) -> Path:
    for name in names:
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("<p>page</p>")
    return folder


def pair_files(*given: Any, **how: Any) -> tuple[FilePair, ...]:
    return tuple(file_pairs(*given, **how))


def told(pairs: tuple[FilePair, ...]) -> list[tuple[str, ...]]:
    return [(pair.case, pair.sample, *pair.axes.values()) for pair in pairs]


def test_files_of_one_name_are_paired(tmp_path: Path) -> None:
    designs = pages(tmp_path / "designs", "login.html", "cart.html")
    generated = pages(tmp_path / "generated", "login.html", "cart.htm")

    pairs = pair_files(designs, generated)

    assert pairs == (
        FilePair("cart", "1", {}, designs / "cart.html", generated / "cart.htm"),
        FilePair("login", "1", {}, designs / "login.html", generated / "login.html"),
    )
    assert [(pair.case, pair.sample) for pair in pairs] == [("cart", "1"), ("login", "1")]


def test_samples_lie_in_a_folder_named_for_the_case(tmp_path: Path) -> None:
    designs = pages(tmp_path / "designs", "1.html", "2.html")
    generated = pages(tmp_path / "generated", "1/9.html", "1/10.html", "2.html", "1/style.css", "notes.txt")

    assert told(pair_files(str(designs), str(generated))) == [
        ("1", "9"),
        ("1", "10"),
        ("2", "1"),
    ]


def test_a_pattern_may_have_the_slashes_of_windows(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    designs = pages(tmp_path / "designs", "login.html")
    pages(tmp_path / "out", "gpt/login-1.html", "gpt/login-2.html")
    monkeypatch.setattr(cases, "label_of_path", partial(label_of_path, separator="\\"))

    found = pair_files(designs, str(tmp_path / "out").replace("/", "\\") + r"\{model}\{case}-{sample}.html")

    assert told(found) == [("login", "1", "gpt"), ("login", "2", "gpt")]


def test_a_pattern_names_prompt_model_case_and_sample(tmp_path: Path) -> None:
    designs = pages(tmp_path / "designs", "login.html", "sign-up.html")
    pages(
        tmp_path / "out",
        *(
            f"{model}/{prompt}/{case}-{sample}.html"
            for model in ("gpt", "gemini")
            for prompt in ("v1", "v2")
            for case in ("login", "sign-up")
            for sample in (1, 2)
        ),
        "gpt/v1/readme.md",
    )

    pairs = pair_files(designs, f"{tmp_path}/out/{{model}}/{{prompt}}/{{case}}-{{sample}}.html")

    assert len(pairs) == 16
    assert told(pairs)[:3] == [
        ("login", "1", "gemini", "v1"),
        ("login", "2", "gemini", "v1"),
        ("login", "1", "gemini", "v2"),
    ]
    assert {pair.case for pair in pairs} == {"login", "sign-up"}
    assert pairs[0].candidate == tmp_path / "out/gemini/v1/login-1.html"


def test_a_placeholder_may_come_twice_and_special_characters_are_meant(tmp_path: Path) -> None:
    designs = pages(tmp_path / "designs", "a.html", "b.html")
    pages(tmp_path / "out (1)", "a/a+1.html", "b/b+1.html", "b/a+2.html", "b/bb1.html")

    pairs = pair_files(designs, f"{tmp_path}/out (1)/{{case}}/{{case}}+{{sample}}.html")

    assert told(pairs) == [("a", "1"), ("b", "1")]


def test_a_pattern_may_be_relative(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pages(tmp_path, "designs/a.html", "a.1.html", "a.2.html")
    monkeypatch.chdir(tmp_path)

    assert told(pair_files("designs", "{case}.{sample}.html")) == [
        ("a", "1"),
        ("a", "2"),
    ]


def test_a_candidate_without_reference_is_named(tmp_path: Path) -> None:
    designs = pages(tmp_path / "designs", "login.html")
    generated = pages(tmp_path / "generated", "login.html", "logn.html")

    with pytest.raises(ConfigurationError, match=r"No reference in .*designs for .*generated/logn\.html\."):
        pair_files(designs, generated)


def test_a_generation_that_is_missing_is_a_pair_whose_file_is_not_there(tmp_path: Path) -> None:
    designs = pages(tmp_path / "designs", "login.html", "cart.html")
    generated = pages(tmp_path / "generated", "login.html")
    several = pages(tmp_path / "several", "login/1.html", "login/2.html")

    cart, login = pair_files(designs, generated)
    cart_of_several, *_others = pair_files(designs, several)

    assert login.candidate.exists()
    assert (cart.case, cart.sample, cart.candidate) == ("cart", "1", generated / "cart.html")
    assert cart_of_several.candidate == several / "cart" / "1.html"


def test_a_case_that_one_prompt_lacks_is_missing_of_that_prompt(tmp_path: Path) -> None:
    designs = pages(tmp_path / "designs", "login.html", "cart.html")
    pages(tmp_path / "out", "v1/login-3.html", "v1/cart-3.html", "v2/login-3.html")

    pairs = pair_files(designs, f"{tmp_path}/out/{{prompt}}/{{case}}-{{sample}}.html")

    (missing,) = (pair for pair in pairs if not pair.candidate.exists())
    assert missing.axes == {"prompt": "v2"}
    assert missing.candidate == tmp_path / "out" / "v2" / "cart-1.html"


def test_a_folder_without_designs_is_refused(tmp_path: Path) -> None:
    designs, generated = pages(tmp_path / "designs", "notes.txt"), pages(tmp_path / "generated", "a.txt")

    with pytest.raises(ConfigurationError, match=r"There are no pages in the reference folder .*designs\."):
        pair_files(designs, generated)


def test_two_references_of_one_case_are_refused(tmp_path: Path) -> None:
    designs = pages(tmp_path / "designs", "login.html", "login.htm")

    with pytest.raises(ConfigurationError, match="are both the reference of case 'login'"):
        pair_files(designs, designs)


def test_two_files_of_one_sample_are_refused(tmp_path: Path) -> None:
    designs = pages(tmp_path / "designs", "login.html")
    generated = pages(tmp_path / "generated", "login.html", "login/1.html")

    with pytest.raises(ConfigurationError, match="are both sample 1 of case 'login'"):
        pair_files(designs, generated)


@pytest.mark.parametrize(
    ("pattern", "text"),
    [
        ("generated/{cases}.html", r"knows no \{cases\}"),
        ("generated/{sample}.html", r"has no \{case\}"),
        ("generated/{case}{}.html", r"knows no \{\}"),
        ("generated/{case}.xml", "No file fits the pattern"),
        ("nowhere/{case}.html", "There is no candidate folder nowhere"),
        ("nowhere", "There is no candidate folder nowhere"),
    ],
)
def test_a_pattern_that_cannot_be_meant_is_refused(
    pattern: str, text: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pages(tmp_path, "designs/a.html", "generated/a.html")
    monkeypatch.chdir(tmp_path)

    with pytest.raises(ConfigurationError, match=text):
        pair_files("designs", pattern)


def test_a_missing_reference_folder_is_named(tmp_path: Path) -> None:
    with pytest.raises(ConfigurationError, match=r"There is no reference folder .*designs"):
        pair_files(tmp_path / "designs", tmp_path)


def test_many_missing_files_are_not_all_named(tmp_path: Path) -> None:
    designs = pages(tmp_path / "designs", "0.html")
    generated = pages(tmp_path / "generated", *(f"{number}.html" for number in range(30)))

    with pytest.raises(ConfigurationError, match=r"/1\.html, .*/10\.html and 19 more\."):
        pair_files(designs, generated)


def test_the_scale_of_a_picture_is_no_part_of_its_case(tmp_path: Path) -> None:
    designs = pages(tmp_path / "designs", "login@2x.png", "login.blocks.json", "sign-up.webp")
    generated = pages(tmp_path / "generated", "login.html", "sign-up.html")

    assert told(pair_files(designs, generated)) == [("login", "1"), ("sign-up", "1")]
    pages(designs, "login.html")
    with pytest.raises(ConfigurationError, match=r"login\.html and .*login@2x\.png are both the reference"):
        pair_files(designs, generated)


def test_designs_of_states_are_cases_along_an_axis(tmp_path: Path) -> None:
    for name in (
        "designs/a.html",
        "designs/a~error.html",
        "designs/a~open@2x.png",
        "new/a.html",
        "new/a~open.html",
    ):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).touch()

    pairs = pair_files(tmp_path / "designs", tmp_path / "new", states={"error", "open"})

    assert [(one.case, dict(one.axes), one.candidate.name, one.is_reached) for one in pairs] == [
        ("a", {}, "a.html", False),
        ("a", {"state": "error"}, "a.html", True),
        ("a", {"state": "open"}, "a~open.html", False),
    ]
    without_steps = pair_files(tmp_path / "designs", tmp_path / "new")
    assert [one.candidate.name for one in without_steps] == ["a.html", "a~error.html", "a~open.html"]


def test_a_candidate_that_has_designs_of_states_alone_is_paired_with_these(tmp_path: Path) -> None:
    for name in ("designs/a~error.html", "new/a.html"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).touch()

    (pair,) = pair_files(tmp_path / "designs", tmp_path / "new", states=["error"])

    assert (pair.candidate.name, pair.reference.name) == ("a.html", "a~error.html")
    with pytest.raises(ConfigurationError, match=r"No reference in .* for .*a\.html"):
        pair_files(tmp_path / "designs", tmp_path / "new")


def test_many_files_are_paired_in_natural_order_and_refused_together(tmp_path: Path) -> None:
    cases = ("a", "a2", "a10", "a~error", "b-1", "é")
    designs = pages(tmp_path / "designs", *(f"{case}.html" for case in cases))
    names = [f"{prompt}/{case}-{sample}.html" for case in cases[1:] for prompt in "wv" for sample in (10, 9)]
    pattern = str(tmp_path / "out/{prompt}/{case}-{sample}.html")
    pages(tmp_path / "out", *names, "v/a-3.html")
    (tmp_path / "out" / "v" / "loop").symlink_to(tmp_path / "out" / "v" / "loop")

    many = pair_files(designs, pattern)

    assert told(many)[:5] == [
        ("a", "3", "v"),
        ("a", "9", "v", "error"),
        ("a", "10", "v", "error"),
        ("a", "1", "w"),
        ("a", "9", "w", "error"),
    ]
    assert len(many) == len(names) + 2
    pages(tmp_path / "out", "v/c-1.html", "w/c-2.html")
    with pytest.raises(ConfigurationError, match=r"No reference in .* for [^ ]*/v/c-1\.html, [^ ]*/w/c-2"):
        file_pairs(designs, pattern)


def test_a_folder_that_cannot_be_read_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    designs = pages(tmp_path / "designs", "a.html")
    read = Path.iterdir

    def refused(folder: Path) -> Any:
        if folder.name == "v1":
            raise PermissionError(13, "Permission denied")
        return read(folder)

    pages(tmp_path / "out", "v1/a.html", "v2/a.html")
    monkeypatch.setattr(Path, "iterdir", refused)

    with pytest.raises(ConfigurationError, match=r"Cannot read the folder .*v1: Permission denied\. Check"):
        pair_files(designs, str(tmp_path / "out/{prompt}/{case}.html"))

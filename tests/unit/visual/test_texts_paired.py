"""Which texts of two pages are the same, however they are split, and which are missing and extra."""

from __future__ import annotations

from dataclasses import replace

import pytest

from pytest_design2a11y.models.page import TextRun
from pytest_design2a11y.visual.match.texts import match_units
from pytest_design2a11y.visual.scene.units import units_of
from tests.pages_by_hand import text

Runs = list[TextRun]


def lines(*words: str) -> Runs:
    """Make a paragraph of several lines."""
    return [replace(text(line, 40, 100 + 24 * at), paragraph=1) for at, line in enumerate(words)]


def line(*words: str) -> Runs:
    """Make a line of several parts."""
    starts = [40 + 8 * sum(len(word) + 1 for word in words[:at]) for at in range(len(words))]
    return [replace(text(word, x, 100), paragraph=1) for word, x in zip(words, starts, strict=True)]


def apart(*words: str, x: int = 500) -> Runs:
    """Make texts 60 px below each other."""
    return [text(word, x, 500 + 60 * at) for at, word in enumerate(words)]


def menu(*words: str, step: int = 190, y: int = 100) -> Runs:
    return [replace(text(word, 40 + step * at, y), paragraph=10 + at) for at, word in enumerate(words)]


def follow(*words: str, y: int = 100) -> Runs:
    """Make texts in lines that follow each other."""
    return [replace(text(word, 40, y + 24 * at), paragraph=y + at) for at, word in enumerate(words)]


FOX, DOG = "The quick brown fox jumps", "over the lazy dog of today"
LONG = "alpha bravo delta gamma kappa sigma omega theta"
ITEMS, OTHERS = ("Home", "Prices", "Contact"), ("Start", "Kosten", "Anfahrt")


@pytest.mark.parametrize(
    ("design", "made", "pairs", "missing", "extra"),
    [
        pytest.param(
            lines(FOX, DOG),
            apart("The quick brown fox jumped", "over the lazy dogs of today"),
            {FOX: "The quick brown fox jumped", DOG: "over the lazy dogs of today"},
            [],
            [],
            id="two lines, and two texts that nearly read so",
        ),
        pytest.param(
            apart("The quick brown fox jumped", "over the lazy dogs of today"),
            lines(FOX, DOG),
            {"The quick brown fox jumped": FOX, "over the lazy dogs of today": DOG},
            [],
            [],
            id="two texts, and two lines that nearly read so",
        ),
        pytest.param(
            lines(FOX, DOG), apart(FOX, "Sold out"), {FOX: FOX}, [DOG], ["Sold out"], id="one line of two"
        ),
        pytest.param(
            line("Name and address", "of the owner"),
            apart("of the owner", "Name and address"),
            {"Name and address": "Name and address", "of the owner": "of the owner"},
            [],
            [],
            id="the parts of a line",
        ),
        pytest.param(
            apart("Name and address", "of the owner"),
            line("Name and address", "of the owner"),
            {"Name and address": "Name and address", "of the owner": "of the owner"},
            [],
            [],
            id="parts that are one line",
        ),
        pytest.param(
            line("abcdef", "middle part x", "ghijkl"),
            apart("abcdef", "ghijkl"),
            {"abcdef": "abcdef", "ghijkl": "ghijkl"},
            ["middle part x"],
            [],
            id="a part between two",
        ),
        pytest.param(
            line("first part", "abcdef", "last part"),
            apart("abcdef"),
            {},
            ["first part abcdef last part"],
            [],
            id="parts around one",
        ),
        pytest.param(
            line("eight888", "abcdefghijklmnopq"),
            apart("eight888"),
            {"eight888": "eight888"},
            ["abcdefghijklmnopq"],
            [],
            id="a part of a third",
        ),
        pytest.param(
            line("seven77", "abcdefghijklmnopq"),
            apart("seven77"),
            {},
            ["seven77 abcdefghijklmnopq"],
            [],
            id="a part of less than three in ten",
        ),
        pytest.param(
            menu(*ITEMS, step=150), menu(*OTHERS), dict(zip(ITEMS, OTHERS, strict=True)), [], [], id="a menu"
        ),
        pytest.param(
            menu(*ITEMS, step=150),
            menu(*OTHERS, y=103),
            dict(zip(ITEMS, OTHERS, strict=True)),
            [],
            [],
            id="a menu 3 px lower",
        ),
        pytest.param(
            menu(*ITEMS, step=150),
            menu(*OTHERS, y=249),
            dict(zip(ITEMS, OTHERS, strict=True)),
            [],
            [],
            id="a menu 149 px lower",
        ),
        pytest.param(
            menu(*ITEMS, step=150),
            menu(*OTHERS, y=250),
            {},
            list(ITEMS),
            list(OTHERS),
            id="a menu 150 px lower",
        ),
        pytest.param(
            menu(*ITEMS, "Login"),
            menu("Login", *OTHERS, y=300),
            {"Login": "Login"},
            list(ITEMS),
            list(OTHERS),
            id="other items in a menu",
        ),
        pytest.param(
            menu(*ITEMS, step=150),
            menu(*OTHERS, "Mehr"),
            {"Home": "Start"},
            ["Prices", "Contact"],
            ["Kosten", "Anfahrt", "Mehr"],
            id="a menu of more items",
        ),
        pytest.param(
            menu(*ITEMS[:2], step=150),
            menu(*OTHERS[:2]),
            {"Home": "Start"},
            ["Prices"],
            ["Kosten"],
            id="two items are no menu",
        ),
        pytest.param(
            menu(*ITEMS, step=150),
            menu("Prices", *OTHERS[1:]),
            {"Prices": "Prices"},
            ["Home", "Contact"],
            list(OTHERS[1:]),
            id="a menu with an item elsewhere",
        ),
        pytest.param(
            [*menu(*ITEMS, step=150), text("Logo", 40, 140)],
            [*menu(*OTHERS), text("Logo", 40, 140), *apart("Prices", x=40)],
            {"Home": "Start", "Prices": "Prices", "Logo": "Logo"},
            ["Contact"],
            list(OTHERS[1:]),
            id="a menu with an item elsewhere on the page",
        ),
        pytest.param(
            menu("abcde", *ITEMS[1:], step=150),
            menu("Start", "abcdx", "Anfahrt"),
            {"abcde": "abcdx"},
            list(ITEMS[1:]),
            ["Start", "Anfahrt"],
            id="a menu with an item elsewhere that has four letters of five in common",
        ),
        pytest.param(
            menu("abcdef", *ITEMS[1:], step=150),
            menu("Start", "abcdxy", "Anfahrt"),
            {"abcdef": "Start", "Prices": "abcdxy", "Contact": "Anfahrt"},
            [],
            [],
            id="a menu with an item that has four letters of six in common with another",
        ),
        pytest.param(
            follow(f"{FOX} over all of it {DOG}"),
            follow(f"{FOX} over all of it", "zebra", DOG),
            {f"{FOX} over all of it {DOG}": f"{FOX} over all of it"},
            [],
            ["zebra"],
            id="two lines and a word of its own between them",
        ),
        pytest.param(
            follow(f"{FOX} {DOG}"),
            follow(f"{FOX}ed", DOG),
            {f"{FOX} {DOG}": f"{FOX}ed {DOG}"},
            [],
            [],
            id="two lines that nearly read so",
        ),
        pytest.param(
            follow(f"{FOX} {DOG}"),
            [text(f"{FOX}ed", 40, 100), text(DOG, 40, 300)],
            {f"{FOX} {DOG}": f"{FOX}ed"},
            [],
            [],
            id="two texts far from each other that nearly read so",
        ),
        pytest.param(
            [text(f"{FOX} overs", 40, 100), text("over the lazy dog", 40, 400)],
            follow(FOX, "over", "the lazy dog"),
            {f"{FOX} overs": FOX, "over the lazy dog": "over the lazy dog"},
            [],
            [],
            id="a part of one text, nearly, and of another one",
        ),
        pytest.param(
            apart(*["bravo delta"] * 4),
            [*apart("bravo delta"), text("alpha bravo delta gamma kappa sigma omega", 40, 100)],
            {"bravo delta": "bravo delta"},
            ["bravo delta"] * 2,
            ["alpha bravo delta gamma kappa sigma omega"],
            id="one text four times, of which one is there and one in another text",
        ),
        pytest.param(
            [text("alpha bravo charlie", 40, 100), text("delta echo foxtrot", 40, 400)],
            [*follow("alpha bravo", "charlie"), *follow("delta echo", "foxtrot", y=400)],
            {"alpha bravo charlie": "alpha bravo charlie", "delta echo foxtrot": "delta echo foxtrot"},
            [],
            [],
            id="two texts, each in two parts",
        ),
        pytest.param(
            apart("Login"), apart("Logo", x=520), {}, ["Login"], ["Logo"], id="words, by chance alike"
        ),
        pytest.param(
            apart("Welcome back to us"),
            apart("Welcome back to all", x=520),
            {"Welcome back to us": "Welcome back to all"},
            [],
            [],
            id="a changed word",
        ),
        pytest.param(
            apart("abcdefghij"),
            apart("abcdefgxyz", x=520),
            {"abcdefghij": "abcdefgxyz"},
            [],
            [],
            id="words with seven letters of ten in common",
        ),
        pytest.param(
            apart("abcdefghijk"),
            apart("abcdefgxyzz", x=520),
            {},
            ["abcdefghijk"],
            ["abcdefgxyzz"],
            id="words with seven letters of eleven in common",
        ),
        pytest.param(
            apart("alpha bravo delta gamma"),
            apart("alpxx brayy delzz gamqq", x=520),
            {"alpha bravo delta gamma": "alpxx brayy delzz gamqq"},
            [],
            [],
            id="letters in common, and no word",
        ),
        pytest.param(
            apart("Welcome back"),
            apart("Other things", x=509),
            {"Welcome back": "Other things"},
            [],
            [],
            id="in its place",
        ),
        pytest.param(
            apart("Welcome back"),
            apart("Other things", x=510),
            {},
            ["Welcome back"],
            ["Other things"],
            id="beside its place",
        ),
    ],
)
def test_texts_are_paired(
    design: Runs, made: Runs, pairs: dict[str, str], missing: list[str], extra: list[str]
) -> None:
    found = match_units(units_of(design), units_of(made))

    assert {first.text: second.text for first, second in found.pairs} == pairs
    assert [unit.text for unit in found.missing] == missing
    assert [unit.text for unit in found.extra] == extra


def tops(design: Runs, made: Runs) -> tuple[dict[float, float], list[float]]:
    """Return where paired texts begin on both pages, px from the top, and the missing ones."""
    found = match_units(units_of(design), units_of(made))
    pairs = {first.box[1]: second.box[1] for first, second in found.pairs}
    return pairs, [unit.box[1] for unit in found.missing]


def test_equal_texts_in_another_order_keep_their_own() -> None:
    def soup(*places: int) -> Runs:
        return [text("Soup of today", 40, y) for y in places]

    rest = [text(word, 40, 300 + 40 * at) for at, word in enumerate(("Bread", "Water", "Salad"))]
    found, _ = tops([*soup(100, 140), *rest], [*rest, *soup(500, 540)])

    assert found == {100: 500, 140: 540, 300: 300, 340: 340, 380: 380}


def test_of_equal_texts_those_in_place_are_there_whatever_came_before() -> None:
    design = [text("Menu", 40, 40), *(text("Soup of today", 40, y) for y in (100, 200, 300))]

    assert tops(design, design[2:]) == ({200: 200, 300: 300}, [40, 100])
    assert tops(design, [design[1], design[3]]) == ({100: 100, 300: 300}, [40, 200])


def test_a_repeated_text_that_went_far_is_not_the_one_that_reads_nearly_so_in_its_place() -> None:
    def rows(second: str) -> Runs:
        words = ("Bread", second, "Water", "Salad")
        return [text(word, 40, 100 + 40 * at) for at, word in enumerate(words)]

    for down, place in ((540, 140), (541, 140), (200, 340)):
        below = [text("More about", 40, 140 + down + 40 * at) for at in (0, 1)]
        found, _ = tops(rows("More about"), [*rows("More about it"), *below])
        assert found[140] == place


def test_of_equal_texts_the_one_in_place_is_there_beside_one_that_grew_from_its_right_edge() -> None:
    wide, narrow = (replace(text("Total of it", 0, 100), boxes=((x, 100, 900 - x, 20),)) for x in (500, 800))
    design = [narrow, text("Open", 400, 130), text("Open", 700, 130)]

    matching = match_units(units_of(design), units_of([wide, text("Open", 400, 130)]))

    assert [old.box[0] for old, _ in matching.pairs if old.text == "Open"] == [400]


def test_equal_texts_keep_their_order_whatever_else_is_missing() -> None:
    def soup(*places: int) -> Runs:
        return [text("Soup of today", 40, y) for y in places]

    bread = [text("Bread", 40, y) for y in (300, 340)]
    assert tops([*soup(100, 140), *bread], [*soup(140, 180), bread[0]]) == (
        {100: 140, 140: 180, 300: 300},
        [340],
    )


@pytest.mark.parametrize(
    ("shown", "top", "is_missing"),
    [
        ("Menu of 12 Bread rolls", 900, False),
        ("Day 12 Bread rolls", 900, True),
        ("Menu of 12 Cakes", 900, True),
        ("Day 12 Bread rolls", 300, False),
        ("Menu of 13 Bread rolls", 300, True),
    ],
)
def test_a_short_text_is_shown_near_its_place_or_between_its_neighbours(
    shown: str, top: int, is_missing: bool
) -> None:
    """Three letters or fewer occur in longer texts by chance; near is less than 400 px."""
    design = [text(word, 40, 100 + 60 * at) for at, word in enumerate(("Menu of", "12", "Bread"))]
    found = match_units(units_of(design), units_of([text(shown, 40, top)]))

    assert ("12" in [unit.text for unit in found.missing]) == is_missing


def test_a_text_that_is_no_line_of_another_stays_alone() -> None:
    found = match_units(units_of(lines(FOX, DOG)), units_of([*lines(FOX, DOG + " on"), *apart(LONG)]))

    assert [design.text for design, _ in found.pairs] == [f"{FOX} {DOG}"]
    assert [unit.text for unit in found.extra] == [LONG]

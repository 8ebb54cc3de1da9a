"""How users write viewports and schemes, and in how many ways a page is rendered for them."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from pytest_design2a11y.comparing.conditions import find_differences, recorded_conditions
from pytest_design2a11y.exceptions import ConfigurationError
from pytest_design2a11y.measuring.conditions import conditions_of
from pytest_design2a11y.measuring.pairs import Pair, along_variants
from pytest_design2a11y.models.evaluation import Evaluation
from pytest_design2a11y.models.page import Capture
from pytest_design2a11y.models.readers import (
    read_scheme,
    read_timezone,
    read_window,
    scheme_fields,
    window_fields,
)
from pytest_design2a11y.models.verdicts import Subject
from pytest_design2a11y.models.viewport import Viewport
from pytest_design2a11y.report.terminal import summary_lines
from pytest_design2a11y.scorer import Scorer
from pytest_design2a11y.settings import Settings
from pytest_design2a11y.settings.variants import rendering_axes, require_as_asked, variants, viewport_of
from tests.factories import ENVIRONMENT, make_evaluation

TWO = Settings().with_choices({"viewport": ["1280x720", "375x812@3.0"], "scheme": "dark"})


@pytest.mark.parametrize(
    ("text", "read"),
    [
        ("1280x720", Viewport()),
        ("375x812@3", Viewport(375, 812, 3.0)),
        ("375x812@1.5+touch", Viewport(375, 812, 1.5, touch=True)),
        (" 375x812+mobile", Viewport(375, 812, touch=True, mobile=True)),
    ],
)
def test_a_viewport_is_read_and_written_in_one_way(text: str, read: Viewport) -> None:
    assert Viewport(**window_fields(text)) == read
    assert Viewport(**window_fields(read_window(text))) == read


@pytest.mark.parametrize("text", ["", "375", "0x720", "375x812@0", "375x812@9", "99999x1", "1x1@3phone"])
def test_what_is_not_a_viewport_is_refused(text: str) -> None:
    with pytest.raises(ConfigurationError, match="--design2a11y-viewport does not take"):
        Settings().with_choices({"viewport": text})


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("light", "light"),
        ("forced-colors+dark", "dark+forced-colors"),
        ("print+reduced-motion", "print"),
    ],
)
def test_a_scheme_is_written_in_one_way(text: str, written: str) -> None:
    assert read_scheme(text) == written


def test_schemes_that_contradict_themselves_or_are_not_known_are_refused() -> None:
    with pytest.raises(ValueError, match="contradict"):
        read_scheme("light+dark")
    with pytest.raises(ValueError, match="'sepia' is not one of light, dark"):
        read_scheme("sepia")


def test_a_time_zone_must_exist() -> None:
    assert read_timezone("Asia/Tokyo") == "Asia/Tokyo"
    with pytest.raises(ValueError, match="no such time zone"):
        read_timezone("Mars/Olympus")


def test_a_scheme_sets_what_the_page_is_asked_for() -> None:
    assert Viewport(**scheme_fields("dark+forced-colors+print+full-motion")) == Viewport(
        scheme="dark", forced_colors="active", media="print", motion="no-preference"
    )


def test_every_combination_is_a_variant_and_lies_on_its_axes() -> None:
    found = variants(TWO)

    assert found == (
        {"viewport": "1280x720", "scheme": "dark"},
        {"viewport": "375x812@3", "scheme": "dark"},
    )
    one = TWO.with_choices(found[1])
    assert rendering_axes(one) == {"viewport": "375x812@3", "scheme": "dark"}
    assert viewport_of(one) == Viewport(375, 812, 3.0, scheme="dark")


def test_where_nothing_is_said_there_is_one_variant_without_axes() -> None:
    assert variants(Settings()) == ({},)
    assert rendering_axes(Settings()) == {}
    assert viewport_of(Settings()) == Viewport()


def test_a_page_that_is_to_be_rendered_once_does_not_choose_among_several() -> None:
    with pytest.raises(ConfigurationError, match="2 ways to do it, such as 1280x720-dark and 375x812@3-dark"):
        viewport_of(TWO)


def test_a_device_is_a_viewport() -> None:
    phone = TWO.with_choices({"viewport": "iPhone 13"})

    assert rendering_axes(phone) == {"viewport": "iPhone 13", "scheme": "dark"}
    assert (viewport_of(phone).device, viewport_of(phone).mobile) == ("iPhone 13", True)
    with pytest.raises(ConfigurationError, match=r"no device 'wide'\. Write it as in 'iPhone 13', or a size"):
        viewport_of(TWO.with_choices({"viewport": "wide"}))


def test_pairs_are_scored_in_every_variant_under_ids_of_their_own(tmp_path: Path) -> None:
    subject = Subject("a", "case", axes={"model": "x"})
    own = Pair(subject, "r.html", "c.html", tmp_path, choices={"viewport": "640x480"})
    pairs = [Pair(subject, "r.html", "c.html", tmp_path), own, replace(own, choices={"viewport": "9wide"})]

    wide, narrow, given, wrong = along_variants(pairs, TWO)

    assert [one.subject.id for one in (wide, narrow, given)] == ["a[1280x720-dark]", "a[375x812@3-dark]", "a"]
    assert narrow.subject.axes == {"model": "x", "scheme": "dark", "viewport": "375x812@3"}
    assert given.subject.axes["viewport"] == "640x480"
    assert "does not take '9wide'" in str(wrong.problem)


def capture(viewport: Viewport) -> Capture:
    conditions = {"javascript": True}
    return Capture("a.html", "candidate", None, (1, 1), (), (), ENVIRONMENT, viewport, conditions)


def evaluation(viewport: Viewport) -> Evaluation:
    return replace(
        make_evaluation(), environment=ENVIRONMENT, settings=conditions_of(None, capture(viewport))
    )


@pytest.mark.parametrize(
    ("viewport", "condition"),
    [
        (Viewport(375, 720), "viewport"),
        (Viewport(mobile=True), "mobile"),
        (Viewport(device="iPhone 13", user_agent="x"), "device"),
        (Viewport(media="print"), "media"),
        (Viewport(forced_colors="active"), "forced_colors"),
        (Viewport(motion="no-preference"), "motion"),
        (Viewport(locale="de-DE"), "locale"),
        (Viewport(timezone="Asia/Tokyo"), "timezone"),
    ],
)
def test_runs_of_differing_viewports_do_not_compare(viewport: Viewport, condition: str) -> None:
    sides = [recorded_conditions(evaluation(one), {}) for one in (Viewport(), viewport)]

    (difference,) = find_differences([(frozenset({sides[0]}), frozenset({sides[1]}))])

    assert (difference.condition, difference.effect) == (condition, "refused")


def test_a_tests_own_page_must_be_as_the_run_asks() -> None:
    phone = Settings().with_choices({"viewport": "375x812@3+mobile"})

    require_as_asked(capture(Viewport(375, 812, 3.0, touch=True)), phone)
    require_as_asked(capture(Viewport(800, 600, 2.0)), Settings())
    with pytest.raises(ConfigurationError, match=r"375x812@3\+mobile, and a.html was opened in 1280x720"):
        require_as_asked(capture(Viewport()), phone)
    with pytest.raises(ConfigurationError, match="asks for dark"):
        require_as_asked(capture(Viewport()), Settings().with_choices({"scheme": "dark"}))


def test_each_viewport_has_its_own_mean() -> None:
    pages = [
        replace(make_evaluation(), id=size, axes={"viewport": size}) for size in ("1280x720", "375x812@3")
    ]

    lines = [line.text for line in summary_lines(pages, width=200, is_brief=True)]

    assert lines[1].startswith("viewport 1280x720 ")
    assert lines[2].startswith("viewport 375x812@3 ")
    assert "better" not in " ".join(lines)


def test_a_scorer_renders_in_one_viewport() -> None:
    with pytest.raises(ConfigurationError, match="2 ways to do it"):
        Scorer(viewport=["1280x720", "375x812"])
    with Scorer() as scorer:
        with pytest.raises(ConfigurationError, match="2 ways to do it"):
            scorer.score("a.html", "b.html", viewport=["1280x720", "375x812"])
        with pytest.raises(ConfigurationError, match="There is no setting viewports for one page"):
            scorer.score("a.html", "b.html", viewports="375x812")

"""The names of appearance backends."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from pytest_design2a11y.exceptions import ConfigurationError
from pytest_design2a11y.visual.clip.choice import AppearanceChoice, parse_appearance


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("embedded", AppearanceChoice("embedded")),
        ("clip", AppearanceChoice("clip", "ViT-B-32-quickgelu", "openai")),
        (" clip ", AppearanceChoice("clip", "ViT-B-32-quickgelu", "openai")),
        ("clip:ViT-L-14/laion2b_s32b_b82k", AppearanceChoice("clip", "ViT-L-14", "laion2b_s32b_b82k")),
        ("clip:ViT-B-32@/w/a@b.pt", AppearanceChoice("clip", "ViT-B-32", weights=Path("/w/a@b.pt"))),
    ],
)
def test_every_form_is_read(text: str, expected: AppearanceChoice) -> None:
    assert parse_appearance(text) == expected


@pytest.mark.parametrize("text", ["embedded", "clip:ViT-B-32-quickgelu/openai", "clip:ViT-B-32@/weights.pt"])
def test_a_choice_is_written_as_it_was_read(text: str) -> None:
    assert str(parse_appearance(text)) == text


def test_the_short_name_stands_for_the_published_model() -> None:
    assert str(parse_appearance("clip")) == "clip:ViT-B-32-quickgelu/openai"
    assert parse_appearance("clip").is_published
    assert not parse_appearance("clip:ViT-L-14/openai").is_published


def test_a_relative_path_starts_from_the_given_folder() -> None:
    choice = parse_appearance("clip:ViT-B-32@models/w.pt", base=Path("/project"))

    assert choice.weights == Path("/project/models/w.pt")


def test_a_tilde_is_the_home_folder(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", "/home/someone")
    monkeypatch.setenv("USERPROFILE", "/home/someone")

    assert parse_appearance("clip:ViT-B-32@~/w.pt").weights == Path("/home/someone/w.pt")


@pytest.mark.parametrize("text", ["", "Clip", "ssim", "embedded:1", "clipp:a/b"])
def test_an_unknown_backend_is_refused_with_the_forms_there_are(text: str) -> None:
    with pytest.raises(
        ConfigurationError, match=r"no appearance backend .* Choose embedded, clip, clip:MODEL/"
    ):
        parse_appearance(text)


@pytest.mark.parametrize(
    "text", ["clip:", "clip:ViT-B-32", "clip:/openai", "clip:ViT-B-32/", "clip:hf-hub:a/b"]
)
def test_a_model_without_weights_is_refused_with_an_example(text: str) -> None:
    with pytest.raises(
        ConfigurationError, match=r"Name a model and its weights, as in clip:ViT-B-32-quickgelu/"
    ):
        parse_appearance(text)


@pytest.mark.parametrize("text", ["clip:@/w.pt", "clip:ViT-B-32@"])
def test_half_a_file_choice_is_refused_with_an_example(text: str) -> None:
    with pytest.raises(ConfigurationError, match="Name both, as in clip:ViT-B-32-quickgelu@/path/to/weights"):
        parse_appearance(text)


def test_reading_a_choice_imports_no_model_library() -> None:
    code = (
        "import sys; from pytest_design2a11y.visual.clip import parse_appearance, require_clip; "
        "parse_appearance('clip'); "
        "print({'torch', 'torchvision', 'open_clip', 'cv2', 'huggingface_hub'} & set(sys.modules))"
    )

    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)

    assert done.stdout.strip() == "set()"

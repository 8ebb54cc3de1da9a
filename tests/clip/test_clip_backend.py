"""The backend embeds each picture once, in batches, and says what it is."""

from __future__ import annotations

import importlib.util
import io
from collections.abc import Callable
from pathlib import Path

import numpy
import pytest
from PIL import Image

from pytest_design2a11y.models.elements import Screenshot
from pytest_design2a11y.visual.clip import (
    ClipBackend,
    TextlessPicture,
    clip_appearance,
    find_weights,
    parse_appearance,
    require_clip,
)
from pytest_design2a11y.visual.clip import backend as backend_module
from pytest_design2a11y.visual.clip.backend import EmbeddingCache
from pytest_design2a11y.visual.clip.choice import AppearanceChoice, clip_libraries
from pytest_design2a11y.visual.clip.model import Model

_MISSING = [name for name in ("torch", "open_clip", "cv2") if importlib.util.find_spec(name) is None]

pytestmark = pytest.mark.skipif(
    bool(_MISSING), reason=f"needs the extra `clip`: {', '.join(_MISSING)} missing"
)

_MODEL = "backend-tiny"


@pytest.fixture(scope="module")
def folder(make_tiny_clip: Callable[..., Path]) -> Path:
    """Two sets of weights for one model."""
    return make_tiny_clip(_MODEL, 1, 2)


@pytest.fixture
def choice(folder: Path) -> AppearanceChoice:
    return parse_appearance(f"clip:{_MODEL}@{folder}/1.pt")


@pytest.fixture
def batches(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """The sizes of the batches that the model was given."""
    sizes: list[int] = []
    compute = Model.features

    def counting(self: Model, images: list[Image.Image]) -> object:
        sizes.append(len(images))
        return compute(self, images)

    monkeypatch.setattr(Model, "features", counting)
    return sizes


def _picture(seed: int) -> TextlessPicture:
    pixels = numpy.random.default_rng(seed).integers(0, 256, (60 + seed, 80, 3), dtype=numpy.uint8)
    stream = io.BytesIO()
    Image.fromarray(pixels).save(stream, "PNG")
    return TextlessPicture(Screenshot(stream.getvalue()), ((0.1, 0.1, 0.4, 0.2),))


def test_rows_have_length_one_and_come_in_the_order_of_the_pictures(choice: AppearanceChoice) -> None:
    pictures = [_picture(seed) for seed in (3, 1, 2)]

    rows = require_clip(choice).embed(pictures)

    assert rows.dtype == numpy.float32
    assert numpy.linalg.norm(rows, axis=1) == pytest.approx(1.0, abs=1e-6)
    for picture, row in zip(pictures, rows, strict=True):
        alone = require_clip(choice).embed([picture])[0]
        numpy.testing.assert_array_equal(alone, row)


def test_no_pictures_give_no_rows(choice: AppearanceChoice) -> None:
    assert len(require_clip(choice).embed([])) == 0


def test_pictures_are_embedded_in_batches_and_each_once(choice: AppearanceChoice, batches: list[int]) -> None:
    backend = require_clip(choice, batch_size=4)

    rows = backend.embed([_picture(seed % 9) for seed in range(18)])

    assert batches == [4, 4, 1]
    numpy.testing.assert_array_equal(rows[:9], rows[9:])


def test_a_picture_that_was_embedded_is_not_embedded_again(
    choice: AppearanceChoice, batches: list[int]
) -> None:
    backend = require_clip(choice)
    backend.embed([_picture(1)])

    backend.embed([_picture(1), _picture(2)])

    assert batches == [1, 1]


def test_other_boxes_are_another_picture(choice: AppearanceChoice, batches: list[int]) -> None:
    backend = require_clip(choice)
    rows = backend.embed([_picture(1), TextlessPicture(_picture(1).screenshot, ())])

    assert batches == [2]
    assert not numpy.array_equal(rows[0], rows[1])


def test_embeddings_on_disk_need_no_model(
    choice: AppearanceChoice, batches: list[int], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = require_clip(choice, cache_folder=tmp_path).embed([_picture(1), _picture(2)])
    monkeypatch.setattr(backend_module, "load_model", None)

    after = require_clip(choice, cache_folder=tmp_path, should_load=False).embed([_picture(1), _picture(2)])

    assert batches == [2]
    numpy.testing.assert_array_equal(before, after)


def test_other_weights_do_not_share_embeddings(folder: Path, batches: list[int], tmp_path: Path) -> None:
    rows = [
        require_clip(parse_appearance(f"clip:{_MODEL}@{folder}/{seed}.pt"), cache_folder=tmp_path).embed(
            [_picture(1)]
        )
        for seed in (1, 2)
    ]

    assert batches == [1, 1]
    assert not numpy.array_equal(rows[0], rows[1])


def test_another_device_does_not_share_embeddings(choice: AppearanceChoice, tmp_path: Path) -> None:
    weights = find_weights(choice)
    cache = EmbeddingCache(tmp_path)
    here, there = (ClipBackend(choice, weights, device=device, cache=cache) for device in ("cpu", "cuda"))

    assert here._salt != there._salt
    assert here.identity.replace(" cpu", " cuda") == there.identity


def test_what_is_remembered_is_bounded(
    choice: AppearanceChoice, batches: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(backend_module, "_REMEMBERED", 2)
    backend = require_clip(choice)
    for seed in (1, 2, 3):
        backend.embed([_picture(seed)])

    backend.embed([_picture(3), _picture(2)])
    backend.embed([_picture(1)])

    assert batches == [1, 1, 1, 1]


def test_a_page_equals_itself_exactly(choice: AppearanceChoice) -> None:
    backend = require_clip(choice, batch_size=1)
    for seed in range(10):
        one = _picture(seed)
        value = clip_appearance(
            reference=one.screenshot,
            candidate=one.screenshot,
            reference_boxes=one.boxes,
            candidate_boxes=list(one.boxes),
            backend=backend,
        )
        assert value == 1.0


def test_a_negative_cosine_counts_as_nothing_in_common(
    choice: AppearanceChoice, monkeypatch: pytest.MonkeyPatch
) -> None:
    backend = require_clip(choice)
    monkeypatch.setattr(
        backend, "embed", lambda pictures: numpy.array([[1.0, 0.0], [-0.6, 0.8]], dtype=numpy.float32)
    )
    one = _picture(1).screenshot

    value = clip_appearance(
        reference=one, candidate=one, reference_boxes=(), candidate_boxes=(), backend=backend
    )

    assert value == 0.0


def test_named_weights_are_part_of_the_identity(
    folder: Path, choice: AppearanceChoice, monkeypatch: pytest.MonkeyPatch
) -> None:
    record = {"file": str(folder / "1.pt")}
    monkeypatch.setitem(clip_libraries().open_clip.pretrained._PRETRAINED, _MODEL, {"first": record})
    by_file = require_clip(choice).identity

    by_name = require_clip(parse_appearance(f"clip:{_MODEL}/first")).identity

    assert by_name == by_file.replace(f"clip:{_MODEL} ", f"clip:{_MODEL}/first ")


@pytest.mark.parametrize(("width", "height"), [(1, 1), (1280, 1), (1, 900), (3, 2000)])
def test_pages_of_any_shape_can_be_embedded(choice: AppearanceChoice, width: int, height: int) -> None:
    stream = io.BytesIO()
    Image.new("RGB", (width, height), "navy").save(stream, "PNG")

    rows = require_clip(choice).embed(
        [TextlessPicture(Screenshot(stream.getvalue()), ((0.0, 0.0, 1.0, 1.0),))]
    )

    assert rows.shape == (1, 32)

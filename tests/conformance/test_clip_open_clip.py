"""The backend `clip` gives what open_clip and OpenCV give when they are called directly, step by step."""

from __future__ import annotations

import importlib.util
import io
import json
import warnings
import zipfile
from pathlib import Path
from typing import Any

import numpy
import pytest
from numpy.typing import NDArray
from PIL import Image

from pytest_design2a11y.exceptions import AppearanceUnavailable
from pytest_design2a11y.models.elements import Screenshot
from pytest_design2a11y.models.geometry import Box
from pytest_design2a11y.visual.clip import TextlessPicture, clip_appearance, parse_appearance, require_clip
from pytest_design2a11y.visual.clip.choice import PUBLISHED_MODEL, Libraries, clip_libraries, quiet_open_clip
from pytest_design2a11y.visual.clip.model import device_here

_MISSING = [name for name in ("torch", "open_clip", "cv2") if importlib.util.find_spec(name) is None]

pytestmark = pytest.mark.skipif(
    bool(_MISSING), reason=f"needs the extra `clip`: {', '.join(_MISSING)} missing"
)

_CONFIG = {
    "embed_dim": 32,
    "quick_gelu": True,
    "vision_cfg": {"image_size": 32, "layers": 2, "width": 64, "head_width": 32, "patch_size": 8},
    "text_cfg": {"context_length": 8, "vocab_size": 64, "width": 32, "heads": 2, "layers": 1},
}
_MODEL = "conformance-tiny-quickgelu"


@pytest.fixture(scope="module")
def libraries() -> Libraries:
    return clip_libraries()


@pytest.fixture(scope="module")
def weights(libraries: Libraries, tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """One seeded model in the three kinds of file that CLIP weights come in."""
    from safetensors.torch import save_file

    folder = tmp_path_factory.mktemp("tiny")
    configs = folder / "configs"
    configs.mkdir()
    (configs / f"{_MODEL}.json").write_text(json.dumps(_CONFIG), encoding="utf-8")
    libraries.open_clip.add_model_config(configs)
    libraries.torch.manual_seed(20240303)
    state = libraries.open_clip.create_model(_MODEL).state_dict()
    files = {"pickle": folder / "tiny.pt", "safetensors": folder / "tiny.safetensors"}
    libraries.torch.save(state, files["pickle"])
    save_file(state, files["safetensors"])
    return files


@pytest.fixture(scope="module")
def pages() -> tuple[Screenshot, Screenshot]:
    return _page(1, 700), _page(2, 300)


_BOXES: tuple[Box, ...] = ((0.1, 0.05, 0.5, 0.04), (0.1, 0.12, 0.7, 0.03), (0.55, 0.6, 0.3, 0.1))


def _page(seed: int, height: int) -> Screenshot:
    random = numpy.random.default_rng(seed)
    pixels = numpy.full((height, 400, 3), 255, dtype=numpy.uint8)
    pixels[: height // 5] = random.integers(0, 256, 3)
    pixels[height // 2 :, 150:] = random.integers(0, 256, (height - height // 2, 250, 3))
    stream = io.BytesIO()
    Image.fromarray(pixels).save(stream, "PNG")
    return Screenshot(stream.getvalue())


def _directly(libraries: Libraries, weights: Path, page: Screenshot, boxes: tuple[Box, ...]) -> Any:
    """The published steps, written with the libraries alone: the unit feature vector, shape (1, 32)."""
    cv2, torch = libraries.cv2, libraries.torch
    image = Image.open(io.BytesIO(page.png)).convert("RGB")
    if boxes:
        bgr = cv2.cvtColor(numpy.array(image), cv2.COLOR_RGB2BGR)
        mask = numpy.zeros(bgr.shape[:2], dtype=numpy.uint8)
        for x, y, w, h in boxes:
            left, top = int(x * image.width), int(y * image.height)
            mask[top : top + int(h * image.height), left : left + int(w * image.width)] = 255
        filled = cv2.inpaint(bgr, mask, 3, cv2.INPAINT_TELEA)
        image = Image.fromarray(cv2.cvtColor(filled, cv2.COLOR_BGR2RGB))
    side = min(image.size)
    model, _, validation = libraries.open_clip.create_model_and_transforms(_MODEL, pretrained=str(weights))
    with torch.no_grad():
        features = model.eval().encode_image(
            validation(image.resize((side, side), Image.Resampling.LANCZOS))[None]
        )
    return features / features.norm(dim=-1, keepdim=True)


@pytest.mark.parametrize("kind", ["pickle", "safetensors"])
def test_embeddings_equal_those_of_direct_calls(
    libraries: Libraries, weights: dict[str, Path], pages: tuple[Screenshot, Screenshot], kind: str
) -> None:
    backend = require_clip(parse_appearance(f"clip:{_MODEL}@{weights[kind]}"))
    pictures = [TextlessPicture(page, boxes) for page in pages for boxes in (_BOXES, ())]
    expected = [_directly(libraries, weights[kind], one.screenshot, one.boxes)[0] for one in pictures]

    actual = backend.embed(pictures)

    assert actual.shape == (4, 32)
    assert numpy.abs(actual - numpy.stack(expected)).max() < _tolerance()
    assert _least_distance(actual) > 1e-4


def _tolerance() -> float:
    """The direct calls run on the CPU; the backend may run on a GPU."""
    return 1e-6 if device_here() == "cpu" else 1e-4


def _least_distance(rows: NDArray[numpy.float32]) -> float:
    """How far apart the two most alike rows are: embeddings that are all the same would prove nothing."""
    return float(min(numpy.abs(rows[i] - rows[j]).max() for i in range(len(rows)) for j in range(i)))


@pytest.mark.parametrize("boxes", [_BOXES, ()], ids=["with text", "without text"])
def test_appearance_equals_the_cosine_of_direct_calls(
    libraries: Libraries,
    weights: dict[str, Path],
    pages: tuple[Screenshot, Screenshot],
    boxes: tuple[Box, ...],
) -> None:
    file = weights["safetensors"]
    first, second = (_directly(libraries, file, page, boxes) for page in pages)

    actual = clip_appearance(
        reference=pages[0],
        candidate=pages[1],
        reference_boxes=boxes,
        candidate_boxes=boxes,
        backend=require_clip(parse_appearance(f"clip:{_MODEL}@{file}")),
    )

    assert actual == pytest.approx((first @ second.T).item(), abs=_tolerance())
    assert actual < 0.9999


def test_the_kind_of_file_does_not_matter(
    weights: dict[str, Path], pages: tuple[Screenshot, Screenshot]
) -> None:
    picture = TextlessPicture(pages[0], _BOXES)
    rows = [
        require_clip(parse_appearance(f"clip:{_MODEL}@{file}")).embed([picture]) for file in weights.values()
    ]

    numpy.testing.assert_array_equal(rows[0], rows[1])


def test_named_weights_bring_their_own_preprocessing(
    libraries: Libraries,
    weights: dict[str, Path],
    pages: tuple[Screenshot, Screenshot],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    record = {
        "file": str(weights["safetensors"]),
        "quick_gelu": True,
        "mean": (0.5, 0.5, 0.5),
        "std": (0.5, 0.5, 0.5),
        "interpolation": "bilinear",
        "resize_mode": "squash",
    }
    monkeypatch.setitem(libraries.open_clip.pretrained._PRETRAINED, _MODEL, {"seeded": record})
    model, _, validation = libraries.open_clip.create_model_and_transforms(_MODEL, pretrained="seeded")
    squared = TextlessPicture(pages[0], ()).square()
    with libraries.torch.no_grad():
        expected = model.eval().encode_image(validation(squared)[None])[0]
    expected = expected / expected.norm()

    actual = require_clip(parse_appearance(f"clip:{_MODEL}/seeded")).embed([TextlessPicture(pages[0], ())])[0]

    plain = _directly(libraries, weights["safetensors"], pages[0], ())[0]
    assert numpy.abs(actual - expected.numpy()).max() < _tolerance()
    assert numpy.abs(actual - plain.numpy()).max() > 1e-4


def test_the_size_of_the_batch_does_not_matter(
    weights: dict[str, Path], pages: tuple[Screenshot, Screenshot]
) -> None:
    choice = parse_appearance(f"clip:{_MODEL}@{weights['pickle']}")
    pictures = [TextlessPicture(_page(seed, 120 + seed), _BOXES) for seed in range(7)]

    one_by_one = require_clip(choice, batch_size=1).embed(pictures)

    for batch_size in (2, 3, 16):
        together = require_clip(choice, batch_size=batch_size).embed(pictures)
        numpy.testing.assert_array_equal(together, one_by_one)


@pytest.mark.slow
def test_the_published_architecture_gives_the_same_bits_in_any_batch(
    libraries: Libraries, tmp_path: Path
) -> None:
    """605 MB of weights from a seed: their values are made up, the arithmetic is that of the real ones."""
    from safetensors.torch import save_file

    libraries.torch.manual_seed(20240303)
    with quiet_open_clip():
        save_file(libraries.open_clip.create_model(PUBLISHED_MODEL).state_dict(), tmp_path / "w.safetensors")
    choice = parse_appearance(f"clip:{PUBLISHED_MODEL}@{tmp_path / 'w.safetensors'}")
    pictures = [TextlessPicture(_page(seed, 120 + seed), _BOXES) for seed in range(6)]

    alone, together = (require_clip(choice, batch_size=size).embed(pictures) for size in (1, 6))

    numpy.testing.assert_array_equal(alone, together)


def test_torchscript_archives_as_openai_published_them_load(
    libraries: Libraries, weights: dict[str, Path], pages: tuple[Screenshot, Screenshot], tmp_path: Path
) -> None:
    model = libraries.open_clip.create_model(_MODEL, pretrained=str(weights["pickle"])).eval()
    model.attn_mask = model._buffers.pop("attn_mask")  # tracing would store it; the published files have none
    archive = tmp_path / "ViT-tiny.pt"
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # torch calls TorchScript old; the published files are such archives
        traced = libraries.torch.jit.trace(
            model,
            (libraries.torch.zeros(1, 3, 32, 32), libraries.torch.zeros(1, 8, dtype=libraries.torch.long)),
            check_trace=False,
        )
        traced.save(str(archive))
    picture = TextlessPicture(pages[0], _BOXES)

    actual = require_clip(parse_appearance(f"clip:{_MODEL}@{archive}")).embed([picture])

    expected = require_clip(parse_appearance(f"clip:{_MODEL}@{weights['pickle']}")).embed([picture])
    numpy.testing.assert_array_equal(actual, expected)


class _Trap:
    """A pickle that writes a file when it is loaded as code."""

    def __init__(self, mark: Path) -> None:
        self._mark = mark

    def __reduce__(self) -> tuple[object, ...]:
        return Path.touch, (self._mark,)


@pytest.mark.parametrize("member", ["sub/constants.pkl", "sub/sub/constants.pkl", "constants.pkl"])
def test_no_pickle_in_a_weights_file_runs_code(
    libraries: Libraries, weights: dict[str, Path], tmp_path: Path, member: str
) -> None:
    """A member of that name made the file pass for a TorchScript archive, and its pickle was run."""
    mark, checkpoint = tmp_path / "ran", tmp_path / "trap.pt"
    libraries.torch.save({"state_dict": _Trap(mark)}, checkpoint)
    with zipfile.ZipFile(checkpoint, "a") as archive:
        archive.writestr(f"trap/{member}", b"")

    with pytest.raises(AppearanceUnavailable, match=r"trap\.pt do not load into the model"):
        require_clip(parse_appearance(f"clip:{_MODEL}@{checkpoint}"))

    assert not mark.exists()

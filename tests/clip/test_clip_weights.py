"""Weights that are missing, damaged or not made for the model: each a clear error at the start."""

from __future__ import annotations

import hashlib
import importlib.util
import io
import json
import logging
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import Any

import pytest
from PIL import Image

from pytest_design2a11y.exceptions import AppearanceUnavailable, ConfigurationError
from pytest_design2a11y.models.elements import Screenshot
from pytest_design2a11y.visual.clip import (
    TextlessPicture,
    fetch_weights,
    find_weights,
    parse_appearance,
    require_clip,
)
from pytest_design2a11y.visual.clip.choice import Libraries, clip_libraries

_MISSING = [name for name in ("torch", "open_clip", "cv2") if importlib.util.find_spec(name) is None]

pytestmark = pytest.mark.skipif(
    bool(_MISSING), reason=f"needs the extra `clip`: {', '.join(_MISSING)} missing"
)

_VISION = {"image_size": 32, "layers": 2, "width": 64, "head_width": 32, "patch_size": 8}
_TEXT = {"context_length": 8, "vocab_size": 64, "width": 32, "heads": 2, "layers": 1}
_CONFIGS = {
    "unit-tiny": {"embed_dim": 32, "vision_cfg": _VISION, "text_cfg": _TEXT},
    "unit-tiny-quickgelu": {"embed_dim": 32, "quick_gelu": True, "vision_cfg": _VISION, "text_cfg": _TEXT},
    "unit-wide": {"embed_dim": 32, "vision_cfg": {**_VISION, "width": 96}, "text_cfg": _TEXT},
}
_REPOSITORY = "someone/tiny-clip"
_FILENAME = "open_clip_model.safetensors"


@pytest.fixture(scope="module")
def libraries(tmp_path_factory: pytest.TempPathFactory) -> Libraries:
    folder = tmp_path_factory.mktemp("configs")
    for name, config in _CONFIGS.items():
        (folder / f"{name}.json").write_text(json.dumps(config), encoding="utf-8")
    found = clip_libraries()
    found.open_clip.add_model_config(folder)
    return found


@pytest.fixture(scope="module")
def files(libraries: Libraries, tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    from safetensors.torch import save_file

    folder = tmp_path_factory.mktemp("weights")
    libraries.torch.manual_seed(8)
    state = libraries.open_clip.create_model("unit-tiny").state_dict()
    libraries.torch.save(state, folder / "tiny.pt")
    save_file(state, folder / "tiny.safetensors")
    return {"pt": folder / "tiny.pt", "safetensors": folder / "tiny.safetensors"}


@pytest.fixture
def hub_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    from huggingface_hub import constants

    folder = tmp_path / "hub"
    monkeypatch.setattr(constants, "HF_HUB_CACHE", str(folder))
    return folder


@pytest.fixture
def named(libraries: Libraries, hub_cache: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Weights that open_clip knows by name, for both activations as its own table has it; not downloaded."""
    record = {"hf_hub": f"{_REPOSITORY}/", "url": "", "quick_gelu": True}
    for model in ("unit-tiny", "unit-tiny-quickgelu"):
        monkeypatch.setitem(libraries.open_clip.pretrained._PRETRAINED, model, {"quick": record})
    return hub_cache


def _put_in_cache(cache: Path, content: bytes, *, name: str | None = None) -> Path:
    """Lay a file into a hub cache as the hub's client does; returns the link in the snapshot."""
    folder = cache / ("models--" + _REPOSITORY.replace("/", "--"))
    snapshot = folder / "snapshots" / ("a" * 40)
    for part in (folder / "blobs", folder / "refs", snapshot):
        part.mkdir(parents=True)
    (folder / "refs" / "main").write_text("a" * 40, encoding="utf-8")
    blob = folder / "blobs" / (name or hashlib.sha256(content).hexdigest())
    blob.write_bytes(content)
    link = snapshot / _FILENAME
    link.symlink_to(Path("../../blobs") / blob.name)
    return link


def _refusal(text: str, *, should_load: bool = True) -> str:
    with pytest.raises(AppearanceUnavailable) as caught:
        require_clip(parse_appearance(text), should_load=should_load)
    assert caught.value.stage == "appearance"
    assert caught.value.advice
    return str(caught.value)


class TestWeightsFiles:
    @pytest.mark.parametrize("kind", ["pt", "safetensors"])
    def test_whole_weights_of_the_model_load(
        self, libraries: Libraries, files: dict[str, Path], kind: str
    ) -> None:
        backend = require_clip(parse_appearance(f"clip:unit-tiny@{files[kind]}"))

        sha256 = hashlib.sha256(files[kind].read_bytes()).hexdigest()
        device = "cuda" if libraries.torch.cuda.is_available() else "cpu"
        assert backend.identity == f"clip:unit-tiny sha256:{sha256[:12]} {device}"

    def test_a_missing_file_is_named(self, libraries: Libraries, tmp_path: Path) -> None:
        message = _refusal(f"clip:unit-tiny@{tmp_path}/none.pt")

        assert f"The weights file {tmp_path}/none.pt cannot be read: No such file or directory." in message
        assert "Name the weights file itself after the @" in message

    def test_a_folder_is_no_file(self, libraries: Libraries, tmp_path: Path) -> None:
        assert "cannot be read: Is a directory." in _refusal(f"clip:unit-tiny@{tmp_path}")

    @pytest.mark.parametrize("kind", ["pt", "safetensors"])
    @pytest.mark.parametrize("share", [0.01, 0.5, 0.99])
    def test_a_half_downloaded_file_is_refused(
        self, files: dict[str, Path], tmp_path: Path, kind: str, share: float
    ) -> None:
        whole = files[kind].read_bytes()
        file = tmp_path / f"half.{kind}"
        file.write_bytes(whole[: int(len(whole) * share)])

        message = _refusal(f"clip:unit-tiny@{file}")

        assert f"The weights in {file} do not load into the model unit-tiny: " in message
        assert "Copy or fetch the whole file again" in message

    def test_a_file_of_something_else_is_refused(self, libraries: Libraries, tmp_path: Path) -> None:
        file = tmp_path / "notes.pt"
        file.write_bytes(b"these are no weights at all" * 100)

        assert "do not load into the model unit-tiny: " in _refusal(f"clip:unit-tiny@{file}")

    def test_a_pickle_of_something_else_runs_no_code(self, libraries: Libraries, tmp_path: Path) -> None:
        file = tmp_path / "evil.pt"
        libraries.torch.save({"state_dict": _Writer(tmp_path / "written")}, file)

        assert "do not load into the model unit-tiny: " in _refusal(f"clip:unit-tiny@{file}")
        assert not (tmp_path / "written").exists()

    @pytest.mark.parametrize("kind", ["pt", "safetensors"])
    def test_weights_of_another_architecture_are_refused(self, files: dict[str, Path], kind: str) -> None:
        message = _refusal(f"clip:unit-wide@{files[kind]}")

        assert "do not load into the model unit-wide: Error(s) in loading state_dict" in message
        assert "or name the model that they were made for" in message

    def test_weights_that_give_no_numbers_are_refused(self, libraries: Libraries, tmp_path: Path) -> None:
        state = libraries.open_clip.create_model("unit-tiny").state_dict()
        state["visual.proj"].fill_(float("nan"))
        libraries.torch.save(state, tmp_path / "nan.pt")
        backend = require_clip(parse_appearance(f"clip:unit-tiny@{tmp_path}/nan.pt"))
        stream = io.BytesIO()
        Image.new("RGB", (40, 30), "white").save(stream, "PNG")

        with pytest.raises(AppearanceUnavailable, match="gave no usable numbers for a picture"):
            backend.embed([TextlessPicture(Screenshot(stream.getvalue()), ())])


class _Writer:
    """Writes a file when it is unpickled."""

    def __init__(self, path: Path) -> None:
        self._path = path

    def __reduce__(self) -> tuple[Any, ...]:
        return Path.write_text, (self._path, "ran")


class TestActivation:
    def test_plain_vit_b_32_with_openai_weights_is_refused_with_the_reason(
        self, libraries: Libraries
    ) -> None:
        message = _refusal("clip:ViT-B-32/openai")

        assert "these weights were trained with QuickGELU, and the model ViT-B-32 computes GELU" in message
        assert "Choose clip:ViT-B-32-quickgelu/openai." in message

    def test_fetching_refuses_them_before_it_downloads(self, named: Path) -> None:
        with pytest.raises(AppearanceUnavailable, match="trained with QuickGELU"):
            fetch_weights(parse_appearance("clip:unit-tiny/quick"), say=print)

    def test_a_file_is_known_by_the_configuration_beside_it(
        self, files: dict[str, Path], tmp_path: Path
    ) -> None:
        file = tmp_path / "model.safetensors"
        file.write_bytes(files["safetensors"].read_bytes())
        config = {"model_cfg": _CONFIGS["unit-tiny"]}
        (tmp_path / "open_clip_config.json").write_text(json.dumps(config), encoding="utf-8")

        message = _refusal(f"clip:unit-tiny-quickgelu@{file}")

        assert "trained with GELU, and the model unit-tiny-quickgelu computes QuickGELU" in message
        assert require_clip(parse_appearance(f"clip:unit-tiny@{file}")).identity


class TestNamedWeights:
    def test_weights_that_are_not_here_stop_with_every_way_out(self, named: Path) -> None:
        message = _refusal("clip:unit-tiny-quickgelu/quick")

        assert "The weights of clip:unit-tiny-quickgelu/quick are not on this machine" in message
        assert f"looked for the model hub ({_REPOSITORY}) in {named}" in message
        assert "design2a11y assets clip --appearance clip:unit-tiny-quickgelu/quick." in message
        assert "choose clip:unit-tiny-quickgelu@/path/to/weights" in message
        assert "another machine's hub cache" in message
        assert "HF_HUB_OFFLINE=1" in message

    def test_the_published_weights_need_no_name_to_be_fetched(
        self, libraries: Libraries, hub_cache: Path
    ) -> None:
        assert "Fetch them once with: design2a11y assets clip. " in _refusal("clip")

    def test_a_copied_hub_cache_is_used_without_a_network(
        self, named: Path, files: dict[str, Path], monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr("socket.socket.connect", _no_network)
        content = files["safetensors"].read_bytes()
        link = _put_in_cache(named, content)

        weights = find_weights(parse_appearance("clip:unit-tiny-quickgelu/quick"))

        assert weights.path == link
        assert weights.sha256 == hashlib.sha256(content).hexdigest()
        identity = require_clip(parse_appearance("clip:unit-tiny-quickgelu/quick")).identity
        assert identity.startswith(f"clip:unit-tiny-quickgelu/quick sha256:{weights.sha256[:12]} ")

    def test_an_unknown_model_is_answered_with_similar_names(self, libraries: Libraries) -> None:
        message = _refusal("clip:ViT-B-23-quickgelu/openai")

        assert 'open_clip knows no model "ViT-B-23-quickgelu"' in message
        assert "ViT-B-32-quickgelu" in message

    def test_unknown_weights_are_answered_with_those_there_are(self, libraries: Libraries) -> None:
        message = _refusal("clip:ViT-B-32-quickgelu/opnai")

        assert 'open_clip knows no weights "opnai" for the model ViT-B-32-quickgelu. ' in message
        assert "It knows openai" in message


def _no_network(*_: object) -> None:
    raise AssertionError("the network was used")


class _Hub(BaseHTTPRequestHandler):
    """As much of the model hub's protocol as its client needs for one file."""

    content = b""
    requests: list[str]

    def do_HEAD(self) -> None:
        self._answer(send_body=False)

    def do_GET(self) -> None:
        self._answer(send_body=True)

    def _answer(self, *, send_body: bool) -> None:
        self.requests.append(f"{self.command} {self.path}")
        if not self.path.endswith(_FILENAME):
            self.send_response(404)
            self.send_header("X-Error-Code", "EntryNotFound")
            self.send_header("Content-Length", "0")
            self.end_headers()
            return
        self.send_response(200)
        self.send_header("ETag", f'"{hashlib.sha256(self.content).hexdigest()}"')
        self.send_header("X-Repo-Commit", "b" * 40)
        self.send_header("Content-Length", str(len(self.content)))
        self.end_headers()
        if send_body:
            self.wfile.write(self.content)

    def log_message(self, *_: object) -> None:
        return


@pytest.fixture
def hub(files: dict[str, Path], monkeypatch: pytest.MonkeyPatch) -> Iterator[type[_Hub]]:
    from huggingface_hub import constants

    handler = type("Hub", (_Hub,), {"content": files["safetensors"].read_bytes(), "requests": []})
    server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
    thread = Thread(target=server.serve_forever, daemon=True)
    thread.start()
    monkeypatch.setattr(constants, "ENDPOINT", f"http://127.0.0.1:{server.server_port}")
    monkeypatch.setattr(
        constants,
        "HUGGINGFACE_CO_URL_TEMPLATE",
        constants.ENDPOINT + "/{repo_id}/resolve/{revision}/{filename}",
    )
    yield handler
    server.shutdown()
    server.server_close()
    thread.join()


class TestFetching:
    def test_weights_are_downloaded_once_and_used_from_then_on(self, named: Path, hub: type[_Hub]) -> None:
        choice = parse_appearance("clip:unit-tiny-quickgelu/quick")
        said: list[str] = []

        weights = fetch_weights(choice, say=said.append)

        sha256 = hashlib.sha256(hub.content).hexdigest()
        assert weights.sha256 == sha256
        assert weights.path.is_relative_to(named)
        assert said == [
            f"Fetching the weights of {choice} from the model hub ({_REPOSITORY}) to {named}",
            f"The weights of {choice} are in {weights.path} (0.5 MB, sha256 {sha256})",
        ]
        num_requests = len(hub.requests)
        assert fetch_weights(choice, say=said.append) == weights
        assert require_clip(choice).identity
        assert len(hub.requests) == num_requests

    def test_a_hub_without_the_file_is_an_error(
        self, named: Path, hub: type[_Hub], monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(hub, "_answer", _not_found)

        with pytest.raises(AppearanceUnavailable, match=r"could not be downloaded from the model hub"):
            fetch_weights(parse_appearance("clip:unit-tiny-quickgelu/quick"), say=lambda line: None)

    def test_offline_mode_is_named_as_the_reason(self, named: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        from huggingface_hub import constants

        monkeypatch.setattr(constants, "HF_HUB_OFFLINE", True)

        with pytest.raises(AppearanceUnavailable, match="HF_HUB_OFFLINE is set"):
            fetch_weights(parse_appearance("clip:unit-tiny-quickgelu/quick"), say=lambda line: None)

    def test_a_file_needs_no_fetching(self, files: dict[str, Path]) -> None:
        said: list[str] = []
        weights = fetch_weights(parse_appearance(f"clip:unit-tiny@{files['pt']}"), say=said.append)

        assert weights.path == files["pt"]
        assert [line.partition(" are in ")[2].partition(" (")[0] for line in said] == [str(files["pt"])]


def _not_found(handler: _Hub, *, send_body: bool) -> None:
    handler.send_response(404)
    handler.send_header("X-Error-Code", "EntryNotFound")
    handler.send_header("Content-Length", "0")
    handler.end_headers()


def test_a_batch_of_nothing_is_refused(files: dict[str, Path]) -> None:
    with pytest.raises(ConfigurationError, match="The CLIP batch size 0 is impossible"):
        require_clip(parse_appearance(f"clip:unit-tiny@{files['pt']}"), batch_size=0)


def test_the_root_logger_stays_as_it_was(files: dict[str, Path], tmp_path: Path) -> None:
    root = logging.getLogger()
    before = list(root.handlers), list(root.filters), root.level
    copy = tmp_path / "copy.pt"
    copy.write_bytes(files["pt"].read_bytes())

    require_clip(parse_appearance(f"clip:unit-tiny@{copy}"))

    assert (list(root.handlers), list(root.filters), root.level) == before


def test_open_clip_is_silent_while_others_may_log(
    files: dict[str, Path], tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    from pytest_design2a11y.visual.clip.choice import quiet_open_clip

    copy = tmp_path / "copy.safetensors"
    copy.write_bytes(files["safetensors"].read_bytes())
    with caplog.at_level(logging.DEBUG):
        require_clip(parse_appearance(f"clip:unit-tiny@{copy}"))
        with quiet_open_clip():
            logging.getLogger().info("from elsewhere, on the root logger")

    assert [record.message for record in caplog.records if record.name == "root"] == [
        "from elsewhere, on the root logger"
    ]


def test_a_process_loads_a_model_once(files: dict[str, Path], monkeypatch: pytest.MonkeyPatch) -> None:
    from pytest_design2a11y.visual.clip import model

    choice = parse_appearance(f"clip:unit-tiny@{files['pt']}")
    require_clip(choice)
    monkeypatch.setattr(model, "_create", _no_network)

    assert require_clip(choice).identity

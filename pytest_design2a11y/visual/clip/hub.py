"""Where named weights come from, and where they lie once they are here."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pytest_design2a11y.exceptions import AppearanceUnavailable
from pytest_design2a11y.models.paths import expanded
from pytest_design2a11y.visual.clip.libraries import clip_libraries

_SHA256_DIGITS = 64


@dataclass(frozen=True, slots=True)
class Origin:
    """Where open_clip gets weights from: a repository of the model hub, an address, or a file.

    Attributes:
        repository: Name on the hub; "" where the weights come from elsewhere.
        filenames: Names that the weights may have there, the first that exists counts.
        url: Address of weights that are not on the hub.
        file: A file that open_clip's table names itself.
    """

    repository: str = ""
    filenames: tuple[str, ...] = ()
    url: str = ""
    file: str = ""

    @property
    def name(self) -> str:
        """How errors name what was looked for."""
        return self.repository or self.filenames[0]

    @property
    def address(self) -> str:
        """Where the weights are downloaded from."""
        return f"the model hub ({self.repository})" if self.repository else self.url

    @property
    def folder(self) -> Path:
        """The cache folder that holds the weights once they are here."""
        if self.file:
            return Path(self.file).parent
        if not self.repository:
            return expanded("~/.cache/clip")
        from huggingface_hub import constants

        return Path(constants.HF_HUB_CACHE)

    def find(self) -> Path | None:
        """The weights' file, None where it is not on this machine; uses no network."""
        if not self.repository:
            path = Path(self.file) if self.file else self.folder / self.filenames[0]
            return path if path.is_file() else None
        from huggingface_hub import try_to_load_from_cache

        for filename in self.filenames:
            found = try_to_load_from_cache(self.repository, filename)
            if isinstance(found, str):
                return Path(found)
        return None

    def promised_sha256(self, path: Path) -> str:
        """The hash, or its beginning, that the file should have; "" where nothing says it.

        The hub's cache names large files by their hash; OpenAI's and open_clip's addresses contain it.
        """
        if self.repository:
            name = path.readlink().name if path.is_symlink() else ""
            return name if len(name) == _SHA256_DIGITS else ""
        return self._sha256_in_url()

    def is_source_of(self, path: Path, sha256: str) -> bool:
        """Whether the file can be told to be these weights, by its hash or its place in a hub cache."""
        promised = self._sha256_in_url()
        if promised and sha256.startswith(promised):
            return True
        folder = "models--" + self.repository.replace("/", "--")
        return bool(self.repository) and folder in path.parts and path.name in self.filenames

    def bytes_broken_off(self) -> int:
        """How much of an unfinished download lies in the hub's cache."""
        if not self.repository:
            return 0
        blobs = self.folder / ("models--" + self.repository.replace("/", "--")) / "blobs"
        return sum(part.stat().st_size for part in blobs.glob("*.incomplete"))

    def _sha256_in_url(self) -> str:
        if "openaipublic" in self.url:
            return self.url.split("/")[-2]
        if "mlfoundations" in self.url:
            return Path(self.url).stem.rpartition("-")[2]
        return ""


def origin_of(record: Mapping[str, Any]) -> Origin:
    """Read one entry of open_clip's table of weights, with open_clip's own order of preference."""
    url = str(record.get("url", ""))
    if record.get("file"):
        return Origin(file=str(record["file"]), filenames=(Path(record["file"]).name,))
    repository, _, filename = str(record.get("hf_hub", "")).rpartition("/")
    if not repository:
        return Origin(url=url, filenames=(Path(url).name,))
    return Origin(repository=repository, filenames=_filenames(filename), url=url)


def _filenames(filename: str) -> tuple[str, ...]:
    from open_clip.constants import HF_SAFE_WEIGHTS_NAME, HF_WEIGHTS_NAME

    filename = filename or HF_WEIGHTS_NAME
    if filename == HF_WEIGHTS_NAME:
        return HF_SAFE_WEIGHTS_NAME, filename
    path = Path(filename)
    return (path.stem + ".safetensors", filename) if path.suffix in {".bin", ".pth"} else (filename,)


def download(origin: Origin) -> None:
    """Download weights to the cache folder where `find` looks."""
    try:
        _download(origin)
    except Exception as error:
        raise AppearanceUnavailable(
            f"The weights could not be downloaded from {origin.address}: {_first_line(error)}",
            stage="appearance",
            advice=_advice(),
        ) from error


def _download(origin: Origin) -> None:
    if not origin.repository:
        clip_libraries().open_clip.download_pretrained_from_url(origin.url)
        return
    from huggingface_hub import hf_hub_download
    from huggingface_hub.errors import LocalEntryNotFoundError, RemoteEntryNotFoundError

    for filename in origin.filenames[:-1]:
        try:
            hf_hub_download(origin.repository, filename)
        except LocalEntryNotFoundError:
            raise
        except RemoteEntryNotFoundError:
            continue
        return
    hf_hub_download(origin.repository, origin.filenames[-1])


def _advice() -> str:
    from huggingface_hub import constants

    if constants.HF_HUB_OFFLINE:
        return (
            "HF_HUB_OFFLINE is set, which keeps the hub's client off the network: unset it for this command."
        )
    return (
        "Run the command again where the network works; behind a proxy set HTTPS_PROXY, for a mirror "
        "HF_ENDPOINT. Or copy the weights file here by other means and choose clip:MODEL@/path/to/weights."
    )


def _first_line(error: Exception) -> str:
    return next((line.strip() for line in str(error).splitlines() if line.strip()), type(error).__name__)

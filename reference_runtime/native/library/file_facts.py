"""Read facts from a library's file before it is loaded: the version of TensorRT, and whether it uses CUDA."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from msgspec import Struct

from reference_runtime.native.abi.facts import EPOCHS, epoch_of
from reference_runtime.native.elf import reading
from reference_runtime.native.library.errors import LibraryError

if TYPE_CHECKING:
    from pathlib import Path

#: The functions that return a library's creators: the first since TensorRT 10, the second before.
ENTRIES: Final = ("getCreators", "getPluginCreators")
#: The name of a function that registers a library's creators, as NVIDIA's ``initLibNvInferPlugins`` does.
_INITIALISER: Final = re.compile(r"initLib\w*Plugins")
_TENSORRT: Final = re.compile(r"libnvinfer(?:_\w+)?\.so(?:\.(\d+))?")
_NVIDIA: Final = re.compile(
    r"lib(nvinfer|nvonnxparser|nvparsers|cudart|cublas|cudnn|cuda\.|nvrtc|cufft|curand|cusparse|cusolver|nvToolsExt)"
)
_CUDA_RUNTIME: Final = re.compile(r"libcudart\.so")
_CUDA_SYMBOL: Final = re.compile(r"(__)?cuda[A-Z_]|cu[A-Z]|cublas|cudnn|nvrtc|cufft|curand|cusparse|cusolver|nvtx")


class FileFacts(Struct, frozen=True):
    """The facts that a library's file states about the library.

    Attributes:
        library: The content of the file.
        epoch: The epoch of the TensorRT that it was linked against; None if the file names no version.
        tensorrt: The name of TensorRT's library that it needs; empty if it needs none.
        has_cuda: Whether it calls CUDA.
        has_cuda_inside: Whether CUDA's runtime was linked into it statically.
    """

    library: reading.Library
    epoch: str | None
    tensorrt: str
    has_cuda: bool
    has_cuda_inside: bool

    @property
    def without_creators(self) -> str:
        """Return the message for a library in which no creator was found."""
        said = f"{self.path} holds no creator: it registers none, and exports no getCreators or initLib...Plugins"
        doubt = "; its file does not name its TensorRT, so try another API level: 8.6, 10 or 11"
        return said if self.epoch else f"{said}{doubt}"

    @property
    def path(self) -> Path:
        """Return the path of the file."""
        return self.library.path

    @property
    def entries(self) -> tuple[str, ...]:
        """Return the names of the exported functions that return its creators."""
        return tuple(name for name in ENTRIES if name in self.library.exported)

    @property
    def initialisers(self) -> list[str]:
        """The functions that register its creators when an application calls them: ``initLib...Plugins``."""
        return sorted(filter(_INITIALISER.fullmatch, self.library.own_functions))

    @property
    def cuda_symbols(self) -> tuple[str, ...]:
        """Return the symbols that the library needs from CUDA's libraries."""
        return tuple(each.name for each in self.library.undefined if _CUDA_SYMBOL.match(each.name))


def look_at(path: Path) -> FileFacts:
    """Return the facts in a library's file; none of its code runs.

    Raises:
        LibraryError: The file cannot be read, is no shared library, or needs an unknown version of TensorRT.
    """
    try:
        library = reading.read(path)
    except OSError as error:
        raise LibraryError(f"{path}: {error.strerror}") from error
    except reading.NotALibraryError as error:
        raise LibraryError(f"{path}: {error}") from error
    tensorrt = next((name for name in library.needed if is_of_tensorrt(name)), "")
    match = _TENSORRT.match(tensorrt)
    epoch = None
    if match is not None and match[1]:
        epoch = epoch_of(int(match[1]))
        if epoch is None:
            raise LibraryError(f"{path} needs {tensorrt}, and this runtime knows TensorRT 8.5 to {EPOCHS[-1]}")
    is_shared = any(_CUDA_RUNTIME.match(name) for name in library.needed)
    inside = not is_shared and b"cudaGetExportTable" in library.data
    has_cuda = inside or any(_CUDA_SYMBOL.match(each.name) for each in library.undefined)
    return FileFacts(library, epoch, tensorrt, has_cuda, inside)


def is_of_tensorrt(name: str) -> bool:
    """Return whether a library belongs to TensorRT, by its name."""
    return _TENSORRT.match(name) is not None


def is_of_nvidia(name: str) -> bool:
    """Return whether a library belongs to NVIDIA, by its name."""
    return _NVIDIA.match(name) is not None

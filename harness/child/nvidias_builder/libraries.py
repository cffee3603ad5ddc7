"""A library of C++ plugins in the builder's process: loaded with stand-ins, and offered to NVIDIA's registry.

The library's own calls of the registry reach this package's stand-in. So a builder with the
tables of TensorRT 11 takes a library for TensorRT 10.
"""

from __future__ import annotations

import contextlib
import ctypes
import re
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from harness.child.native_library import LOADED, module_of
from harness.process.flight_recorder import record, returned
from reference_runtime.native.abi.slots import DELETE, Abi
from reference_runtime.native.elf.loading import Pairs
from reference_runtime.native.proxies.creators import NativeCreatorV3
from reference_runtime.native.services.forwarding import Forwarding

if TYPE_CHECKING:
    from harness.protocol.messages import ChildSettings
    from reference_runtime.native.library.loading import LoadedLibrary

#: The file of NVIDIA's library among those that a process has mapped.
_NVIDIAS: Final = re.compile(r"(/\S*/lib(?:tensorrt_rtx|nvinfer)\.so\S*)$", re.MULTILINE)
#: The package whose builder has the tables of TensorRT 11, whatever its own version is.
_RTX: Final = "tensorrt_rtx"
_NEWEST: Final = "11"
_KEPT: Final[list[Any]] = []


def load(settings: ChildSettings, trt: Any, runtime: str) -> None:
    """Load the library of the settings; a builder of NVIDIA's gets its creators of version 3, too."""
    module = module_of(Path(settings.module).absolute(), settings)
    if runtime:
        epoch = _NEWEST if runtime == _RTX else trt.__version__.partition(".")[0]
        _offer(getattr(module, LOADED), Abi(epoch))


def _offer(loaded: LoadedLibrary, nvidias: Abi) -> None:
    """Register forwarding objects in NVIDIA's registry; one of a name that it has already is left out."""
    forwarding = Forwarding(loaded.objects.abi.epoch.name, Pairs(), _watched)
    _KEPT.append(forwarding)
    registry = _registry()
    overloaded = "registerCreator/2"
    method = overloaded if nvidias.has("IPluginRegistry", overloaded) else "registerCreator"
    for creator in loaded.creators:
        if isinstance(creator, NativeCreatorV3):
            address = forwarding.of(creator.this, "IPluginCreatorV3One")
            nvidias.call(registry, "IPluginRegistry", method, address, creator.plugin_namespace.encode())


def _registry() -> int:
    """Return the address of NVIDIA's registry."""
    (file, *_) = _NVIDIAS.findall(Path("/proc/self/maps").read_text("utf-8"))
    function = ctypes.CDLL(file).getPluginRegistry
    function.restype = ctypes.c_void_p
    address: int = function()
    return address


@contextlib.contextmanager
def _watched(_this: int, interface: str, method: str) -> Iterator[None]:
    """Write a call into the flight recorder while it runs."""
    record(interface, "destructor" if method == DELETE else method.partition("/")[0], "a build")
    yield
    returned()

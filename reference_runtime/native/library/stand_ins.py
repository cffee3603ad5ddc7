"""Load stand-ins for the libraries of NVIDIA that a library needs: TensorRT's always, CUDA's on the host device.

A function of CUDA that this runtime lacks becomes a function that notes that a GPU is needed. That error is raised when
the call into the plugin has returned.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, Final

from reference_runtime.bound.errors import NeedsGpu
from reference_runtime.native.abi.facts import version_number
from reference_runtime.native.cuda.calls import SUCCESS
from reference_runtime.native.elf.loading import load_stand_in
from reference_runtime.native.exchange.misuses import note
from reference_runtime.native.library.file_facts import is_of_nvidia, is_of_tensorrt

if TYPE_CHECKING:
    from reference_runtime.native.library.file_facts import FileFacts

_NOT_SUPPORTED: Final = 801
_POINTER: Final = ctypes.CFUNCTYPE(ctypes.c_void_p)
_NUMBER: Final = ctypes.CFUNCTYPE(ctypes.c_int32)
_BY_NUMBER: Final = ctypes.CFUNCTYPE(ctypes.c_void_p, ctypes.c_int32)
_TRUTH: Final = ctypes.CFUNCTYPE(ctypes.c_bool, ctypes.c_void_p, ctypes.c_char_p)


def tensorrt_functions(version: str, registry: int, logger: int) -> dict[str, Any]:
    """Return the C functions of ``libnvinfer`` that plugins call; registry and logger are addresses of C++ objects."""
    major, minor, patch = map(int, version.split("."))
    return {
        "getPluginRegistry": _POINTER(lambda: registry),
        "getBuilderPluginRegistry": _BY_NUMBER(lambda _: registry),
        "getLogger": _POINTER(lambda: logger),
        "getInferLibVersion": _NUMBER(lambda: version_number(version)),
        "getInferLibMajorVersion": _NUMBER(lambda: major),
        "getInferLibMinorVersion": _NUMBER(lambda: minor),
        "getInferLibPatchVersion": _NUMBER(lambda: patch),
        "getInferLibBuildVersion": _NUMBER(lambda: 0),
        "initLibNvInferPlugins": _TRUTH(lambda *_: True),
    }


def provide(facts: FileFacts, functions: Mapping[str, Any], cuda: Mapping[str, Any] | None) -> None:
    """Load stand-ins for a library's dependencies; None for ``cuda`` means that CUDA's own libraries are installed."""
    symbols = {each.name: each for each in facts.library.undefined}
    offered = dict(functions)
    if cuda is not None:
        offered |= {name: cuda.get(name) or absent(name) for name in facts.cuda_symbols}
    libraries: dict[str, dict[str, Any]] = {facts.tensorrt or "libnvinfer.so": {}}
    for name in facts.library.needed:
        if is_of_tensorrt(name) or (is_of_nvidia(name) and cuda is not None):
            libraries[name] = {}
    home = next(iter(libraries))
    for name, function in offered.items():
        owner = symbols[name].library if name in symbols else ""
        libraries[owner if owner in libraries else home][name] = function
    for name, held in libraries.items():
        versions = {each: symbols[each].version for each in held if each in symbols}
        load_stand_in(name, held, versions)


def absent(name: str) -> Any:
    """Return a function in place of a function that this runtime lacks; it notes that a GPU is needed.

    A function of CUDA's runtime returns "not supported". Any other function, such as one of cuBLAS, returns success, as
    the launch of a kernel without a stand-in does.
    """

    def refuse() -> int:
        note(NeedsGpu(f"{name}, which the library calls,"))
        return _NOT_SUPPORTED if name.startswith(("cuda", "__cuda")) else SUCCESS

    made: Callable[[], int] = refuse
    return _NUMBER(made)

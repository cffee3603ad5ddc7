"""Open a stand-in when a library of plugins opens cuBLAS, cuDNN or CUDA's driver with ``dlopen``.

The stand-in has the functions for handles of cuBLAS and cuDNN on the host device. For any other function, a plugin
receives a replacement that notes at each call that a GPU is needed.
"""

from __future__ import annotations

import ctypes
import re
from pathlib import PurePath
from typing import TYPE_CHECKING, Any, ClassVar, Final

from reference_runtime.native.abi.slots import address_of_code
from reference_runtime.native.cuda import handles
from reference_runtime.native.cuda.calls import callback
from reference_runtime.native.elf.imports import rebind
from reference_runtime.native.elf.loading import load_stand_in
from reference_runtime.native.exchange.misuses import LibraryMissingError, note
from reference_runtime.native.library.file_facts import is_of_nvidia
from reference_runtime.native.library.stand_ins import absent

if TYPE_CHECKING:
    from reference_runtime.native.elf.reading import Library

_STOOD_IN: Final = re.compile(r"lib(cublas|cublasLt|cudnn|cuda)\.so")
_STAND_IN: Final = "trt_conformance_handles.so"
_OPENER: Final = ctypes.CFUNCTYPE(ctypes.c_void_p, ctypes.c_char_p, ctypes.c_int)
_FINDER: Final = ctypes.CFUNCTYPE(ctypes.c_void_p, ctypes.c_void_p, ctypes.c_char_p)


class _Opened:
    """The stand-in's handle, and the functions in place of those that it does not have, by name."""

    handle: ClassVar[int] = 0
    absent: ClassVar[dict[str, Any]] = {}


def _open(name: bytes | None, mode: int) -> Any:
    """Open a library, or the stand-in for it; note an error if the machine lacks a library of NVIDIA's."""
    plain = PurePath((name or b"").decode(errors="replace")).name
    if _STOOD_IN.match(plain):
        return _dlopen(_STAND_IN.encode(), mode)
    opened = _dlopen(name, mode)
    if not opened and is_of_nvidia(plain):
        note(LibraryMissingError(f"{plain}, which the plugin opens and this machine does not have,"))
    return opened


def _find(handle: int | None, name: bytes) -> Any:
    """Look up a function; what the stand-in does not have becomes a function that notes that a GPU is needed."""
    function = _dlsym(handle, name)
    if function or handle != _Opened.handle:
        return function
    plain = name.decode(errors="replace")
    if plain not in _Opened.absent:
        _Opened.absent[plain] = absent(plain)
    return address_of_code(_Opened.absent[plain])


_C: Final[Any] = ctypes.CDLL(None)
_dlopen, _dlsym = _OPENER(("dlopen", _C)), _FINDER(("dlsym", _C))
_OURS: Final = {"dlopen": _OPENER(_open), "dlsym": _FINDER(_find)}


def watch(library: Library) -> None:
    """Redirect a loaded library's calls of ``dlopen`` and ``dlsym`` to this module."""
    if _OURS.keys().isdisjoint(name for name, _ in library.imports()):
        return
    if not _Opened.handle:
        functions = {name: callback(types, function) for name, (types, function) in handles.FUNCTIONS.items()}
        _Opened.handle = load_stand_in(_STAND_IN, functions)._handle  # noqa: SLF001 - what dlopen returned
    rebind(library, {name: address_of_code(each) for name, each in _OURS.items()})

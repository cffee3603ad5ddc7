"""Create, set up and destroy handles of cuBLAS and cuDNN on the host device. Computing with them needs a GPU."""

from __future__ import annotations

import ctypes
import itertools
from collections.abc import Callable
from typing import Any, Final

from reference_runtime.native.cuda.calls import SUCCESS, store
from reference_runtime.native.exchange.misuses import MisuseError, note

#: The function that creates each kind of handle or descriptor, and the function that destroys it.
_PAIRS: Final = {
    "cublasCreate_v2": "cublasDestroy_v2",
    "cublasLtCreate": "cublasLtDestroy",
    "cudnnCreate": "cudnnDestroy",
    "cudnnCreateTensorDescriptor": "cudnnDestroyTensorDescriptor",
    "cudnnCreateFilterDescriptor": "cudnnDestroyFilterDescriptor",
    "cudnnCreateConvolutionDescriptor": "cudnnDestroyConvolutionDescriptor",
    "cudnnCreateActivationDescriptor": "cudnnDestroyActivationDescriptor",
    "cudnnCreatePoolingDescriptor": "cudnnDestroyPoolingDescriptor",
}
#: The functions that change a handle or descriptor, with the types of their other arguments, as letters of ``calls``.
_SETTERS: Final = {
    "cublasSetStream_v2": "p",
    "cublasSetMathMode": "i",
    "cublasSetPointerMode_v2": "i",
    "cublasSetAtomicsMode": "i",
    "cublasSetWorkspace_v2": "pz",
    "cudnnSetStream": "p",
    "cudnnSetTensor4dDescriptor": "iiiiii",
    "cudnnSetTensorNdDescriptor": "iipp",
    "cudnnSetTensorNdDescriptorEx": "iiip",
    "cudnnDeriveBNTensorDescriptor": "pi",
    "cudnnSetFilter4dDescriptor": "iiiiii",
    "cudnnSetConvolution2dDescriptor": "iiiiiiii",
    "cudnnSetConvolutionGroupCount": "i",
    "cudnnSetConvolutionMathType": "i",
}
_INVALID: Final = 3
_LIVE: Final[dict[int, str]] = {}
_ADDRESSES: Final = itertools.count(0x1D0000000010, 16)
"""The values of handles. No memory is at these addresses, because only CUDA's own libraries look into a handle."""
_ERROR: Final = ctypes.create_string_buffer(b"an error of the host device")


def _maker(kind: str) -> Callable[[int], None]:
    def make(where: int) -> None:
        handle = next(_ADDRESSES)
        _LIVE[handle] = kind
        store(where, handle)

    return make


def _destroyer(kind: str, name: str) -> Callable[[int], int]:
    def destroy(handle: int) -> int:
        if handle and _LIVE.pop(handle, "") != kind:
            note(MisuseError(f"{name} was given a handle that {kind} did not create, or that was destroyed before"))
            return _INVALID
        return SUCCESS

    return destroy


def _setter(name: str) -> Callable[..., int]:
    def change(handle: int, *_: object) -> int:
        if handle not in _LIVE:
            note(MisuseError(f"{name} was given a handle that was not created, or was destroyed before"))
            return _INVALID
        return SUCCESS

    return change


FUNCTIONS: Final[dict[str, tuple[str, Callable[..., Any]]]] = {
    **{kind: ("ip", _maker(kind)) for kind in _PAIRS},
    **{name: ("ip", _destroyer(kind, name)) for kind, name in _PAIRS.items()},
    **{name: (f"ip{types}", _setter(name)) for name, types in _SETTERS.items()},
    "cublasGetStatusString": ("pi", lambda _: ctypes.addressof(_ERROR)),
    "cudnnGetErrorString": ("pi", lambda _: ctypes.addressof(_ERROR)),
}

"""Register the kernels of compiled plugins, and run the case's stand-ins when they are launched.

A library registers each kernel: its mangled name, and the address of a function on the host. A launch passes this
address and a pointer to the arguments. The types of the arguments are in the demangled name.
"""

from __future__ import annotations

import ctypes
import re
import struct
import threading
from collections.abc import Callable, Sequence
from typing import Any, Final

from reference_runtime.bridges import stand_ins
from reference_runtime.native.abi.type_names import demangled
from reference_runtime.native.cuda.calls import Dim3, store

_HANDLE: Final = 0x1000
_FORMATS: Final = {
    "float": "f", "double": "d", "int": "i", "unsigned int": "I", "long": "q", "unsigned long": "Q", "bool": "?",
    "__half": "e", "char": "b", "signed char": "b", "unsigned char": "B", "short": "h", "unsigned short": "H",
    "long long": "q", "unsigned long long": "Q",
}  # fmt: skip
_KERNELS: Final[dict[int, str]] = {}


class _Configurations(threading.local):
    def __init__(self) -> None:
        self.pushed: list[tuple[Dim3, Dim3, int, int]] = []


_CONFIGURATIONS: Final = _Configurations()


def register(stub: int, name: str) -> None:
    """Record the mangled name of a kernel under the address of its function on the host."""
    _KERNELS[stub] = name


def registered() -> list[str]:
    """Return the mangled names of all kernels that libraries have registered."""
    return list(_KERNELS.values())


def _push(grid: Dim3, block: Dim3, shared: int, stream: int) -> int:
    copies = (Dim3(*grid.extents), Dim3(*block.extents))
    _CONFIGURATIONS.pushed.append((*copies, shared, stream))
    return 0


def _pop(grid: int, block: int, shared: int, stream: int) -> None:
    grid_held, block_held, shared_held, stream_held = _CONFIGURATIONS.pushed.pop()
    for where, held in ((grid, grid_held), (block, block_held)):
        ctypes.memmove(where, ctypes.addressof(held), ctypes.sizeof(held))
    store(shared, shared_held)
    store(stream, stream_held)


def _launch(*values: Any) -> None:
    stub, grid, block, arguments, shared, stream = values
    name, parameters = name_and_parameters(_KERNELS.get(stub, "an unknown kernel"))
    plain = re.sub(r"<.*", "", name).rpartition("::")[2]
    declared = ", ".join(f"{kind} argument_{place}" for place, kind in enumerate(parameters))
    kernel = stand_ins.Kernel(plain, "CUDA kernel", f"__global__ void {plain}({declared})")
    how = stand_ins.Launch(name, grid.extents, block.extents, shared)
    stand_ins.launch(kernel, how, _arguments(arguments, parameters), stream)


def _arguments(where: int, parameters: Sequence[str]) -> list[Any]:
    return [
        _argument(ctypes.c_void_p.from_address(where + 8 * place).value or 0, kind)
        for place, kind in enumerate(parameters)
    ]


def _argument(where: int, kind: str) -> Any:
    """Return one argument: an address, a number, or None for any other value."""
    if kind.endswith("*"):
        return ctypes.c_void_p.from_address(where).value or 0
    code = _FORMATS.get(kind.removesuffix(" const"))
    return struct.unpack(f"<{code}", ctypes.string_at(where, struct.calcsize(code)))[0] if code else None


def name_and_parameters(mangled: str) -> tuple[str, list[str]]:
    """Return the name of a kernel as it is written in C++, and the types of its parameters."""
    shown = demangled(mangled)
    if not shown.endswith(")"):
        return shown, []
    depth, begin = 0, 0
    for place in range(len(shown) - 1, -1, -1):
        depth += (shown[place] == ")") - (shown[place] == "(")
        if not depth:
            begin = place
            break
    name = shown[:begin]
    if "<" in name and " " in name.partition("<")[0]:  # a function template's name begins with the type of its result
        name = name.partition(" ")[2]
    return name, _split(shown[begin + 1 : -1])


def _split(text: str) -> list[str]:
    depth, parts = 0, [""]
    for character in text:
        depth += (character in "<(") - (character in ">)")
        if character == "," and not depth:
            parts.append("")
        else:
            parts[-1] += character
    return [part.strip() for part in parts if part.strip() not in {"", "void"}]


FUNCTIONS: Final[dict[str, tuple[str, Callable[..., Any]]]] = {
    "__cudaRegisterFatBinary": ("pp", lambda _: _HANDLE),
    "__cudaRegisterFatBinaryEnd": ("vp", lambda _: None),
    "__cudaUnregisterFatBinary": ("vp", lambda _: None),
    "__cudaInitModule": ("bp", lambda _: True),
    "__cudaRegisterFunction": ("vpppsipppp" + "p", lambda _, stub, __, name, *___: register(stub, name.decode())),
    "__cudaRegisterVar": ("vpppsizii", lambda *_: None),
    "__cudaGetKernel": ("ipp", store),
    "__cudaPushCallConfiguration": ("uddzp", _push),
    "__cudaPopCallConfiguration": ("ipppp", _pop),
    "cudaLaunchKernel": ("ipddpzp", _launch),
    "__cudaLaunchKernel": ("ipddpzp", _launch),
    "cudaFuncSetAttribute": ("ipii", lambda *_: None),
    "cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags": (
        "ippizu",
        lambda where, *_: store(where, 1, ctypes.c_int),
    ),
}

"""Find functions that a library exports under names of the C runtime, CUDA or TensorRT, which it would replace."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from reference_runtime.native.cuda.functions import cuda_functions
from reference_runtime.native.library.stand_ins import tensorrt_functions

if TYPE_CHECKING:
    from reference_runtime.native.elf.reading import Library

_BUILDING: Final = ("createInferBuilder_INTERNAL", "createInferRuntime_INTERNAL")
_ALLOCATORS: Final = ("malloc", "calloc", "realloc", "free", "memalign", "aligned_alloc", "posix_memalign")
_OPERATORS: Final = (
    *(f"_Zn{kind}m{more}" for kind in "wa" for more in ("", "RKSt9nothrow_t")),
    *(f"_Zd{kind}Pv{more}" for kind in "la" for more in ("", "m", "RKSt9nothrow_t")),
)
#: A library that exports this has the C++ runtime inside: its operators are the runtime's own, and replace no others.
_CPP_RUNTIME: Final = "__cxa_throw"


def clashes(library: Library) -> list[tuple[str, str]]:
    """Return the name of each function that clashes, with the owner of the name.

    Weak functions, such as those of inline code, replace no others and are left out.
    """
    operators = () if _CPP_RUNTIME in library.exported else _OPERATORS
    owners = dict.fromkeys([*_ALLOCATORS, *operators], "the C or C++ runtime")
    owners |= dict.fromkeys(cuda_functions(), "CUDA")
    owners |= dict.fromkeys([*tensorrt_functions("0.0.0", 0, 0), *_BUILDING], "TensorRT")
    return [(name, owners[name]) for name in sorted(library.own_functions & owners.keys())]

"""Collect the functions of CUDA, cuBLAS and cuDNN that the host device provides."""

from __future__ import annotations

from typing import Any

from reference_runtime.native.cuda import handles, kernels, memory, ordering, queries
from reference_runtime.native.cuda.calls import callback
from reference_runtime.native.cuda.failing import able_to_fail


def cuda_functions() -> dict[str, Any]:
    """Return a callback for each function that the host device provides, by the function's name."""
    declared = {**memory.FUNCTIONS, **ordering.FUNCTIONS, **queries.FUNCTIONS, **kernels.FUNCTIONS, **handles.FUNCTIONS}
    return {name: callback(types, able_to_fail(name, function)) for name, (types, function) in declared.items()}

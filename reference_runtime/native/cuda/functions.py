"""All functions of CUDA's runtime that the host device has, by their names."""

from __future__ import annotations

from typing import Any

from reference_runtime.native.cuda import handles, kernels, memory, ordering, queries
from reference_runtime.native.cuda.calls import callback
from reference_runtime.native.cuda.failing import able_to_fail


def cuda_functions() -> dict[str, Any]:
    """Return a callback for each of them."""
    declared = {**memory.FUNCTIONS, **ordering.FUNCTIONS, **queries.FUNCTIONS, **kernels.FUNCTIONS, **handles.FUNCTIONS}
    return {name: callback(types, able_to_fail(name, function)) for name, (types, function) in declared.items()}

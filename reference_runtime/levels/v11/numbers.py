"""Enumerations of TensorRT 11 whose members or numbers differ from 10.16, and three new enumerations."""

from __future__ import annotations

from typing import Final

from reference_runtime.bound.enumeration import Enumeration, enumeration

CHANGED: Final = {
    "BuilderFlag": {
        "DEBUG": 2,
        "GPU_FALLBACK": 3,
        "REFIT": 4,
        "DISABLE_TIMING_CACHE": 5,
        "TF32": 6,
        "SPARSE_WEIGHTS": 7,
        "SAFETY_SCOPE": 8,
        "DIRECT_IO": 11,
        "VERSION_COMPATIBLE": 12,
        "EXCLUDE_LEAN_RUNTIME": 13,
        "ERROR_ON_TIMING_CACHE_MISS": 15,
        "DISABLE_COMPILATION_CACHE": 17,
        "STRIP_PLAN": 18,
        "REFIT_IDENTICAL": 19,
        "WEIGHT_STREAMING": 20,
        "REFIT_INDIVIDUAL": 22,
        "STRICT_NANS": 23,
        "MONITOR_MEMORY": 24,
        "EDITABLE_TIMING_CACHE": 26,
        "DISTRIBUTIVE_INDEPENDENCE": 27,
    },
    "CollectiveOperation": {
        "ALL_REDUCE": 0,
        "ALL_GATHER": 1,
        "BROADCAST": 2,
        "REDUCE": 3,
        "REDUCE_SCATTER": 4,
        "ALL_TO_ALL": 5,
        "GATHER": 6,
        "SCATTER": 7,
    },
    "NetworkDefinitionCreationFlag": {
        "STRONGLY_TYPED": 0,
        "PREFER_JIT_PYTHON_PLUGINS": 1,
        "PREFER_AOT_PYTHON_PLUGINS": 2,
    },
    "PreviewFeature": {"ALIASED_PLUGIN_IO_10_03": 0, "RUNTIME_ACTIVATION_RESIZE_10_10": 1},
    "TacticSource": {"EDGE_MASK_CONVOLUTIONS": 0, "JIT_CONVOLUTIONS": 1},
}


@enumeration(PADDED_BHND=0, PACKED_NHD=1)
class AttentionIOForm(Enumeration, bound=True):
    """The layout of sequences of different lengths in an attention's tensors."""


@enumeration(NONE=0, UPPER_LEFT=1, LOWER_RIGHT=2)
class CausalMaskKind(Enumeration, bound=True):
    """The corner at which an attention's causal mask begins."""


@enumeration(DEFAULT=0, SHARED_STATIC=1)
class DLAWorkspaceAllocationStrategy(Enumeration, bound=True):
    """The way in which engines on a DLA get their workspace."""


NEW: Final = {
    "AttentionIOForm": AttentionIOForm,
    "CausalMaskKind": CausalMaskKind,
    "DLAWorkspaceAllocationStrategy": DLAWorkspaceAllocationStrategy,
}

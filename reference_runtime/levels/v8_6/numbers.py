"""Enumerations of TensorRT 8.6 whose members or numbers differ from 10.16.

``LayerType`` and the modes of layers stay as they are in 10.16. Their numbers of 8.6 are in no source that this project
has, and no plugin asks for them.
"""

from __future__ import annotations

from typing import Final


def _in_turn(*names: str) -> dict[str, int]:
    return {name: number for number, name in enumerate(names)}


CHANGED: Final = {
    "BuilderFlag": _in_turn(
        "FP16",
        "INT8",
        "DEBUG",
        "GPU_FALLBACK",
        "STRICT_TYPES",
        "REFIT",
        "DISABLE_TIMING_CACHE",
        "TF32",
        "SPARSE_WEIGHTS",
        "SAFETY_SCOPE",
        "OBEY_PRECISION_CONSTRAINTS",
        "PREFER_PRECISION_CONSTRAINTS",
        "DIRECT_IO",
        "REJECT_EMPTY_ALGORITHMS",
        "ENABLE_TACTIC_HEURISTIC",
        "VERSION_COMPATIBLE",
        "EXCLUDE_LEAN_RUNTIME",
        "FP8",
    ),
    "DataType": _in_turn("FLOAT", "HALF", "INT8", "INT32", "BOOL", "UINT8", "FP8"),
    "EngineCapability": {
        "DEFAULT": 0,
        "SAFE_GPU": 1,
        "SAFE_DLA": 2,
        "STANDARD": 0,
        "SAFETY": 1,
        "DLA_STANDALONE": 2,
    },
    "HardwareCompatibilityLevel": _in_turn("NONE", "AMPERE_PLUS"),
    "MemoryPoolType": _in_turn("WORKSPACE", "DLA_MANAGED_SRAM", "DLA_LOCAL_DRAM", "DLA_GLOBAL_DRAM", "TACTIC_DRAM"),
    "NetworkDefinitionCreationFlag": _in_turn("EXPLICIT_BATCH", "EXPLICIT_PRECISION"),
    "OnnxParserFlag": _in_turn("NATIVE_INSTANCENORM"),
    "PluginFieldType": _in_turn("FLOAT16", "FLOAT32", "FLOAT64", "INT8", "INT16", "INT32", "CHAR", "DIMS", "UNKNOWN"),
    "PreviewFeature": _in_turn(
        "FASTER_DYNAMIC_SHAPES_0805", "DISABLE_EXTERNAL_TACTIC_SOURCES_FOR_CORE_0805", "PROFILE_SHARING_0806"
    ),
    "ProfilingVerbosity": {"LAYER_NAMES_ONLY": 0, "NONE": 1, "DETAILED": 2, "DEFAULT": 0, "VERBOSE": 2},
}

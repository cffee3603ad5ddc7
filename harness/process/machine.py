"""Identify the machine and the software of a measurement, without using the GPU.

The host's name is left out, because each container has a new name. The kernel's release is left out, too.
"""

from __future__ import annotations

import importlib.metadata
import os
import platform
import re
from pathlib import Path
from typing import Final

from harness.process import gpus

_DRIVER: Final = Path("/proc/driver/nvidia/version")
_PROCESSORS: Final = Path("/proc/cpuinfo")
#: Distributions whose code can run in a call of ``enqueue``.
_LIBRARIES: Final = (
    "pytest-trt-conformance",
    "numpy",
    "cupy",
    "cupy-cuda12x",
    "cupy-cuda13x",
    "cuda-bindings",
    "numba",
    "numba-cuda",
    "torch",
    "triton",
)
_NONE: Final = "none"


def identity() -> dict[str, str]:
    """Return facts by name; they are equal for two measurements on the same machine with the same software."""
    return {
        "cpu": _cpu(),
        "cpus": str(os.cpu_count()),
        "system": f"{platform.system()} {platform.machine()}",
        "gpus": ", ".join(gpus.models()) or _NONE,
        "gpu driver": driver() or _NONE,
        "python": f"{platform.python_implementation()} {platform.python_version()}",
        **{name: version for name in _LIBRARIES if (version := version_of(name))},
    }


def driver(file: Path = _DRIVER) -> str:
    """Return the version of the GPUs' driver; empty without a driver."""
    version = re.search(r"\d+\.\d+(\.\d+)?", file.read_text()) if file.is_file() else None
    return version.group() if version else ""


def _cpu() -> str:
    lines = _PROCESSORS.read_text().splitlines() if _PROCESSORS.is_file() else []
    pairs = (line.partition(":") for line in lines)
    named = next((value.strip() for key, _, value in pairs if key.strip() == "model name"), "")
    return named or platform.processor() or platform.machine()


def version_of(name: str) -> str:
    """Return the version of a distribution; empty if it is not installed."""
    try:
        return importlib.metadata.version(name)
    except importlib.metadata.PackageNotFoundError:
        return ""

"""Which machine a measurement is from, and with which software, as a process can tell that has not touched the GPU.

The name of the host is left out, because each container makes one up; so is the kernel's release.
"""

from __future__ import annotations

import importlib.metadata
import os
import platform
import re
from pathlib import Path
from typing import Final

__all__ = ["differences", "driver", "gpus", "identity"]

_DRIVER: Final = Path("/proc/driver/nvidia")
_PROCESSORS: Final = Path("/proc/cpuinfo")
#: Distributions whose code takes part in a call of ``enqueue``, where they are installed.
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
    """Return what must be the same for two measurements to be of the same machine and software, by name."""
    return {
        "cpu": _cpu(),
        "cpus": str(os.cpu_count()),
        "system": f"{platform.system()} {platform.machine()}",
        "gpus": ", ".join(gpus()) or _NONE,
        "gpu driver": driver() or _NONE,
        "python": f"{platform.python_implementation()} {platform.python_version()}",
        **{name: version for name in _LIBRARIES if (version := _version(name))},
    }


def differences(then: dict[str, str], now: dict[str, str]) -> list[str]:
    """Return in words where two identities differ."""
    return [
        f"{name}: {then.get(name, _NONE)!r} there, {now.get(name, _NONE)!r} here"
        for name in {**then, **now}
        if then.get(name, _NONE) != now.get(name, _NONE)
    ]


def gpus(folder: Path = _DRIVER / "gpus") -> list[str]:
    """Return the models of the GPUs that the driver names; none where there is no driver."""
    return [line for file in sorted(folder.glob("*/information")) for line in _values(file.read_text(), "Model")]


def driver(file: Path = _DRIVER / "version") -> str:
    """Return the version of the GPUs' driver; empty where there is none."""
    found = re.search(r"\d+\.\d+(\.\d+)?", file.read_text()) if file.is_file() else None
    return found.group() if found else ""


def _cpu(file: Path = _PROCESSORS) -> str:
    named = _values(file.read_text(), "model name") if file.is_file() else []
    return named[0] if named else platform.processor() or platform.machine()


def _values(text: str, name: str) -> list[str]:
    split = (line.partition(":") for line in text.splitlines())
    return [value.strip() for key, _, value in split if key.strip() == name]


def _version(name: str) -> str:
    try:
        return importlib.metadata.version(name)
    except importlib.metadata.PackageNotFoundError:
        return ""

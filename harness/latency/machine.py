"""Which machine a measurement is from, as far as a process can tell that has not touched the GPU."""

from __future__ import annotations

from pathlib import Path

__all__ = ["gpus"]

_DRIVER = Path("/proc/driver/nvidia/gpus")


def gpus(folder: Path = _DRIVER) -> list[str]:
    """Return the models of the GPUs that the driver names; none where there is no driver."""
    return [line for file in sorted(folder.glob("*/information")) for line in _model(file.read_text())]


def _model(text: str) -> list[str]:
    return [line.partition(":")[2].strip() for line in text.splitlines() if line.startswith("Model:")]

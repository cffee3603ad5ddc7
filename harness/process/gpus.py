"""Find the GPUs of this machine: how many CuPy can use, their models, and which a pytest-xdist worker uses.

Theory: each worker gets one of the GPUs that the run may use, in turn. ``CUDA_VISIBLE_DEVICES`` says which GPUs a
process sees, and CUDA numbers them from 0. Most plugins use device 0, which is then the GPU of their worker. The
variable is set only for children, so the worker's own tests see the same GPUs as before. No verdict depends on it.
"""

from __future__ import annotations

import functools
import importlib.util
import re
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Final

from harness.process import own_clock

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

#: The variable by which CUDA knows which GPUs a process may use: numbers or identifiers, separated by commas.
VARIABLE = "CUDA_VISIBLE_DEVICES"
_WORKER = re.compile(r"gw(\d+)")
_INFORMATION: Final = Path("/proc/driver/nvidia/gpus")
_COUNT: Final = "import cupy; print(cupy.cuda.runtime.getDeviceCount())"
_COUNT_SECONDS: Final = 60


@functools.cache
def usable() -> int:
    """Return the number of GPUs that the real CuPy finds in a separate process; 0 if CuPy cannot be used.

    That process is started once, because CuPy's import takes a second. It is not started if the driver has no device
    file, or if CuPy is not installed.
    """
    if not any(Path("/dev").glob("nvidia[0-9]*")) or importlib.util.find_spec("cupy") is None:
        return 0
    counting = [sys.executable, "-c", _COUNT]
    try:
        done = own_clock.output_of(counting, seconds=_COUNT_SECONDS)
    except subprocess.TimeoutExpired:
        return 0
    return 0 if done.returncode else int(done.stdout)


def models(folder: Path = _INFORMATION) -> list[str]:
    """Return the model of each GPU, as the driver names it; empty without a driver."""
    informations = sorted(folder.glob("*/information"))
    pairs = (line.partition(":") for file in informations for line in file.read_text().splitlines())
    return [model.strip() for key, _, model in pairs if key.strip() == "Model"]


def share_of(worker: str, environment: Mapping[str, str], count: Callable[[], int]) -> dict[str, str]:
    """Return the variable to set for a worker's children, with its value; empty without workers or GPUs.

    Args:
        worker: The worker as pytest-xdist names it (``gw0``, ``gw1``, ...); empty without workers.
        environment: The environment of this process. If it names GPUs, workers share only these.
        count: Returns the number of GPUs; called if the environment names none.
    """
    number = _WORKER.fullmatch(worker)
    if number is None:
        return {}
    named = environment.get(VARIABLE)
    usable = [str(each) for each in range(count())] if named is None else _usable(named)
    return {VARIABLE: usable[int(number[1]) % len(usable)]} if usable else {}


def _usable(named: str) -> list[str]:
    """Return the GPUs in a value of the variable; like CUDA, ignore the first invalid entry and all behind it."""
    valid: list[str] = []
    for word in map(str.strip, named.split(",")):
        if not word or word.startswith("-"):
            break
        valid.append(word)
    return valid

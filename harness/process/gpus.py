"""The GPUs of this machine: how many CuPy can use, their models, and which a worker of pytest-xdist uses.

Theory: workers take turns over the GPUs that the run may use. ``CUDA_VISIBLE_DEVICES`` says which GPUs a process sees,
and CUDA numbers those from 0. So a plugin that uses device 0 gets the GPU of its worker. All plugins that do not know
of others use device 0. The variable is set for children alone: what else a worker runs sees what it saw before. No
verdict depends on it.
"""

from __future__ import annotations

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


def usable() -> int:
    """Return how many GPUs the real CuPy finds, in a separate process; 0 where it cannot be used.

    Where the driver has made no device, no module is imported.
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
    """Return the models of the GPUs that the driver names; none where there is no driver."""
    informations = sorted(folder.glob("*/information"))
    pairs = (line.partition(":") for file in informations for line in file.read_text().splitlines())
    return [model.strip() for key, _, model in pairs if key.strip() == "Model"]


def share_of(worker: str, environment: Mapping[str, str], count: Callable[[], int]) -> dict[str, str]:
    """Return what to add to the environment of a worker's children; empty if it has no GPUs to share.

    Args:
        worker: The worker as pytest-xdist names it (``gw0``, ``gw1``, ...); empty where there are no workers.
        environment: The environment of this process; GPUs that it names are shared, and no others.
        count: Returns the number of GPUs, for an environment that names none.
    """
    number = _WORKER.fullmatch(worker)
    if number is None:
        return {}
    named = environment.get(VARIABLE)
    usable = [str(each) for each in range(count())] if named is None else _usable(named)
    return {VARIABLE: usable[int(number[1]) % len(usable)]} if usable else {}


def _usable(named: str) -> list[str]:
    """Return the GPUs of a list as CUDA reads it: up to the first that is none."""
    found: list[str] = []
    for word in map(str.strip, named.split(",")):
        if not word or word.startswith("-"):
            break
        found.append(word)
    return found

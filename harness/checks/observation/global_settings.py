"""Settings of the process and its libraries that outlive a call, and belong to the whole application."""

from __future__ import annotations

import gc
import os
import random
import sys
import warnings
from typing import Any

import numpy as np

WARNING_FILTERS = "the filters of warnings"


def global_settings() -> dict[str, str]:
    """Return each setting by its name, in a form that can be compared."""
    kind, keys, *rest = np.random.get_state()  # noqa: NPY002 - the global state is what plugins may disturb
    return {
        **settings_of_process(),
        "random's state": repr(hash(random.getstate())),
        "NumPy's random state": repr((kind, np.asarray(keys).tobytes(), *rest)),
    }


def settings_of_process() -> dict[str, str]:
    """Return the settings that are no generator of random numbers, each by its name."""
    settings = {
        "the working folder": os.readlink("/proc/self/cwd"),  # noqa: PTH115 - also where it was removed
        "os.environ": repr(sorted(os.environ.items())),
        "NumPy's error handling": repr(sorted(np.geterr().items())),
        "NumPy's print options": repr(sorted(np.get_printoptions().items(), key=str)),
        "the recursion limit": repr(sys.getrecursionlimit()),
        "garbage collection": repr(gc.isenabled()),
        WARNING_FILTERS: repr(warnings.filters),
    }
    cupy: Any = sys.modules.get("cupy")
    if cupy is not None:
        settings["CuPy's current stream"] = repr(cupy.cuda.get_current_stream().ptr)
        settings["the current device"] = repr(cupy.cuda.runtime.getDevice())
    torch: Any = sys.modules.get("torch")
    if torch is not None:
        settings["torch's default type"] = repr(torch.get_default_dtype())
    return settings


def changed(before: dict[str, str], after: dict[str, str]) -> list[str]:
    """Return the names of the settings that differ."""
    return [name for name in before if name in after and before[name] != after[name]]

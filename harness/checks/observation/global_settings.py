"""Compare settings of the process and its libraries, which belong to the application and not to a plugin."""

from __future__ import annotations

import contextlib
import decimal
import gc
import locale
import logging
import os
import random
import signal
import sys
import warnings
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Iterator

    from reference_runtime.calling.gate.gate import CallOutcome, Event

WARNING_FILTERS = "the filters of warnings"
#: Attributes of ``sys`` that an application may replace.
_OF_SYS = ("excepthook", "displayhook", "stdout", "stderr")
_SIGNALS = sorted(signal.valid_signals())
#: A seed that a plugin would not choose.
_UNUSUAL = 0x5EED5EED


def global_settings() -> dict[str, str]:
    """Return all settings by name, including the states of random generators, as texts that can be compared."""
    kind, keys, *rest = np.random.get_state()  # noqa: NPY002 - the global state is what plugins may disturb
    return {
        **settings_of_process(),
        "random's state": repr(hash(random.getstate())),
        "NumPy's random state": repr((kind, np.asarray(keys).tobytes(), *rest)),
    }


def settings_of_process() -> dict[str, str]:
    """Return the settings by name, without the states of random generators, as texts that can be compared."""
    settings = {
        "the working folder": os.readlink("/proc/self/cwd"),  # noqa: PTH115 - also where it was removed
        "os.environ": repr(sorted(os.environ.items())),
        "NumPy's error handling": repr(sorted(np.geterr().items())),
        "NumPy's print options": repr(sorted(np.get_printoptions().items(), key=str)),
        "the size of NumPy's buffers": repr(np.getbufsize()),
        "NumPy's error callback": repr(np.geterrcall()),
        "the precision of decimals": repr(decimal.getcontext().prec),
        "the locale": repr(locale.setlocale(locale.LC_ALL)),
        "the switch interval": repr(sys.getswitchinterval()),
        "the mask of new files": _mask_of_new_files(),
        "the recursion limit": repr(sys.getrecursionlimit()),
        "garbage collection": repr(gc.isenabled()),
        WARNING_FILTERS: repr(warnings.filters),
        "the root logger": repr((logging.root.level, logging.root.handlers)),
        "the handlers of signals": repr([signal.getsignal(number) for number in _SIGNALS]),
        **{f"sys.{name}": repr(getattr(sys, name, None)) for name in _OF_SYS},
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
    """Return the names of the settings that exist in both and differ."""
    return [name for name in before if name in after and before[name] != after[name]]


class SettingsWatch:
    """An observer of callbacks that change settings.

    Libraries may change the filters of warnings when they are loaded. So a change of the filters in the first call of a
    method is undone and not reported. A plugin that changes them itself does so in each call, and is reported then.

    Attributes:
        changes: Each changed setting, with the first method that changed it.
        looks: The number of calls that were compared.
    """

    def __init__(self) -> None:
        self.changes: dict[str, str] = {}
        self.looks = 0
        self._before: list[tuple[dict[str, str], list[Any]]] = []
        self._seen: set[str] = set()

    def before(self, event: Event) -> None:  # noqa: ARG002 - an observer's signature
        """Record the settings before a callback."""
        self._before.append((global_settings(), list(warnings.filters)))

    def after(self, event: Event, outcome: CallOutcome) -> None:  # noqa: ARG002 - as above
        """Compare the settings after a callback with those before it."""
        before, filters = self._before.pop()
        self.looks += 1
        for name in changed(before, global_settings()):
            if name != WARNING_FILTERS or event.method in self._seen:
                self.changes.setdefault(name, event.method)
            else:
                warnings.filters[:] = filters  # type: ignore[index]  # it is a list
        self._seen.add(event.method)


@contextlib.contextmanager
def unusual_settings() -> Iterator[None]:
    """Give settings unusual values in the block. So a callback that sets usual values is a change, too."""
    python, numpy, decimals = random.getstate(), np.random.get_state(), decimal.getcontext().prec  # noqa: NPY002
    limit, interval = sys.getrecursionlimit(), sys.getswitchinterval()
    random.seed(_UNUSUAL)
    np.random.seed(_UNUSUAL)  # noqa: NPY002 - the global state is what plugins may disturb
    decimal.getcontext().prec = decimals + 1
    sys.setrecursionlimit(limit + 1)
    sys.setswitchinterval(2 * interval)
    try:
        with np.errstate(all="print"), np.printoptions(precision=5):
            yield
    finally:
        decimal.getcontext().prec = decimals
        sys.setrecursionlimit(limit)
        sys.setswitchinterval(interval)
        random.setstate(python)
        np.random.set_state(numpy)  # noqa: NPY002


def _mask_of_new_files() -> str:
    """Return the umask. It is read from /proc, because ``os.umask`` can only read it by setting it.

    It is read as bytes: Python 3.13.0 cannot load a codec in a folder that was removed.
    """
    with open("/proc/self/status", "rb") as status:  # noqa: PTH123 - read after each callback
        return next((line.split()[1].decode() for line in status if line.startswith(b"Umask:")), "")

"""Compare settings of the process and its libraries that outlive a call, and belong to the whole application."""

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
#: What an application may have put in place of Python's own.
_OF_SYS = ("excepthook", "displayhook", "stdout", "stderr")
_SIGNALS = sorted(signal.valid_signals())
#: A seed that nobody else takes.
_UNUSUAL = 0x5EED5EED


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
    """Return the names of the settings that differ."""
    return [name for name in before if name in after and before[name] != after[name]]


class SettingsWatch:
    """Observes which callbacks change which settings; that libraries filter warnings when they are loaded is allowed.

    So the first change of the filters by a callback is undone. Libraries are loaded once, but plugins repeat theirs.

    Attributes:
        changes: Each setting that changed, with the first callback that changed it.
        looks: How many calls were watched.
    """

    def __init__(self) -> None:
        self.changes: dict[str, str] = {}
        self.looks = 0
        self._before: list[tuple[dict[str, str], list[Any]]] = []
        self._seen: set[str] = set()

    def before(self, event: Event) -> None:  # noqa: ARG002 - an observer's signature
        """Note the settings before a callback."""
        self._before.append((global_settings(), list(warnings.filters)))

    def after(self, event: Event, outcome: CallOutcome) -> None:  # noqa: ARG002 - as above
        """Compare them after it."""
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
    """Give settings unusual values within, so that setting the usual values is a change, too."""
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
    """Return the umask, which cannot be read without being set elsewhere."""
    with open("/proc/self/status", encoding="ascii") as status:  # noqa: PTH123 - read after each callback
        return next((line.split()[1] for line in status if line.startswith("Umask:")), "")

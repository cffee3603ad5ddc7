"""Load a native library with plugins as the user's module; only children do so."""

from __future__ import annotations

import importlib
import re
import sys
from types import ModuleType
from typing import TYPE_CHECKING

from harness.contract.verdict import DRIVERS_COMPILER
from harness.process import flight_recorder, stack
from harness.process.loaded_files import BUILD_ID, NATIVE_LIBRARY
from reference_runtime.native.cuda.fatbin import architectures, need_compilation
from reference_runtime.native.cuda.functions import cuda_functions
from reference_runtime.native.exchange.misuses import tell_of_lacks
from reference_runtime.native.library import crash_report
from reference_runtime.native.library.loading import load
from reference_runtime.registry.registry import get_plugin_registry

if TYPE_CHECKING:
    from pathlib import Path

    from harness.protocol.messages import ChildSettings


class _Process:
    """The library of this process: the architectures of its kernels, if they run on a GPU."""

    kernels: tuple[str, ...] = ()


def note_compilation() -> None:
    """Record that the driver compiles kernels of the library, if they have no machine code for this GPU."""
    if not _Process.kernels:
        return
    if need_compilation(_Process.kernels, importlib.import_module("cupy").cuda.Device().compute_capability):
        flight_recorder.interpreting(DRIVERS_COMPILER)


def module_of(file: Path, settings: ChildSettings) -> ModuleType:
    """Load a library, register its plugins, and return a module that represents it, with the library as its file.

    Raises:
        LibraryError: The library cannot be loaded.
    """
    name = re.sub(r"\W", "_", file.name.partition(".so")[0])
    module = ModuleType(name, f"The plugins of {file.name}, in C++.")
    module.__file__ = str(file)
    stack.arm_also(crash_report.install)
    tell_of_lacks(flight_recorder.lacking)
    cuda = None if settings.device == "cuda" else cuda_functions()
    loaded = load(file, get_plugin_registry(), module=name, spec=settings.spec, cuda=cuda)
    loaded.objects.lines.know()
    if settings.device == "cuda":
        _Process.kernels = tuple(architectures(loaded.facts.library))
    setattr(module, NATIVE_LIBRARY, loaded)
    setattr(module, BUILD_ID, loaded.facts.library.build_id)
    for cls in loaded.objects.classes:
        setattr(module, cls.__name__, cls)
    sys.modules[name] = module
    return module

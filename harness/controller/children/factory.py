"""Make the children of a run with their settings, and keep a limited number of them open."""

from __future__ import annotations

import collections
import dataclasses
import functools
import os
from pathlib import Path
from typing import TYPE_CHECKING

from harness.config import program as programs
from harness.config.errors import UsageError
from harness.config.options import IsolationChoice
from harness.contract.sanitizer_tool import Tool
from harness.contract.shared_libraries import is_library
from harness.controller.children import device_routing
from harness.controller.children.in_process import InProcess
from harness.controller.children.isolation import ProcessIsolation
from harness.process import address_sanitizer, coverage, gpus
from harness.process.nvidia_packages import of_choice
from harness.protocol.messages import ChildSettings

if TYPE_CHECKING:
    from collections.abc import Callable

    from harness.config.options import Options
    from harness.protocol.asked import Isolation


#: A program whose plugins are judged may run this many times a request's deadline: it imports its libraries as well.
_RUNS = 3
#: The most children that are open at the same time; each holds a Python with NumPy in memory.
MOST = 8


class ChildFactory:
    """Makes the children of a run.

    Attributes:
        device: Where kernels run: ``host`` or ``cuda``.
        folders: The folders where modules are searched first.
        package: NVIDIA's package whose builder builds the plugins too; None without one.
    """

    def __init__(self, options: Options, device: str, folders: tuple[str, ...], worker: str) -> None:
        """Take the options of a run; ``worker`` is the name of this worker of pytest-xdist, or empty."""
        self._options = options
        self._worker = worker
        self.device = device
        self.folders = folders
        self.package = of_choice(options.runtime.value)

    def make(self, module: str, spec: str) -> Isolation:
        """Return a new child for a module at an API level; it has not imported the module yet."""
        settings = self.settings(module, spec)
        watched = self._heap_watched(module)
        if self._options.isolation is not IsolationChoice.PROCESS:
            return InProcess(settings)
        if settings.device != device_routing.CUDA:
            return ProcessIsolation(settings, watched)
        on_gpu = ProcessIsolation(settings, {**self._gpu, **watched})
        on_host = dataclasses.replace(settings, device=device_routing.HOST)
        host = ProcessIsolation(on_host, watched)
        return device_routing.GpuWithHostFallback(on_gpu, host, has_library=is_library(module))

    def _heap_watched(self, module: str) -> dict[str, str]:
        """Return the environment variables that have AddressSanitizer watch a library; none if the user does not ask.

        Raises:
            UsageError: The module is no library, it has no separate process, or AddressSanitizer cannot be used.
        """
        if Tool.ADDRESS not in self._options.sanitizer:
            return {}
        if not is_library(module):
            raise UsageError(f"{Tool.ADDRESS.option} is for --plugin-library, and {module} is a module in Python")
        if self._options.isolation is not IsolationChoice.PROCESS:
            raise UsageError(f"{Tool.ADDRESS.option} needs separate processes: leave --plugin-isolation=none out")
        try:
            return address_sanitizer.environment(Path(module), os.environ)
        except (address_sanitizer.UnusableError, OSError) as error:
            raise UsageError(f"{Tool.ADDRESS.option}: {error}") from error

    def settings(self, module: str, spec: str) -> ChildSettings:
        """Return the settings of a child; ``module`` may be an application, as ``module:function``."""
        options = self._options
        recorded = programs.program_of(module)
        named = recorded or (module if module in options.apps else "")
        program = programs.parse(named) if named else None
        is_watched = program is not None and not recorded
        return ChildSettings(
            module=module if program is None else program.module,
            applications=(program.function,) if program is not None and is_watched else (),
            program=named,
            records=bool(recorded),
            import_timeout=_RUNS * options.timeout if recorded else ChildSettings.import_timeout,
            path=self.folders,
            cases=options.cases,
            packed_cases=options.packed_cases,
            setup=options.setup,
            stubs=options.stubs,
            include=options.include,
            exclude=options.exclude,
            timeout=options.timeout,
            addresses=options.addresses.value,
            device=device_routing.HOST if is_watched else self.device,
            seed=options.seeds[0],
            spec=spec,
            coverage=coverage.coverage_settings(),
            onnx=options.onnx,
            onnx_dims=options.onnx_dims,
            builder="" if self.package is None else self.package.module,
        )

    @functools.cached_property
    def _gpu(self) -> dict[str, str]:
        """Return the environment variables with which a child uses the GPU of this worker."""
        return gpus.share_of(self._worker, os.environ, gpus.usable)


class Children:
    """Keeps a child for each module and level; the child used longest ago is closed for a new child.

    Attributes:
        make: Makes a child that is not kept here, for a module and a level.
    """

    def __init__(self, make: Callable[[str, str], Isolation], most: int = MOST) -> None:
        self.make = make
        self._most = most
        self._open: collections.OrderedDict[tuple[str, str], Isolation] = collections.OrderedDict()

    def of(self, module: str, spec: str) -> Isolation:
        """Return the child of a module at an API level; a new child has not imported the module yet."""
        key = (module, spec)
        if key not in self._open:
            while len(self._open) >= self._most:
                _, oldest = self._open.popitem(last=False)
                oldest.close()
            self._open[key] = self.make(module, spec)
        self._open.move_to_end(key)
        return self._open[key]

    def close_those_of(self, module: str) -> None:
        """Close the children of one module."""
        for key in [key for key in self._open if key[0] == module]:
            self._open.pop(key).close()

    def close(self) -> None:
        """Close all."""
        while self._open:
            _, child = self._open.popitem()
            child.close()

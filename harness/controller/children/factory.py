"""Making children: what each must know before it imports its module, and where it runs."""

from __future__ import annotations

import dataclasses
import functools
import os
from typing import TYPE_CHECKING

from harness.config.options import IsolationChoice
from harness.controller.children import device_routing
from harness.controller.children.in_process import InProcess
from harness.controller.children.isolation import ProcessIsolation
from harness.process import coverage, gpus
from harness.protocol.messages import ChildSettings

if TYPE_CHECKING:
    from harness.config.options import Options
    from harness.protocol.asked import Isolation

__all__ = ["ChildFactory"]


class ChildFactory:
    """Makes the children of a run.

    Attributes:
        device: Where kernels run: ``host`` or ``cuda``.
        folders: Where modules are searched first.
    """

    def __init__(self, options: Options, device: str, folders: tuple[str, ...], worker: str) -> None:
        """Take the options of a run; ``worker`` is the name of this worker of pytest-xdist, or empty."""
        self._options = options
        self._worker = worker
        self.device = device
        self.folders = folders

    def make(self, module: str, spec: str) -> Isolation:
        """Return a new child for a module at an API level; it is not loaded yet."""
        settings = self.settings(module, spec)
        if self._options.isolation is not IsolationChoice.PROCESS:
            return InProcess(settings)
        if settings.device != device_routing.CUDA:
            return ProcessIsolation(settings)
        on_gpu = ProcessIsolation(settings, self._gpu)
        on_host = dataclasses.replace(settings, device=device_routing.HOST)
        return device_routing.GpuWithHostFallback(on_gpu, ProcessIsolation(on_host))

    def settings(self, module: str, spec: str) -> ChildSettings:
        """Return what a child of a module must know; of an application, the module is the one that has it."""
        options = self._options
        file, _, function = module.rpartition(":") if module in options.apps else (module, "", "")
        return ChildSettings(
            module=file,
            applications=(function,) if function else (),
            path=self.folders,
            cases=options.cases,
            packed_cases=options.packed_cases,
            setup=options.setup,
            timeout=options.timeout,
            addresses=options.addresses.value,
            device=device_routing.HOST if function else self.device,
            seed=options.seeds[0],
            spec=spec,
            coverage=coverage.coverage_settings(),
            onnx=options.onnx,
            onnx_dims=options.onnx_dims,
        )

    @functools.cached_property
    def _gpu(self) -> dict[str, str]:
        """What makes a child use the GPU of this worker."""
        return gpus.share_of(self._worker, os.environ, gpus.usable)

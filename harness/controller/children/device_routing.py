"""Choose the device of a run, and divide the requests between a GPU and the host device."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from harness.config.errors import UsageError
from harness.config.options import DeviceChoice
from harness.contract.sanitizer_tool import Tool
from harness.process import compute_sanitizer, gpus

if TYPE_CHECKING:
    from collections.abc import Sequence

    from harness.contract.rule import Rule
    from harness.contract.verdict import Answer
    from harness.controller.children.isolation import ProcessIsolation
    from harness.protocol.asked import Isolation, Loaded, Loading
    from harness.protocol.messages import Request

HOST = "host"
CUDA = "cuda"


def settled(choice: DeviceChoice) -> str:
    """Return the device of a run: ``host`` or ``cuda``.

    Raises:
        UsageError: The choice is CUDA, and CuPy finds no GPU.
    """
    if choice is DeviceChoice.HOST:
        return HOST
    if gpus.usable():
        return CUDA
    if choice is DeviceChoice.CUDA:
        raise UsageError(
            "--plugin-device=cuda: CuPy finds no GPU here; install cupy-cuda12x or cupy-cuda13x on a machine "
            "with an NVIDIA driver, or say --plugin-device=host"
        )
    return HOST


def insist_on_tools(chosen: Sequence[Tool], device: str) -> None:
    """Check that tools of compute-sanitizer can watch a device.

    Raises:
        UsageError: The device is not a GPU, or compute-sanitizer is not installed.
    """
    tools = [tool for tool in chosen if tool is not Tool.ADDRESS]
    if not tools:
        return
    option = f"--plugin-sanitizer={','.join(tool.value for tool in tools)}"
    if device != CUDA:
        raise UsageError(
            f"{option}: {compute_sanitizer.NAME} looks into kernels on a GPU, and this run has them on the host. "
            "Use a machine with an NVIDIA GPU and CuPy, and leave --plugin-device=host out"
        )
    if compute_sanitizer.program_path() is None:
        raise UsageError(
            f"{option}: there is no program {compute_sanitizer.NAME}, neither on PATH nor in CUDA's folder bin. "
            "Install it (it is part of the CUDA toolkit), or set CUDA_HOME"
        )


class _HostFallback:
    """Asks a child on the GPU, and one on the host device, which alone records the bytes that kernels touch."""

    def __init__(self, gpu: Loading, host: Loading) -> None:
        self._gpu = gpu
        self._host = host
        self._host_is_loaded: bool | None = None

    def load(self) -> Loaded:
        """Import the user's module in the child that uses the GPU."""
        return self._gpu.load()

    def ask(self, request: Request) -> Answer:
        """Return the GPU's answer to a request, or the host device's.

        The host device answers if the rule does not fail on the GPU and needs the host device. If the host device
        cannot run the kernels themselves, the GPU's answer counts.
        """
        answer = self._gpu.ask(request)
        if answer.fails or not answer.needs_host or not self._has_host():
            return answer
        on_host = self._host.ask(request)
        return answer if on_host.needs_device or on_host.stand_ins else on_host

    def close(self) -> None:
        """End both children."""
        self._gpu.close()
        self._host.close()

    def _has_host(self) -> bool:
        if self._host_is_loaded is None:
            self._host_is_loaded = self._host.load().ok
        return self._host_is_loaded


class GpuWithHostFallback(_HostFallback):
    """The isolation of a run on a GPU."""

    _gpu: Isolation
    _host: ProcessIsolation

    def __init__(self, gpu: Isolation, host: ProcessIsolation, *, has_library: bool = False) -> None:
        """Take both children; ``has_library`` says that their module is a library of compiled plugins."""
        super().__init__(gpu, host)
        self._has_library = has_library
        self._is_host_started = False

    def start(self) -> None:
        """Start the child on the GPU, which loads the rules, and the child on the host."""
        self._gpu.start()
        self._start_host()

    def load(self) -> Loaded:
        """Import the user's module in the child that uses the GPU, and meanwhile in the child on the host."""
        self._start_host()
        return super().load()

    def rules(self) -> dict[str, Rule]:
        """Return the installed rules."""
        return self._gpu.rules()

    def discover(self) -> dict[str, Any]:
        """Return the module's plugins and their cases, as plain data.

        A guessed case may end the process of a compiled plugin, so each guess takes a fork. A process that uses CUDA
        cannot be forked. So the host device guesses.
        """
        guesses = self._host if self._has_library and self._has_host() else self._gpu
        return guesses.discover()

    def another(self) -> Loading:
        """Return a second pair of children, which answers requests about the same module in parallel."""
        self._has_host()
        return _HostFallback(self._gpu.another(), self._host.another())

    def _start_host(self) -> None:
        if not self._is_host_started:
            self._host.start_importing()
            self._is_host_started = True

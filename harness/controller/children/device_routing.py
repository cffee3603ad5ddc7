"""Choose the device of a run, and divide the questions between a GPU and the host."""

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
    from harness.protocol.asked import Isolation, Loaded, Loading
    from harness.protocol.messages import Request

HOST = "host"
CUDA = "cuda"


def settled(choice: DeviceChoice) -> str:
    """Return the device of a run: ``host`` or ``cuda``.

    Raises:
        UsageError: A GPU is wanted, and there is none to use.
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


def insist_on_tools(wanted: Sequence[Tool], device: str) -> None:
    """Make sure that a device can be watched by tools of compute-sanitizer.

    Raises:
        UsageError: It cannot; the message says why.
    """
    tools = [tool for tool in wanted if tool is not Tool.ADDRESS]
    if not tools:
        return
    asked = f"--plugin-sanitizer={','.join(tool.value for tool in tools)}"
    if device != CUDA:
        raise UsageError(
            f"{asked}: {compute_sanitizer.NAME} looks into kernels on a GPU, and this run has them on the host. "
            "Use a machine with an NVIDIA GPU and CuPy, and leave --plugin-device=host out"
        )
    if compute_sanitizer.program_path() is None:
        raise UsageError(
            f"{asked}: there is no program {compute_sanitizer.NAME}, neither on PATH nor in CUDA's folder bin. "
            "Install it (it is part of the CUDA toolkit), or set CUDA_HOME"
        )


class _HostFallback:
    """Asks a child on the GPU; asks a host child what only it records: bytes that a kernel touches."""

    def __init__(self, gpu: Loading, host: Loading) -> None:
        self._gpu = gpu
        self._host = host
        self._host_is_loaded: bool | None = None

    def load(self) -> Loaded:
        """Import the user's module where the GPU is used."""
        return self._gpu.load()

    def ask(self, request: Request) -> Answer:
        """Return the answer to one request; the GPU's, too, where it fails or the host cannot run the kernels."""
        answer = self._gpu.ask(request)
        if answer.fails or not answer.needs_host or not self._has_host():
            return answer
        told = self._host.ask(request)
        return answer if told.needs_device or told.stand_ins else told  # a stand-in speaks for no kernel

    def close(self) -> None:
        """End everything that was started."""
        self._gpu.close()
        self._host.close()

    def _has_host(self) -> bool:
        if self._host_is_loaded is None:
            self._host_is_loaded = self._host.load().ok
        return self._host_is_loaded


class GpuWithHostFallback(_HostFallback):
    """The isolation of a run on a GPU."""

    _gpu: Isolation
    _host: Isolation

    def __init__(self, gpu: Isolation, host: Isolation) -> None:
        super().__init__(gpu, host)

    def start(self) -> None:
        """Begin to load the rules."""
        self._gpu.start()

    def rules(self) -> dict[str, Rule]:
        """Return the installed rules."""
        return self._gpu.rules()

    def discover(self) -> dict[str, Any]:
        """Return the module's plugins and their cases, as plain data."""
        return self._gpu.discover()

    def another(self) -> Loading:
        """Return one that answers for the same module at the same time, on both devices."""
        self._has_host()
        return _HostFallback(self._gpu.another(), self._host.another())

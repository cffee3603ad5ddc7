"""``cupy.cuda.device``: the host device, which is the only device."""

from __future__ import annotations

from reference_runtime.bound.errors import NeedsGpu
from reference_runtime.bridges.cupy.cuda import runtime

__all__ = ["Device", "get_device_id"]


def get_device_id() -> int:
    """Return the number of the current device."""
    return runtime.getDevice()


class Device:
    """A CUDA device by its number."""

    __hash__ = None  # type: ignore[assignment]

    def __init__(self, device: int | Device | None = None) -> None:
        self.id = runtime.getDevice() if device is None else int(device)

    def use(self) -> Device:
        """Make this device the current device."""
        runtime.setDevice(self.id)
        return self

    def synchronize(self) -> None:
        """Wait for everything on the device."""
        runtime.setDevice(self.id)
        runtime.deviceSynchronize()

    @property
    def mem_info(self) -> tuple[int, int]:
        """The free and the total bytes."""
        return runtime.memGetInfo()

    @property
    def compute_capability(self) -> str:
        """Raise `NeedsGpu`: the host device has no compute capability."""
        raise NeedsGpu("cupy.cuda.Device.compute_capability")

    @property
    def attributes(self) -> dict[str, int]:
        """Return the attributes that do not depend on the model of a GPU."""
        names = ("MaxSharedMemoryPerBlock", "MaxThreadsPerBlock", "MultiProcessorCount", "WarpSize")
        return {name: runtime.deviceGetAttribute(getattr(runtime, f"cudaDevAttr{name}"), self.id) for name in names}

    def __enter__(self) -> Device:  # noqa: PYI034 - Self is newer than Python 3.10
        return self.use()

    def __exit__(self, *exception: object) -> None:
        """Do nothing: the previous device is the same device."""

    def __int__(self) -> int:
        return self.id

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Device) and self.id == other.id

    def __repr__(self) -> str:
        return f"<CUDA Device {self.id}>"

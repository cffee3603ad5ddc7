"""Open the device on which a child answers."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from harness.protocol.requests import COUNTS, RequestKind
from reference_runtime.devices.cuda import CudaDevice
from reference_runtime.devices.cuda_bare import BareCudaDevice
from reference_runtime.devices.host import HostDevice

if TYPE_CHECKING:
    from harness.protocol.messages import ChildSettings, Request

#: Requests that measure times: no listener may see their device calls, since it takes time.
_MEASURED = {RequestKind.LATENCY, RequestKind.PAIRED_LATENCY}


def device_for(request: Request, settings: ChildSettings) -> HostDevice:
    """Return the device on which a request is answered."""
    if request.kind is RequestKind.SANITIZED and settings.device == "cuda":
        return cast("HostDevice", BareCudaDevice())
    return new_device(settings, listening=request.kind not in _MEASURED or COUNTS in request.arguments)


def new_device(settings: ChildSettings, *, listening: bool = True) -> HostDevice:
    """Return a new device. A CUDA device has only the part of the host device's interface that hardware supports."""
    if settings.device == "cuda":
        return cast("HostDevice", CudaDevice(listening=listening))
    return HostDevice(addresses="host" if settings.addresses == "host" else "opaque")

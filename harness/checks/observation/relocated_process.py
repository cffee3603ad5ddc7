"""Run a block with other addresses of device memory, and with another temporary folder."""

from __future__ import annotations

import contextlib
import tempfile
from typing import TYPE_CHECKING

from harness.process.temporary import temporary_folder

if TYPE_CHECKING:
    from collections.abc import Iterator

    from reference_runtime.devices.host import HostDevice

_BYTES = 1 << 20


@contextlib.contextmanager
def displaced(device: HostDevice) -> Iterator[None]:
    """Shift the addresses of new device memory in the block, and use a temporary folder that is deleted afterwards."""
    before = tempfile.tempdir
    filling = device.allocate(_BYTES, label="displacement")
    with temporary_folder() as folder:
        tempfile.tempdir = folder
        try:
            yield
        finally:
            tempfile.tempdir = before
            filling.free()

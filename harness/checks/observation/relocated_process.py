"""Another place to be: what a process has for itself lies elsewhere, and what it leaves there goes away."""

from __future__ import annotations

import contextlib
import tempfile
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

    from reference_runtime.devices.host import HostDevice

_BYTES = 1 << 20


@contextlib.contextmanager
def displaced(device: HostDevice) -> Iterator[None]:
    """Let device memory begin at other addresses within, and temporary files lie where they do not last."""
    before = tempfile.tempdir
    filling = device.allocate(_BYTES, label="displacement")
    with tempfile.TemporaryDirectory() as folder:
        tempfile.tempdir = folder
        try:
            yield
        finally:
            tempfile.tempdir = before
            filling.free()

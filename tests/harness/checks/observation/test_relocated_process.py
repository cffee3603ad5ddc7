"""Another place to be, for a while."""

import pathlib
import tempfile

from harness.checks.observation.relocated_process import displaced
from reference_runtime.devices.host import HostDevice


def test_memory_lies_elsewhere_within():
    device, other = HostDevice(), HostDevice()
    ours = device.allocate(8).address
    with displaced(other):
        theirs = other.allocate(8).address
    assert theirs - ours > 1 << 19


def test_temporary_files_do_not_outlast_it():
    before = tempfile.gettempdir()
    with displaced(HostDevice()):
        path = pathlib.Path(tempfile.gettempdir(), "file")
        path.write_text("here")
        assert path.exists()
    assert not path.exists()
    assert tempfile.gettempdir() == before


def test_it_gives_its_memory_back():
    device = HostDevice()
    with displaced(device):
        pass
    assert device.buffers == []

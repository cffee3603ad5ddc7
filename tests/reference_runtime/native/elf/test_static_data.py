"""Which variables of a library count as its state."""

import ctypes

from reference_runtime.native.elf import reading
from reference_runtime.native.elf.static_data import StaticData
from tests.support import native_build

CODE = """\
extern "C" {
int counter;
void count() { ++counter; }
int handle() { return 7; }
int __device_stub__kernel() { static int held = handle(); return held; }
}
namespace plugin { int gLogInfo; }
extern "C" void log() { ++plugin::gLogInfo; }
"""


def test_kernel_handles_and_buffers_of_log_streams_are_no_state(tmp_path):
    """For each kernel nvcc adds static variables to a function ``__device_stub__...``; a launch sets them."""
    source = tmp_path / "kernel.cpp"
    source.write_text(CODE)
    file = native_build.library(source, "-O0")
    library = ctypes.CDLL(str(file))
    data = StaticData.of(reading.read(file))
    before = data.content()
    assert library.__getattr__("__device_stub__kernel")() == 7
    library.log()
    assert data.content() == before
    library.count()
    assert data.content() != before

"""Launch a kernel that spins for a known time, by the multiprocessor's clock."""

import functools

import cupy as cp
import numpy as np

SOURCE = r"""
extern "C" __device__ long long nanoseconds() {
    long long t;
    asm volatile("mov.u64 %0, %globaltimer;" : "=l"(t));
    return t;
}
extern "C" __global__ void spin(long long cycles) {
    long long begun = clock64();
    while (clock64() - begun < cycles) {}
}
extern "C" __global__ void compare(long long cycles, long long* found) {
    long long least = 1LL << 60, last = nanoseconds();
    for (int i = 0; i < 4096; ++i) {
        long long t = nanoseconds();
        if (t != last && t - last < least) least = t - last;
        last = t;
    }
    long long begun = clock64(), at = nanoseconds();
    while (clock64() - begun < cycles) {}
    found[0] = clock64() - begun;
    found[1] = nanoseconds() - at;
    found[2] = least;
}
"""
LONG = 40_000_000


@functools.cache
def kernel(name):
    return cp.RawModule(code=SOURCE).get_function(name)


def clock():
    """Return the cycles per nanosecond, measured over some 20 ms, and the step of ``globaltimer`` in nanoseconds."""
    found = cp.zeros(3, np.int64)
    for _ in range(3):
        kernel("compare")((1,), (1,), (np.int64(LONG), found))
    cycles, nanoseconds, step = found.get().tolist()
    return cycles / nanoseconds, step


@functools.cache
def cycles_of(microseconds):
    return np.int64(round(microseconds * 1e3 * clock()[0]))


def spin(stream, cycles):
    with cp.cuda.ExternalStream(stream):
        kernel("spin")((1,), (1,), (cycles,))

"""Check the latencies of ``--plugin-benchmark`` with plugins that spin for a known time.

    python benchmarks/bench_clock.py host
    python benchmarks/bench_clock.py device

``host``: plugins spin on the host, by a loop that was timed from outside in the same process. Their numbers of inputs
and outputs differ. ``device``, on a GPU: kernels spin by the device's clock. The same run also measures these kernels
with ``triton.testing.do_bench`` and ``cupyx.profiler.benchmark``. An error of 2 % is allowed, and always 0.2 us on the
host or 0.5 us on the device.
"""

from __future__ import annotations

import pathlib
import statistics
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parent), str(HERE)]

from harness.controller.children.isolation import ProcessIsolation  # noqa: E402 - needs sys.path
from harness.protocol.latency_quantity import Group  # noqa: E402 - as above
from harness.protocol.messages import ChildSettings, Request  # noqa: E402 - as above
from harness.protocol.requests import RequestKind  # noqa: E402 - as above

#: The deadline of a measurement.
SECONDS = 60.0
#: The number of processes that measure a plugin on the host; their median counts, since a machine may be disturbed.
TIMES = 5


def sampled(child, case):
    """Return the medians of the steady quantities of one case in microseconds, and the whole measurement."""
    request = Request("", "/Spin/1", case, deadline=SECONDS)
    answer = child.ask(request.asking(RequestKind.LATENCY, Group.STEADY.value))
    assert answer.kind.value == "judged", answer.reason
    measured = answer.payload
    assert not measured["missing"], measured["missing"]
    return {name: statistics.median(series) * 1e6 for name, series in measured["series"].items()}, measured


def child_on(device):
    folders = (str(HERE), str(HERE.parent))
    child = ProcessIsolation(ChildSettings("spin_plugin", path=folders, device=device))
    assert child.load().ok
    return child


def within(value, true, least):
    return "ok" if abs(value - true) <= max(least, 0.02 * true) else "MISSED"


def host():
    from spin_cases import HOST  # noqa: PLC0415 - as the other command

    child = child_on("host")
    print(f"{'plugin':<24}{'raw us':>10}{'net us':>10}{'error us':>10}")
    wrong = 0
    for name, (_, _, true) in HOST.items():
        taken = sorted((sampled(child, name)[0] for _ in range(TIMES)), key=lambda each: each["host_enqueue_net"])
        low, middle, high = (each["host_enqueue_net"] for each in (taken[0], taken[TIMES // 2], taken[-1]))
        verdict = within(middle, true, 0.2)
        wrong += verdict != "ok"
        print(
            f"{name:<24}{taken[TIMES // 2]['host_enqueue']:>10.2f}{middle:>10.2f}{middle - true:>+10.2f}  {verdict:<8}"
            f"({low - true:+.2f} to {high - true:+.2f})"
        )
    child.close()
    return wrong


def others(true):
    """Return the times of a kernel by ``do_bench`` and by ``cupyx.profiler``, in microseconds."""
    import torch  # noqa: PLC0415 - as above
    from cupyx.profiler import benchmark  # noqa: PLC0415 - as above
    from spin_kernel import cycles_of, spin  # noqa: PLC0415 - as above
    from triton.testing import do_bench  # noqa: PLC0415 - as above

    cycles = cycles_of(float(true))
    on_torch = do_bench(lambda: spin(torch.cuda.current_stream().cuda_stream, cycles), return_mode="median") * 1e3
    profiled = benchmark(lambda: spin(0, cycles), n_repeat=300, n_warmup=20)
    return on_torch, statistics.median(profiled.gpu_times[0].tolist()) * 1e6


def device():
    import cupy as cp  # noqa: PLC0415 - there is a GPU
    from spin_cases import DEVICE  # noqa: PLC0415 - as above
    from spin_kernel import clock  # noqa: PLC0415 - as above

    rate, step = clock()
    cp.get_default_memory_pool().free_all_blocks()
    before = cp.cuda.runtime.memGetInfo()[0]
    child = child_on("cuda")
    taken = {name: sampled(child, name) for name in DEVICE}
    child.close()
    after = cp.cuda.runtime.memGetInfo()[0]
    facts = next(iter(taken.values()))[1]["facts"]
    print(
        f"{facts['machine']}: {rate:.4f} cycles a ns, globaltimer in steps of {step} ns; copy "
        f"{facts['bytes_per_second'] / 1e12:.2f} TB/s; empty kernel in a graph {facts['launch'] * 1e6:.3f} us, cold "
        f"{facts['cold_launch'] * 1e6:.3f} us; a probe takes {facts['eviction']:.2f} times as long evicted"
    )
    heads = ("device_hot_net", "device_hot", "device_cold_net", "device_cold")
    print(f"{'true us':>8}" + "".join(f"{head:>18}" for head in (*heads, "do_bench", "cupyx")))
    wrong = 0
    for name, true in DEVICE.items():
        medians = taken[name][0]
        verdict = within(medians["device_hot_net"], true, 0.5)
        wrong += verdict != "ok"
        times = [*(medians[each] for each in heads), *others(true)]
        print(f"{true:>8}" + "".join(f"{us:>9.2f} ({us - true:+6.2f})" for us in times) + f"  {verdict}")
    print(f"free memory before and after: {before:,} and {after:,} bytes")
    return wrong + (before != after)


if __name__ == "__main__":
    raise SystemExit({"host": host, "device": device}[sys.argv[1]]())

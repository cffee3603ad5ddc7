"""How true the clocks of ``--plugin-benchmark`` are: plugins that spin for a known time, and what is said of them.

    python benchmarks/bench_clock.py host
    python benchmarks/bench_clock.py device

``host``: plugins that spin on the host, by a loop that was timed from outside in the same process, with other numbers
of inputs and outputs. ``device``, on a GPU: kernels that spin by the device's clock, beside what
``triton.testing.do_bench`` and ``cupyx.profiler.benchmark`` say of the same kernels in the same run. Bounds: the
greater of 0.2 us and 2 % on the host, of 0.5 us and 2 % on the device.
"""

from __future__ import annotations

import json
import pathlib
import statistics
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parent), str(HERE)]

from harness.controller.children.isolation import ProcessIsolation  # noqa: E402 - found by the line above
from harness.protocol.messages import ChildSettings, Request  # noqa: E402 - found by the line above

SECONDS = 60.0
#: Processes that a host is asked in, of which the middle one counts: a machine may be disturbed for a second.
TIMES = 5


def sampled(child, case):
    """Return the medians in microseconds of the steady quantities of one case."""
    answer = child.ask(Request("BENCHMARK", "/Spin/1", case, examples=["steady"], deadline=SECONDS))
    assert answer.kind.value == "judged", answer.reason
    found = json.loads(answer.reason)
    assert not found["missing"], found["missing"]
    return {name: statistics.median(series) * 1e6 for name, series in found["series"].items()}, found


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
        found = sorted((sampled(child, name)[0] for _ in range(TIMES)), key=lambda each: each["host_enqueue_net"])
        low, middle, high = (each["host_enqueue_net"] for each in (found[0], found[TIMES // 2], found[-1]))
        verdict = within(middle, true, 0.2)
        wrong += verdict != "ok"
        print(
            f"{name:<24}{found[TIMES // 2]['host_enqueue']:>10.2f}{middle:>10.2f}{middle - true:>+10.2f}  {verdict:<8}"
            f"({low - true:+.2f} to {high - true:+.2f})"
        )
    child.close()
    return wrong


def others(true):
    """Return what the two other tools say of a kernel, in microseconds."""
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
        found = taken[name][0]
        verdict = within(found["device_hot_net"], true, 0.5)
        wrong += verdict != "ok"
        said = [*(found[each] for each in heads), *others(true)]
        print(f"{true:>8}" + "".join(f"{us:>9.2f} ({us - true:+6.2f})" for us in said) + f"  {verdict}")
    print(f"free memory before and after: {before:,} and {after:,} bytes")
    return wrong + (before != after)


if __name__ == "__main__":
    raise SystemExit({"host": host, "device": device}[sys.argv[1]]())

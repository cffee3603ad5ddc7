"""Measure time and memory for each layer in networks of 10, 100, 1,000 and 10,000 plugin layers.

    python benchmarks/bench_layers.py [LAYERS ...]

The phases are to build, to load and to run. A separate process measures each size, in seconds of processor time. For
small networks the time is the median of several rounds, for large networks that of a single round. The cost of a layer
should not depend on the number of layers.
"""

from __future__ import annotations

import argparse
import itertools
import pathlib
import resource
import statistics
import subprocess
import sys
import time
import tracemalloc

ROOT = pathlib.Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))
SIZES = (10, 100, 1_000, 10_000)
ROUNDS = {10: 51, 100: 15, 1_000: 3}
COLUMNS = ("network", "build", "load", "context", "first run", "next run")


def chain(trt, builder, count):
    """Return a network of ``count`` plugins; the output of each is the input of the next."""
    from benchmarks import bench_execute  # noqa: PLC0415 - the child alone needs it

    network = builder.create_network()
    tensor = network.add_input("x", trt.float32, (4, 4))
    for _ in range(count):
        tensor = network.add_plugin_v3([tensor], [], bench_execute.EmptyV3()).get_output(0)
    tensor.name = "y"
    network.mark_output(tensor)
    return network


def measure(count):
    """Return the seconds of each phase for a chain of ``count`` layers."""
    import reference_runtime as trt  # noqa: PLC0415 - the child alone needs it
    from benchmarks import bench_execute  # noqa: PLC0415 - the child alone needs it
    from reference_runtime.devices import host  # noqa: PLC0415 - the child alone needs it

    trt.get_plugin_registry().register_creator(bench_execute.CreatorV3(), "")
    logger = trt.Logger()
    builder = trt.Builder(logger)
    times = [time.process_time()]
    network = chain(trt, builder, count)
    times.append(time.process_time())
    data = builder.build_serialized_network(network, builder.create_builder_config())
    times.append(time.process_time())
    engine = trt.Runtime(logger).deserialize_cuda_engine(data)
    times.append(time.process_time())
    context = engine.create_execution_context()
    times.append(time.process_time())
    for name in ("x", "y"):
        context.set_tensor_address(name, host.current_device().allocate(64).address)
    for _ in range(2):
        assert context.execute_async_v3(0)
        times.append(time.process_time())
    return [after - before for before, after in itertools.pairwise(times)]


def child(count, *, traced):
    """Print the microseconds of each phase and the peak of memory, divided by the layers; or the peak of the heap."""
    measure(SIZES[0])  # work that comes once in a process is not the cost of a layer
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    if traced:
        tracemalloc.start()
    seconds = measure(count)
    if traced:
        print(tracemalloc.get_traced_memory()[1] / count)
        return
    grown = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before
    rounds = [seconds, *(measure(count) for _ in range(1, ROUNDS.get(count, 1)))]
    typical = (statistics.median(phase) for phase in zip(*rounds, strict=True))
    print(*(1e6 * one / count for one in typical), 1024 * grown / count)


def in_child(count, *flags):
    """Return the numbers that a child prints."""
    command = [sys.executable, __file__, "--child", *flags, str(count)]
    done = subprocess.run(command, check=True, capture_output=True, text=True, cwd=ROOT)  # noqa: S603 - this file
    return [float(word) for word in done.stdout.split()]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("layers", nargs="*", type=int, default=SIZES)
    parser.add_argument("--child", action="store_true", help=argparse.SUPPRESS)
    parser.add_argument("--traced", action="store_true", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.child:
        child(options.layers[0], traced=options.traced)
        return
    print(
        f"{'layers':>8}" + "".join(f"{name:>12}" for name in COLUMNS) + f"{'all':>10}{'peak RSS':>12}{'peak heap':>12}"
    )
    for count in options.layers:
        *microseconds, grown = in_child(count)
        (heap,) = in_child(count, "--traced")
        cells = "".join(f"{one:>9.1f} us" for one in microseconds)
        print(
            f"{count:>8}{cells}{sum(microseconds):>7.0f} us{grown / 1024:>8.1f} KiB{heap / 1024:>8.1f} KiB", flush=True
        )


if __name__ == "__main__":
    main()

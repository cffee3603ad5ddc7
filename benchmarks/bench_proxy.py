"""What NVIDIA's builder takes for a C++ plugin that it calls through recording objects, and for the plugin itself.

    pip install --group rtx && python benchmarks/bench_proxy.py

It compiles plugin_examples/native/leaky_relu.cpp with g++, as the tests do. Ten pairs of new interpreters build one
network 20 times each. It prints the processor time of a build: the median of the builds of an interpreter, and the
median of the interpreters.
"""

from __future__ import annotations

import base64
import importlib
import os
import pathlib
import statistics
import subprocess
import sys
import tempfile
import time

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parent), str(HERE.parent / "tools")]

PAIRS, BUILDS = 10, 20
DIRECT, RECORDED = "directly", "recorded"


def wanted_build():
    """Return a build of a network with the plugin alone."""
    from onnx import helper  # noqa: PLC0415 - the process that compiles needs no models

    from harness.child.nvidias_builder.asked import WantedBuild  # noqa: PLC0415 - as above

    x, y = (helper.make_tensor_value_info(name, 1, dims) for name, dims in (("x", ["n", 16]), ("y", None)))
    node = helper.make_node("LeakyRelu", ["x"], ["y"], name="node", plugin_version="2", plugin_namespace="")
    node.attribute.append(helper.make_attribute("negative_slope", 0.25))
    graph = helper.make_graph([node], "graph", [x], [y])
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)]).SerializeToString()
    extents = {"x": [[1, 16], [4, 16], [32, 16]]}
    return WantedBuild(number=0, types=("float32",), text=base64.b64encode(model).decode(), extents=extents, values={})


class Nothing:
    """In place of the recording objects: the builder gets the library's own creator."""

    def __init__(self, *_):
        """Record nothing."""

    def of(self, this, _interface):
        """Return the object itself."""
        return this


def seconds(file, how):
    """Return the processor time of a build in this interpreter."""
    from harness.child import import_names  # noqa: PLC0415 - this interpreter builds
    from harness.child.handed import recorder  # noqa: PLC0415 - as above
    from harness.child.nvidias_builder import libraries  # noqa: PLC0415 - as above
    from harness.child.nvidias_builder.asked import Creator  # noqa: PLC0415 - as above
    from harness.child.nvidias_builder.building import built  # noqa: PLC0415 - as above
    from harness.protocol.messages import ChildSettings  # noqa: PLC0415 - as above
    from reference_runtime import levels  # noqa: PLC0415 - as above

    recorder(os.memfd_create("calls"))
    levels.apply("11")
    import_names.install(tensorrt="tensorrt_rtx")
    trt = importlib.import_module("tensorrt")
    libraries.load(ChildSettings(module=file, path=(".",), spec="11"))
    if how == DIRECT:
        libraries.Forwarding = Nothing
    trt.get_plugin_registry()
    libraries.offer(Creator("LeakyRelu", "2", "", "", ""), trt, "tensorrt_rtx", libraries.Calls(lambda *_, **__: None))
    wanted, times = wanted_build(), []
    for _ in range(BUILDS):
        began = time.process_time()
        seen = built(trt, wanted, lambda _: None)
        times.append(time.process_time() - began)
        if not seen["plan"]:
            raise SystemExit(f"{how}: nothing was built: {seen}")
    return statistics.median(times)


def main():
    """Build both ways in turns, and print the times and their ratio."""
    from harness.process.nvidia_packages import RTX  # noqa: PLC0415 - the process that compiles
    from tests.support import native_build  # noqa: PLC0415 - as above

    library = native_build.library(native_build.EXAMPLES / "leaky_relu.cpp", epoch="11")
    times = {DIRECT: [], RECORDED: []}
    with tempfile.TemporaryDirectory() as folder:
        environment = RTX.environment(pathlib.Path(folder))
        for _ in range(PAIRS):
            for how, found in times.items():
                command = [sys.executable, __file__, str(library), how]
                done = subprocess.run(command, check=True, capture_output=True, text=True, env=environment)  # noqa: S603 - this file
                found.append(float(done.stdout))
    direct, recorded = (1000 * statistics.median(found) for found in times.values())
    print(f"a build {DIRECT}: {direct:.2f} ms, {RECORDED}: {recorded:.2f} ms, {recorded / direct:.2f} times")


if __name__ == "__main__":
    if sys.argv[1:]:
        print(seconds(*sys.argv[1:]))
    else:
        main()

"""Measure a call of a C++ plugin: two functions through their virtual table, and equal methods in Python.

    python benchmarks/bench_native.py

The script compiles plugin_examples/native/bar.cpp with g++, as the tests do. It prints microseconds, the best of 60
rounds.
"""

from __future__ import annotations

import pathlib
import sys
import timeit

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parent), str(HERE.parent / "tools")]

from reference_runtime.interfaces.field_collections import PluginFieldCollection  # noqa: E402 - needs sys.path
from reference_runtime.native.cuda.functions import cuda_functions  # noqa: E402 - as above
from reference_runtime.native.library.loading import load  # noqa: E402 - as above
from reference_runtime.registry.registry import get_plugin_registry  # noqa: E402 - as above
from tests.support import native_build  # noqa: E402 - as above

ROUNDS, CALLS = 60, 2000


class InPython:
    """The methods in Python that return the same values."""

    def get_num_outputs(self):
        return 2

    def initialize(self):
        return 0


def best(function):
    """Return the least time of a call, in microseconds."""
    return min(timeit.repeat(function, number=CALLS, repeat=ROUNDS)) / CALLS * 1e6


def main():
    library = native_build.library(native_build.EXAMPLES / "bar.cpp")
    loaded = load(library, get_plugin_registry(), module="bar", spec="10", cuda=cuda_functions())
    compiled = loaded.creators[0].create_plugin("bar", PluginFieldCollection([]))
    plain = InPython()
    for name, one, other in (
        ("getNbOutputs", lambda: compiled.call("getNbOutputs"), plain.get_num_outputs),
        ("initialize", compiled.initialize, plain.initialize),
    ):
        native, python = best(one), best(other)
        print(f"{name}: {native:.2f} us in C++, {python:.2f} us in Python, {native - python:.2f} us more")


if __name__ == "__main__":
    main()

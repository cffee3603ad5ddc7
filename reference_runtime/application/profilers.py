"""Objects that receive the time of each layer: IProfiler, and Profiler, which prints it."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from reference_runtime.application.callback import Hook
from reference_runtime.bound.bound_class import pybind11_object
from reference_runtime.bound.conversions import c_string, float32
from reference_runtime.bound.overloads import Overload, bound, constructor

if TYPE_CHECKING:
    from reference_runtime.calling.gate.gate import Gate

_REPORT_LAYER_TIME = Hook("IProfiler", "report_layer_time", "the time of the layer is not reported")
_REPORTING = Overload("(self: IProfiler, layer_name: str, ms: typing.SupportsFloat) -> None", c_string, float32)


class IProfiler(pybind11_object, bound=True):
    """The base class of an application's profiler."""

    @constructor(Overload("(self: IProfiler) -> None"))
    def __init__(self) -> None:
        """Create the C++ object, which has no attributes."""

    @bound(_REPORTING)
    def report_layer_time(self, layer_name: str | None, ms: float) -> None:
        """Call the override as C++ does."""
        if isinstance(self, Profiler):
            _print(layer_name, ms)
        else:
            _REPORT_LAYER_TIME.directly(self, layer_name, ms)


class Profiler(IProfiler, bound=True):
    """The profiler that prints to the standard output; C++ ignores overrides of its method."""

    @constructor(Overload("(self: Profiler) -> None"))
    def __init__(self) -> None:
        """Create the C++ object, which has no attributes."""

    @bound(_REPORTING)
    def report_layer_time(self, layer_name: str | None, ms: float) -> None:
        """Print the time of a layer."""
        _print(layer_name, ms)


def report(gate: Gate, profiler: object, layer_name: str, ms: float) -> None:
    """Report the time of a layer to a profiler, in milliseconds."""
    if isinstance(profiler, Profiler):
        _print(layer_name, ms)
    else:
        _REPORT_LAYER_TIME.through(gate, profiler, layer_name, float32(ms))


def _print(layer_name: str | None, ms: float) -> None:
    os.write(1, f"{layer_name or ''}: {ms:g}ms\n".encode(errors="replace"))

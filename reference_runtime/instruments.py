"""Offer the runtime's internals to the harness, which uses no other internals.

TensorRT has no API for these. There are four groups:

* bound objects: which classes and functions belong to TensorRT (``is_bound``, ``bound_bases``, ``is_bound_function``,
  ``is_ours`` for a frame), the state of an object in C++ (``state``, ``read``, ``is_assigned``), and how C++ creates
  and ends an object (``made``, ``close``);
* errors for which TensorRT has no exception, and uses that it leaves undefined (``Misuse``);
* networks as graphs, and the contexts behind `IExecutionContext`;
* decorated plugins: their shapes, and the kernels that are compiled and launched.

Names of TensorRT are in `reference_runtime` itself; how plugins are called is in `reference_runtime.calling`.
"""

from __future__ import annotations

from reference_runtime.bound.bound_class import (
    bound_bases,
    bound_parts,
    is_assigned,
    is_bound,
    made,
    pybind11_object,
    read,
    state,
)
from reference_runtime.bound.debugger import is_quit
from reference_runtime.bound.errors import (
    ExpressionError,
    HostShowsMore,
    NativeCrash,
    NeedsGpu,
    NeedsHost,
    NeedsPackage,
)
from reference_runtime.bound.frames import is_ours
from reference_runtime.bound.lifetimes import close
from reference_runtime.bound.overloads import is_bound_function
from reference_runtime.bound.telling import shown, text_of
from reference_runtime.bound.undefined_use import Misuse, MisuseKind
from reference_runtime.calling.adapters.output_shapes import output_expressions_v3
from reference_runtime.engine.context.context import live_context
from reference_runtime.engine.context.kernels import compiled, launch
from reference_runtime.engine.context.live_context import LiveContext
from reference_runtime.engine.context.shapes import host_array
from reference_runtime.network.graph.graph import Graph, graph_of
from reference_runtime.network.graph.graph_parts import Layer, Tensor
from reference_runtime.network.layers.tensors import tensor_of
from reference_runtime.operations.constant import Constant
from reference_runtime.operations.onnx.library import OnnxMissing, library
from reference_runtime.plan import KernelPlan

__all__ = [
    "Constant",
    "ExpressionError",
    "Graph",
    "HostShowsMore",
    "KernelPlan",
    "Layer",
    "LiveContext",
    "Misuse",
    "MisuseKind",
    "NativeCrash",
    "NeedsGpu",
    "NeedsHost",
    "NeedsPackage",
    "OnnxMissing",
    "Tensor",
    "bound_bases",
    "bound_parts",
    "close",
    "compiled",
    "graph_of",
    "host_array",
    "is_assigned",
    "is_bound",
    "is_bound_function",
    "is_ours",
    "is_quit",
    "launch",
    "library",
    "live_context",
    "made",
    "output_expressions_v3",
    "pybind11_object",
    "read",
    "shown",
    "state",
    "tensor_of",
    "text_of",
]

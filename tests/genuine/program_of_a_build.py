"""Builds one case of a plugin module with NVIDIA's own builder, and prints what came of it as a line of JSON.

    python program_of_a_build.py MODULE CASE NTH

CASE is the number of the case, NTH that of its type. It is started in an interpreter of its own: the builder may kill
the process. The plugin is a node of a generated ONNX model, since TensorRT-RTX has no other way to add one. The program
uses TensorRT's public API alone.
"""

import gc
import importlib
import json
import sys
from unittest import mock

import numpy as np
import tensorrt_rtx as trt
from onnx import TensorProto, helper, numpy_helper

DEVICE_LIBRARIES = ("cupy", "cupy.cuda", "numba", "numba.cuda", "torch", "triton", "triton.language")
ONNX_TYPES = {
    "float32": TensorProto.FLOAT,
    "float16": TensorProto.FLOAT16,
    "int32": TensorProto.INT32,
    "int64": TensorProto.INT64,
    "int8": TensorProto.INT8,
}
OUTPUTS = 1
"""All plugins that are built here have one: to ask a plugin, an object more would have to be made."""
NO_GPU = "cudaError 35"
"""What the builder logs after other errors on a machine without a GPU."""


def rename():
    """Let plugin modules import NVIDIA's package by the name of TensorRT; no kernel runs, so libraries are hollow."""
    sys.modules["tensorrt"] = trt
    for name in DEVICE_LIBRARIES:
        sys.modules[name] = mock.MagicMock(name=name)
        sys.modules[name].__path__ = []


def cases_of(name):
    module = importlib.import_module(name)
    return getattr(module, "PLUGIN_CASES", None) or importlib.import_module(f"{name}_cases").PLUGIN_CASES


def attribute(key, value):
    array = np.asarray(value)
    kinds = {"float32": 6, "int32": 7}
    if array.dtype.name in kinds:
        return helper.make_attribute(key, array.ravel().tolist(), attr_type=kinds[array.dtype.name])
    return helper.make_attribute(key, value if isinstance(value, str | bytes) else numpy_helper.from_array(array))


def types_of(case, nth):
    listed = [entry.get("types", "float32") for entry in case["inputs"]]
    listed = [[types] if isinstance(types, str) else types for types in listed]
    return [types[min(nth, len(types) - 1)] for types in listed]


def model_of(case, types, count):
    inputs = [
        helper.make_tensor_value_info(f"x{place}", ONNX_TYPES[dtype], list(entry["dims"]))
        for place, (entry, dtype) in enumerate(zip(case["inputs"], types, strict=True))
    ]
    outputs = [helper.make_tensor_value_info(f"y{place}", ONNX_TYPES[types[0]], None) for place in range(count)]
    names = [[each.name for each in side] for side in (inputs, outputs)]
    identity = {"plugin_version": case.get("version", "1"), "plugin_namespace": case.get("namespace", "")}
    node = helper.make_node(case["plugin"], *names, name="node", **identity)
    node.attribute.extend(attribute(key, value) for key, value in case.get("fields", {}).items())
    graph = helper.make_graph([node], "graph", inputs, outputs)
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)]).SerializeToString()


class Log(trt.ILogger):
    def __init__(self):
        trt.ILogger.__init__(self)
        self.errors = []

    def log(self, severity, text):
        if severity in (trt.ILogger.ERROR, trt.ILogger.INTERNAL_ERROR) and NO_GPU not in text:
            self.errors.append(text)


def configured(builder, case):
    config = builder.create_builder_config()
    config.num_compute_capabilities = 1
    config.set_compute_capability(trt.ComputeCapability.SM89, 0)  # without a GPU the builder has to be told
    config.set_preview_feature(trt.PreviewFeature.ALIASED_PLUGIN_IO_10_03, True)  # noqa: FBT003 - TensorRT's signature
    profile = builder.create_optimization_profile()
    for place, entry in enumerate(case["inputs"]):
        if any(isinstance(extent, str) for extent in entry["dims"]):
            profile.set_shape(f"x{place}", *(tuple(entry[key]) for key in ("min", "opt", "max")))
    config.add_optimization_profile(profile)
    return config


def build(name, index, nth):
    rename()
    case = cases_of(name)[int(index)]
    log = Log()
    builder = trt.Builder(log)
    network = builder.create_network(0)
    parser = trt.OnnxParser(network, log)
    seen = {"parsed": parser.parse(model_of(case, types_of(case, int(nth)), OUTPUTS))}
    plan = builder.build_serialized_network(network, configured(builder, case)) if seen["parsed"] else None
    print(json.dumps({**seen, "plan": plan is not None, "errors": log.errors}), flush=True)  # noqa: T201 - its answer
    del parser, network, builder, plan
    gc.collect()  # a plugin that is freed twice dies here
    print("alive", flush=True)  # noqa: T201 - its answer


if __name__ == "__main__":
    build(*sys.argv[1:])

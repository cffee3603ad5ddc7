"""Makes a network of a description that a test drew: JSON data, so that it can cross into the programs."""

import itertools

import numpy as np
import tensorrt as trt
from logging_plugin import linear
from onnx import TensorProto, numpy_helper
from scenarios import ALIASING, SHAPE_INPUTS, node

TYPES = {
    "FLOAT": TensorProto.FLOAT,
    "HALF": TensorProto.FLOAT16,
    "INT32": TensorProto.INT32,
    "BF16": TensorProto.BFLOAT16,
}


def linear_or_chw32(pos, in_out):
    return in_out[pos].desc.format in {trt.TensorFormat.LINEAR, trt.TensorFormat.CHW32}


def shape_of(drawn):
    """Return the function for output shapes: those of the input, of a size tensor, or of a shape input."""

    def shapes(inputs, shape_inputs, builder):
        if drawn["kind"] == "sized":
            upper = builder.operation(trt.DimensionOperation.PROD, inputs[0][0], builder.constant(drawn["times"]))
            return [trt.DimsExprs([builder.declare_size_tensor(1, inputs[0][0], upper)]), trt.DimsExprs([])]
        if drawn["kind"] == "shaped":
            return [trt.DimsExprs(shape_inputs[0])]
        return [trt.DimsExprs(inputs[0])] * drawn["outputs"]

    return shapes


def network_of(drawn):
    """Return the network of a description."""
    rank, kind, dtype = drawn["rank"], drawn["kind"], TYPES[drawn["type"]]
    dims = ["N", *drawn["extents"][: rank - 1]]
    profiles = [{"x": [[batch, *dims[1:]] for batch in batches]} for batches in drawn["profiles"]]
    outputs = {f"y{place}": (dtype, None) for place in range(drawn["outputs"])}
    common = {
        "inputs": {"x": (dtype, dims)},
        "profiles": profiles,
        "tactics": drawn["tactics"],
        "workspace": drawn["workspace"],
        "resource": drawn["resource"],
        "split": drawn["split"] and kind != "aliased",
        "num_outputs": drawn["outputs"],
        "shapes": shape_of(drawn),
        "nodes": [node("x", " ".join(outputs))],
        "outputs": outputs,
    }
    if drawn["two_formats"]:
        common["formats"] = linear_or_chw32
    return common | _OF_KIND[kind](drawn, common)


def _chain(drawn, common):
    names = ["x", *(f"m{place}" for place in range(drawn["nodes"] - 1))]
    middle = [node(one, other) for one, other in itertools.pairwise(names)]
    if drawn["outputs"] > 1:
        return {}
    return {"nodes": [*middle, node(names[-1], "y0", 4.0)]}


def _sized(drawn, _common):
    long = drawn["times"] % 2
    return {
        "nodes": [node("x", "y0 y1")],
        "num_outputs": 2,
        "outputs": {"y0": (TensorProto.INT32, None), "y1": (TensorProto.INT64 if long else TensorProto.INT32, None)},
        "types": lambda _: [trt.DataType.INT32, trt.DataType.INT64 if long else trt.DataType.INT32],
        "formats": linear,
        "attached": True,
    }


def _aliased(drawn, _common):
    return {
        "nodes": [node("x", " ".join(f"y{place}" for place in range(drawn["outputs"])))],
        "alias": [0, *[-1] * (drawn["outputs"] - 1)],
        "preview": [ALIASING],
        "attached": True,
    }


def _shaped(drawn, _common):
    return {
        "nodes": [node("x s", "y0", **SHAPE_INPUTS)],
        "constants": [numpy_helper.from_array(np.array(drawn["extents"][:2], np.int64), "s")],
        "num_outputs": 1,
        "outputs": {"y0": (TYPES[drawn["type"]], None)},
    }


_OF_KIND = {"chain": _chain, "sized": _sized, "aliased": _aliased, "shaped": _shaped}

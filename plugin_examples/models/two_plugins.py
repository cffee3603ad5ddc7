"""Writes an ONNX model with two plugins between standard operators: ``python -m ... model.onnx``.

An image is padded all around (CircPad), convolved, and put through a parabola (Polynomial). Each image of the batch
becomes a row of probabilities. Batch and height are dynamic; the length of a row follows from the height.
"""

import sys

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

OPSET = 17
DOMAIN = "demo"


def model():
    """Return the model."""
    nodes = [
        helper.make_node("CircPad", ["x"], ["padded"], "/pad", domain=DOMAIN, pads=[1, 1, 1, 1]),
        helper.make_node("Conv", ["padded", "kernel"], ["features"], "/conv"),
        helper.make_node("Polynomial", ["features"], ["bent"], "/bend", domain=DOMAIN, coefficients=[0.5, 1.0, -0.25]),
        helper.make_node("Shape", ["bent"], ["extents"], "/extents"),
        helper.make_node("Gather", ["extents", "first"], ["batch"], "/batch", axis=0),
        helper.make_node("Concat", ["batch", "rest"], ["rows"], "/rows", axis=0),
        helper.make_node("Reshape", ["bent", "rows"], ["flat"], "/flat"),
        helper.make_node("Softmax", ["flat"], ["y"], "/softmax", axis=-1),
    ]
    kernel = np.random.default_rng(0).normal(size=(4, 3, 3, 3)).astype(np.float32)
    weights = {"kernel": kernel, "first": np.array([0]), "rest": np.array([-1])}
    graph = helper.make_graph(
        nodes,
        "two plugins",
        [helper.make_tensor_value_info("x", TensorProto.FLOAT, ["batch", 3, "height", 8])],
        [helper.make_tensor_value_info("y", TensorProto.FLOAT, ["batch", None])],
        [numpy_helper.from_array(array, name) for name, array in weights.items()],
    )
    opsets = [helper.make_opsetid("", OPSET), helper.make_opsetid(DOMAIN, 1)]
    return helper.make_model(graph, opset_imports=opsets, ir_version=8)


if __name__ == "__main__":
    onnx.save(model(), sys.argv[1])

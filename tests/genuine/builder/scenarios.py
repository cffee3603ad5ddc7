"""The networks of the comparison of builders, by name: inputs, nodes, profiles, and what the plugins in them do.

``attached``: NVIDIA's builder configures attached objects in it, as it does for aliases and size tensors.
"""

import numpy as np
import tensorrt as trt
from logging_plugin import KINDS, linear
from onnx import TensorProto, numpy_helper

FLOAT, HALF, BF16 = TensorProto.FLOAT, TensorProto.FLOAT16, TensorProto.BFLOAT16
INT8, INT32, INT64, BOOL = TensorProto.INT8, TensorProto.INT32, TensorProto.INT64, TensorProto.BOOL
RANGE = ((1, 4), (2, 4), (8, 4))
OTHER_RANGE = ((4, 4), (16, 4), (32, 4))
IMAGE_RANGE = ((1, 8, 4, 4), (2, 8, 4, 4), (8, 8, 4, 4))
ALIASING = "ALIASED_PLUGIN_IO_10_03"
SHAPE_INPUTS = {"tensorrt_plugin_shape_input_indices": [1]}
ANYTHING = {"formats": lambda _pos, _in_out: True}


def node(inputs="x", outputs="y", scale=3.0, op="Plugin", **attributes):
    if op == "Plugin" and scale is not None:
        attributes["scale"] = scale
    return op, inputs.split(), outputs.split(), attributes


def network(**more):
    """One plugin with one input and one output, both of FLOAT with a free dimension; ``more`` replaces parts."""
    return {
        "inputs": {"x": (FLOAT, ["N", 4])},
        "nodes": [node()],
        "outputs": {"y": (FLOAT, ["N", 4])},
        "profiles": [{"x": RANGE}],
        **more,
    }


def typed(dtype, **more):
    return network(inputs={"x": (dtype, ["N", 4])}, outputs={"y": (dtype, ["N", 4])}, **more)


def free(*ranges):
    dims = ["N", "C"]
    profiles = [{"x": each} for each in ranges]
    return network(inputs={"x": (FLOAT, dims)}, outputs={"y": (FLOAT, dims)}, profiles=profiles)


def image(dtype=HALF, **more):
    dims = ["N", 8, 4, 4]
    return network(inputs={"x": (dtype, dims)}, outputs={"y": (dtype, dims)}, profiles=[{"x": IMAGE_RANGE}], **more)


def found(inputs, _shape_inputs, builder):
    """Return the shape of a list whose length is a size tensor, the second output, and the shape of that."""
    kinds = trt.DimensionOperation
    upper = builder.operation(kinds.PROD, inputs[0][0], inputs[0][1])
    half = builder.operation(kinds.FLOOR_DIV, upper, builder.constant(2))
    return [trt.DimsExprs([builder.declare_size_tensor(1, half, upper), builder.constant(2)]), trt.DimsExprs([])]


def one_more_than_found(inputs, shape_inputs, builder):
    shapes = found(inputs, shape_inputs, builder)
    shapes[0][0] = builder.operation(trt.DimensionOperation.SUM, shapes[0][0], builder.constant(1))
    return shapes


def nested(inputs, _shape_inputs, builder):
    """Return a size tensor whose optimum is a size tensor."""
    first = builder.declare_size_tensor(1, inputs[0][0], inputs[0][0])
    size = builder.declare_size_tensor(1, first, inputs[0][0])
    return [trt.DimsExprs([size, builder.constant(2)]), trt.DimsExprs([])]


def optimum_above(inputs, _shape_inputs, builder):
    """Return a size tensor whose optimum is above its bound."""
    size = builder.declare_size_tensor(1, builder.constant(9), builder.constant(4))
    return [trt.DimsExprs([size, builder.constant(2)]), trt.DimsExprs([])]


def sized(**more):
    dtype = more.pop("size_type", trt.DataType.INT32)
    usual = {
        "nodes": [node(outputs="y n")],
        "outputs": {"y": (INT32, ["K", 2]), "n": (INT64 if dtype == trt.DataType.INT64 else INT32, [])},
        "types": lambda _: [trt.DataType.INT32, dtype],
        "shapes": found,
        "formats": linear,
    }
    return network(num_outputs=2, attached=True, **{**usual, **more})


def aliased(places=(0,), **more):
    return network(**{"alias": places, "preview": [ALIASING], "attached": any(at >= 0 for at in places), **more})


def of_values(_inputs, shape_inputs, _builder):
    return [trt.DimsExprs(shape_inputs[0])]


def shaped(dtype=INT64, dims=(2,), bounds=((1, 1), (3, 5), (9, 9)), **more):
    return network(
        inputs={"x": (FLOAT, ["N", 4]), "s": (dtype, list(dims))},
        nodes=[node("x s", **SHAPE_INPUTS)],
        outputs={"y": (FLOAT, ["A", "B"])},
        profiles=[{"x": RANGE, "s": bounds}],
        shapes=of_values,
        formats=linear,
        **more,
    )


def less(inputs, _shape_inputs, builder):
    """Return a first dimension that is negative at the least bound."""
    three = builder.constant(3)
    shape = trt.DimsExprs(inputs[0])
    shape[0] = builder.operation(trt.DimensionOperation.SUB, inputs[0][0], three)
    return [shape]


def but(kind):
    return lambda whole, asked: None if asked == kind else whole


def two(**more):
    return network(nodes=[node("x", "m"), node("m", "y", 4.0)], **more)


SCENARIOS = {
    "one plugin": network(),
    "static dimensions": network(inputs={"x": (FLOAT, [2, 4])}, outputs={"y": (FLOAT, [2, 4])}, profiles=[]),
    "rank 0": network(inputs={"x": (FLOAT, [])}, outputs={"y": (FLOAT, [])}, profiles=[]),
    "two free dimensions": free(((1, 1), (2, 4), (8, 8))),
    "least dimension 0": network(profiles=[{"x": ((0, 4), (2, 4), (8, 4))}]),
    "a dimension that the profile fixes": free(RANGE),
    "a dimension that each of two profiles fixes": free(RANGE, ((1, 8), (2, 8), (8, 8))),
    "no fields": network(nodes=[node(scale=None)]),
    "in parts": network(split=True),
    "built twice": network(twice=True),
    "two plugins": two(),
    "two equal plugins": network(nodes=[node("x", "m"), node("m", "y")]),
    "two parallel plugins": network(
        nodes=[node("x", "y"), node("x", "z")], outputs={"y": (FLOAT, ["N", 4]), "z": (FLOAT, ["N", 4])}
    ),
    "three plugins": network(nodes=[node("x", "a"), node("a", "b", 2.0), node("b", "y", 1.0)]),
    "two inputs and outputs": network(
        inputs={"x": (FLOAT, ["N", 4]), "w": (FLOAT, ["N", 4])},
        nodes=[node("x w", "y z")],
        outputs={"y": (FLOAT, ["N", 4]), "z": (FLOAT, ["N", 4])},
        profiles=[{"x": RANGE, "w": RANGE}],
        num_outputs=2,
    ),
    "an unused output": network(nodes=[node("x", "y z")], num_outputs=2),
    "an unused plugin": network(nodes=[node("x", "y"), node("x", "z", 5.0)]),
    "two profiles": network(profiles=[{"x": RANGE}, {"x": OTHER_RANGE}]),
    "two profiles and tactics": network(profiles=[{"x": RANGE}, {"x": OTHER_RANGE}], tactics=[3, 5]),
    "no profile": network(profiles=[]),
    "between operations": network(nodes=[node("x", "a", op="Relu"), node("a", "b"), node("b", "y", op="Relu")]),
    "HALF": typed(HALF),
    "HALF in any format": typed(HALF, **ANYTHING),
    "BF16": typed(BF16),
    "INT8": typed(INT8),
    "UINT8": typed(TensorProto.UINT8),
    "FP8": typed(TensorProto.FLOAT8E4M3FN),
    "INT32": typed(INT32),
    "INT64": typed(INT64),
    "BOOL": typed(BOOL),
    "HALF to FLOAT": network(
        inputs={"x": (HALF, ["N", 4]), "w": (FLOAT, ["N", 4])},
        nodes=[node("x w")],
        profiles=[{"x": RANGE, "w": RANGE}],
        types=lambda _: [trt.DataType.FLOAT],
        formats=linear,
    ),
    "FLOAT to HALF": network(outputs={"y": (HALF, ["N", 4])}, types=lambda _: [trt.DataType.HALF], formats=linear),
    "nothing is supported": network(formats=lambda *_: False),
    "anything is supported": network(**ANYTHING),
    "only HALF is supported": network(formats=lambda pos, in_out: in_out[pos].desc.type == trt.DataType.HALF),
    "no output is supported": network(formats=lambda pos, _: pos == 0),
    "an image": image(),
    "an image of FLOAT": image(FLOAT, **ANYTHING),
    "an image of INT8": image(INT8, **ANYTHING),
    "an image of BF16": image(BF16, **ANYTHING),
    "an image of INT8 with free channels": network(
        inputs={"x": (INT8, ["N", "C", 4, 4])},
        outputs={"y": (INT8, ["N", "C", 4, 4])},
        profiles=[{"x": ((1, 1, 4, 4), (2, 8, 4, 4), (8, 8, 4, 4))}],
        **ANYTHING,
    ),
    "a volume": network(
        inputs={"x": (HALF, ["N", 8, 2, 4, 4])},
        outputs={"y": (HALF, ["N", 8, 2, 4, 4])},
        profiles=[{"x": ((1, 8, 2, 4, 4), (2, 8, 2, 4, 4), (8, 8, 2, 4, 4))}],
        formats=lambda *_: False,
    ),
    "an image in any format": image(**ANYTHING),
    "an image in no format": image(formats=lambda *_: False),
    "an image in HWC8": image(formats=lambda pos, in_out: in_out[pos].desc.format == trt.TensorFormat.HWC8),
    "an image that is not LINEAR": image(
        formats=lambda pos, in_out: in_out[pos].desc.format != trt.TensorFormat.LINEAR
    ),
    "limit 1": network(format_combination_limit=1),
    "limit 0": network(format_combination_limit=0),
    "limit 1 of an image": image(**ANYTHING, format_combination_limit=1),
    "tactics": network(tactics=[3, 5, 9]),
    "tactics with an id": network(tactics=[3, 5], timing_cache_id="id-1"),
    "tactics with an empty id": network(tactics=[3, 5], timing_cache_id=""),
    "metadata": network(metadata_string="meta-data"),
    "workspace": network(workspace=4096),
    "a size tensor": sized(),
    "a size tensor of INT64": sized(size_type=trt.DataType.INT64),
    "a size tensor and workspace": sized(workspace=4096),
    "a size tensor between": {
        **sized(types=lambda _: [trt.DataType.FLOAT, trt.DataType.INT64]),
        "nodes": [node("x", "m n"), node("m", "y", op="Abs")],
        "outputs": {"y": (FLOAT, ["K", 2])},
    },
    "arithmetic with a size tensor": sized(shapes=one_more_than_found),
    "a size tensor as an optimum": sized(shapes=nested),
    "an optimum above its bound": sized(shapes=optimum_above),
    "a size tensor of rank 1": sized(
        shapes=lambda inputs, values, builder: [found(inputs, values, builder)[0], trt.DimsExprs([builder.constant(1)])]
    ),
    "a size tensor of FLOAT": sized(size_type=trt.DataType.FLOAT, outputs={"y": (INT32, ["K", 2]), "n": (FLOAT, [])}),
    "a dimension without an expression": network(shapes=lambda *_: [trt.DimsExprs(2)]),
    "an alias": aliased(),
    "an alias without the feature": aliased(preview=[]),
    "no alias": aliased((-1,)),
    "an alias of no input": aliased((5,)),
    "an alias of a smaller output": aliased(
        shapes=lambda inputs, _, builder: [trt.DimsExprs([inputs[0][0], builder.constant(2)])]
    ),
    "an alias of a larger output": aliased(
        shapes=lambda inputs, _, builder: [trt.DimsExprs([inputs[0][0], builder.constant(8)])]
    ),
    "an alias between operations": aliased(
        nodes=[node("x", "a", op="Relu"), node("a", "b"), node("b", "y", op="Relu")]
    ),
    "a shape input": shaped(),
    "a shape input of INT32": shaped(INT32),
    "a scalar shape input": shaped(dims=[], bounds=((1,), (3,), (9,))),
    "a shape input with two dimensions": network(
        nodes=[node("x s", **SHAPE_INPUTS)],
        constants=[numpy_helper.from_array(np.array([[3, 5]], np.int64), "s")],
        outputs={"y": (FLOAT, ["A", "B"])},
        shapes=of_values,
        formats=linear,
    ),
    "a constant shape input": network(
        nodes=[node("x s", **SHAPE_INPUTS)],
        constants=[numpy_helper.from_array(np.array([3, 5], np.int64), "s")],
        outputs={"y": (FLOAT, ["A", "B"])},
        shapes=of_values,
        formats=linear,
    ),
    "the shape of a shape": network(
        nodes=[node("x", "s", op="Shape"), node("x s", **SHAPE_INPUTS)],
        outputs={"y": (FLOAT, ["A", "B"])},
        shapes=of_values,
        formats=linear,
    ),
    "a dimension below 0 at a bound": network(shapes=less, profiles=[{"x": ((1, 4), (5, 4), (8, 4))}]),
    "an input left out": network(nodes=[("Plugin", ["x", ""], ["y"], {"scale": 3.0})]),
    "a resource": network(resource=True),
    "no BUILD": network(part=but(KINDS.BUILD)),
    "no CORE": network(part=but(KINDS.CORE)),
    "no RUNTIME": network(part=but(KINDS.RUNTIME)),
}

OFTEN = ("raises", "none", "custom", "str", "int", "empty")
FAULTS = {
    "one plugin": {
        "create_plugin": OFTEN,
        "get_capability_interface": OFTEN,
        "clone": (*OFTEN, "raises@2", "none@2", "raises@3", "none@3"),
        "destroy": ("raises", "int"),
        "get_output_data_types": (*OFTEN, "more", "tuple", "wrongitem", "raises@1", "raises@2", "raises@3"),
        "get_output_shapes": (*OFTEN, "more", "tuple", "wrongitem", "raises@2", "raises@3", "raises@4"),
        "supports_format_combination": (*OFTEN, "one", "numpybool"),
        "configure_plugin": OFTEN,
        "get_workspace_size": (*OFTEN, "minus", "float", "huge", "true"),
        "get_valid_tactics": (*OFTEN, "dup", "zero", "neg", "wrongitem", "many"),
        "get_fields_to_serialize": (*OFTEN, "raises@2", "raises@3", "none@2"),
    },
    "a size tensor": {
        "get_output_shapes": ("raises", "none"),
        "supports_format_combination": ("raises", "none"),
        "attach_to_context": (*OFTEN, "raises@2"),
        "configure_plugin": ("raises", "none", "int", "raises@2"),
        "set_tactic": ("raises", "int"),
        "get_workspace_size": ("raises", "none", "minus", "huge", "raises@2"),
        "get_valid_tactics": ("raises", "none", "custom", "dup", "zero", "neg", "many"),
        "get_fields_to_serialize": ("raises", "none", "custom", "raises@2"),
        "destroy": ("raises",),
    },
    "an alias": {"get_aliased_input": (*OFTEN, "minus", "float", "raises@2")},
}


def faults():
    """Return every pair of a scenario and a fault: METHOD:KIND, or METHOD:KIND@NTH for the nth call alone."""
    return [
        (scenario, f"{method}:{kind}")
        for scenario, methods in FAULTS.items()
        for method, kinds in methods.items()
        for kind in kinds
    ]

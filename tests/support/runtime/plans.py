"""Plans for tests, one of each kind."""

from __future__ import annotations

import struct

from msgspec.structs import replace

from reference_runtime.interfaces.saved_fields import SavedField
from reference_runtime.operations.cast import Cast, Identity
from reference_runtime.operations.constant import Constant
from reference_runtime.operations.shape import Shape
from reference_runtime.plan import (
    PLUGIN_V2,
    PLUGIN_V3,
    KernelPlan,
    LayerPlan,
    Plan,
    PluginPlan,
    ProfilePlan,
    TensorPlan,
)
from reference_runtime.values.descriptions import Description
from reference_runtime.values.enums import DataType, PluginFieldType, TensorFormat, TensorIOMode, TensorLocation

T, F, M = DataType, TensorFormat, TensorIOMode
DESC = Description((-1, 3, -1), T.FLOAT, F.LINEAR)
HALF = Description((-1, 3, -1), T.HALF, F.LINEAR)
NUMBER = Description((), T.INT64, F.LINEAR)

LAYER = LayerPlan(
    name="layer",
    kind=PLUGIN_V2,
    inputs=(0,),
    outputs=(1,),
    chosen=(DESC, HALF),
    workspace=64,
    plugin=PluginPlan("Type", "1", "ns", (([["INPUT", 0, 0]], 3, [["INPUT", 0, 2], 2, ["SUM", 0, 1]]),), aliases=(-1,)),
    payload=b"\0payload",
)
PLAN = Plan(
    name="network é",
    tensors=(TensorPlan("x", M.INPUT, DESC), TensorPlan("y", M.OUTPUT, DESC)),
    layers=(LAYER,),
    profiles=(ProfilePlan((((1, 3, 1), (2, 3, 4), (4, 3, 8)),), (None,)),),
)
"""A plugin of version 2."""

_COUNT = [["INPUT", 0, 0], ["VALUE", 0, 1], ["PROD", 0, 1]]
SELECTING = LayerPlan(
    name="selecting",
    kind=PLUGIN_V3,
    inputs=(0,),
    outputs=(2, 3),
    chosen=(DESC, Description((-1, 3), T.FLOAT, F.LINEAR), NUMBER),
    workspace=256,
    plugin=PluginPlan(
        type="Selecting",
        version="2",
        namespace="",
        shapes=(([*_COUNT, ["SIZE", 1, 2, 2]], 3), ()),
        shape_inputs=(1,),
        tactic=7,
        aliases=(-1, -1),
        sizes=(1,),
        metadata="version 3",
    ),
    fields=(
        SavedField("axes", PluginFieldType.INT32, 2, b"\1\0\0\0\2\0\0\0"),
        SavedField("note", PluginFieldType.CHAR, 3, b"abc"),
    ),
    metadata="a layer",
)
IN_PLACE = LayerPlan(
    name="in place",
    kind=PLUGIN_V3,
    inputs=(2,),
    outputs=(4,),
    chosen=(Description((-1, 3), T.FLOAT, F.LINEAR),) * 2,
    plugin=PluginPlan("InPlace", "1", "", (([["INPUT", 0, 0]], 3),), aliases=(0,)),
)
PLAN_V3 = Plan(
    name="v3",
    tensors=(
        TensorPlan("x", M.INPUT, DESC),
        TensorPlan("n", M.INPUT, Description((2,), T.INT64, F.LINEAR), TensorLocation.HOST),
        TensorPlan("y", M.OUTPUT, Description((-1, 3), T.FLOAT, F.LINEAR)),
        TensorPlan("size", M.OUTPUT, NUMBER),
        TensorPlan("z", M.OUTPUT, Description((-1, 3), T.FLOAT, F.LINEAR), debug=True),
    ),
    layers=(SELECTING, IN_PLACE),
    profiles=(
        ProfilePlan((((1, 3, 1), (2, 3, 4), (4, 3, 8)), ((2,), (2,), (2,))), (None, ((1, 1), (2, 2), (3, 9)))),
        ProfilePlan((((1, 3, 1), (1, 3, 1), (1, 3, 1)), ((2,), (2,), (2,))), (None, ((0, 0), (0, 0), (0, 0)))),
    ),
)
"""Plugins of version 3: with a shape input, a size tensor, a tactic and fields; and one that works in place."""


def _operation(operation):
    return {"kind": operation.kind.name, "operation": operation.to_plain(), "payload": operation.weights}


_SHAPE = Description((3,), T.INT64, F.LINEAR)
_WIDE = Description((1, 1, 3), T.FLOAT, F.LINEAR)
PLAN_OPERATIONS = Plan(
    name="operations",
    tensors=(
        TensorPlan("x", M.INPUT, DESC),
        TensorPlan("y", M.OUTPUT, DESC),
        TensorPlan("shape of x", M.OUTPUT, _SHAPE, TensorLocation.HOST),
        TensorPlan("weights", M.NONE, _WIDE),
        TensorPlan("cast", M.NONE, HALF),
    ),
    layers=(
        LayerPlan("shape", inputs=(0,), outputs=(2,), chosen=(DESC, _SHAPE), **_operation(Shape())),
        LayerPlan(
            "constant",
            inputs=(),
            outputs=(3,),
            chosen=(_WIDE,),
            **_operation(Constant((1, 1, 3), T.FLOAT, struct.pack("<3f", 1.0, 2.0, 3.0))),
        ),
        LayerPlan(
            "cast",
            inputs=(0,),
            outputs=(4,),
            chosen=(DESC, HALF),
            **_operation(Cast(T.HALF)),
        ),
        LayerPlan("same", inputs=(4,), outputs=(1,), chosen=(HALF, HALF), **_operation(Identity())),
    ),
    profiles=PLAN.profiles,
)
"""Layers that run no plugin, one of them for the host and one with weights."""

COMPILED = LayerPlan(
    name="compiled",
    kind=PLUGIN_V3,
    inputs=(0,),
    outputs=(1,),
    chosen=(DESC, DESC),
    plugin=PluginPlan("Double", "1", "m", (([["INPUT", 0, 0]], 3, [["INPUT", 0, 2]]),), tactic=64, aliases=(-1,)),
    kernel=KernelPlan("double", b".version 7.0", ([["INPUT", 0, 0]], 1, 1, 64, 1, 1, 0), ([["INPUT", 0, 2]],)),
)
PLAN_COMPILED = replace(PLAN, name="compiled", layers=(COMPILED,))
"""A decorated plugin that was compiled ahead of time."""

PLANS = {"v2": PLAN, "v3": PLAN_V3, "operations": PLAN_OPERATIONS, "compiled": PLAN_COMPILED}

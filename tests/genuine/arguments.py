"""Values to call and assign with: odd ones for every parameter, and fitting ones read from a method's signature."""

import re

import numpy as np
import tensorrt as trt


def odd_values():
    """Return the values that are assigned to every property."""
    return [
        None, 0, 1, -1, 7, 2**31, 2**63, 2**64, -(2**31) - 1, True, 1.5, float("nan"), "x", "", "a\0b", "é☃", "\ud800",
        b"x", b"\xff", bytearray(b"y"), [], [1, 2], ["a"], (1,), (), {}, {1}, object, np.float32(2), np.int64(3),
        np.ones(2, np.float32), np.array(5), trt.DataType.HALF, trt.PluginFieldType.INT32, trt.Dims((1, 2)),
        trt.Dims3(1, 2, 3), trt.PluginFieldCollection([]), trt.PluginTensorDesc(), trt.Weights(),
        trt.ILogger.Severity.ERROR,
    ]  # fmt: skip


def shown(value):
    """Return a value's text in an item's name, without an address."""
    return re.sub(" at 0x.*", "", ascii(value).replace("tensorrt_lean_bindings.tensorrt_lean", "tensorrt.tensorrt"))


def fitting(kinds):
    """Return new arguments for parameters of these kinds, or None where one cannot be made here."""
    makers = [FITTING.get(kind) for kind in kinds]
    return None if None in makers else [make() for make in makers]


def description():
    """Return a filled-in description of a tensor."""
    made = trt.PluginTensorDesc()
    made.dims, made.type = trt.Dims((2, 3)), trt.DataType.FLOAT
    return made


def dynamic_description():
    """Return a filled-in description with bounds."""
    made = trt.DynamicPluginTensorDesc()
    made.desc = description()
    made.min = made.max = trt.Dims((2, 3))
    return made


FITTING = {
    "typing.SupportsInt": lambda: 1,
    "typing.SupportsFloat": lambda: 0.5,
    "typing_extensions.CapsuleType": lambda: None,
    "typing_extensions.Buffer": lambda: b"abc",
    "collections.abc.Buffer": lambda: b"abc",
    "bool": lambda: True,
    "str": lambda: "x",
    "bytes": lambda: b"abc",
    "object": lambda: 5,
    "DataType": lambda: trt.DataType.FLOAT,
    "Dims": lambda: trt.Dims((2, 3)),
    "DimsExprs": lambda: trt.DimsExprs(2),
    "PluginTensorDesc": description,
    "PluginFieldCollection_": lambda: trt.PluginFieldCollection([]),
    "nvinfer1::TensorRTPhase": lambda: trt.TensorRTPhase.BUILD,
    "nvinfer1::PluginCapabilityType": lambda: trt.PluginCapabilityType.CORE,
    "nvinfer1::QuickPluginCreationRequest": lambda: trt.QuickPluginCreationRequest.STRICT_AOT,
    "nvinfer1::TensorLocation": lambda: trt.TensorLocation.HOST,
    "nvinfer1::IPluginResourceContext": lambda: trt.IPluginResourceContext(),
    "ErrorCodeTRT": lambda: trt.ErrorCodeTRT.INTERNAL_ERROR,
    "SeekPosition": lambda: trt.SeekPosition.SET,
    "Severity": lambda: trt.ILogger.Severity.ERROR,
    "collections.abc.Sequence[typing.SupportsInt]": lambda: [1, 2],
    "collections.abc.Sequence[typing.SupportsFloat]": lambda: [1.5],
    "collections.abc.Sequence[typing_extensions.CapsuleType]": lambda: [None],
    "collections.abc.Sequence[bool]": lambda: [True],
    "collections.abc.Sequence[str]": lambda: ["a"],
    "collections.abc.Sequence[DataType]": lambda: [trt.DataType.FLOAT],
    "collections.abc.Sequence[Dims]": lambda: [trt.Dims((2, 3))],
    "collections.abc.Sequence[DimsExprs]": lambda: [trt.DimsExprs(2)],
    "collections.abc.Sequence[PluginTensorDesc]": lambda: [description()],
    "collections.abc.Sequence[DynamicPluginTensorDesc]": lambda: [dynamic_description()],
    "collections.abc.Sequence[PluginField]": lambda: [trt.PluginField()],
    "IPluginV2": lambda: trt.IPluginV2DynamicExt(),
    "IPluginV3": lambda: trt.IPluginV3(),
}

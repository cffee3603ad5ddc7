"""Pixel shuffle as an IPluginV3 of a library's own namespace: ``acme``.

A tensor (N, C * r * r, H, W) becomes (N, C, H * r, W * r). Each r * r channels become the pixels of a square. The field
``upscale_factor`` is r. Other libraries may have a PixelShuffle of version 1 as well. This creator is found under its
name, its version and ``acme``, and every object of it says so.
"""

import cupy as cp
import numpy as np
import tensorrt as trt

NAMESPACE = "acme"
TYPES = (trt.DataType.FLOAT, trt.DataType.HALF)
RANK = 4
MAX_FACTOR = 64


class PixelShufflePlugin(trt.IPluginV3, trt.IPluginV3OneCore, trt.IPluginV3OneBuild, trt.IPluginV3OneRuntime):
    """Moves channels into space."""

    def __init__(self, factor):
        trt.IPluginV3.__init__(self)
        trt.IPluginV3OneCore.__init__(self)
        trt.IPluginV3OneBuild.__init__(self)
        trt.IPluginV3OneRuntime.__init__(self)
        self.plugin_name = "PixelShuffle"
        self.plugin_version = "1"
        # TensorRT looks the creator up by this when it loads an engine.
        self.plugin_namespace = NAMESPACE
        self.num_outputs = 1
        self.factor = factor
        # TensorRT reads the field from here when it serializes the plugin.
        self._stored = np.array([factor], np.int32)

    def get_capability_interface(self, type):  # noqa: A002 - TensorRT's name
        return self

    def clone(self):
        return PixelShufflePlugin(self.factor)

    # -- build ----------------------------------------------------------------------------------------------

    def get_output_data_types(self, input_types):
        return [input_types[0]]

    def get_output_shapes(self, inputs, shape_inputs, expr_builder):
        if len(inputs[0]) != RANK:
            raise ValueError(f"PixelShuffle needs a tensor of rank {RANK}, not {len(inputs[0])}")
        batch, channels, height, width = (inputs[0][axis] for axis in range(RANK))
        factor, square = expr_builder.constant(self.factor), expr_builder.constant(self.factor**2)
        operations = trt.DimensionOperation
        return [
            trt.DimsExprs(
                [
                    batch,
                    expr_builder.operation(operations.FLOOR_DIV, channels, square),
                    expr_builder.operation(operations.PROD, height, factor),
                    expr_builder.operation(operations.PROD, width, factor),
                ]
            )
        ]

    def supports_format_combination(self, pos, in_out, num_inputs):
        desc = in_out[pos].desc
        if desc.format != trt.TensorFormat.LINEAR:
            return False
        return desc.type in TYPES and desc.type == in_out[0].desc.type

    def configure_plugin(self, inputs, outputs):
        """Nothing: enqueue takes types and dimensions from its descriptors."""

    # -- runtime --------------------------------------------------------------------------------------------

    def set_tactic(self, tactic):
        if tactic != 0:
            raise ValueError(f"PixelShuffle advertises no tactics, and was given tactic {tactic}")

    def on_shape_change(self, inputs, outputs):
        channels = inputs[0].dims[1]
        if channels % self.factor**2:
            raise ValueError(f"{channels} channels cannot be squares of {self.factor} x {self.factor} pixels")

    def attach_to_context(self, context):
        return self.clone()

    def get_fields_to_serialize(self):
        return trt.PluginFieldCollection([trt.PluginField("upscale_factor", self._stored, trt.PluginFieldType.INT32)])

    def enqueue(self, input_desc, output_desc, inputs, outputs, workspace, stream):
        batch, channels, height, width = output_desc[0].dims
        if trt.volume(output_desc[0].dims) == 0:
            return
        factor, dtype = self.factor, np.dtype(trt.nptype(input_desc[0].type))
        with cp.cuda.ExternalStream(stream):
            x = self._array(inputs[0], (batch, channels, factor, factor, height // factor, width // factor), dtype)
            y = self._array(outputs[0], (batch, channels, height // factor, factor, width // factor, factor), dtype)
            y[...] = x.transpose(0, 1, 4, 2, 5, 3)

    def _array(self, address, shape, dtype):
        """Return an array over memory that belongs to TensorRT."""
        memory = cp.cuda.UnownedMemory(address, trt.volume(shape) * dtype.itemsize, self)
        return cp.ndarray(shape, dtype, cp.cuda.MemoryPointer(memory, 0))


class PixelShuffleCreator(trt.IPluginCreatorV3One):
    """Makes PixelShufflePlugins from one required field, ``upscale_factor`` (one INT32, at least 1)."""

    def __init__(self):
        trt.IPluginCreatorV3One.__init__(self)
        self.name = "PixelShuffle"
        self.plugin_version = "1"
        self.plugin_namespace = NAMESPACE
        # TensorRT does not keep these alive, so the creator does.
        self._advertised = [trt.PluginField("upscale_factor", np.array([], np.int32), trt.PluginFieldType.INT32)]
        self.field_names = trt.PluginFieldCollection(self._advertised)

    def create_plugin(self, name, field_collection, phase):
        for field in field_collection:
            if field.name == "upscale_factor":
                return PixelShufflePlugin(self._factor(field))
        raise ValueError("PixelShuffle needs the field upscale_factor")

    @staticmethod
    def _factor(field):
        if field.type != trt.PluginFieldType.INT32 or field.size != 1:
            raise ValueError(f"upscale_factor is one INT32, not {field.size} of {field.type}")
        factor = int(field.data[0])
        if not 1 <= factor <= MAX_FACTOR:
            raise ValueError(f"upscale_factor must be from 1 to {MAX_FACTOR}, not {factor}")
        return factor


# The namespace is given twice, once by the creator and once here, and TensorRT wants both to be the same.
if not trt.get_plugin_registry().register_creator(PixelShuffleCreator(), NAMESPACE):
    raise RuntimeError(
        f"TensorRT refused the creator of PixelShuffle: {NAMESPACE} has a plugin of this name and version already"
    )

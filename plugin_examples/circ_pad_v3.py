"""Circular padding as an IPluginV3: it continues the last dimensions at both ends with the elements of their other end.

The field ``pads`` holds two numbers for each padded dimension, elements before and after. It begins with the last
dimension, as PyTorch's ``torch.nn.functional.pad`` has it. A dimension of size 0 has no element to continue
with and is padded with zeros.
"""

import itertools

import cupy as cp
import numpy as np
import tensorrt as trt

TYPES = (trt.DataType.FLOAT, trt.DataType.HALF)
MAX_DIMS = 8


def _check(pads):
    """Return the pads as a tuple of ints; refuse what no tensor could be padded with."""
    values = tuple(int(pad) for pad in pads)
    if not values or len(values) % 2 or len(values) > 2 * MAX_DIMS:
        raise ValueError(f"pads are two numbers for each of 1 to {MAX_DIMS} dimensions, not {len(values)} numbers")
    if min(values) < 0:
        raise ValueError(f"pads must not be negative: {values}")
    return values


class CircPadPlugin(trt.IPluginV3, trt.IPluginV3OneCore, trt.IPluginV3OneBuild, trt.IPluginV3OneRuntime):
    """Pads the last dimensions of a tensor, wrapping around."""

    def __init__(self, pads, namespace=""):
        trt.IPluginV3.__init__(self)
        trt.IPluginV3OneCore.__init__(self)
        trt.IPluginV3OneBuild.__init__(self)
        trt.IPluginV3OneRuntime.__init__(self)
        self.plugin_name = "CircPad"
        self.plugin_version = "2"
        self.plugin_namespace = namespace
        self.num_outputs = 1
        self.pads = _check(pads)
        # TensorRT reads the field from here when it serializes the plugin.
        self._stored = np.array(self.pads, np.int32)

    def get_capability_interface(self, type):  # noqa: A002 - TensorRT's name
        return self

    def clone(self):
        return CircPadPlugin(self.pads, self.plugin_namespace)

    # -- build ----------------------------------------------------------------------------------------------

    def get_output_data_types(self, input_types):
        return [input_types[0]]

    def get_output_shapes(self, inputs, shape_inputs, expr_builder):
        dims = trt.DimsExprs(inputs[0])
        for axis, before, after in self._padded_axes(len(dims)):
            padding = expr_builder.constant(before + after)
            dims[axis] = expr_builder.operation(trt.DimensionOperation.SUM, inputs[0][axis], padding)
        return [dims]

    def supports_format_combination(self, pos, in_out, num_inputs):
        desc = in_out[pos].desc
        if desc.format != trt.TensorFormat.LINEAR:
            return False
        return desc.type in TYPES and desc.type == in_out[0].desc.type

    def configure_plugin(self, inputs, outputs):
        """Do nothing: enqueue takes types and dimensions from its descriptors."""

    # -- runtime --------------------------------------------------------------------------------------------

    def set_tactic(self, tactic):
        if tactic != 0:
            raise ValueError(f"CircPad advertises no tactics, and was given tactic {tactic}")

    def on_shape_change(self, inputs, outputs):
        """Do nothing: enqueue takes types and dimensions from its descriptors."""

    def attach_to_context(self, context):
        return self.clone()

    def get_fields_to_serialize(self):
        return trt.PluginFieldCollection([trt.PluginField("pads", self._stored, trt.PluginFieldType.INT32)])

    def enqueue(self, input_desc, output_desc, inputs, outputs, workspace, stream):
        if trt.volume(output_desc[0].dims) == 0:
            return
        with cp.cuda.ExternalStream(stream):
            padded = self._array(output_desc[0], outputs[0])
            if trt.volume(input_desc[0].dims) == 0:
                padded.fill(0)
                return
            x = self._array(input_desc[0], inputs[0])
            for blocks in itertools.product(*self._blocks(x.shape)):
                target, source = zip(*blocks, strict=True)
                padded[target] = x[source]

    def _padded_axes(self, rank):
        """Return (axis, elements before, elements after), the last axis first."""
        pairs = list(zip(self.pads[::2], self.pads[1::2], strict=True))
        if len(pairs) > rank:
            raise ValueError(f"{len(pairs)} dimensions are to be padded, but the tensor has {rank}")
        return [(rank - 1 - place, before, after) for place, (before, after) in enumerate(pairs)]

    def _blocks(self, shape):
        """Return, for each axis, the (output slice, input slice) pairs that cover the output."""
        blocks = [[(slice(None), slice(None))] for _ in shape]
        for axis, before, after in self._padded_axes(len(shape)):
            extent, position, blocks[axis] = shape[axis], 0, []
            while position < before + extent + after:
                source = (position - before) % extent
                step = min(extent - source, before + extent + after - position)
                blocks[axis].append((slice(position, position + step), slice(source, source + step)))
                position += step
        return blocks

    def _array(self, desc, address):
        """Return an array over memory that belongs to TensorRT."""
        shape, dtype = tuple(desc.dims), np.dtype(trt.nptype(desc.type))
        memory = cp.cuda.UnownedMemory(address, trt.volume(shape) * dtype.itemsize, self)
        return cp.ndarray(shape, dtype, cp.cuda.MemoryPointer(memory, 0))


class CircPadCreator(trt.IPluginCreatorV3One):
    """Makes CircPadPlugins from one required field, ``pads`` (INT32)."""

    def __init__(self):
        trt.IPluginCreatorV3One.__init__(self)
        self.name = "CircPad"
        self.plugin_version = "2"
        self.plugin_namespace = ""
        # TensorRT does not keep these alive, so the creator does.
        self._advertised = [trt.PluginField("pads", np.array([], np.int32), trt.PluginFieldType.INT32)]
        self.field_names = trt.PluginFieldCollection(self._advertised)

    def create_plugin(self, name, field_collection, phase):
        for field in field_collection:
            if field.name == "pads":
                if field.type != trt.PluginFieldType.INT32:
                    raise ValueError(f"pads are INT32, not {field.type}")
                return CircPadPlugin(field.data if field.size > 0 else (), self.plugin_namespace)
        raise ValueError("CircPad needs the field pads")


if not trt.get_plugin_registry().register_creator(CircPadCreator(), ""):
    raise RuntimeError("TensorRT refused the creator of CircPad: another plugin of this name and version is registered")

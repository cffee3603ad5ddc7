"""Circular padding: it continues the last dimensions at both ends with the elements of their other end.

The field ``pads`` holds two numbers for each padded dimension, elements before and after. It begins with the last
dimension, as PyTorch's ``torch.nn.functional.pad`` has it. A dimension of size 0 has no element to continue
with and is padded with zeros.
"""

import itertools
import struct

import cupy as cp
import numpy as np
import tensorrt as trt

TYPES = (trt.DataType.FLOAT, trt.DataType.HALF)
HEAD = struct.Struct("<4sI")  # a tag that marks our data, and the number of pads
TAG = b"CIR1"
MAX_DIMS = 8


def _check(pads):
    """Return the pads as a tuple of ints; refuse what no tensor could be padded with."""
    values = tuple(int(pad) for pad in pads)
    if not values or len(values) % 2 or len(values) > 2 * MAX_DIMS:
        raise ValueError(f"pads are two numbers for each of 1 to {MAX_DIMS} dimensions, not {len(values)} numbers")
    if min(values) < 0:
        raise ValueError(f"pads must not be negative: {values}")
    return values


class CircPadPlugin(trt.IPluginV2DynamicExt):
    """Pads the last dimensions of a tensor, wrapping around."""

    def __init__(self, pads, namespace=""):
        trt.IPluginV2DynamicExt.__init__(self)
        self.plugin_type = "CircPad"
        self.plugin_version = "1"
        self.plugin_namespace = namespace
        self.num_outputs = 1
        self.pads = _check(pads)

    def get_output_datatype(self, index, input_types):
        if index != 0 or not input_types or input_types[0] not in TYPES:
            return trt.DataType.FLOAT
        return input_types[0]

    def get_output_dimensions(self, output_index, inputs, expr_builder):
        dims = trt.DimsExprs(inputs[0])
        for axis, before, after in self._padded_axes(len(dims)):
            padding = expr_builder.constant(before + after)
            dims[axis] = expr_builder.operation(trt.DimensionOperation.SUM, inputs[0][axis], padding)
        return dims

    def supports_format_combination(self, pos, in_out, num_inputs):
        desc = in_out[pos]
        if desc.format != trt.TensorFormat.LINEAR:
            return False
        return desc.type in TYPES and desc.type == in_out[0].type

    def configure_plugin(self, inputs, outputs):
        """Do nothing: enqueue takes types and dimensions from its descriptors."""

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

    def serialize(self):
        return HEAD.pack(TAG, len(self.pads)) + struct.pack(f"<{len(self.pads)}i", *self.pads)

    def clone(self):
        return type(self)(self.pads, self.plugin_namespace)

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


class CircPadCreator(trt.IPluginCreator):
    """Makes CircPadPlugins from one required field, ``pads`` (INT32)."""

    plugin_class = CircPadPlugin

    def __init__(self):
        trt.IPluginCreator.__init__(self)
        self.name = "CircPad"
        self.plugin_version = "1"
        self.plugin_namespace = ""
        # TensorRT does not keep these alive, so the creator does.
        self._advertised = [trt.PluginField("pads", np.array([], np.int32), trt.PluginFieldType.INT32)]
        self.field_names = trt.PluginFieldCollection(self._advertised)

    def create_plugin(self, name, field_collection):
        for field in field_collection:
            if field.name == "pads":
                if field.type != trt.PluginFieldType.INT32:
                    raise ValueError(f"pads are INT32, not {field.type}")
                return self.plugin_class(field.data if field.size > 0 else (), self.plugin_namespace)
        raise ValueError("CircPad needs the field pads")

    def deserialize_plugin(self, name, data):
        if len(data) < HEAD.size:
            raise ValueError(f"a CircPad is stored in {HEAD.size} bytes at least, not in {len(data)}")
        tag, count = HEAD.unpack_from(data)
        pads = data[HEAD.size :]
        if tag != TAG or len(pads) != 4 * count:
            raise ValueError("the stored data are not those of a CircPad")
        return self.plugin_class(struct.unpack(f"<{count}i", pads), self.plugin_namespace)


if not trt.get_plugin_registry().register_creator(CircPadCreator(), ""):
    raise RuntimeError("TensorRT refused the creator of CircPad: another plugin of this name and version is registered")

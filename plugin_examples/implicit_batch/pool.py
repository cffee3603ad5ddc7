"""Max pooling of images with INT8 or FLOAT tensors, after the developer guide's PoolPlugin: an IPluginV2IOExt.

It keeps, serializes and restores the arguments of configure_plugin (dimensions, type and INT8 scales): an engine does
not configure again. (The guide's listing reads members that it never assigns. This plugin assigns what it reads.)

Deriving from IPluginV2IOExt in Python is an extension of the reference runtime; TensorRT has the interface in C++.
"""

import struct

import cupy as cp
import numpy as np
import tensorrt as trt

TYPES = (trt.DataType.FLOAT, trt.DataType.INT8)
PARAMETERS = ("kernel_size", "stride", "padding")  # two numbers each: height, width
STORED = struct.Struct("<4s6i6i2f")  # a tag, the parameters; type and dimensions, and the scales of input and output
TAG = b"POOL"
NO_SCALE = -1.0  # of a tensor that is not INT8


class PoolPlugin(trt.IPluginV2IOExt):
    """Takes the largest value of each window; what is padded is smaller than any value."""

    def __init__(self, kernel, stride, padding, namespace=""):
        trt.IPluginV2IOExt.__init__(self)
        self.plugin_type = "Pool"
        self.plugin_version = "1"
        self.plugin_namespace = namespace
        self.num_outputs = 1
        self.kernel, self.stride, self.padding = tuple(kernel), tuple(stride), tuple(padding)
        self.dtype = trt.DataType.FLOAT
        self.c = self.h = self.w = self.p = self.q = 0  # dimensions of one item, as the guide's listing names them
        self.in_scale = self.out_scale = NO_SCALE

    def get_output_shape(self, index, input_shapes):
        if index != 0:
            return None  # no output has this index
        c, h, w = input_shapes[0]
        return (c, self._pooled(h, 0), self._pooled(w, 1))

    def get_output_data_type(self, index, input_types):
        return input_types[0] if index == 0 and input_types else trt.DataType.FLOAT

    def supports_format_combination(self, pos, in_out, num_inputs):
        desc = in_out[pos]
        if desc.format != trt.TensorFormat.LINEAR:
            return False
        return desc.type in TYPES and desc.type == in_out[0].type

    def configure_plugin(self, inputs, outputs):
        self.dtype = inputs[0].type
        self.c, self.h, self.w = inputs[0].dims
        _, self.p, self.q = outputs[0].dims
        self.in_scale = inputs[0].scale if inputs[0].scale >= 0 else NO_SCALE
        self.out_scale = outputs[0].scale if outputs[0].scale >= 0 else NO_SCALE

    def get_workspace_size(self, max_batch_size):
        """Return room for the padded input."""
        return max_batch_size * self.c * self._padded(self.h, 0) * self._padded(self.w, 1) * self._itemsize()

    def execute_async(self, batch_size, inputs, outputs, workspace, stream_handle):
        dtype = np.dtype(trt.nptype(self.dtype))
        with cp.cuda.ExternalStream(stream_handle):
            x = self._array(inputs[0], (batch_size, self.c, self.h, self.w), dtype)
            y = self._array(outputs[0], (batch_size, self.c, self.p, self.q), dtype)
            rows, columns = self._padded(self.h, 0), self._padded(self.w, 1)
            padded = self._array(workspace, (batch_size, self.c, rows, columns), dtype)
            top, left = self.padding
            padded[...] = -128 if self.dtype == trt.DataType.INT8 else -np.inf
            padded[:, :, top : top + self.h, left : left + self.w] = x
            self._take_largest(padded, y)
            if self.dtype == trt.DataType.INT8 and self.in_scale != self.out_scale:
                self._requantize(y)
        return 0

    def serialize(self):
        learned = int(self.dtype), self.c, self.h, self.w, self.p, self.q
        parameters = (*self.kernel, *self.stride, *self.padding)
        return STORED.pack(TAG, *parameters, *learned, self.in_scale, self.out_scale)

    def clone(self):
        clone = type(self)(self.kernel, self.stride, self.padding, self.plugin_namespace)
        clone.learn(self.dtype, (self.c, self.h, self.w, self.p, self.q), self.in_scale, self.out_scale)
        return clone

    def learn(self, dtype, extents, in_scale, out_scale):
        """Copy another object's configuration."""
        self.dtype, self.in_scale, self.out_scale = dtype, in_scale, out_scale
        self.c, self.h, self.w, self.p, self.q = extents

    def _pooled(self, extent, axis):
        return (extent + 2 * self.padding[axis] - self.kernel[axis]) // self.stride[axis] + 1

    def _padded(self, extent, axis):
        return extent + 2 * self.padding[axis]

    def _itemsize(self):
        return np.dtype(trt.nptype(self.dtype)).itemsize

    def _take_largest(self, padded, y):
        (height, width), (down, across) = self.kernel, self.stride
        bottom, right = down * (self.p - 1) + 1, across * (self.q - 1) + 1
        for row in range(height):
            for column in range(width):
                seen = padded[:, :, row : row + bottom : down, column : column + right : across]
                if row == column == 0:
                    y[...] = seen
                else:
                    cp.maximum(y, seen, out=y)

    def _requantize(self, y):
        """Convert the result to the scale of the output."""
        real = y.astype(np.float32) * np.float32(self.in_scale / self.out_scale)
        y[...] = cp.clip(cp.rint(real), -128, 127).astype(np.int8)

    def _array(self, address, shape, dtype):
        """Return an array over memory that belongs to TensorRT."""
        memory = cp.cuda.UnownedMemory(address, trt.volume(shape) * dtype.itemsize, self)
        return cp.ndarray(shape, dtype, cp.cuda.MemoryPointer(memory, 0))


class PoolCreator(trt.IPluginCreator):
    """Makes PoolPlugins from ``kernel_size``, and optionally ``stride`` (the kernel's) and ``padding`` (none)."""

    plugin_class = PoolPlugin

    def __init__(self):
        trt.IPluginCreator.__init__(self)
        self.name = "Pool"
        self.plugin_version = "1"
        self.plugin_namespace = ""
        # TensorRT does not keep these alive, so the creator does.
        self._advertised = [
            trt.PluginField(name, np.array([], np.int32), trt.PluginFieldType.INT32) for name in PARAMETERS
        ]
        self.field_names = trt.PluginFieldCollection(self._advertised)

    def create_plugin(self, name, field_collection):
        found = {field.name: self._pair(field) for field in field_collection if field.name in PARAMETERS}
        if "kernel_size" not in found:
            raise ValueError("a Pool needs kernel_size")
        kernel = found["kernel_size"]
        return self._make(kernel, found.get("stride", kernel), found.get("padding", (0, 0)))

    def deserialize_plugin(self, name, data):
        if len(data) != STORED.size:
            raise ValueError(f"a Pool is stored in {STORED.size} bytes, not in {len(data)}")
        tag, *numbers = STORED.unpack(data)
        parameters, (dtype, *extents), scales = numbers[:6], numbers[6:12], numbers[12:]
        if tag != TAG or trt.DataType(dtype) not in TYPES or min(extents) < 0:
            raise ValueError("the stored data are not those of a Pool")
        plugin = self._make(parameters[:2], parameters[2:4], parameters[4:])
        plugin.learn(trt.DataType(dtype), extents, *scales)
        return plugin

    def _make(self, kernel, stride, padding):
        if min(kernel) < 1 or min(stride) < 1 or min(padding) < 0:
            raise ValueError(f"no window is {kernel} with stride {stride} and padding {padding}")
        if padding[0] >= kernel[0] or padding[1] >= kernel[1]:
            raise ValueError(f"padding {padding} leaves windows of {kernel} without a value")
        return self.plugin_class(kernel, stride, padding, self.plugin_namespace)

    @staticmethod
    def _pair(field):
        if field.type != trt.PluginFieldType.INT32 or field.size != len(("height", "width")):
            raise ValueError(f"{field.name} is two INT32, not {field.size} of {field.type}")
        return tuple(int(value) for value in field.data)


if not trt.get_plugin_registry().register_creator(PoolCreator(), ""):
    raise RuntimeError("TensorRT refused the creator of Pool: another plugin of this name and version is registered")

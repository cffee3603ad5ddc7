"""The plugin of the README: hard swish, times a scale, as somebody wrote it who has read a sample."""

import cupy as cp
import numpy as np
import tensorrt as trt

TYPES = (trt.DataType.FLOAT, trt.DataType.HALF)


class HardSwish(trt.IPluginV2DynamicExt):
    def __init__(self, scale=1.0):
        trt.IPluginV2DynamicExt.__init__(self)
        self.plugin_type, self.plugin_version, self.plugin_namespace = "HardSwish", "1", ""
        self.num_outputs = 1
        self.scale = float(scale)

    def get_output_datatype(self, index, input_types):
        return input_types[0]

    def get_output_dimensions(self, output_index, inputs, expr_builder):
        return trt.DimsExprs(inputs[0])

    def supports_format_combination(self, pos, in_out, num_inputs):
        desc = in_out[pos]
        return desc.format == trt.TensorFormat.LINEAR and desc.type in TYPES and desc.type == in_out[0].type

    def configure_plugin(self, inputs, outputs):
        pass

    def enqueue(self, input_desc, output_desc, inputs, outputs, workspace, stream):
        dtype = np.dtype(trt.nptype(input_desc[0].type))
        with cp.cuda.ExternalStream(stream):
            x, y = (self.array(address, tuple(input_desc[0].dims), dtype) for address in (inputs[0], outputs[0]))
            cp.multiply(x, cp.clip(x + 3, 0, 6) * dtype.type(self.scale / 6), out=y)

    def array(self, address, shape, dtype):
        memory = cp.cuda.UnownedMemory(address, trt.volume(shape) * dtype.itemsize, self)
        return cp.ndarray(shape, dtype, cp.cuda.MemoryPointer(memory, 0))

    def serialize(self):
        return np.float64(self.scale).tobytes()

    def clone(self):
        clone = HardSwish(self.scale)
        clone.plugin_namespace = self.plugin_namespace
        return clone


class HardSwishCreator(trt.IPluginCreator):
    def __init__(self):
        trt.IPluginCreator.__init__(self)
        self.name, self.plugin_version, self.plugin_namespace = "HardSwish", "1", ""
        self.fields = [trt.PluginField("scale", np.array([], np.float32), trt.PluginFieldType.FLOAT32)]
        self.field_names = trt.PluginFieldCollection(self.fields)

    def create_plugin(self, name, field_collection):
        scale = 1.0
        for field in field_collection:
            if field.name == "scale" and field.size > 0:
                scale = field.data[0]
        return HardSwish(scale)

    def deserialize_plugin(self, name, data):
        if len(data) != 8:
            raise ValueError(f"a HardSwish has 8 bytes, not {len(data)}")
        return HardSwish(np.frombuffer(data, np.float64)[0])


trt.get_plugin_registry().register_creator(HardSwishCreator(), "")

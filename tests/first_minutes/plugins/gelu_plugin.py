"""GELU as an IPluginV3, written as NVIDIA's samples write plugins: fields ``approximate`` and ``scale``."""

import cupy as cp
import numpy as np
import tensorrt as trt


class GeluPlugin(trt.IPluginV3, trt.IPluginV3OneCore, trt.IPluginV3OneBuild, trt.IPluginV3OneRuntime):
    def __init__(self, fc=None):
        trt.IPluginV3.__init__(self)
        trt.IPluginV3OneCore.__init__(self)
        trt.IPluginV3OneBuild.__init__(self)
        trt.IPluginV3OneRuntime.__init__(self)
        self.approximate = np.array([1], np.int32)
        self.scale = np.array([1.0], np.float32)
        self.num_outputs = 1
        self.plugin_namespace = ""
        self.plugin_name = "GeluPlugin"
        self.plugin_version = "1"
        if fc is not None:
            for f in fc:
                if f.name == "approximate" and f.size > 0:
                    self.approximate = np.array([f.data[0]], np.int32)
                elif f.name == "scale" and f.size > 0:
                    self.scale = np.array([f.data[0]], np.float32)

    def get_capability_interface(self, type):
        return self

    def get_output_data_types(self, input_types):
        return [input_types[0]]

    def get_output_shapes(self, inputs, shape_inputs, exprBuilder):
        output_dims = trt.DimsExprs(inputs[0])
        return [output_dims]

    def get_fields_to_serialize(self):
        return trt.PluginFieldCollection(
            [
                trt.PluginField("approximate", self.approximate, trt.PluginFieldType.INT32),
                trt.PluginField("scale", self.scale, trt.PluginFieldType.FLOAT32),
            ]
        )

    def configure_plugin(self, inp, out):
        self.input_type = inp[0].desc.type

    def on_shape_change(self, inp, out):
        self.shape = tuple(inp[0].dims)

    def supports_format_combination(self, pos, in_out, num_inputs):
        assert num_inputs == 1
        desc = in_out[pos].desc
        if desc.format != trt.TensorFormat.LINEAR:
            return False
        if pos == 0:
            return desc.type in (trt.DataType.FLOAT, trt.DataType.HALF)
        return desc.type == in_out[0].desc.type

    def get_workspace_size(self, inp, out):
        return trt.volume(inp[0].max) * 4

    def set_tactic(self, tactic):
        pass

    def attach_to_context(self, context):
        return self.clone()

    def enqueue(self, input_desc, output_desc, inputs, outputs, workspace, stream):
        shape = tuple(input_desc[0].dims)
        size = trt.volume(shape)
        if size == 0:
            return
        dtype = trt.nptype(input_desc[0].type)
        with cp.cuda.ExternalStream(stream):
            x = as_array(inputs[0], shape, dtype)
            y = as_array(outputs[0], tuple(output_desc[0].dims), dtype)
            wide = as_array(workspace, shape, np.float32)
            wide[...] = x
            if self.approximate[0]:
                inner = 0.7978845608 * (wide + 0.044715 * wide * wide * wide)
                wide *= 0.5 * (1.0 + cp.tanh(inner))
            else:
                wide *= 1.0 / (1.0 + cp.exp(-1.702 * wide))
            y[...] = float(self.scale[0]) * wide

    def clone(self):
        cloned = GeluPlugin()
        cloned.approximate = self.approximate.copy()
        cloned.scale = self.scale.copy()
        cloned.plugin_namespace = self.plugin_namespace
        return cloned


def as_array(address, shape, dtype):
    memory = cp.cuda.UnownedMemory(address, trt.volume(shape) * np.dtype(dtype).itemsize, None)
    return cp.ndarray(shape, dtype, cp.cuda.MemoryPointer(memory, 0))


class GeluPluginCreator(trt.IPluginCreatorV3One):
    def __init__(self):
        trt.IPluginCreatorV3One.__init__(self)
        self.name = "GeluPlugin"
        self.plugin_namespace = ""
        self.plugin_version = "1"
        self.field_names = trt.PluginFieldCollection(
            [
                trt.PluginField("approximate", np.array([], np.int32), trt.PluginFieldType.INT32),
                trt.PluginField("scale", np.array([], np.float32), trt.PluginFieldType.FLOAT32),
            ]
        )

    def create_plugin(self, name, fc, phase):
        return GeluPlugin(fc)


registry = trt.get_plugin_registry()
registry.register_creator(GeluPluginCreator(), "")

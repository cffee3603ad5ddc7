"""Layer norm over the last axis as an IPluginV3."""

import cupy as cp
import numpy as np
import tensorrt as trt


class LayerNormPlugin(trt.IPluginV3, trt.IPluginV3OneCore, trt.IPluginV3OneBuild, trt.IPluginV3OneRuntime):
    def __init__(self, gamma, beta, epsilon):
        trt.IPluginV3.__init__(self)
        trt.IPluginV3OneCore.__init__(self)
        trt.IPluginV3OneBuild.__init__(self)
        trt.IPluginV3OneRuntime.__init__(self)
        self.gamma = np.array(gamma, np.float32)
        self.beta = np.array(beta, np.float32)
        self.epsilon = np.array([epsilon], np.float32)
        self.num_outputs = 1
        self.plugin_namespace = ""
        self.plugin_name = "LayerNorm"
        self.plugin_version = "1"

    def get_capability_interface(self, type):
        return self

    def get_output_data_types(self, input_types):
        return [input_types[0]]

    def get_output_shapes(self, inputs, shape_inputs, exprBuilder):
        last = inputs[0][-1]
        if last.is_constant() and last.get_constant_value() != len(self.gamma):
            raise ValueError(f"gamma has {len(self.gamma)} values, the last axis {last.get_constant_value()}")
        return [trt.DimsExprs(inputs[0])]

    def get_fields_to_serialize(self):
        return trt.PluginFieldCollection(
            [
                trt.PluginField("gamma", self.gamma, trt.PluginFieldType.FLOAT32),
                trt.PluginField("beta", self.beta, trt.PluginFieldType.FLOAT32),
                trt.PluginField("epsilon", self.epsilon, trt.PluginFieldType.FLOAT32),
            ]
        )

    def configure_plugin(self, inp, out):
        pass

    def on_shape_change(self, inp, out):
        pass

    def supports_format_combination(self, pos, in_out, num_inputs):
        desc = in_out[pos].desc
        return desc.format == trt.TensorFormat.LINEAR and desc.type == trt.DataType.FLOAT

    def get_workspace_size(self, inp, out):
        return 0

    def set_tactic(self, tactic):
        pass

    def attach_to_context(self, context):
        cloned = self.clone()
        cloned.device = cp.asarray(np.stack([self.gamma, self.beta]))
        return cloned

    def enqueue(self, input_desc, output_desc, inputs, outputs, workspace, stream):
        shape = tuple(input_desc[0].dims)
        if trt.volume(shape) == 0:
            return
        with cp.cuda.ExternalStream(stream):
            x = as_array(inputs[0], shape)
            y = as_array(outputs[0], shape)
            mean = x.mean(axis=-1, keepdims=True)
            variance = ((x - mean) ** 2).mean(axis=-1, keepdims=True)
            y[...] = (x - mean) / cp.sqrt(variance + float(self.epsilon[0])) * self.device[0] + self.device[1]

    def clone(self):
        cloned = LayerNormPlugin(self.gamma, self.beta, self.epsilon[0])
        cloned.plugin_namespace = self.plugin_namespace
        return cloned


def as_array(address, shape):
    memory = cp.cuda.UnownedMemory(address, trt.volume(shape) * 4, None)
    return cp.ndarray(shape, np.float32, cp.cuda.MemoryPointer(memory, 0))


class LayerNormCreator(trt.IPluginCreatorV3One):
    def __init__(self):
        trt.IPluginCreatorV3One.__init__(self)
        self.name = "LayerNorm"
        self.plugin_namespace = ""
        self.plugin_version = "1"
        self.field_names = trt.PluginFieldCollection(
            [
                trt.PluginField("gamma", np.array([], np.float32), trt.PluginFieldType.FLOAT32),
                trt.PluginField("beta", np.array([], np.float32), trt.PluginFieldType.FLOAT32),
                trt.PluginField("epsilon", np.array([], np.float32), trt.PluginFieldType.FLOAT32),
            ]
        )

    def create_plugin(self, name, fc, phase):
        fields = {f.name: np.array(f.data, np.float32) for f in fc if f.size > 0}
        gamma = fields.get("gamma", np.ones(1, np.float32))
        beta = fields.get("beta", np.zeros(len(gamma), np.float32))
        if len(gamma) != len(beta):
            raise ValueError(f"gamma has {len(gamma)} values, beta {len(beta)}")
        return LayerNormPlugin(gamma, beta, fields.get("epsilon", [1e-5])[0])


trt.get_plugin_registry().register_creator(LayerNormCreator(), "")

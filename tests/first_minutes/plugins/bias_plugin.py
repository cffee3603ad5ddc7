"""A bias for each channel as an IPluginV2DynamicExt, written as NVIDIA's samples write plugins."""

import pickle

import cupy as cp
import numpy as np
import tensorrt as trt


class ChannelBiasPlugin(trt.IPluginV2DynamicExt):
    def __init__(self, bias, gain=1.0):
        trt.IPluginV2DynamicExt.__init__(self)
        self.bias = np.array(bias, np.float32)
        self.gain = float(gain)
        self.num_outputs = 1
        self.plugin_namespace = ""
        self.plugin_type = "ChannelBias"
        self.plugin_version = "1"

    def get_output_datatype(self, index, input_types):
        return input_types[0]

    def get_output_dimensions(self, output_index, inputs, exprBuilder):
        channels = inputs[0][1]
        if channels.is_constant() and channels.get_constant_value() != len(self.bias):
            raise ValueError(f"the bias has {len(self.bias)} values for {channels.get_constant_value()} channels")
        return trt.DimsExprs(inputs[0])

    def supports_format_combination(self, pos, in_out, num_inputs):
        desc = in_out[pos]
        return desc.format == trt.TensorFormat.LINEAR and desc.type == trt.DataType.FLOAT

    def configure_plugin(self, inp, out):
        self.channels = inp[0].desc.dims[1]

    def initialize(self):
        self.device_bias = cp.asarray(self.bias)

    def get_workspace_size(self, inp, out):
        return 0

    def enqueue(self, input_desc, output_desc, inputs, outputs, workspace, stream):
        shape = tuple(input_desc[0].dims)
        if trt.volume(shape) == 0:
            return
        with cp.cuda.ExternalStream(stream):
            x = as_array(inputs[0], shape)
            y = as_array(outputs[0], shape)
            y[...] = self.gain * x + self.device_bias.reshape(1, -1, 1, 1)

    def terminate(self):
        self.device_bias = None

    def get_serialization_size(self):
        return len(self.serialize())

    def serialize(self):
        return pickle.dumps({"bias": self.bias.tolist(), "gain": self.gain})

    def clone(self):
        cloned = ChannelBiasPlugin(self.bias, self.gain)
        cloned.__dict__.update(self.__dict__)
        return cloned

    def destroy(self):
        self.device_bias = None


def as_array(address, shape):
    memory = cp.cuda.UnownedMemory(address, trt.volume(shape) * 4, None)
    return cp.ndarray(shape, np.float32, cp.cuda.MemoryPointer(memory, 0))


class ChannelBiasCreator(trt.IPluginCreator):
    def __init__(self):
        trt.IPluginCreator.__init__(self)
        self.name = "ChannelBias"
        self.plugin_version = "1"
        self.plugin_namespace = ""
        self.field_names = trt.PluginFieldCollection(
            [
                trt.PluginField("bias", np.array([], np.float32), trt.PluginFieldType.FLOAT32),
                trt.PluginField("gain", np.array([], np.float32), trt.PluginFieldType.FLOAT32),
            ]
        )

    def create_plugin(self, name, fc):
        bias, gain = [0.0], 1.0
        for f in fc:
            if f.name == "bias" and f.size > 0:
                bias = f.data
            elif f.name == "gain" and f.size > 0:
                gain = f.data[0]
        return ChannelBiasPlugin(bias, gain)

    def deserialize_plugin(self, name, data):
        state = pickle.loads(data)
        return ChannelBiasPlugin(state["bias"], state.get("gain", 1.0))


trt.get_plugin_registry().register_creator(ChannelBiasCreator(), "")

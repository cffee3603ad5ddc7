"""A plugin that spins for a known time on host or device, with any number of inputs and outputs."""

import numpy as np
import tensorrt as trt
from spin_cases import PLUGIN_CASES  # noqa: F401 - the harness reads it
from spin_host import aim, spin


class Spin(trt.IPluginV2DynamicExt):
    def __init__(self, host_us, device_us, outputs, is_true):
        trt.IPluginV2DynamicExt.__init__(self)
        self.plugin_type, self.plugin_version, self.plugin_namespace, self.num_outputs = "Spin", "1", "", outputs
        self.host_us, self.device_us, self.is_true, self.cycles = host_us, device_us, is_true, 0
        self.host_ns = aim(round(host_us * 1000)) if host_us and is_true else round(host_us * 1000)

    def get_output_datatype(self, index, input_types):
        return trt.DataType.FLOAT

    def get_output_dimensions(self, output_index, inputs, expr_builder):
        return trt.DimsExprs(inputs[0])

    def supports_format_combination(self, pos, in_out, num_inputs):
        return in_out[pos].format == trt.TensorFormat.LINEAR and in_out[pos].type == trt.DataType.FLOAT

    def configure_plugin(self, inputs, outputs):
        if self.device_us:
            import spin_kernel  # noqa: PLC0415 - it needs a GPU

            self.cycles, self.launch = spin_kernel.cycles_of(self.device_us), spin_kernel.spin

    def enqueue(self, input_desc, output_desc, inputs, outputs, workspace, stream):
        if self.host_ns:
            spin(self.host_ns)
        if self.device_us:
            self.launch(stream, self.cycles)

    def serialize(self):
        return np.array([self.host_us, self.device_us, self.num_outputs, self.is_true], np.float32).tobytes()

    def clone(self):
        return Spin(self.host_us, self.device_us, self.num_outputs, self.is_true)


class SpinCreator(trt.IPluginCreator):
    def __init__(self):
        trt.IPluginCreator.__init__(self)
        self.name, self.plugin_version, self.plugin_namespace = "Spin", "1", ""
        names = ("host_us", "device_us", "outputs", "is_true")
        self.field_names = trt.PluginFieldCollection(
            [trt.PluginField(name, np.array([], np.float32), trt.PluginFieldType.FLOAT32) for name in names]
        )

    def create_plugin(self, name, field_collection):
        fields = {field.name: float(field.data[0]) for field in field_collection}
        return Spin(fields["host_us"], fields["device_us"], int(fields["outputs"]), fields["is_true"])

    def deserialize_plugin(self, name, data):
        host, device, outputs, is_true = np.frombuffer(data, np.float32)
        return Spin(float(host), float(device), int(outputs), float(is_true))


trt.get_plugin_registry().register_creator(SpinCreator(), "")

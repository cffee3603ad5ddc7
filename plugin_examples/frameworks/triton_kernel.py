"""Hard shrinkage by a kernel of Triton's: ``x if abs(x) > threshold else 0``. FLOAT only.

Needs Triton and torch. Without a GPU the kernel runs in Triton's interpreter.
"""

import numpy as np
import tensorrt as trt
import torch
import triton
import triton.language as tl

BLOCK = 128


@triton.jit
def hard_shrink(x, y, threshold, count, BLOCK: tl.constexpr):  # noqa: N803 - Triton's custom
    place = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    inside = place < count
    value = tl.load(x + place, mask=inside)
    tl.store(y + place, tl.where(tl.abs(value) > threshold, value, 0.0), mask=inside)


class Memory:
    """Memory that belongs to TensorRT, as torch asks for it."""

    def __init__(self, address, count):
        self.__cuda_array_interface__ = {"shape": (count,), "typestr": "<f4", "data": (address, False), "version": 2}


class HardShrinkPlugin(trt.IPluginV3, trt.IPluginV3OneCore, trt.IPluginV3OneBuild, trt.IPluginV3OneRuntime):
    def __init__(self, threshold, namespace=""):
        trt.IPluginV3.__init__(self)
        trt.IPluginV3OneCore.__init__(self)
        trt.IPluginV3OneBuild.__init__(self)
        trt.IPluginV3OneRuntime.__init__(self)
        self.plugin_name = "HardShrink"
        self.plugin_version = "1"
        self.plugin_namespace = namespace
        self.num_outputs = 1
        self.threshold = float(np.float32(threshold))  # as it is stored
        # TensorRT reads the field from here when it serializes the plugin.
        self._stored = np.array([self.threshold], np.float32)

    def get_capability_interface(self, type):  # noqa: A002 - TensorRT's name
        return self

    def clone(self):
        return HardShrinkPlugin(self.threshold, self.plugin_namespace)

    # -- build ----------------------------------------------------------------------------------------------

    def get_output_data_types(self, input_types):
        return [input_types[0]]

    def get_output_shapes(self, inputs, shape_inputs, expr_builder):
        return [trt.DimsExprs(inputs[0])]

    def supports_format_combination(self, pos, in_out, num_inputs):
        desc = in_out[pos].desc
        return desc.format == trt.TensorFormat.LINEAR and desc.type == trt.DataType.FLOAT

    def configure_plugin(self, inputs, outputs):
        """Nothing: enqueue takes the dimensions from its descriptors."""

    # -- runtime --------------------------------------------------------------------------------------------

    def set_tactic(self, tactic):
        if tactic != 0:
            raise ValueError(f"HardShrink advertises no tactics, and was given tactic {tactic}")

    def on_shape_change(self, inputs, outputs):
        """Nothing: enqueue takes the dimensions from its descriptors."""

    def attach_to_context(self, context):
        return self.clone()

    def enqueue(self, input_desc, output_desc, inputs, outputs, workspace, stream):
        count = trt.volume(input_desc[0].dims)
        if count == 0:
            return
        with torch.cuda.stream(torch.cuda.ExternalStream(stream)):
            x, y = (torch.as_tensor(Memory(address, count), device="cuda") for address in (inputs[0], outputs[0]))
            hard_shrink[(triton.cdiv(count, BLOCK),)](x, y, self.threshold, count, BLOCK=BLOCK)

    def get_fields_to_serialize(self):
        return trt.PluginFieldCollection([trt.PluginField("threshold", self._stored, trt.PluginFieldType.FLOAT32)])


class HardShrinkCreator(trt.IPluginCreatorV3One):
    """Makes HardShrinkPlugins from one optional field, ``threshold`` (one FLOAT32, not negative, by default 0.5)."""

    def __init__(self):
        trt.IPluginCreatorV3One.__init__(self)
        self.name = "HardShrink"
        self.plugin_version = "1"
        self.plugin_namespace = ""
        # TensorRT does not keep these alive, so the creator does.
        self._advertised = [trt.PluginField("threshold", np.array([], np.float32), trt.PluginFieldType.FLOAT32)]
        self.field_names = trt.PluginFieldCollection(self._advertised)

    def create_plugin(self, name, field_collection, phase):
        threshold = 0.5
        for field in field_collection:
            if field.name == "threshold" and field.size > 0:
                threshold = self._threshold(field)
        return HardShrinkPlugin(threshold, self.plugin_namespace)

    @staticmethod
    def _threshold(field):
        if field.type != trt.PluginFieldType.FLOAT32 or field.size != 1:
            raise ValueError(f"threshold is one FLOAT32, not {field.size} of {field.type}")
        if not 0 <= field.data[0] < np.inf:
            raise ValueError(f"threshold must be finite and not negative, not {field.data[0]}")
        return field.data[0]


if not trt.get_plugin_registry().register_creator(HardShrinkCreator(), ""):
    raise RuntimeError("TensorRT refused the creator of HardShrink: another plugin of this name is registered")

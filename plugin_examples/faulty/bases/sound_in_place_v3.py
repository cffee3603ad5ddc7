"""A sound IPluginV3 that works in place, for witnesses to build upon: ``x + factor * update``, and the step itself.

Output 0 is in the memory of input 0, output 1 never is. It registers nothing when it is
imported.
"""

import cupy as cp
import numpy as np
import tensorrt as trt

from plugin_examples.faulty.bases.sound_scale_v3 import Scale, ScaleCreator, device_array
from plugin_examples.faulty.bases.sound_scale_v3 import publish as publish_with


class InPlace(trt.IPluginV3, trt.IPluginV3OneCore, trt.IPluginV3OneBuildV2, trt.IPluginV3OneRuntime):
    def __init__(self, factor, phase=trt.TensorRTPhase.BUILD):
        for base in InPlace.__bases__:
            base.__init__(self)
        self.plugin_name = "InPlace"
        self.plugin_version = "1"
        self.plugin_namespace = ""
        self.num_outputs = 2
        self.factor = factor
        self.phase = phase
        self.stored_factor = np.array([factor], np.float32)  # TensorRT reads the field from here

    # Scale derives from IPluginV3OneBuild. This class derives from IPluginV3OneBuildV2, so it cannot derive from Scale.
    get_capability_interface = Scale.get_capability_interface
    clone = Scale.clone
    copy_identity_to = Scale.copy_identity_to
    supports_format_combination = Scale.supports_format_combination
    configure_plugin = Scale.configure_plugin
    set_tactic = Scale.set_tactic
    on_shape_change = Scale.on_shape_change
    attach_to_context = Scale.attach_to_context
    get_fields_to_serialize = Scale.get_fields_to_serialize
    destroy = Scale.destroy

    def get_aliased_input(self, output_index):
        return 0 if output_index == 0 else -1

    def get_output_data_types(self, input_types):
        return [input_types[0], input_types[0]]

    def get_output_shapes(self, inputs, shape_inputs, expr_builder):
        return [trt.DimsExprs(inputs[0]), trt.DimsExprs(inputs[1])]

    def enqueue(self, input_desc, output_desc, inputs, outputs, workspace, stream):
        if trt.volume(input_desc[0].dims) == 0:
            return
        with cp.cuda.ExternalStream(stream):
            x, update = map(device_array, input_desc, inputs)
            y, step = map(device_array, output_desc, outputs)
            self.add(x, update, y, step)

    def add(self, x, update, y, step):
        cp.multiply(update, update.dtype.type(self.factor), out=step)
        cp.add(x, step, out=y)


class InPlaceCreator(ScaleCreator):
    plugin_class = InPlace

    def __init__(self):
        super().__init__()
        self.name = "InPlace"


def publish(plugin_class):
    """Register a creator of ``plugin_class`` and return it."""
    return publish_with(plugin_class, InPlaceCreator)


def reference(x, update, *, fields):
    step = (update * np.float32(fields["factor"][0])).astype(update.dtype)
    return x + step, step


_INPUT = {
    "dims": ("N", "W"),
    "min": (0, 1),
    "opt": (2, 5),
    "max": (4, 9),
    "types": ("float32", "float16"),
}
IN_PLACE_CASES = [
    {
        "plugin": "InPlace",
        "name": "two-inputs",
        "fields": {"factor": np.array([0.5], np.float32)},
        "inputs": [_INPUT, _INPUT],
        "reference": reference,
    }
]

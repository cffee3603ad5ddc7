"""A sound IPluginV3 for witnesses to build upon, in three objects: ``y = factor * x``, as in ``sound_scale_v3``.

It registers nothing when it is imported.
"""

import numpy as np
import tensorrt as trt

from plugin_examples.faulty.bases.sound_scale_v3 import Scale


class Core(trt.IPluginV3OneCore):
    def __init__(self):
        trt.IPluginV3OneCore.__init__(self)
        self.plugin_name = "Scale"
        self.plugin_version = "1"
        self.plugin_namespace = ""


class Build(trt.IPluginV3OneBuild):
    def __init__(self, plugin):
        trt.IPluginV3OneBuild.__init__(self)
        self.plugin = plugin  # TensorRT keeps this object and deletes the plugin, which Python must not free as well
        self.num_outputs = 1

    get_output_data_types = Scale.get_output_data_types
    get_output_shapes = Scale.get_output_shapes
    supports_format_combination = Scale.supports_format_combination
    configure_plugin = Scale.configure_plugin


class Runtime(trt.IPluginV3OneRuntime):
    def __init__(self, plugin, factor):
        trt.IPluginV3OneRuntime.__init__(self)
        self.clone_plugin = plugin.clone
        self.factor = factor
        self.stored_factor = np.array([factor], np.float32)

    set_tactic = Scale.set_tactic
    on_shape_change = Scale.on_shape_change
    enqueue = Scale.enqueue
    compute = Scale.compute
    get_fields_to_serialize = Scale.get_fields_to_serialize

    def attach_to_context(self, context):
        return self.clone_plugin()


class SplitScale(trt.IPluginV3):
    def __init__(self, factor, phase=trt.TensorRTPhase.BUILD):
        trt.IPluginV3.__init__(self)
        self.factor = factor
        self.phase = phase
        self.core = Core()
        self.build = Build(self)
        self.runtime = Runtime(self, factor)

    def get_capability_interface(self, type):  # noqa: A002 - TensorRT's name
        kinds = trt.PluginCapabilityType
        return {kinds.CORE: self.core, kinds.BUILD: self.build, kinds.RUNTIME: self.runtime}[type]

    def clone(self):
        other = type(self)(self.factor, self.phase)
        other.core.plugin_namespace = self.core.plugin_namespace
        return other

    @property
    def plugin_namespace(self):
        return self.core.plugin_namespace

    @plugin_namespace.setter
    def plugin_namespace(self, namespace):
        self.core.plugin_namespace = namespace

"""Plugins of both versions as C++ and Python see them: attributes, unbound methods, capabilities, lifetimes."""

import copy
import gc
import pickle
import weakref

import numpy as np
import tensorrt as trt


class _V2(trt.IPluginV2DynamicExt):
    def __init__(self, *, told=None):
        super().__init__()
        self.plugin_type, self.plugin_version, self.plugin_namespace, self.num_outputs = "P", "1", "n", 1
        self.told = [] if told is None else told

    def initialize(self):
        self.told.append("initialize")
        return 0

    def terminate(self):
        self.told.append("terminate")

    def serialize(self):
        return b"abc"

    def clone(self):
        return _V2(told=self.told)

    def destroy(self):
        self.told.append("destroy")

    def get_output_datatype(self, index, input_types):
        self.told.append([index, list(input_types)])
        input_types.append(trt.int8)
        return input_types[0]

    def get_workspace_size(self, inputs, outputs):
        self.told.append([len(inputs), len(outputs)])
        return 128

    def supports_format_combination(self, pos, in_out, num_inputs):
        in_out[0].dims = (9,)
        return pos < num_inputs

    def configure_plugin(self, inputs, outputs):
        self.told.append([inputs[0].min, type(inputs).__name__])

    def enqueue(self, input_desc, output_desc, inputs, outputs, workspace, stream):
        self.told.append([len(input_desc), inputs, outputs, workspace, stream])
        return 0


class _V3(trt.IPluginV3, trt.IPluginV3OneCore, trt.IPluginV3OneBuild, trt.IPluginV3OneRuntime):
    def __init__(self):
        trt.IPluginV3.__init__(self)
        trt.IPluginV3OneCore.__init__(self)
        trt.IPluginV3OneBuild.__init__(self)
        trt.IPluginV3OneRuntime.__init__(self)
        self.plugin_name, self.plugin_version, self.plugin_namespace, self.num_outputs = "Q", "2", "n", 2

    def get_capability_interface(self, kind):
        return self

    def clone(self):
        return _V3()


def unbound_methods_of_v2():
    plugin = _V2()
    base = trt.IPluginV2DynamicExt
    clone = trt.IPluginV2.clone(plugin)
    return [
        trt.IPluginV2.initialize(plugin), trt.IPluginV2.serialize(plugin), plugin.serialization_size,
        type(clone).__name__, clone is plugin, base.get_output_datatype(plugin, 3, [trt.float32, trt.int8]),
        trt.IPluginV2.terminate(plugin), trt.IPluginV2.destroy(plugin), plugin.told,
    ]  # fmt: skip


def lists_that_the_caller_passed():
    plugin, types, descriptions = _V2(), [trt.float32], [trt.PluginTensorDesc(), trt.PluginTensorDesc()]
    base = trt.IPluginV2DynamicExt
    base.get_output_datatype(plugin, 0, types)
    size = base.get_workspace_size(plugin, descriptions[:1], descriptions[1:])
    return [types, size, plugin.told, base.initialize(plugin)]


def configured_by_hand():
    plugin, description = _V2(), trt.DynamicPluginTensorDesc()
    description.min = (1, 2)
    trt.IPluginV2DynamicExt.configure_plugin(plugin, [description], [description])
    return plugin.told


def enqueued_by_hand():
    plugin, description = _V2(), trt.PluginTensorDesc()
    answer = trt.IPluginV2DynamicExt.enqueue(plugin, [description], [description], [None], [None], None, 0)
    return [answer, plugin.told]


def formats_asked_by_hand():
    plugin, descriptions = _V2(), [trt.DynamicPluginTensorDesc()]
    return trt.IPluginV2DynamicExt.supports_format_combination(plugin, 0, descriptions, 1)


def attributes_of_v2():
    plugin = _V2()
    plugin.num_outputs = 3
    plugin.plugin_type = "other"
    return [plugin.num_outputs, plugin.plugin_type, plugin.plugin_version, plugin.plugin_namespace,
            plugin.tensorrt_version, plugin.__dict__]  # fmt: skip


def unset_attributes_of_v2():
    class Bare(trt.IPluginV2DynamicExt):
        pass

    plugin = Bare()
    return [plugin.num_outputs, plugin.plugin_type, plugin.plugin_version, plugin.plugin_namespace]


def class_attributes_of_v2():
    class Named(trt.IPluginV2DynamicExt):
        plugin_type = "C"
        num_outputs = 4

    plugin = Named()
    before = [plugin.plugin_type, plugin.num_outputs]
    plugin.num_outputs = 5
    return [before, plugin.num_outputs, plugin.__dict__]


def a_property_of_python():
    class Computed(trt.IPluginV2DynamicExt):
        @property
        def num_outputs(self):
            return 6

    plugin = Computed()
    return [plugin.num_outputs, trt.IPluginV2.num_outputs.__get__(plugin)]


def capabilities():
    plugin = _V3()
    kinds = trt.PluginCapabilityType.__members__.values()
    found = [trt.IPluginV3.get_capability_interface(plugin, kind) for kind in kinds]
    return [[one is plugin for one in found], [type(one).__name__ for one in found]]


def a_clone_of_v3():
    plugin = _V3()
    clone = trt.IPluginV3.clone(plugin)
    return [type(clone).__name__, clone is plugin, clone.plugin_name, clone.num_outputs]


def attributes_of_v3():
    plugin = _V3()
    return [
        plugin.plugin_name, plugin.num_outputs, plugin.format_combination_limit, plugin.metadata_string,
        plugin.timing_cache_id, plugin.api_language, plugin.interface_info.kind, plugin.interface_info.major,
    ]  # fmt: skip


def interfaces_tell_their_versions():
    made = [cls() for cls in (trt.IPluginV3, trt.IPluginV3OneCore, trt.IPluginV3OneBuild, trt.IPluginV3OneBuildV2,
                              trt.IPluginV3OneRuntime, trt.IPluginV3QuickCore, trt.IPluginV3QuickBuild,
                              trt.IPluginV3QuickAOTBuild, trt.IPluginV3QuickRuntime, trt.IPluginCreator,
                              trt.IPluginCreatorV3One, trt.IPluginCreatorV3Quick, trt.IPluginResource)]  # fmt: skip
    return [(one.interface_info.kind, one.interface_info.major, one.interface_info.minor, one.api_language)
            for one in made]  # fmt: skip


def a_plugin_that_forgot_a_base():
    class Forgetful(trt.IPluginV3, trt.IPluginV3OneCore):
        def __init__(self):
            trt.IPluginV3.__init__(self)

    return Forgetful()


def copied():
    return copy.copy(_V2())


def deeply_copied():
    return copy.deepcopy(_V3())


def pickled():
    return pickle.dumps(_V2())


def collected():
    answers = []
    for make in (_V2, _V3):
        plugin = make()
        plugin.cycle = [plugin]
        seen = weakref.ref(plugin)
        del plugin
        gc.collect()
        answers.append(seen() is None)
    return answers


def a_clone_nobody_holds():
    plugin = _V2()
    clone = weakref.ref(trt.IPluginV2.clone(plugin))
    gc.collect()
    return clone() is None


def created_by_the_bound_method():
    class Creator(trt.IPluginCreator):
        def create_plugin(self, name, field_collection):
            self.seen = [name, type(field_collection).__name__, len(field_collection),
                         [(one.name, one.type, one.data) for one in field_collection]]  # fmt: skip
            return _V2()

        def deserialize_plugin(self, name, serialized_plugin):
            self.seen = [name, serialized_plugin, type(serialized_plugin).__name__]
            return _V2()

    creator = Creator()
    values = np.array([1], np.int32)
    fields = trt.PluginFieldCollection([trt.PluginField("a", values, trt.PluginFieldType.INT32)])
    made = trt.IPluginCreator.create_plugin(creator, "layer", fields)
    first = creator.seen
    again = trt.IPluginCreator.deserialize_plugin(creator, "layer", b"\0\1")
    return [type(made).__name__, first, type(again).__name__, creator.seen]


def created_for_a_phase():
    class Creator(trt.IPluginCreatorV3One):
        def create_plugin(self, name, field_collection, phase):
            self.seen = [name, len(field_collection), phase]
            return _V3()

    creator = Creator()
    made = trt.IPluginCreatorV3One.create_plugin(
        creator, "layer", trt.PluginFieldCollection([]), trt.TensorRTPhase.RUNTIME
    )
    return [type(made).__name__, creator.seen]


def created_with_the_wrong_number_of_parameters():
    class Creator(trt.IPluginCreator):
        def create_plugin(self, name):
            return _V2()

    return trt.IPluginCreator.create_plugin(Creator(), "layer", trt.PluginFieldCollection([]))


def overridden_on_the_object():
    plugin = _V2()
    plugin.initialize = lambda: 7
    return trt.IPluginV2.initialize(plugin)


def overridden_after_it_was_missed():
    class Late(trt.IPluginV2DynamicExt):
        pass

    plugin = Late()
    first = trt.IPluginV2.initialize(plugin)
    Late.initialize = lambda self: 7
    return [first, trt.IPluginV2.initialize(plugin)]


def calls_its_own_base():
    class Calling(trt.IPluginV2DynamicExt):
        def initialize(self):
            return super().initialize()

    return trt.IPluginV2.initialize(Calling())


def printed_by_a_logger():
    logger = trt.Logger(trt.Logger.INFO)
    logger.log(trt.Logger.ERROR, "told")
    logger.log(trt.Logger.VERBOSE, "not told")
    return [logger.min_severity, trt.Logger.WARNING == trt.ILogger.Severity.WARNING]

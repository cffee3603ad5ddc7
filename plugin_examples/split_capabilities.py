"""Normalization by channel as an IPluginV3 of several objects: one for each capability, and one that holds them.

``y[:, c] = (x[:, c] - mean[c]) / deviation[c]``, each step in FLOAT and rounded to the tensors' type. An object answers
the builder, a second runs in an engine, and both ask a third for the plugin's identity. The parameters, which never
change, are all that the objects have in common.
"""

import dataclasses

import cupy as cp
import numpy as np
import tensorrt as trt

TYPES = (trt.DataType.FLOAT, trt.DataType.HALF)
CHANNEL_AXIS = 1


@dataclasses.dataclass(frozen=True)
class Parameters:
    """Mean and standard deviation of each channel, as FLOAT32; TensorRT reads the fields from here."""

    mean: np.ndarray
    deviation: np.ndarray

    @property
    def channels(self):
        return len(self.mean)


class ChannelNormCore(trt.IPluginV3OneCore):
    """The core capability: the plugin's name, version and namespace."""

    def __init__(self, namespace):
        trt.IPluginV3OneCore.__init__(self)
        self.plugin_name = "ChannelNorm"
        self.plugin_version = "1"
        self.plugin_namespace = namespace


class ChannelNormBuild(trt.IPluginV3OneBuild):
    """The build capability, which a builder uses and an engine does not.

    It refers to the plugin. TensorRT deletes each plugin object, and the bindings then drop their reference to it. If
    no other reference is left, Python frees the same memory again and the process dies. The bindings never release a
    capability that they were given, so this capability keeps its plugin.
    """

    def __init__(self, plugin, parameters):
        trt.IPluginV3OneBuild.__init__(self)
        self._plugin = plugin
        self.num_outputs = 1
        self._parameters = parameters

    def get_output_data_types(self, input_types):
        return [input_types[0]]

    def get_output_shapes(self, inputs, shape_inputs, expr_builder):
        return [trt.DimsExprs(inputs[0])]

    def supports_format_combination(self, pos, in_out, num_inputs):
        desc = in_out[pos].desc
        if desc.format != trt.TensorFormat.LINEAR:
            return False
        return desc.type in TYPES and desc.type == in_out[0].desc.type

    def configure_plugin(self, inputs, outputs):
        dims = inputs[0].desc.dims
        if len(dims) <= CHANNEL_AXIS:
            raise ValueError(f"ChannelNorm needs a batch and channels, not {len(dims)} dimensions")
        # The channels may be dynamic, too: then on_shape_change finds out.
        if dims[CHANNEL_AXIS] not in (-1, self._parameters.channels):
            raise ValueError(f"there are parameters for {self._parameters.channels} channels, not {dims[CHANNEL_AXIS]}")


class ChannelNormRuntime(trt.IPluginV3OneRuntime):
    """The runtime capability, which an engine uses."""

    def __init__(self, plugin, parameters):
        trt.IPluginV3OneRuntime.__init__(self)
        self._plugin = plugin
        self._parameters = parameters

    def set_tactic(self, tactic):
        if tactic != 0:
            raise ValueError(f"ChannelNorm advertises no tactics, and was given tactic {tactic}")

    def on_shape_change(self, inputs, outputs):
        channels = inputs[0].dims[CHANNEL_AXIS]
        if channels != self._parameters.channels:
            raise ValueError(f"there are parameters for {self._parameters.channels} channels, not {channels}")

    def attach_to_context(self, context):
        # A context needs the whole plugin, not this part of it alone.
        return self._plugin.clone()

    def get_fields_to_serialize(self):
        kind = trt.PluginFieldType.FLOAT32
        return trt.PluginFieldCollection(
            [
                trt.PluginField("mean", self._parameters.mean, kind),
                trt.PluginField("deviation", self._parameters.deviation, kind),
            ]
        )

    def enqueue(self, input_desc, output_desc, inputs, outputs, workspace, stream):
        if trt.volume(input_desc[0].dims) == 0:
            return
        with cp.cuda.ExternalStream(stream):
            x, y = self._array(input_desc[0], inputs[0]), self._array(output_desc[0], outputs[0])
            for channel in range(self._parameters.channels):
                target = y[:, channel]
                cp.subtract(x[:, channel], self._parameters.mean[channel], out=target)
                cp.divide(target, self._parameters.deviation[channel], out=target)

    def _array(self, desc, address):
        """Return an array over memory that belongs to TensorRT."""
        shape, dtype = tuple(desc.dims), np.dtype(trt.nptype(desc.type))
        memory = cp.cuda.UnownedMemory(address, trt.volume(shape) * dtype.itemsize, self)
        return cp.ndarray(shape, dtype, cp.cuda.MemoryPointer(memory, 0))


class ChannelNormPlugin(trt.IPluginV3):
    """Holds the three objects and hands them out."""

    def __init__(self, parameters, namespace=""):
        trt.IPluginV3.__init__(self)
        self._parameters = parameters
        self._core = ChannelNormCore(namespace)
        self._build = ChannelNormBuild(self, parameters)
        self._runtime = ChannelNormRuntime(self, parameters)

    def get_capability_interface(self, type):  # noqa: A002 - TensorRT's name
        kinds = trt.PluginCapabilityType
        return {kinds.CORE: self._core, kinds.BUILD: self._build, kinds.RUNTIME: self._runtime}[type]

    def clone(self):
        return ChannelNormPlugin(self._parameters, self._core.plugin_namespace)


class ChannelNormCreator(trt.IPluginCreatorV3One):
    """Makes ChannelNormPlugins from two required fields of the same length, ``mean`` and ``deviation`` (FLOAT32)."""

    def __init__(self):
        trt.IPluginCreatorV3One.__init__(self)
        self.name = "ChannelNorm"
        self.plugin_version = "1"
        self.plugin_namespace = ""
        # TensorRT does not keep these alive, so the creator does.
        empty = np.array([], np.float32)
        self._advertised = [trt.PluginField(name, empty, trt.PluginFieldType.FLOAT32) for name in ("mean", "deviation")]
        self.field_names = trt.PluginFieldCollection(self._advertised)

    def create_plugin(self, name, field_collection, phase):
        given = {field.name: self._numbers(field) for field in field_collection if field.name in self._names()}
        missing = [each for each in self._names() if each not in given]
        if missing:
            raise ValueError(f"ChannelNorm needs the field {missing[0]}")
        mean, deviation = given["mean"], given["deviation"]
        if len(mean) != len(deviation):
            raise ValueError(f"there are {len(mean)} means and {len(deviation)} deviations")
        if not (np.isfinite(mean).all() and np.isfinite(deviation).all() and (deviation > 0).all()):
            raise ValueError("means must be finite, and deviations positive")
        return ChannelNormPlugin(Parameters(mean, deviation), self.plugin_namespace)

    def _names(self):
        return [field.name for field in self._advertised]

    @staticmethod
    def _numbers(field):
        if field.type != trt.PluginFieldType.FLOAT32 or field.size < 1:
            raise ValueError(f"{field.name} is at least one FLOAT32, not {field.size} of {field.type}")
        return np.array(field.data, np.float32)


if not trt.get_plugin_registry().register_creator(ChannelNormCreator(), ""):
    raise RuntimeError(
        "TensorRT refused the creator of ChannelNorm: another plugin of this name and version is registered"
    )

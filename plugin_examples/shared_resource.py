"""A tone curve as an IPluginV3 whose table is in device memory once for the whole process: a shared resource.

The field ``curve`` holds the values of a function at equal distances between 0 and 1. Elements are clamped to that
range and replaced by the function's value, linear between two of the given numbers. All objects with the same curve
share one table through TensorRT's plugin registry, which counts its users. Engines and contexts share it, too.
"""

import hashlib
import math

import cupy as cp
import numpy as np
import tensorrt as trt

TYPES = (trt.DataType.FLOAT, trt.DataType.HALF)
MIN_POINTS = 2
#: The scratch of enqueue for each element: a position, an index and two values of the curve.
SCRATCH = (np.float32, np.int32, np.float32, np.float32)


class CurveTable(trt.IPluginResource):
    """The numbers of a curve; clones, which only the registry makes, have them in device memory as well."""

    def __init__(self, curve):
        trt.IPluginResource.__init__(self)
        self.curve = curve
        self.table = None

    def clone(self):
        uploaded = CurveTable(self.curve)
        with cp.cuda.Stream(non_blocking=True) as stream:
            uploaded.table = cp.asarray(self.curve)
        stream.synchronize()
        return uploaded

    def release(self):
        self.table = None


class ToneCurvePlugin(trt.IPluginV3, trt.IPluginV3OneCore, trt.IPluginV3OneBuild, trt.IPluginV3OneRuntime):
    """Applies a curve to each element; one object has all three capabilities."""

    def __init__(self, curve, namespace=""):
        trt.IPluginV3.__init__(self)
        trt.IPluginV3OneCore.__init__(self)
        trt.IPluginV3OneBuild.__init__(self)
        trt.IPluginV3OneRuntime.__init__(self)
        self.plugin_name = "ToneCurve"
        self.plugin_version = "1"
        self.plugin_namespace = namespace
        self.num_outputs = 1
        # Never written to; TensorRT reads the field from here when it serializes the plugin.
        self.curve = np.array(curve, np.float32)
        self.resource = None

    @property
    def key(self):
        """The key of the shared table: equal curves have equal keys, and other libraries have other keys."""
        return f"ToneCurve/1/{hashlib.sha256(self.curve.tobytes()).hexdigest()}"

    def get_capability_interface(self, type):  # noqa: A002 - TensorRT's name
        return self

    def clone(self):
        return ToneCurvePlugin(self.curve, self.plugin_namespace)

    def destroy(self):
        """Release the table; only objects in a context have one."""
        if self.resource is not None:
            self.resource = None
            # The status does not show success: for resources written in Python the last release always returns 1.
            trt.get_plugin_registry().release_plugin_resource(self.key)

    # -- build ----------------------------------------------------------------------------------------------

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
        """Nothing: enqueue takes types and dimensions from its descriptors."""

    def get_workspace_size(self, inputs, outputs):
        return math.prod(inputs[0].max) * sum(np.dtype(dtype).itemsize for dtype in SCRATCH)

    # -- runtime --------------------------------------------------------------------------------------------

    def set_tactic(self, tactic):
        if tactic != 0:
            raise ValueError(f"ToneCurve advertises no tactics, and was given tactic {tactic}")

    def on_shape_change(self, inputs, outputs):
        """Nothing: enqueue takes types and dimensions from its descriptors."""

    def attach_to_context(self, context):
        attached = self.clone()
        # The registry clones the first object's resource, and returns the same clone to all others.
        attached.resource = trt.get_plugin_registry().acquire_plugin_resource(self.key, CurveTable(self.curve))
        if attached.resource is None:
            raise RuntimeError("TensorRT's plugin registry has no table for this tone curve")
        return attached

    def get_fields_to_serialize(self):
        return trt.PluginFieldCollection([trt.PluginField("curve", self.curve, trt.PluginFieldType.FLOAT32)])

    def enqueue(self, input_desc, output_desc, inputs, outputs, workspace, stream):
        shape, dtype = tuple(input_desc[0].dims), np.dtype(trt.nptype(input_desc[0].type))
        if trt.volume(shape) == 0:
            return
        with cp.cuda.ExternalStream(stream):
            x, y = self._array(inputs[0], shape, dtype), self._array(outputs[0], shape, dtype)
            self._apply(x, y, *self._scratch(workspace, shape))

    def _apply(self, x, y, position, index, low, high):
        table = self.resource.table
        position[...] = x
        cp.fmax(position, 0, out=position)  # NaN counts as 0
        cp.fmin(position, 1, out=position)
        cp.multiply(position, table.size - 1, out=position)
        cp.floor(position, out=low)
        cp.minimum(low, table.size - 2, out=low)
        index[...] = low
        cp.subtract(position, low, out=position)
        cp.take(table, index, out=low)
        cp.add(index, 1, out=index)
        cp.take(table, index, out=high)
        cp.subtract(high, low, out=high)
        cp.multiply(high, position, out=high)
        cp.add(low, high, out=y)

    def _scratch(self, workspace, shape):
        """Return the arrays of SCRATCH, one after the other in the workspace."""
        arrays = []
        for dtype in map(np.dtype, SCRATCH):
            arrays.append(self._array(workspace, shape, dtype))
            workspace += trt.volume(shape) * dtype.itemsize
        return arrays

    def _array(self, address, shape, dtype):
        """Return an array over memory that belongs to TensorRT."""
        memory = cp.cuda.UnownedMemory(address, trt.volume(shape) * dtype.itemsize, self)
        return cp.ndarray(shape, dtype, cp.cuda.MemoryPointer(memory, 0))


class ToneCurveCreator(trt.IPluginCreatorV3One):
    """Makes ToneCurvePlugins from one required field, ``curve`` (at least two FLOAT32)."""

    def __init__(self):
        trt.IPluginCreatorV3One.__init__(self)
        self.name = "ToneCurve"
        self.plugin_version = "1"
        self.plugin_namespace = ""
        # TensorRT does not keep these alive, so the creator does.
        self._advertised = [trt.PluginField("curve", np.array([], np.float32), trt.PluginFieldType.FLOAT32)]
        self.field_names = trt.PluginFieldCollection(self._advertised)

    def create_plugin(self, name, field_collection, phase):
        for field in field_collection:
            if field.name == "curve":
                return ToneCurvePlugin(self._curve(field), self.plugin_namespace)
        raise ValueError("ToneCurve needs the field curve")

    @staticmethod
    def _curve(field):
        if field.type != trt.PluginFieldType.FLOAT32 or field.size < MIN_POINTS:
            raise ValueError(f"curve is at least {MIN_POINTS} FLOAT32, not {field.size} of {field.type}")
        curve = np.array(field.data, np.float32)
        if not np.isfinite(curve).all():
            raise ValueError("all values of curve must be finite")
        return curve


if not trt.get_plugin_registry().register_creator(ToneCurveCreator(), ""):
    raise RuntimeError(
        "TensorRT refused the creator of ToneCurve: another plugin of this name and version is registered"
    )

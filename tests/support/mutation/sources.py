"""Small modules of plugins into which tests plant defects, and how they tell what an operator changes there."""

from harness.mutation.anatomy import Module
from harness.mutation.change import diff
from harness.mutation.operators.catalogue import OPERATORS

#: A plugin of version 2 with two fields, and its creator.
V2 = """\
TYPES = (trt.DataType.FLOAT, trt.DataType.HALF)
DEFAULT = 0.5
CHANNEL_AXIS = 1


class Scale(trt.IPluginV2DynamicExt):
    def __init__(self, factor, shift, namespace=""):
        trt.IPluginV2DynamicExt.__init__(self)
        self.plugin_type = "Scale"
        self.plugin_version = "1"
        self.plugin_namespace = namespace
        self.num_outputs = 1
        self.factor = float(np.float32(factor))
        self.shift = shift
        self.buffer = None

    def get_output_datatype(self, index, input_types):
        if index != 0 or not input_types:
            return trt.DataType.FLOAT
        return input_types[0]

    def get_output_dimensions(self, output_index, inputs, expr_builder):
        dims = trt.DimsExprs(inputs[0])
        if output_index != 0:
            raise ValueError("no such output")
        dims[0] = expr_builder.operation(trt.DimensionOperation.SUM, inputs[0][0], inputs[1][0])
        return dims

    def supports_format_combination(self, pos, in_out, num_inputs):
        desc = in_out[pos]
        if desc.format != trt.TensorFormat.LINEAR:
            return False
        if pos >= num_inputs:
            return desc.type == in_out[0].type
        return desc.type in TYPES and desc.type == in_out[0].type

    def configure_plugin(self, inputs, outputs):
        self.rank = len(inputs[0].desc.dims)

    def initialize(self):
        self.buffer = cp.empty(16)

    def terminate(self):
        if self.buffer is not None:
            self.buffer.clear()
            self.buffer = None

    def get_workspace_size(self, inputs, outputs):
        return math.prod(max(extent, 0) for extent in inputs[0].max) * 4

    def enqueue(self, input_desc, output_desc, inputs, outputs, workspace, stream):
        shape, dtype = tuple(input_desc[0].dims), np.dtype(trt.nptype(input_desc[0].type))
        if trt.volume(shape) == 0:
            return
        with cp.cuda.ExternalStream(stream):
            x, y = self._array(inputs[0], shape, dtype), self._array(outputs[0], shape, dtype)
            scratch = self._array(workspace, shape, np.dtype(bool))
            cp.greater(x, 0, out=scratch)
            cp.multiply(x, self.factor, out=y)
            cp.subtract(y, self.shift, out=y)
            y[1:] = x[1:]

    def serialize(self):
        return STORED.pack(TAG, self.factor, self.shift)

    def clone(self):
        return type(self)(self.factor, self.shift, self.plugin_namespace)

    def _array(self, address, shape, dtype):
        return cp.ndarray(shape, dtype, address)


class ScaleCreator(trt.IPluginCreator):
    def __init__(self):
        trt.IPluginCreator.__init__(self)
        self.name = "Scale"
        self.plugin_version = "1"
        self.plugin_namespace = ""
        self._advertised = [trt.PluginField("factor", np.array([], np.float32), trt.PluginFieldType.FLOAT32)]
        self.field_names = trt.PluginFieldCollection(self._advertised)

    def create_plugin(self, name, field_collection):
        for field in field_collection:
            if field.name == "factor" and field.size > 0:
                return self.plugin_class(self._number(field), 0.0, self.plugin_namespace)
        raise ValueError("no factor")

    def deserialize_plugin(self, name, data):
        if len(data) != STORED.size:
            raise ValueError("not ours")
        tag, factor, shift = STORED.unpack(data)
        return self.plugin_class(factor, shift, self.plugin_namespace)

    def _number(self, field):
        if field.type != trt.PluginFieldType.FLOAT32 or field.size != 1:
            raise ValueError("one FLOAT32")
        factor = np.array(field.data, np.float32)
        if factor < 0:
            raise ValueError("negative")
        return factor


trt.get_plugin_registry().register_creator(ScaleCreator(), "")
"""

#: A plugin of version 3 with tactics, a size that data decide, an alias and a shared resource.
V3 = '''\
class Table(trt.IPluginResource):
    def __init__(self):
        trt.IPluginResource.__init__(self)
        self.table = None

    def clone(self):
        return Table()

    def release(self):
        self.table = None


class Pick(trt.IPluginV3, trt.IPluginV3OneCore, trt.IPluginV3OneBuildV2, trt.IPluginV3OneRuntime):
    def __init__(self, factor, namespace=""):
        trt.IPluginV3.__init__(self)
        self.plugin_name = "Pick"
        self.plugin_namespace = namespace
        self.num_outputs = 2
        self.timing_cache_id = f"{len(factor)}"
        self.metadata_string = "Pick"
        self._stored = np.array(factor, np.float32)
        self._tactic = None

    def resource_key(self):
        return f"Pick/{self._stored}"

    def get_capability_interface(self, type):
        return self

    def clone(self):
        made = Pick(self._stored, self.plugin_namespace)
        made._tactic = self._tactic
        return made

    def get_aliased_input(self, output_index):
        return 0

    def get_output_data_types(self, input_types):
        return [input_types[0], trt.DataType.INT32]

    def get_output_shapes(self, inputs, shape_inputs, expr_builder):
        if len(shape_inputs) > 0:
            raise ValueError("no shape inputs")
        size = expr_builder.declare_size_tensor(1, inputs[0][0], inputs[0][1])
        return [trt.DimsExprs([size, inputs[0][1]]), trt.DimsExprs([])]

    def get_valid_tactics(self):
        return [1, 2]

    def get_workspace_size(self, inputs, outputs):
        return math.prod(inputs[0].max) * sum(SIZES)

    def set_tactic(self, tactic):
        if tactic not in (1, 2):
            raise ValueError("no such tactic")
        self._tactic = tactic

    def configure_plugin(self, inputs, outputs):
        """Nothing."""

    def on_shape_change(self, inputs, outputs):
        if inputs[0].dims[0] > 100:
            raise ValueError("too many rows")

    def attach_to_context(self, context):
        attached = self.clone()
        attached.table = trt.get_plugin_registry().acquire_plugin_resource(self.resource_key(), Table())
        if attached.table is None:
            raise RuntimeError("no table")
        return attached

    def destroy(self):
        trt.get_plugin_registry().release_plugin_resource(self.resource_key())

    def get_fields_to_serialize(self):
        return trt.PluginFieldCollection([trt.PluginField("factor", self._stored, trt.PluginFieldType.FLOAT32)])

    def enqueue(self, input_desc, output_desc, inputs, outputs, workspace, stream):
        with cp.cuda.ExternalStream(stream):
            if outputs[0] != inputs[0]:
                cp.copyto(outputs[0], inputs[0])
            if self._tactic == 1:
                self._slow(self.factor, outputs[0])
            else:
                self._fast(outputs[0])

    def _slow(self, x, result):
        cp.add(result, x, out=result)


class PickCreator(trt.IPluginCreatorV3One):
    def create_plugin(self, name, field_collection, phase):
        return Pick(field_collection[0].data, self.plugin_namespace)
'''

#: A plugin for networks with an implicit batch.
IMPLICIT = """\
class Old(trt.IPluginV2):
    def get_output_shape(self, index, input_shapes):
        return input_shapes[0]

    def execute_async(self, batch_size, inputs, outputs, workspace, stream_handle):
        return 0
"""
#: A plugin of version 3 that has no tactics.
PLAIN = """\
class Plain(trt.IPluginV3OneRuntime):
    def set_tactic(self, tactic):
        pass
"""
SOURCES = {"V2": V2, "V3": V3, "IMPLICIT": IMPLICIT, "PLAIN": PLAIN}


def first_change(name):
    """Return the source that an operator first finds something in, and the lines that its first change makes differ."""
    for source, text in SOURCES.items():
        for change in OPERATORS[name].plant(Module(text)):
            return source, diff(text, change.applied(text))
    return "", []

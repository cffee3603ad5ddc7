"""A plugin with fields of three types, as small as it can be, and a subject around it."""

import contextlib
import dataclasses

import numpy as np

import reference_runtime as trt
from harness.cases.case import Case
from harness.contract.interface import Interface
from harness.subject.subject import PluginOrigin, Subject
from reference_runtime.calling.gate.gate import Gate
from reference_runtime.devices import host
from reference_runtime.devices.host import HostDevice, use

FIELDS = {"size": np.array([3], np.int32), "scale": np.array([1.5], np.float32), "mode": "fast"}


class Plugin(trt.IPluginV2DynamicExt):
    def __init__(self):
        super().__init__()
        self.num_outputs, self.plugin_type, self.plugin_version, self.plugin_namespace = 1, "P", "1", ""


class Doubler(Plugin):
    """Multiplies FLOAT tensors by its factor."""

    factor = 2.0

    def get_output_datatype(self, *_):
        return trt.DataType.FLOAT

    def get_output_dimensions(self, _index, inputs, _builder):
        return trt.DimsExprs(inputs[0])

    def supports_format_combination(self, pos, in_out, _num_inputs):
        return in_out[pos].type == trt.DataType.FLOAT and in_out[pos].format == trt.TensorFormat.LINEAR

    def configure_plugin(self, inputs, outputs):
        pass

    def enqueue(self, input_desc, _output_desc, inputs, outputs, *_):
        nbytes = trt.volume(input_desc[0].dims) * 4
        x, y = (np.frombuffer(host.view(address, nbytes), np.float32) for address in (inputs[0], outputs[0]))
        y[:] = x * self.factor

    def serialize(self):
        return b""

    def clone(self):
        return type(self)()


BASES_V3 = (trt.IPluginV3, trt.IPluginV3OneCore, trt.IPluginV3OneBuild, trt.IPluginV3OneRuntime)


class PluginV3:
    """What V3 plugins have in common here: one object, FLOAT tensors, no fields, and nothing to prepare."""

    bases = BASES_V3

    def __init__(self):
        for base in self.bases:
            base.__init__(self)
        self.plugin_name, self.plugin_version, self.plugin_namespace = "P", "1", ""

    def get_capability_interface(self, _kind):
        return self

    def get_output_data_types(self, types):
        return list(types)

    def supports_format_combination(self, pos, in_out, _num_inputs):
        return in_out[pos].desc.type == trt.DataType.FLOAT and in_out[pos].desc.format == trt.TensorFormat.LINEAR

    def configure_plugin(self, inputs, outputs):
        pass

    def set_tactic(self, tactic):
        pass

    def on_shape_change(self, inputs, outputs):
        pass

    def attach_to_context(self, _context):
        return type(self)()

    def clone(self):
        return type(self)()

    def get_fields_to_serialize(self):
        return trt.PluginFieldCollection([])


class TilerV3(PluginV3, *BASES_V3):
    """Fills an output of the size that its shape input says with the elements of its input, again and again."""

    def __init__(self):
        super().__init__()
        self.num_outputs = 1

    def get_output_shapes(self, _inputs, shape_inputs, _builder):
        (size,) = shape_inputs
        return [trt.DimsExprs([size[0], size[1]])]

    def configure_plugin(self, inputs, outputs):
        self.configured = [(tuple(each.desc.dims), tuple(each.min), tuple(each.max)) for each in (*inputs, *outputs)]

    def enqueue(self, input_desc, output_desc, inputs, outputs, *_):
        sizes = [trt.volume(desc.dims) for desc in (input_desc[0], output_desc[0])]
        views = [host.view(address, 4 * size) for address, size in zip((inputs[0], outputs[0]), sizes, strict=True)]
        x, y = (np.frombuffer(view, np.float32) for view in views)
        y[:] = np.resize(x, y.size)


class CreatorV3(trt.IPluginCreatorV3One):
    def __init__(self, plugin_class):
        super().__init__()
        self.name, self.plugin_version, self.plugin_namespace = "P", "1", ""
        self.field_names = trt.PluginFieldCollection([])
        self.plugin_class = plugin_class

    def create_plugin(self, _name, _fields, _phase):
        return self.plugin_class()


class Creator(trt.IPluginCreator):
    """Does with the fields what a test tells it."""

    def __init__(self, create=lambda _: Plugin(), advertised=()):
        super().__init__()
        self.name, self.plugin_version, self.plugin_namespace = "P", "1", ""
        self.create = create
        self.field_names = trt.PluginFieldCollection(advertised)

    def create_plugin(self, _name, field_collection):
        return self.create(field_collection)


def running(creator):
    """Return a subject with one input of shape (2, 3), whose device is in use."""
    case = Case(plugin="P", inputs=({"dims": (2, 3)},))
    return subject_of(creator, case)


@contextlib.contextmanager
def subjects_v3():
    """Give ``subject_with(plugin class, case)``: a subject whose device is in use as long as this lasts."""
    with contextlib.ExitStack() as stack:

        def subject_with(plugin_class, case):
            subject = dataclasses.replace(subject_of(CreatorV3(plugin_class), case), interface=Interface.V3)
            stack.enter_context(use(subject.device))
            return subject

        yield subject_with


def subject_of(creator, case=None, **origin):
    case = case or Case(plugin="P", fields=FIELDS)
    about = {"module": "m", "file": "", "creators": (creator,), "registrations": (), "registered": True}
    return Subject(
        trt=trt,
        creator=creator,
        case=case,
        origin=PluginOrigin(**{**about, "siblings": (case,), **origin}),
        gate=Gate(quiet=True),
        device=HostDevice(),
    )

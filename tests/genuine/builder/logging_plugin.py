"""An `IPluginV3` that logs each call with its arguments and result, and can do what is wrong; and its creator.

An object's name says where it comes from: ``n0`` is what the creator made for the node n0, ``n0.c2`` its second clone,
``n0.c2.a1`` what that attached first to a context.
"""

import functools
import sys

import numpy as np
import tensorrt as trt

EVENTS = []
KINDS = trt.PluginCapabilityType
INTERFACES = (trt.IPluginV3, trt.IPluginV3OneCore, trt.IPluginV3OneRuntime)


# -- what is logged, as JSON data ------------------------------------------------------------------------------


def plain(value):
    """Return an argument or result as JSON data."""
    return _described(value) if type(value).__module__.startswith("tensorrt") else _listed(value)


def _listed(value):
    if isinstance(value, list | tuple):
        return [plain(each) for each in value]
    known = value is None or isinstance(value, bool | int | float | str)
    return value if known else getattr(value, "label", type(value).__name__)


def _described(value):
    kind = type(value).__name__
    if kind == "DynamicPluginTensorDesc":
        return {**plain(value.desc), **{name: list(getattr(value, name)) for name in ("min", "opt", "max")}}
    if kind == "PluginTensorDesc":
        names = {"type": number(value.type), "format": number(value.format)}
        return {"dims": list(value.dims), **names, "scale": str(value.scale)}
    if kind == "DimsExprs":
        return [extent(value[place]) for place in range(len(value))]
    if kind.startswith("PluginFieldCollection"):
        return [[field.name, number(field.type), field.size, np.asarray(field.data).tolist()] for field in value]
    return number(value) if hasattr(value, "name") else kind


def number(member):
    """Return the name of a member of an enumeration, or the number of what is none."""
    return member.name if "???" not in str(member.name) else int(member)


def extent(expression):
    return None if expression is None else expression.get_constant_value() if expression.is_constant() else "?"


# -- faults ----------------------------------------------------------------------------------------------------


class Foreign:
    label = "an object of no interface"


def _raise(_sound):
    raise ValueError("planted")


FAULTS = {
    "raises": _raise,
    "none": lambda _: None,
    "str": lambda _: "x",
    "custom": lambda _: Foreign(),
    "int": lambda _: 7,
    "minus": lambda _: -5,
    "float": lambda _: 1.5,
    "empty": lambda _: [],
    "more": lambda sound: list(sound) * 2,
    "wrongitem": lambda _: ["x"],
    "tuple": tuple,
    "true": lambda _: True,
    "numpybool": lambda sound: np.bool_(bool(sound)),
    "one": lambda _: 1,
    "dup": lambda _: [1, 1],
    "zero": lambda _: [0],
    "neg": lambda _: [-1],
    "huge": lambda _: 1 << 50,
    "many": lambda _: list(range(1, 200)),
}


class Plan:
    """What the plugins of this program do: the scenario, the fault, and how often each method was called."""

    def __init__(self, scenario, fault=""):
        self.scenario, self.calls = scenario, {}
        self.method, _, rest = fault.partition(":")
        self.fault, _, nth = rest.partition("@")
        self.nth = int(nth or 0)

    def spoil(self, method):
        """Count a call of a method; return what to do with its result, if anything."""
        self.calls[method] = self.calls.get(method, 0) + 1
        wrong = method == self.method and self.nth in {0, self.calls[method]}
        return FAULTS[self.fault] if wrong else None


PLAN = [Plan({})]


def scenario():
    return PLAN[0].scenario


def logged(method):
    name = method.__name__

    @functools.wraps(method)
    def call(self, *arguments):
        event = {"who": self.label, "call": name, "args": [plain(each) for each in arguments]}
        EVENTS.append(event)
        spoil = PLAN[0].spoil(name)
        if spoil is _raise:
            spoil(None)
        result = method(self, *arguments)
        if spoil is not None:
            result = spoil(result)
        event["result"] = plain(result)
        return result

    return call


# -- the plugin ------------------------------------------------------------------------------------------------


class Parts:
    """The callbacks of all capabilities."""

    def set_up(self, op):
        self.plugin_name, self.plugin_version, self.plugin_namespace = op, "1", ""
        self.num_outputs = scenario().get("num_outputs", 1)
        for name in ("timing_cache_id", "metadata_string", "format_combination_limit"):
            if name in scenario():
                setattr(self, name, scenario()[name])

    @logged
    def get_output_data_types(self, input_types):
        return scenario().get("types", lambda types: [types[0]] * self.num_outputs)(input_types)

    @logged
    def get_output_shapes(self, inputs, shape_inputs, expr_builder):
        same = lambda *_: [trt.DimsExprs(inputs[0])] * self.num_outputs  # noqa: E731 - the default of an option
        return scenario().get("shapes", same)(inputs, shape_inputs, expr_builder)

    @logged
    def supports_format_combination(self, pos, in_out, num_inputs):
        return scenario().get("formats", same_type_linear)(pos, in_out)

    @logged
    def configure_plugin(self, inputs, outputs):
        pass

    @logged
    def get_workspace_size(self, inputs, outputs):
        return scenario().get("workspace", 0)

    @logged
    def get_valid_tactics(self):
        return list(scenario().get("tactics", []))

    @logged
    def set_tactic(self, tactic):
        pass

    @logged
    def on_shape_change(self, inputs, outputs):
        pass

    @logged
    def attach_to_context(self, context):
        return self.whole.copy("a")

    @logged
    def get_fields_to_serialize(self):
        return trt.PluginFieldCollection([trt.PluginField("scale", self.whole.stored, trt.PluginFieldType.FLOAT32)])

    @logged
    def enqueue(self, input_desc, output_desc, inputs, outputs, workspace, stream):
        pass


class Whole:
    """What is common to the plugin in one object and in several."""

    def start(self, op, scale, label):
        self.op, self.label, self.whole, self.made, self.key = op, label, self, {}, None
        self.stored = np.array([scale], np.float32)

    def copy(self, how):
        self.made[how] = self.made.get(how, 0) + 1
        return type(self)(self.op, self.stored[0], f"{self.label}.{how}{self.made[how]}")

    @logged
    def get_capability_interface(self, kind):
        return scenario().get("part", lambda whole, _: whole)(self, kind)

    @logged
    def clone(self):
        return self.copy("c")

    @logged
    def destroy(self):
        if self.key:
            EVENTS.append({"who": self.label, "call": "release", "result": release(self.key)})
            self.key = None


def release(key):
    return trt.get_plugin_registry().release_plugin_resource(key)


def same_type_linear(pos, in_out):
    return linear(pos, in_out) and (pos == 0 or in_out[pos].desc.type == in_out[0].desc.type)


def linear(pos, in_out):
    return in_out[pos].desc.format == trt.TensorFormat.LINEAR


class Plugin(Whole, Parts, trt.IPluginV3, trt.IPluginV3OneCore, trt.IPluginV3OneBuild, trt.IPluginV3OneRuntime):
    def __init__(self, op, scale, label):
        for base in (*INTERFACES, trt.IPluginV3OneBuild):
            base.__init__(self)
        self.start(op, scale, label)
        self.set_up(op)


class AliasingPlugin(
    Whole, Parts, trt.IPluginV3, trt.IPluginV3OneCore, trt.IPluginV3OneBuildV2, trt.IPluginV3OneRuntime
):
    def __init__(self, op, scale, label):
        for base in (*INTERFACES, trt.IPluginV3OneBuildV2):
            base.__init__(self)
        self.start(op, scale, label)
        self.set_up(op)

    @logged
    def get_aliased_input(self, output_index):
        return scenario()["alias"][output_index]


class Core(Parts, trt.IPluginV3OneCore):
    pass


class Build(Parts, trt.IPluginV3OneBuild):
    pass


class Runtime(Parts, trt.IPluginV3OneRuntime):
    pass


class SplitPlugin(Whole, trt.IPluginV3):
    """A plugin of four objects; each part refers to the plugin."""

    def __init__(self, op, scale, label):
        trt.IPluginV3.__init__(self)
        self.start(op, scale, label)
        self.parts = {KINDS.CORE: Core(), KINDS.BUILD: Build(), KINDS.RUNTIME: Runtime()}
        for part in self.parts.values():
            part.label, part.whole = label, self
            part.set_up(op)

    @logged
    def get_capability_interface(self, kind):
        return self.parts[kind]


class Creator(trt.IPluginCreatorV3One):
    def __init__(self, op):
        trt.IPluginCreatorV3One.__init__(self)
        self.name, self.plugin_version, self.plugin_namespace, self.label = op, "1", "", "creator"
        self.empty = np.array([], np.float32)
        self.field_names = trt.PluginFieldCollection(
            [trt.PluginField("scale", self.empty, trt.PluginFieldType.FLOAT32)]
        )

    @logged
    def create_plugin(self, name, field_collection, phase):
        kind = SplitPlugin if scenario().get("split") else AliasingPlugin if "alias" in scenario() else Plugin
        scale = float(field_collection[0].data[0]) if len(field_collection) else 0.0
        made = kind(self.name, scale, name)
        if scenario().get("resource"):
            made.key = "k"
            got = trt.get_plugin_registry().acquire_plugin_resource("k", Resource("resource"))
            EVENTS.append({"who": name, "call": "acquire", "result": plain(got)})
        return made


class Resource(trt.IPluginResource):
    def __init__(self, label):
        trt.IPluginResource.__init__(self)
        self.label = label

    @logged
    def clone(self):
        return Resource(f"{self.label}.c")

    @logged
    def release(self):
        pass


def say(**what):
    """Print one line of JSON for the program that started this one."""
    import json  # noqa: PLC0415 - for this alone

    sys.stdout.write(json.dumps(what) + "\n")
    sys.stdout.flush()

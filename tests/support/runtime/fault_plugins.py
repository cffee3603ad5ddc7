"""Plugins and creators that are sound but for one member, and the words that the measured faults are written in."""

from __future__ import annotations

import json
import pathlib

import numpy as np

import reference_runtime as trt

DATA = json.loads((pathlib.Path(__file__).parents[2] / "data" / "runtime" / "trampolines.json").read_text())
LOG: list = []
"""What was called, as (method, lengths of lists and values of integers)."""

KEPT = np.array([1, 2, 3], dtype=np.int32)
FIELD = trt.PluginField("a", KEPT, trt.PluginFieldType.INT32)
FIELDS = trt.PluginFieldCollection([FIELD])


def note(method, *arguments):
    LOG.append((method, [_brief(argument) for argument in arguments], arguments))


def _brief(argument):
    if isinstance(argument, list):
        return len(argument)
    return argument if isinstance(argument, int) and not isinstance(argument, bool) else None


class BadStr(Exception):  # noqa: N818 - the measured name
    def __str__(self):
        raise RuntimeError("str failed")


class HasBool:
    def __bool__(self):
        return True


class BadBool:
    def __bool__(self):
        raise ValueError("no")


class HasLen:
    def __len__(self):
        return 1


class Idx:
    def __index__(self):
        return 7


def raiser(error):
    def f(*_):
        raise error

    return f


def bare(_self):
    """Takes too few arguments."""


def gen(*_):
    yield 1


async def coro(*_):
    return 1


def growing():
    calls = []

    def f(_self):
        calls.append(1)
        return b"x" * 4 * len(calls)

    return f


def counted():
    def serialize(_self):
        note("serialize")
        return b"abc"

    return serialize


def exprs(count):
    return lambda _self, inputs, _shape_inputs, _builder: [inputs[0]] * count


def bad_cap(how):
    """``get_capability_interface`` that answers with other objects: kept, made anew, or of the next kind."""
    classes = [trt.IPluginV3OneCore, trt.IPluginV3OneBuild, trt.IPluginV3OneRuntime]
    kept = [cls() for cls in classes]

    def get_capability_interface(_self, kind):
        if how == "separate":
            return kept[int(kind)]
        return classes[int(kind) if how == "separate_temporary" else (int(kind) + 1) % 3]()

    return get_capability_interface


def v2_class(attrs=None, *, log=True):
    say = note if log else lambda *_: None

    class P2(trt.IPluginV2DynamicExt):
        def __init__(self):
            super().__init__()
            for name, value in ({"num_outputs": 1, "plugin_type": "P2"} if attrs is None else attrs).items():
                setattr(self, name, value)

    return _with(P2, say, _V2)


def v3_class(attrs=None, *, log=True, build=None):
    say = note if log else lambda *_: None
    sound = {"num_outputs": 1, "plugin_name": "P3", "plugin_version": "1", "plugin_namespace": ""}

    class P3(trt.IPluginV3, trt.IPluginV3OneCore, build or trt.IPluginV3OneBuild, trt.IPluginV3OneRuntime):
        def __init__(self):
            trt.IPluginV3.__init__(self)
            trt.IPluginV3OneCore.__init__(self)
            (build or trt.IPluginV3OneBuild).__init__(self)
            trt.IPluginV3OneRuntime.__init__(self)
            for name, value in (sound if attrs is None else attrs).items():
                setattr(self, name, value)

    methods = _V3 | ({} if build is None else {"get_aliased_input": lambda _self, _output: 0})
    return _with(P3, say, methods)


def _with(cls, say, methods):
    def logged(name, method):
        def call(self, *arguments):
            say(name, *arguments)
            return method(self, *arguments)

        return call

    for name, method in methods.items():
        setattr(cls, name, logged(name, method))
    return cls


_V2 = {
    "get_output_datatype": lambda *_: trt.DataType.FLOAT,
    "get_output_dimensions": lambda _self, _index, inputs, _builder: inputs[0] if inputs else trt.DimsExprs(),
    "supports_format_combination": lambda *_: True,
    "configure_plugin": lambda *_: None,
    "get_workspace_size": lambda *_: 4096,
    "initialize": lambda _self: 0,
    "terminate": lambda _self: None,
    "enqueue": lambda *_: 0,
    "serialize": lambda _self: b"abc",
    "clone": lambda self: type(self)(),
    "destroy": lambda _self: None,
}
_V3 = {
    "get_capability_interface": lambda self, _kind: self,
    "clone": lambda self: type(self)(),
    "get_output_data_types": lambda *_: [trt.DataType.FLOAT],
    "get_output_shapes": lambda _self, inputs, *_: [inputs[0] if inputs else trt.DimsExprs()],
    "supports_format_combination": lambda *_: True,
    "configure_plugin": lambda *_: None,
    "get_workspace_size": lambda *_: 4096,
    "get_valid_tactics": lambda _self: [1, 2],
    "on_shape_change": lambda *_: None,
    "set_tactic": lambda *_: None,
    "enqueue": lambda *_: None,
    "attach_to_context": lambda self, _context: type(self)(),
    "get_fields_to_serialize": lambda _self: FIELDS,
    "destroy": lambda _self: None,
}


def creator_class(base, attrs, *, log=True):
    say = note if log else lambda *_: None

    class Creator(base):
        def __init__(self):
            super().__init__()
            for name, value in attrs.items():
                setattr(self, name, value)

    made = v2_class(log=False) if base is trt.IPluginCreator else v3_class(log=False)
    sound = {"create_plugin": lambda *_: made(), "deserialize_plugin": lambda *_: made()}
    return _with(Creator, say, sound)


def resource_class():
    class Resource(trt.IPluginResource):
        def __init__(self):
            super().__init__()

    return _with(Resource, note, {"clone": lambda self: type(self)(), "release": lambda _self: None})


def quick_class():
    class Build(trt.IPluginV3QuickBuild):
        def __init__(self):
            super().__init__()

    sound = {"get_supported_format_combinations": lambda _self, in_out, _num_inputs: [tensor.desc for tensor in in_out]}
    return _with(Build, note, sound)


SCOPE = {
    "np": np,
    "trt": trt,
    "_ff": FIELD,
    "FC": FIELDS,
    "counted": counted,
    **{
        value.__name__: value
        for value in (BadStr, HasBool, BadBool, HasLen, Idx, raiser, bare, gen, coro, growing, exprs, bad_cap)
    },
    "v2_class": v2_class,
    "v3_class": v3_class,
}


def spoiled(cls, method, fault, code):
    """Give a class a fault: take the method away, or put the measured one in its place."""
    if fault == "missing":
        if method in vars(cls):
            delattr(cls, method)
    elif fault == "takes_too_few_args" and method in _WITHOUT_ARGUMENTS:
        setattr(cls, method, eval("lambda: None"))  # noqa: S307 - named as in the data
    elif code is not None:
        setattr(cls, method, eval(code, SCOPE))  # noqa: S307 - the project's own data
    return cls


_WITHOUT_ARGUMENTS = {
    row[1] for row in DATA["faults"] if row[2] == "takes_too_few_args" and "<lambda>()" in "".join(row[5])
}


def with_attribute(base, name, fault, value):
    """Make an object whose attribute was assigned or not, or stands in front of the inherited property."""
    attrs = {name: value} if fault in ("nominal", "negative", "empty_string") else {}
    if name == "field_names" and attrs:
        attrs[name] = trt.PluginFieldCollection(
            [trt.PluginField("f", np.zeros(0, np.int32), trt.PluginFieldType.INT32)]
        )
    shadow = {
        "class_attribute_only": {name: "X"},
        "python_property_only": {name: property(lambda _self: "X")},
    }.get(fault, {})

    class Holder(base):
        def __init__(self):
            super().__init__()
            for key, given in attrs.items():
                setattr(self, key, given)

    for key, given in shadow.items():
        setattr(Holder, key, given)
    return Holder()

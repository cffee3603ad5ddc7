"""Every measured misbehaviour of a callback: what C++ gets, and what file descriptor 2 says."""

from __future__ import annotations

import json
import os
import pathlib
import re
import tempfile
import types
from contextlib import contextmanager

import numpy as np
import pytest

from reference_runtime import expressions, nodes, trampolines
from reference_runtime.descriptions import Bounds, Description
from reference_runtime.dims import Dims
from reference_runtime.enums import DataType, DimensionOperation, TensorFormat
from reference_runtime.expressions import DimsExprs
from reference_runtime.fields import received
from reference_runtime.gate import Gate
from reference_runtime.native import state
from reference_runtime.plugins.v2_dynamic import IPluginV2DynamicExt

MEASURED = json.loads((pathlib.Path(__file__).parents[1] / "data" / "v2_trampolines.json").read_text())

DESC = Description((1, 64, 64), DataType.FLOAT, TensorFormat.LINEAR)
BOUNDS = Bounds(DESC, (1, 64, 64), (1, 64, 64), (1, 64, 64))


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


def bare():
    """Takes too few arguments."""


def gen(*_):
    yield 1


def growing():
    calls = []

    def f(_self):
        calls.append(1)
        return b"x" * 4 * len(calls)

    return f


def v2_class(attrs=None, **_):
    class P2(IPluginV2DynamicExt):
        def __init__(self):
            super().__init__()
            for name, value in ({"num_outputs": 1, "plugin_type": "P2"} if attrs is None else attrs).items():
                setattr(self, name, value)

    return P2


TRT = types.SimpleNamespace(
    DataType=DataType,
    Dims=Dims,
    DimsExprs=DimsExprs,
    DimensionOperation=DimensionOperation,
    IPluginV2DynamicExt=IPluginV2DynamicExt,
    TensorFormat=TensorFormat,
    float16=DataType.HALF,
)
SCOPE = {
    "np": np,
    "trt": TRT,
    "counted": lambda: lambda _self: b"abc",
    **{
        value.__name__: value for value in (BadStr, HasBool, BadBool, HasLen, Idx, raiser, bare, gen, growing, v2_class)
    },
}
SOUND = {
    "get_output_datatype": lambda *_: DataType.FLOAT,
    "configure_plugin": lambda *_: None,
    "enqueue": lambda *_: None,
    "serialize": lambda *_: b"abc",
    "clone": lambda self: type(self)(),
}
LEFT_OUT = {"calls_super_clone", "returns_v3_plugin", "returns_bare_v3_base", "is_coroutine"}
"""Measured cases that need a call from within the plugin, or IPluginV3, or where Python itself warns."""


def subject(method, code):
    """A plugin that is sound but for one method, which is the measured one."""
    cls = v2_class()
    for name, function in SOUND.items():
        setattr(cls, name, function)
    if code is not None:
        setattr(cls, method, eval(code, SCOPE))  # noqa: S307 - the project's own data
    elif method in SOUND:
        delattr(cls, method)
    return cls()


@contextmanager
def file_descriptor_2():
    """What is written there, past sys.stderr."""
    text = []
    with tempfile.TemporaryFile() as file:
        kept = os.dup(2)
        os.dup2(file.fileno(), 2)
        try:
            yield text
        finally:
            os.dup2(kept, 2)
            os.close(kept)
            file.seek(0)
            text.append(file.read().decode())


def brief(text):
    """The lines that do not depend on where the test lies: no frames, no names of functions."""
    text = re.sub(r"\n\nAt:\n(  .*\n)+\n?", "\n", text)
    text = re.sub(r"MESSAGE UNAVAILABLE DUE TO EXCEPTION.*\n+", "", text)
    text = re.sub(r"TypeError: \S+\(\) takes.*", "TypeError: arguments", text)
    text = re.sub(r"incompatible function arguments.*?(?=\n\[|\Z)", "incompatible", text, flags=re.DOTALL)
    text = re.sub(r"<RuntimeWarning.*", "", text, flags=re.DOTALL)
    return [line for line in text.split("\n") if line]


def shown(dims):
    held = state(dims)
    if held["length"] < 0:
        return f"BAD nbDims {held['length']}"
    texts = ["null" if slot is None else nodes.describe(expressions.node_of(slot)) for slot in held["slots"]]
    named = [re.sub(r"inputs\[(\d)\]\[(\d)\]", r"in\1_d\2", text).replace(", ", ",") for text in texts]
    return f"[{', '.join(named)}]"


def output_dimensions(gate, plugin):
    builder = expressions.new_builder()
    inputs = [expressions.input_dims(builder, place, (-1, 64, 64)) for place in range(2)]
    return shown(trampolines.get_output_dimensions(gate, plugin, 0, inputs, builder))


def workspace(gate, plugin):
    trampolines.configure_plugin(gate, plugin, [BOUNDS] * 2, [BOUNDS])
    return trampolines.get_workspace_size(gate, plugin, [DESC] * 2, [DESC])


def terminated(gate, plugin):
    trampolines.initialize(gate, plugin)
    return trampolines.terminate(gate, plugin)


def enqueued(gate, plugin):
    trampolines.initialize(gate, plugin)
    trampolines.configure_plugin(gate, plugin, [BOUNDS] * 2, [BOUNDS])
    return trampolines.enqueue(gate, plugin, [DESC] * 2, [DESC], [1, 2], [3], 0, 0)


def serialized(gate, plugin):
    size = trampolines.get_serialization_size(gate, plugin)
    return {"getSerializationSize": size, "buffer": trampolines.serialize(gate, plugin, size).hex()}


def cloned(gate, plugin):
    copy = trampolines.clone(gate, plugin)
    return "nullptr" if copy is None else "same pointer" if copy is plugin else "new pointer"


def made(function, *arguments):
    def ask(gate, creator):
        return "nullptr" if function(gate, creator, "layer", *arguments) is None else "non-null"

    return ask


ASK = {
    "get_output_datatype": lambda gate, plugin: int(trampolines.get_output_datatype(gate, plugin, 0, [])),
    "get_output_dimensions": output_dimensions,
    "supports_format_combination": lambda gate, plugin: trampolines.supports_format_combination(
        gate, plugin, 0, [DESC] * 3, 2
    ),
    "configure_plugin": lambda gate, plugin: trampolines.configure_plugin(gate, plugin, [BOUNDS] * 2, [BOUNDS]),
    "get_workspace_size": workspace,
    "initialize": trampolines.initialize,
    "terminate": terminated,
    "enqueue": enqueued,
    "serialize": serialized,
    "get_serialization_size": serialized,
    "clone": cloned,
    "destroy": trampolines.destroy,
    "create_plugin": made(trampolines.create_plugin, received([])),
    "deserialize_plugin": made(trampolines.deserialize_plugin, b"ab\0cd"),
}


@pytest.mark.parametrize(
    ("method", "fault", "code", "expected", "stderr"),
    [pytest.param(*row, id=f"{row[0]}-{row[1]}") for row in MEASURED if row[1] not in LEFT_OUT],
)
def test_cpp_gets_and_file_descriptor_2_says_what_was_measured(method, fault, code, expected, stderr):
    gate, plugin = Gate(), subject(method, code)
    with file_descriptor_2() as text:
        got = ASK[method](gate, plugin)
    if method in ("serialize", "get_serialization_size"):
        size = expected["getSerializationSize"]
        written = min(expected.get("changed", 3), size, 3 if method == "get_serialization_size" else size)
        assert got["getSerializationSize"] == size
        assert got["buffer"][: 2 * written] == expected.get("buffer", "616263")[: 2 * written]
    else:
        assert got == expected
    assert brief(text[0]) == brief(stderr)
    silent = fault.startswith(("returns_None", "calls_super")) and method in ("clone", "create_plugin")
    assert bool(gate.failures) == bool(stderr) or silent or method == "deserialize_plugin"

"""The defects that the tests of the first minutes plant: edits of the three plugins in tests/first_minutes."""

from __future__ import annotations

import dataclasses
import shutil
from collections.abc import Iterable
from pathlib import Path

PLUGINS = Path(__file__).parents[1] / "first_minutes" / "plugins"


@dataclasses.dataclass(frozen=True)
class Planted:
    """A defect, and what the terminal shows first about it.

    Attributes:
        plugin: The module that is edited.
        edits: What is replaced, each by what.
        rule: The rule that is named for the defect.
        at: The code of the line that the finding names, as the edited file has it.
        method: The method that the finding names.
        fix: Words of the fix.
    """

    plugin: str
    edits: tuple[tuple[str, str], ...]
    rule: str
    at: str
    method: str
    fix: str

    def write(self, folder: Path) -> int:
        """Write the edited plugin and its case into a folder; return the number of the line in question."""
        source = edited(self.plugin, self.edits)
        (folder / f"{self.plugin}.py").write_text(source)
        shutil.copy(PLUGINS / f"{self.plugin}_cases.py", folder)
        numbers = [number for number, line in enumerate(source.splitlines(), 1) if self.at in line]
        return numbers[0]


_SCALE = """                trt.PluginField("scale", self.scale, trt.PluginFieldType.FLOAT32),
"""
_WORK = """            wide = as_array(workspace, shape, np.float32)
            wide[...] = x
"""
_CLONED = """        cloned = GeluPlugin()
"""
_MADE = """        self.num_outputs = 1
"""
_CLONE = "def clone(self):"
_ENQUEUE = "def enqueue(self, input_desc, output_desc, inputs, outputs, workspace, stream):"


def edited(plugin: str, edits: Iterable[tuple[str, str]]) -> str:
    """Return the source of a plugin in which each of some texts, which is there once, is replaced."""
    source = (PLUGINS / f"{plugin}.py").read_text()
    for old, new in edits:
        if source.count(old) != 1:
            raise LookupError(f"{old!r} is {source.count(old)} times in {plugin}")
        source = source.replace(old, new)
    return source


PLANTED = {
    "1": Planted(
        "gelu_plugin",
        ((_SCALE, ""),),
        "SER-008",
        "def get_fields_to_serialize",
        "get_fields_to_serialize",
        "every parameter into",
    ),
    "1b": Planted(
        "bias_plugin", ((', "gain": self.gain}', "}"),), "SER-004", "def serialize(", "serialize", "serialize"
    ),
    "2": Planted(
        "gelu_plugin", (("        cloned.scale = self.scale.copy()\n", ""),), "CLN-002", _CLONE, "clone", "clone()"
    ),
    "3": Planted(
        "gelu_plugin",
        (("np.array([f.data[0]], np.float32)", "np.array([float(f.data)], np.float32)"),),
        "PFD-007",
        "float(f.data)",
        "__init__",
        "[0]",
    ),
    "4": Planted(
        "gelu_plugin",
        (("return trt.volume(inp[0].max) * 4", "return trt.volume(inp[0].max)"),),
        "WSP-003",
        "def get_workspace_size",
        "get_workspace_size",
        "bytes",
    ),
    "5": Planted(
        "gelu_plugin",
        (("with cp.cuda.ExternalStream(stream):", "with cp.cuda.Stream.null:"),),
        "ENQ-003",
        _ENQUEUE,
        "enqueue",
        "ExternalStream(stream)",
    ),
    "6": Planted(
        "gelu_plugin",
        (
            (
                "        return [output_dims]\n",
                (
                    "        one = exprBuilder.constant(1)\n"
                    "        output_dims[1] = exprBuilder.operation(trt.DimensionOperation.SUM, inputs[0][1], one)\n"
                    "        return [output_dims]\n"
                ),
            ),
        ),
        "SHP-008",
        "def get_output_shapes",
        "get_output_shapes",
        "get_output_shapes",
    ),
    "6b": Planted(
        "nonzero_plugin",
        (
            (
                "        opt = exprBuilder",
                (
                    "        one = exprBuilder.constant(1)\n"
                    "        upper = exprBuilder.operation(trt.DimensionOperation.SUB, upper, one)\n"
                    "        opt = exprBuilder"
                ),
            ),
        ),
        "SHP-018",
        "def get_output_shapes",
        "get_output_shapes",
        "upper",
    ),
    "7": Planted(
        "gelu_plugin",
        (
            (
                "            return desc.type in (trt.DataType.FLOAT, trt.DataType.HALF)\n",
                (
                    "            return desc.type in (trt.DataType.FLOAT, trt.DataType.HALF) "
                    "and desc.type == in_out[1].desc.type\n"
                ),
            ),
        ),
        "FMT-001",
        "def supports_format_combination",
        "supports_format_combination",
        "pos",
    ),
    "8": Planted(
        "gelu_plugin",
        (
            (
                '        self.plugin_name = "GeluPlugin"\n        self.plugin_version = "1"\n',
                '        self.plugin_name = "GeluPlugin"\n        self.plugin_version = "2"\n',
            ),
        ),
        "ID-002",
        'self.plugin_version = "2"',
        "__init__",
        "version",
    ),
    "9-v2": Planted(
        "bias_plugin",
        (("self.channels = inp[0].desc.dims[1]", "self.channels = inp[0].dims[1]"),),
        "CFG-012",
        "inp[0].dims[1]",
        "configure_plugin",
        "desc",
    ),
    "9-v3": Planted(
        "gelu_plugin",
        (("self.input_type = inp[0].desc.type", "self.input_type = inp[0].type"),),
        "CFG-012",
        "inp[0].type",
        "configure_plugin",
        "desc",
    ),
    "10": Planted(
        "gelu_plugin",
        (
            (_MADE, "        self.num_outputs = 1\n        self.cache = {}\n"),
            (_CLONED, "        cloned = GeluPlugin()\n        cloned.cache = self.cache\n"),
            (
                _WORK,
                (
                    "            if shape[0] not in self.cache:\n"
                    "                self.cache[shape[0]] = cp.zeros(shape, np.float32)\n"
                    "            wide = self.cache[shape[0]]\n"
                    "            wide[...] = x\n"
                ),
            ),
        ),
        "CFG-009",
        "            wide[...] = x",
        "enqueue",
        "whole shape",
    ),
    "10b": Planted(
        "gelu_plugin",
        (
            (_MADE, "        self.num_outputs = 1\n        self.cache = {}\n"),
            (_CLONED, "        cloned = GeluPlugin()\n        cloned.cache = self.cache\n"),
            (
                "            y[...] = float(self.scale[0]) * wide\n",
                (
                    "            if shape[0] not in self.cache:\n"
                    "                self.cache[shape[0]] = shape[1]\n"
                    "            rows = self.cache[shape[0]]\n"
                    "            y[:, :rows] = float(self.scale[0]) * wide[:, :rows]\n"
                ),
            ),
        ),
        "CFG-009",
        _ENQUEUE,
        "enqueue",
        "whole shape",
    ),
    "10c": Planted(
        "gelu_plugin",
        (
            (_MADE, "        self.num_outputs = 1\n        self.cache = {}\n"),
            (
                "            y[...] = float(self.scale[0]) * wide\n",
                (
                    "            if shape[0] not in self.cache:\n"
                    "                self.cache[shape[0]] = shape[1]\n"
                    "            rows = self.cache[shape[0]]\n"
                    "            y[:, :rows] = float(self.scale[0]) * wide[:, :rows]\n"
                ),
            ),
        ),
        "CFG-009",
        _ENQUEUE,
        "enqueue",
        "whole shape",
    ),
}

_BIAS_QUERY = """        channels = inputs[0][1]
        if channels.is_constant() and channels.get_constant_value() != len(self.bias):
            raise ValueError(f"the bias has {len(self.bias)} values for {channels.get_constant_value()} channels")
"""
_BIAS_CONFIGURE = """        self.channels = inp[0].desc.dims[1]
"""
_NORM_QUERY = """        last = inputs[0][-1]
        if last.is_constant() and last.get_constant_value() != len(self.gamma):
            raise ValueError(f"gamma has {len(self.gamma)} values, the last axis {last.get_constant_value()}")
"""
_NORM_CONFIGURE = """    def configure_plugin(self, inp, out):
        pass
"""

#: Other places where sound plugins check that they have a weight for each channel: the plugin, and what is replaced.
CHECKED_ELSEWHERE = {
    "bias in configure_plugin": (
        "bias_plugin",
        (
            (_BIAS_QUERY, ""),
            (
                _BIAS_CONFIGURE,
                (
                    f"{_BIAS_CONFIGURE}        if self.channels not in (-1, len(self.bias)):\n"
                    '            raise ValueError(f"{len(self.bias)} values for {self.channels} channels")\n'
                ),
            ),
        ),
    ),
    "bias in create_plugin": (
        "bias_plugin",
        (
            (_BIAS_QUERY, ""),
            ("bias, gain = [0.0], 1.0", "bias, gain, channels = [0.0], 1.0, 0"),
            (
                "                gain = f.data[0]\n",
                (
                    "                gain = f.data[0]\n"
                    '            elif f.name == "channels" and f.size > 0:\n'
                    "                channels = int(f.data[0])\n"
                    "        if len(bias) != channels:\n"
                    "            return None\n"
                ),
            ),
            (
                '                trt.PluginField("gain", np.array([], np.float32), trt.PluginFieldType.FLOAT32),\n',
                (
                    '                trt.PluginField("gain", np.array([], np.float32), trt.PluginFieldType.FLOAT32),\n'
                    '                trt.PluginField("channels", np.array([], np.int32), trt.PluginFieldType.INT32),\n'
                ),
            ),
        ),
    ),
    "bias by None in the query": (
        "bias_plugin",
        ((_BIAS_QUERY, f"{_BIAS_QUERY.partition('            raise')[0]}            return None\n"),),
    ),
    "layer norm in configure_plugin": (
        "layer_norm_plugin",
        (
            (_NORM_QUERY, ""),
            (
                _NORM_CONFIGURE,
                _NORM_CONFIGURE.replace(
                    "        pass\n",
                    "        for each in (inp[0].desc.dims[-1], inp[0].min[-1], inp[0].max[-1]):\n"
                    "            if each not in (-1, len(self.gamma)):\n"
                    '                raise ValueError(f"gamma has {len(self.gamma)} values, the last axis {each}")\n',
                ),
            ),
        ),
    ),
}

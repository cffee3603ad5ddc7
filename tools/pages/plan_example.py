"""Write the example in ``docs/contributing/plan_format.md``: the bytes of a real plan."""

import json
import pathlib
import re
import textwrap

import reference_runtime as trt
from reference_runtime import plan
from reference_runtime.calling.gate.gate import Gate, watching
from reference_runtime.plan import container

PAGE = pathlib.Path(__file__).resolve().parents[2] / "docs" / "contributing" / "plan_format.md"
BYTES_A_LINE = 16


class Scale(trt.IPluginV2DynamicExt):
    """The plugin of the example: it has 8 bytes to serialize."""

    def __init__(self):
        super().__init__()
        self.num_outputs = 1
        self.plugin_type = "Scale"
        self.plugin_version = "1"
        self.plugin_namespace = "demo"

    def get_output_datatype(self, _index, input_types):
        """Return the type of the input."""
        return input_types[0]

    def get_output_dimensions(self, _index, inputs, _builder):
        """Return the shape of the input."""
        return trt.DimsExprs(inputs[0])

    def supports_format_combination(self, pos, in_out, _num_inputs):
        """Take linear FLOAT."""
        return in_out[pos].type == trt.DataType.FLOAT and in_out[pos].format == trt.TensorFormat.LINEAR

    def configure_plugin(self, _in, _out):
        """Need nothing."""

    def enqueue(self, *_arguments):
        """Do nothing."""

    def serialize(self):
        """Return eight bytes."""
        return b"factor=2"

    def clone(self):
        """Return another."""
        return Scale()


def example():
    """Return the bytes of the plan."""
    with watching(Gate(quiet=True)):
        builder = trt.Builder(trt.Logger())
        network = builder.create_network()
        network.name = "example"
        x = network.add_input("x", trt.DataType.FLOAT, (-1, 3))
        scaled = network.add_plugin_v2([x], Scale())
        scaled.name = "scale"
        same = network.add_identity(scaled.get_output(0))
        same.name = "same"
        same.get_output(0).name = "y"
        network.mark_output(same.get_output(0))
        config = builder.create_builder_config()
        profile = builder.create_optimization_profile()
        profile.set_shape("x", (1, 3), (2, 3), (8, 3))
        config.add_optimization_profile(profile)
        return bytes(builder.build_serialized_network(network, config))


def hexdump(data):
    """Return bytes as lines of addresses, hexadecimal digits and text."""
    lines = []
    for start in range(0, len(data), BYTES_A_LINE):
        piece = data[start : start + BYTES_A_LINE]
        digits = piece.hex(" ").ljust(BYTES_A_LINE * 3 - 1)
        text = "".join(chr(byte) if 32 <= byte < 127 else "." for byte in piece)  # noqa: PLR2004 - what can be seen
        lines.append(f"{start:06x}  {digits}  {text}")
    return "\n".join(lines)


def sections():
    """Return the generated parts of the page by name."""
    data = example()
    metadata, _ = container.unpack(data)
    indented = json.dumps(json.loads(metadata), indent=1, sort_keys=True)
    folded = re.sub(r"\[[^\[\]{}]*\]", lambda found: re.sub(r"\s+", " ", found[0]), indented)
    return {"bytes": hexdump(data), "metadata": textwrap.dedent(folded)}


def page():
    """Return the page with its example as it is now."""
    text = PAGE.read_text()
    for name, content in sections().items():
        begin, end = f"<!-- generated: {name} -->\n```text\n", "\n```\n<!-- end -->"
        head, _, rest = text.partition(begin)
        if not rest:
            raise ValueError(f"docs/contributing/plan_format.md has no place for {name!r}")
        text = head + begin + content + rest[rest.index(end) :]
    return text


if __name__ == "__main__":
    if plan.read(example()):
        PAGE.write_text(page())

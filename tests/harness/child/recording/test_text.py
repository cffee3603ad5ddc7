"""Recorded cases as text can be read, and say what the cases say."""

import numpy as np
import pytest

from harness.cases.case import Case, parse_case
from harness.child.recording.comparisons import Reference
from harness.child.recording.text import text_of
from harness.subject.serialized_cases import Given, Reached
from reference_runtime import PluginFieldType

PADS = (np.array([1, 2], np.int32), PluginFieldType.INT32)


def read(text):
    scope = {}
    exec(text, scope)  # noqa: S102 - it was written a line before
    return [parse_case(entry, origin="text") for entry in scope["PLUGIN_CASES"]]


def test_a_case_is_read_back_as_it_was():
    case = Case(
        plugin="Pad",
        version="2",
        namespace="mine",
        name="fp16",
        fields={"pads": PADS, "mode": (np.frombuffer(b"wrap\0", np.int8), PluginFieldType.CHAR)},
        inputs=(
            {"dims": ("n", 3), "min": (1, 3), "opt": (2, 3), "max": (4, 3), "types": "float16", "values": (0.0, 9.0)},
            {"dims": (2,), "types": "int8", "scale": 0.5},
            {"shape_input": True, "types": "int64", "min": (0, 1), "opt": (7, 5), "max": (12, 20)},
        ),
        reference=Reference("lambda x0, x1, x2, *, fields: x0 + fields['pads'][0]"),
    )
    (found,) = read(text_of([case], "Title."))
    for name in ("plugin", "version", "namespace", "name", "inputs"):
        assert getattr(found, name) == getattr(case, name), name
    assert found.fields["pads"].tolist() == [1, 2]
    assert found.fields["pads"].dtype == np.int32
    assert found.fields["mode"] == b"wrap\0"
    assert found.reference(np.ones(1), None, None, fields=found.fields) == [2.0]


def test_a_case_without_a_reference_says_what_to_write():
    text = text_of([Case(plugin="Pad", inputs=({"dims": (2,)}, {"dims": (2,)}))], "Title.")
    assert text.startswith('"""Title."""\n')
    assert '# "reference": lambda x0, x1, *, fields: ...,' in text
    assert '"version"' not in text


def test_shapes_that_are_reached_are_listed():
    entry = {"dims": ("a", "b"), "min": (1, 2), "opt": (2, 4), "max": (4, 8)}
    case = Case(plugin="Pad", inputs=(entry,), valid=Reached((((1, 2),), ((2, 4),), ((4, 8),))))
    (found,) = read(text_of([case], "Title."))
    assert found.allows([(2, 4)])
    assert not found.allows([(2, 8)])


@pytest.mark.parametrize(("size", "drawn"), [(3, [0, 1, 2]), (100, (0, 99))])
def test_constants_are_written_down_where_they_are_few(size, drawn):
    case = Case(plugin="Pad", inputs=({"dims": (size,), "types": "int32", "values": Given(np.arange(size))},))
    (found,) = read(text_of([case], "Title."))
    values = found.inputs[0].values
    assert (values(None, (size,), np.int32).tolist() if callable(values) else values) == drawn

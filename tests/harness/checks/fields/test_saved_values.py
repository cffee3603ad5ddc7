"""Stored fields are shown in the values that their author wrote."""

import numpy as np

from harness.checks.fields.saved_values import in_words, value_in
from reference_runtime.interfaces.saved_fields import SavedField
from reference_runtime.values.enums import PluginFieldType


def saved(name, values, kind=PluginFieldType.FLOAT32, dtype=np.float32):
    data = np.array(values, dtype)
    return SavedField(name, kind, data.size, data.tobytes())


def test_a_value_is_shown_as_a_number_a_list_or_a_text():
    assert value_in(saved("scale", [1.5])) == "1.5"
    assert value_in(saved("pads", [1, 2], PluginFieldType.INT32, np.int32)) == "[1, 2]"
    assert value_in(SavedField("mode", PluginFieldType.CHAR, 4, b"tanh")) == "'tanh'"
    assert value_in(SavedField("mode", PluginFieldType.FLOAT32, 1, b"abc")) == "b'abc'"


def test_of_two_answers_the_first_field_that_differs_is_shown():
    ours = [saved("bias", [0.0]), saved("scale", [1.5])]
    its = [saved("bias", [0.0]), saved("scale", [1.0])]
    assert in_words(ours, its) == ("scale", "1.5", "1.0")
    assert in_words(ours, its[:1]) == ("", "bias=0.0, scale=1.5", "bias=0.0")
    assert in_words("1", "2") == ("", "1", "2")

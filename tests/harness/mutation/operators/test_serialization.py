"""Each operator about what is stored changes what it names, and nothing else."""

import pytest

from harness.mutation.kind import Operator
from harness.mutation.operators import serialization
from tests.support.mutation.sources import first_change

#: The lines that differ where an operator first finds something to change.
CHANGES = {
    "field_not_serialized": [
        '-        return trt.PluginFieldCollection([trt.PluginField("factor", self._stored, trt.PluginFieldType.FLOAT32)])',
        "+        return trt.PluginFieldCollection([])",
    ],
    "parameter_not_serialized": [
        "-        return STORED.pack(TAG, self.factor, self.shift)",
        "+        return STORED.pack(TAG, type(self.factor)(), self.shift)",
    ],
    "parameter_not_read_back": [
        "-        return self.plugin_class(factor, shift, self.plugin_namespace)",
        "+        return self.plugin_class(type(factor)(), shift, self.plugin_namespace)",
    ],
    "stored_values_swapped": [
        "-        return STORED.pack(TAG, self.factor, self.shift)",
        "+        return STORED.pack(TAG, self.shift, self.factor)",
    ],
    "stored_in_a_narrower_type": [
        "-        self._stored = np.array(factor, np.float32)",
        "+        self._stored = np.array(factor, np.float16)",
    ],
    "stored_under_another_type": [
        '-        return trt.PluginFieldCollection([trt.PluginField("factor", self._stored, trt.PluginFieldType.FLOAT32)])',
        '+        return trt.PluginFieldCollection([trt.PluginField("factor", self._stored, trt.PluginFieldType.FLOAT64)])',
    ],
    "serialization_counts": [
        "-        return STORED.pack(TAG, self.factor, self.shift)",
        '+        self._stores = self.__dict__.get("_stores", 0) + 1',
        "+        return STORED.pack(TAG, self.factor, self.shift) + bytes([self._stores % 256])",
    ],
    "address_serialized": [
        "-        return STORED.pack(TAG, self.factor, self.shift)",
        '+        return STORED.pack(TAG, self.factor, self.shift) + id(self).to_bytes(8, "little")',
    ],
    "serialized_as_text": [
        "-        return STORED.pack(TAG, self.factor, self.shift)",
        '+        return (STORED.pack(TAG, self.factor, self.shift)).decode("latin-1")',
    ],
    "announced_size_fixed": [
        "+    def get_serialization_size(self):",
        "+        return len(self.serialize()) + 4",
    ],
    "stored_data_unchecked": [
        "-        if len(data) != STORED.size:",
        '-            raise ValueError("not ours")',
        "+        pass",
    ],
    "deserialized_without_namespace": [
        "-        return self.plugin_class(factor, shift, self.plugin_namespace)",
        '+        return self.plugin_class(factor, shift, "")',
    ],
    "deserialized_once": [
        "-        return self.plugin_class(factor, shift, self.plugin_namespace)",
        '+        if getattr(self, "_made", None) is None:',
        "+            self._made = self.plugin_class(factor, shift, self.plugin_namespace)",
        "+        return self._made",
    ],
    "stored_buffer_let_go": [
        '-        return trt.PluginFieldCollection([trt.PluginField("factor", self._stored, trt.PluginFieldType.FLOAT32)])',
        '+        return trt.PluginFieldCollection([trt.PluginField("factor", np.array(self._stored), trt.PluginFieldType.FLOAT32)])',
    ],
}


@pytest.mark.parametrize("name", sorted(CHANGES))
def test_an_operator_changes_what_it_names(name):
    assert first_change(name)[1] == CHANGES[name]


def test_no_operator_is_left_out():
    assert {*CHANGES} == {each.name for each in vars(serialization).values() if isinstance(each, Operator)}

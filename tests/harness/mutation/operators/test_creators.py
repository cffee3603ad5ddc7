"""Each operator about creators changes what it names, and nothing else."""

import pytest

from harness.mutation.kind import Operator
from harness.mutation.operators import creators
from tests.support.mutation.sources import first_change

#: The lines that differ where an operator first finds something to change.
CHANGES = {
    "field_type_unchecked": [
        "-        if field.type != trt.PluginFieldType.FLOAT32 or field.size != 1:",
        "+        if (field.size != 1):",
    ],
    "field_length_unchecked": [
        "-        if field.type != trt.PluginFieldType.FLOAT32 or field.size != 1:",
        "+        if (field.type != trt.PluginFieldType.FLOAT32):",
    ],
    "field_value_unchecked": [
        "-        if factor < 0:",
        '-            raise ValueError("negative")',
        "+        pass",
    ],
    "empty_field_indexed": [
        '-            if field.name == "factor" and field.size > 0:',
        '+            if (field.name == "factor"):',
    ],
    "field_ignored": [
        '-            if field.name == "factor" and field.size > 0:',
        '+            if field.name == "no such field" and field.size > 0:',
    ],
    "field_not_advertised": [
        '-        self._advertised = [trt.PluginField("factor", np.array([], np.float32), trt.PluginFieldType.FLOAT32)]',
        "+        self._advertised = []",
    ],
    "field_advertised_by_another_name": [
        '-        self._advertised = [trt.PluginField("factor", np.array([], np.float32), trt.PluginFieldType.FLOAT32)]',
        "+        self._advertised = [trt.PluginField('FACTOR', np.array([], np.float32), trt.PluginFieldType.FLOAT32)]",
    ],
    "field_advertised_with_another_type": [
        '-        self._advertised = [trt.PluginField("factor", np.array([], np.float32), trt.PluginFieldType.FLOAT32)]',
        '+        self._advertised = [trt.PluginField("factor", np.array([], np.float32), trt.PluginFieldType.FLOAT16)]',
    ],
    "advertised_with_data": [
        '-        self._advertised = [trt.PluginField("factor", np.array([], np.float32), trt.PluginFieldType.FLOAT32)]',
        '+        self._advertised = [trt.PluginField("factor", np.array([1], np.float32), trt.PluginFieldType.FLOAT32)]',
    ],
    "field_advertised_twice": [
        '-        self._advertised = [trt.PluginField("factor", np.array([], np.float32), trt.PluginFieldType.FLOAT32)]',
        '+        self._advertised = [trt.PluginField("factor", np.array([], np.float32), trt.PluginFieldType.FLOAT32), trt.PluginField("factor", np.array([], np.float32), trt.PluginFieldType.FLOAT32)]',
    ],
    "creator_attribute_missing": [
        '-        self.name = "Scale"',
        "+        pass",
    ],
    "same_plugin_each_time": [
        "-                return self.plugin_class(self._number(field), 0.0, self.plugin_namespace)",
        '+                if getattr(self, "_plugin", None) is None:',
        "+                    self._plugin = self.plugin_class(self._number(field), 0.0, self.plugin_namespace)",
        "+                return self._plugin",
    ],
    "plugins_kept_by_their_creator": [
        "-                return self.plugin_class(self._number(field), 0.0, self.plugin_namespace)",
        "+                made = self.plugin_class(self._number(field), 0.0, self.plugin_namespace)",
        '+                self.__dict__.setdefault("_made", []).append(made)',
        "+                return made",
    ],
    "created_without_namespace": [
        "-                return self.plugin_class(self._number(field), 0.0, self.plugin_namespace)",
        '+                return self.plugin_class(self._number(field), 0.0, "")',
    ],
    "field_data_not_copied": [
        "-        factor = np.array(field.data, np.float32)",
        "+        factor = field.data",
    ],
    "layer_name_decides": [
        "+        if len(name) > 40:",
        '+            raise ValueError("too long a name")',
    ],
    "order_of_fields_decides": [
        "-        for field in field_collection:",
        "+        for field in [field_collection[at] for at in range(min(1, len(field_collection)))]:",
    ],
    "arguments_by_position_only": [
        "-    def create_plugin(self, name, field_collection):",
        "+    def create_plugin(self, layer, field_collection):",
    ],
    "runtime_phase_refused": [
        "+        if phase == trt.TensorRTPhase.RUNTIME:",
        '+            raise ValueError("for a build only")',
    ],
}


@pytest.mark.parametrize("name", sorted(CHANGES))
def test_an_operator_changes_what_it_names(name):
    assert first_change(name)[1] == CHANGES[name]


def test_no_operator_is_left_out():
    assert {*CHANGES} == {each.name for each in vars(creators).values() if isinstance(each, Operator)}

"""Each operator about who a plugin says that it is changes what it names, and nothing else."""

import pytest

from harness.mutation.kind import Operator
from harness.mutation.operators import identity
from tests.support.mutation.sources import first_change

#: The lines that differ where an operator first finds something to change.
CHANGES = {
    "another_name": [
        '-        self.plugin_type = "Scale"',
        '+        self.plugin_type = "Scale" + "Plugin"',
    ],
    "another_version": [
        '-        self.plugin_version = "1"',
        '+        self.plugin_version = "1" + "1"',
    ],
    "identity_not_assigned": [
        '-        self.plugin_type = "Scale"',
        "+        pass",
    ],
    "namespace_ignored": [
        "-        self.plugin_namespace = namespace",
        '+        self.plugin_namespace = ""',
    ],
    "version_is_a_number": [
        '-        self.plugin_version = "1"',
        '+        self.plugin_version = int("1")',
    ],
    "base_not_initialized": [
        "-        trt.IPluginV2DynamicExt.__init__(self)",
        "+        pass",
    ],
    "identity_changes_when_it_runs": [
        '+        self.plugin_version = "run"',
    ],
    "tensorrt_attribute_shadowed": [
        "+    tensorrt_version = api_language = property(lambda self: None)",
    ],
    "registered_in_another_namespace": [
        '-trt.get_plugin_registry().register_creator(ScaleCreator(), "")',
        '+trt.get_plugin_registry().register_creator(ScaleCreator(), "elsewhere")',
    ],
    "capability_made_anew": [
        "-        return self",
        "+        return self.clone()",
    ],
    "runtime_capability_missing": [
        "+        if type == trt.PluginCapabilityType.RUNTIME:",
        "+            return None",
    ],
    "capability_asked_for_too_often": [
        '+        self._asked = self.__dict__.get("_asked", 0) + 1',
        "+        if self._asked > 9:",
        "+            return None",
    ],
}


@pytest.mark.parametrize("name", sorted(CHANGES))
def test_an_operator_changes_what_it_names(name):
    assert first_change(name)[1] == CHANGES[name]


def test_no_operator_is_left_out():
    assert {*CHANGES} == {each.name for each in vars(identity).values() if isinstance(each, Operator)}

"""Plugins that are added to networks."""

from harness.applications.additions import keeping, of_version_2, of_version_3
from harness.applications.network_facts import InputFacts, PluginFacts
from harness.applications.references import Ref
from tests.support.application_traces import Script

DATA = InputFacts("x", "FLOAT", (-1, 4), is_shape_tensor=False)
SIZE = InputFacts("size", "INT64", (2,), is_shape_tensor=False)


def added(inputs, shape_inputs=(), *, error="", asked=2, capability="IPluginV3OneBuild 1"):
    script = Script()
    facts = PluginFacts("Buffers", is_dynamic=True, inputs=inputs, shape_inputs=shape_inputs, wildcards=("x",))
    call = script.call("add_plugin_v3", owner="INetworkDefinition", target=Ref("network", 1), facts={"addition": facts})
    script.answer(call, "get_capability_interface", "PluginCapabilityType.BUILD", result=capability)
    script.answer(script.execute(), "get_output_shapes", ("x",) * asked, (), error=error)
    (found,) = of_version_3(script.trace)
    return found


def test_a_shape_input_among_the_inputs_is_told_where_the_plugin_misses_it():
    assert "size is among the inputs" in added((DATA, SIZE), error="IndexError: out of range").mixed_up


def test_integers_that_the_plugin_takes_as_data_are_right():
    assert not added((DATA, SIZE)).mixed_up
    assert not added((DATA, SIZE), (SIZE,), error="IndexError").mixed_up
    assert not added((DATA,), error="IndexError").mixed_up
    assert not added((DATA, SIZE), error="IndexError", asked=1).mixed_up


def test_data_among_the_shape_inputs_are_told():
    assert "x, of type FLOAT, is among the shape inputs" in added((), (DATA,)).mixed_up


def test_a_plugin_without_the_build_capability_is_told():
    assert added((DATA,), capability=None).lacks_build
    assert not added((DATA,)).lacks_build


def test_plugins_of_version_2_are_found():
    script = Script()
    facts = PluginFacts("P", is_dynamic=True, inputs=(DATA,), shape_inputs=(), wildcards=())
    script.call("add_plugin_v2", owner="INetworkDefinition", facts={"addition": facts})
    assert [each.facts for each in of_version_2(script.trace)] == [facts]


def test_a_plugin_is_told_once_and_where_it_was_first_seen_to_keep_something():
    script = Script()
    one, other = Ref("P", 1), Ref("P", 2)
    script.call("build_serialized_network", owner="Builder", facts={"kept": {one: "", other: ""}})
    seen = script.call("create_execution_context", owner="ICudaEngine", facts={"kept": {one: "network, an X"}})
    script.call("create_execution_context", owner="ICudaEngine", facts={"kept": {one: "network, an X", other: ""}})
    found = {each.name: (each.holds, each.call) for each in keeping(script.trace)}
    assert found[one] == ("network, an X", seen)
    assert found[other][0] == ""

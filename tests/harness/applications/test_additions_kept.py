"""Plugins that keep what owns them."""

from harness.applications.additions import keeping
from harness.applications.references import Ref
from tests.support.application_traces import Script


def test_a_plugin_is_told_once_and_where_it_was_first_seen_to_keep_something():
    script = Script()
    one, other = Ref("P", 1), Ref("P", 2)
    script.call("build_serialized_network", owner="Builder", facts={"kept": {one: "", other: ""}})
    seen = script.call("create_execution_context", owner="ICudaEngine", facts={"kept": {one: "network, an X"}})
    script.call("create_execution_context", owner="ICudaEngine", facts={"kept": {one: "network, an X", other: ""}})
    found = {each.name: (each.holds, each.call) for each in keeping(script.trace)}
    assert found[one] == ("network, an X", seen)
    assert found[other][0] == ""

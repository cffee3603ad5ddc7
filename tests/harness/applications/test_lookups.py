"""What is asked of the registry, and the fields that are made."""

from harness.applications.application import Application, RegistryFacts
from harness.applications.lookups import fields, legacy, looks, of_own_plugins
from tests.support.application_traces import Script

TRIPLE = ("P", "1", "")


def asked(script, member, result=None, *, name="P"):
    return script.call(member, owner="IPluginRegistry", result=result, type=name, version="1", plugin_namespace="")


def missed(script):
    registry = RegistryFacts(version_3=frozenset({TRIPLE}))
    return [each.missed for each in legacy(Application("a:b", "a.py", script.trace, registry=registry))]


def test_a_creator_of_version_3_is_missed_by_the_older_lookup():
    script = Script()
    asked(script, "get_plugin_creator")
    assert missed(script) == ["P/1/"]


def test_whoever_asks_the_newer_lookup_as_well_misses_nothing():
    script = Script()
    asked(script, "get_plugin_creator")
    asked(script, "get_creator", "P 1")
    assert missed(script) == [""]


def test_the_newer_lookup_of_another_creator_does_not_count():
    script = Script()
    asked(script, "get_plugin_creator")
    asked(script, "get_creator", "Q 1", name="Q")
    assert missed(script) == ["P/1/"]


def test_the_older_list_misses_them_unless_it_is_for_plugins_of_version_2():
    script = Script()
    script.call("plugin_creator_list", owner="IPluginRegistry", result=())
    assert missed(script) == ["P"]
    script.call("add_plugin_v2", owner="INetworkDefinition")
    assert missed(script) == [""]


def test_plugins_of_tensorrt_are_known_by_their_names():
    script = Script()
    own = asked(script, "get_creator", name="LReLU_TRT")
    asked(script, "get_creator", "Mine 1", name="Mine_TRT")
    asked(script, "get_creator")
    assert list(of_own_plugins(script.trace)) == [own]


def test_looks_at_a_list_are_told_with_the_changes_since():
    script = Script()
    script.call("all_creators", owner="IPluginRegistry", facts={"looks": [("app.py:4", 0), ("app.py:9", 2)]})
    assert [(look.site, look.changes) for look in looks(script.trace)] == [("app.py:4", 0), ("app.py:9", 2)]


def test_fields_without_data_are_left_out():
    script = Script()
    script.call("__init__", owner="PluginField", name="a")
    made = script.call("__init__", owner="PluginField", name="a", data="array 1")
    assert list(fields(script.trace)) == [made]

"""What is done after something failed."""

from harness.applications.application import Application, ProgramEnd
from harness.applications.results import ADDITIONS, LOOKUPS, failures, nothings
from tests.support.application_traces import Script, Y


def test_an_output_that_is_read_after_a_failure_is_told():
    script = Script()
    script.execute(done=False)
    read = script.touch("read", Y)
    (failed,) = failures(script.trace)
    assert (failed.output, failed.read) == ("y", read)


def test_a_later_execution_or_write_makes_the_output_good():
    script = Script()
    script.execute(done=False)
    script.touch("view", Y)
    script.execute()
    script.touch("read", Y)
    assert [failed.read for failed in failures(script.trace)] == [None]
    script = Script()
    script.execute(done=False)
    script.touch("write", Y)
    script.touch("read", Y)
    assert [failed.read for failed in failures(script.trace)] == [None]


def ended(script, owner="NoneType", attribute="create_plugin"):
    ending = ProgramEnd("AttributeError: no", "AttributeError", None, attribute, owner)
    return Application("app:main", "app.py", script.trace, ending)


def lookup(script, result=None):
    return script.call("get_creator", owner="IPluginRegistry", result=result, type="P", version="1")


def test_the_last_call_that_gave_none_is_blamed_for_the_end():
    script = Script()
    first, last = lookup(script), lookup(script)
    lookup(script, "P 1")
    found = list(nothings(ended(script), LOOKUPS, frozenset({"create_plugin"})))
    assert [(each.call, each.ended) for each in found] == [(first, ""), (last, "AttributeError: no")]


def test_another_end_or_another_attribute_is_not_blamed_on_it():
    script = Script()
    lookup(script)
    for application in (ended(script, "str"), ended(script, attribute="get_output")):
        assert [each.ended for each in nothings(application, LOOKUPS, frozenset({"create_plugin"}))] == [""]


def test_a_layer_that_is_none_later_is_what_is_blamed():
    script = Script()
    lookup(script)
    script.call("add_plugin_v3", owner="INetworkDefinition")
    application = ended(script, attribute="name")
    assert [each.ended for each in nothings(application, LOOKUPS, frozenset({"name"}))] == [""]
    assert [each.ended for each in nothings(application, ADDITIONS, frozenset({"name"}))] == ["AttributeError: no"]

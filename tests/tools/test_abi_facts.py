"""The headers that we make declare what the table says: the tool that derives facts finds them in our headers again."""

import shutil

import abi_facts
import abi_headers
import pytest

from reference_runtime.native.abi.facts import EPOCHS, Epoch

needs_compiler = pytest.mark.skipif(
    not (shutil.which("g++") and shutil.which("readelf")), reason="there is no g++ to compile headers with"
)


@needs_compiler
@pytest.mark.parametrize("name", EPOCHS)
def test_facts_of_our_headers_are_those_of_the_table(tmp_path, name):
    abi_headers.write(tmp_path, name)
    epoch = Epoch.of(name)
    compiled = abi_facts.Compiled(tmp_path, tmp_path)
    for interface in epoch.interfaces:
        entry = abi_facts.class_named(compiled, interface)
        slots = [abi_headers.method(slot) for slot in epoch.slots(interface) if slot.method != "~"]
        assert [each for each in abi_facts.slots_of(compiled, entry) if each != "~"] == slots
    for record, known in epoch.records.items():
        found = abi_facts.record_of(compiled, abi_facts.class_named(compiled, record))
        assert found["size"] == known.size
        assert {member: at[0] for member, at in found["members"].items()} == {
            member: at[0] for member, at in known.members.items()
        }


def test_differences_are_told_by_their_places():
    assert list(abi_facts.differences({"a": {"b": 1}}, {"a": {"b": 2}})) == ["/a/b: the table has 1, the headers 2"]
    assert list(abi_facts.differences({"a": 1}, {"a": 1})) == []

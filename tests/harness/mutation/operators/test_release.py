"""Each operator about the end of objects changes what it names, and nothing else."""

import pytest

from harness.mutation.kind import Operator
from harness.mutation.operators import release
from tests.support.mutation.sources import first_change

#: The lines that differ where an operator first finds something to change.
CHANGES = {
    "nothing_released": [
        "-        if self.buffer is not None:",
        "-            self.buffer.clear()",
        "-            self.buffer = None",
        "+        pass",
    ],
    "one_thing_not_released": [
        "-            self.buffer.clear()",
        "+            pass",
    ],
    "released_again": [
        "-        if self.buffer is not None:",
        "+        if True:",
    ],
    "second_end_raises": [
        '+        if self.__dict__.get("_ended"):',
        '+            raise RuntimeError("ended already")',
        "+        self._ended = True",
    ],
    "resource_not_released": [
        "-        self.table = None",
        "+        pass",
    ],
    "resource_is_its_own_clone": [
        "-        return Table()",
        "+        return self",
    ],
    "resource_made_too_early": [
        "-        self.table = None",
        "+        self.table = cp.empty(16, np.float32)",
    ],
    "offered_resource_used": [
        "-        attached.table = trt.get_plugin_registry().acquire_plugin_resource(self.resource_key(), Table())",
        "+        attached.table = [offered := Table(), trt.get_plugin_registry().acquire_plugin_resource(self.resource_key(), offered)][0]",
    ],
    "resource_acquired_twice": [
        "+        trt.get_plugin_registry().acquire_plugin_resource(self.resource_key(), Table())",
    ],
    "missing_resource_not_noticed": [
        "-        if attached.table is None:",
        '-            raise RuntimeError("no table")',
        "+        pass",
    ],
    "key_too_coarse": [
        '-        return f"Pick/{self._stored}"',
        '+        return "key"',
    ],
    "release_status_taken_for_an_error": [
        "-        trt.get_plugin_registry().release_plugin_resource(self.resource_key())",
        "+        if trt.get_plugin_registry().release_plugin_resource(self.resource_key()):",
        '+            raise RuntimeError("not released")',
    ],
    "initialized_once": [
        '+        if self.__dict__.get("_was_initialized"):',
        "+            return",
        "+        self._was_initialized = True",
    ],
}


@pytest.mark.parametrize("name", sorted(CHANGES))
def test_an_operator_changes_what_it_names(name):
    assert first_change(name)[1] == CHANGES[name]


def test_no_operator_is_left_out():
    assert {*CHANGES} == {each.name for each in vars(release).values() if isinstance(each, Operator)}

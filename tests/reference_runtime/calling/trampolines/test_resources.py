from __future__ import annotations

import pytest

from reference_runtime.calling.gate.gate import Gate
from reference_runtime.calling.trampolines import resources
from tests.support.runtime.fault_plugins import resource_class


def test_a_clone_is_what_the_registry_keeps():
    gate, resource = Gate(), resource_class()()
    copy = resources.clone(gate, resource)
    assert type(copy) is type(resource)
    assert copy is not resource
    assert gate.failures == []


@pytest.mark.parametrize(("returned", "failures"), [(None, 1), (5, 1)])
def test_a_resource_that_makes_no_clone_gives_none_to_share(returned, failures):
    gate, cls = Gate(quiet=True), resource_class()
    cls.clone = lambda _self: returned
    assert resources.clone(gate, cls()) is None
    assert [failure.becomes for failure in gate.failures] == ["TensorRT has no resource to share"] * failures


def test_a_release_counts_as_failed_even_where_it_is_not():
    gate, cls = Gate(quiet=True), resource_class()
    assert resources.release(gate, cls()) == resources.FAILURE
    assert gate.failures == []
    cls.release = lambda _self: 1 / 0
    assert resources.release(gate, cls()) == resources.FAILURE
    assert gate.failures[0].what == "raised ZeroDivisionError: division by zero"

from __future__ import annotations

import pytest

from reference_runtime import trampolines_resources
from reference_runtime.gate import Gate
from tests.reference_runtime.fault_plugins import resource_class


def test_a_clone_is_what_the_registry_keeps():
    gate, resource = Gate(), resource_class()()
    copy = trampolines_resources.clone(gate, resource)
    assert type(copy) is type(resource)
    assert copy is not resource
    assert gate.failures == []


@pytest.mark.parametrize(("returned", "failures"), [(None, 1), (5, 1)])
def test_a_resource_that_makes_no_clone_gives_none_to_share(returned, failures):
    gate, cls = Gate(quiet=True), resource_class()
    cls.clone = lambda _self: returned
    assert trampolines_resources.clone(gate, cls()) is None
    assert [failure.becomes for failure in gate.failures] == ["TensorRT has no resource to share"] * failures


def test_a_release_counts_as_failed_even_where_it_is_not():
    gate, cls = Gate(quiet=True), resource_class()
    assert trampolines_resources.release(gate, cls()) == trampolines_resources.FAILURE
    assert gate.failures == []
    cls.release = lambda _self: 1 / 0
    assert trampolines_resources.release(gate, cls()) == trampolines_resources.FAILURE
    assert gate.failures[0].what == "raised ZeroDivisionError: division by zero"

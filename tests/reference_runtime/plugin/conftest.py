"""Decorated plugins that end with the test: what a process keeps of them is put back."""

import pytest

from reference_runtime import plugin as trtp
from reference_runtime.plugin.definitions import DEFINITIONS
from reference_runtime.registry import get_plugin_registry


@pytest.fixture(autouse=True)
def _no_plugins():
    registry, known, named = get_plugin_registry(), dict(DEFINITIONS), dict(vars(trtp.op))
    stored, events = registry.snapshot(), list(registry.events)
    yield
    registry.restore(stored)
    registry.events[:] = events
    for there, before in ((DEFINITIONS, known), (vars(trtp.op), named)):
        there.clear()
        there.update(before)


@pytest.fixture
def shift():
    """Register ``m::shift``, which adds a number to its input, and return its definition."""

    @trtp.register("m::shift")
    def describe(x: trtp.TensorDesc, addend: float, note: str) -> trtp.TensorDesc:
        return x.like()

    @trtp.impl("m::shift")
    def run(x: trtp.Tensor, addend: float, outputs: tuple[trtp.Tensor], stream: int):
        run.seen = x, addend, outputs, stream

    return DEFINITIONS["m::shift"]

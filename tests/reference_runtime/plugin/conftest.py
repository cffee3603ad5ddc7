"""Decorated plugins that end with the test: what a process keeps of them is put back."""

import pytest

from reference_runtime import plugin as trtp
from reference_runtime.plugin.definitions import DEFINITIONS
from tests.support.decorated_plugins import forgotten


@pytest.fixture(autouse=True)
def _no_plugins():
    with forgotten():
        yield


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

"""A debugger's quit in a callback ends the run: nothing takes it for a failure of the callback."""

import bdb

import pytest
from _pytest.outcomes import Exit

from reference_runtime.bound.overrides import Virtual
from reference_runtime.calling.gate.gate import Gate

QUITS = pytest.mark.parametrize("quits", [bdb.BdbQuit, Exit])


class Stopped:
    def __init__(self, error):
        self.error = error

    def clone(self):
        raise self.error


@QUITS
def test_quit_goes_through_the_gate(quits):
    gate = Gate()
    with pytest.raises(quits):
        gate.call(Stopped(quits()), "clone")
    assert not gate.failures


@QUITS
def test_quit_goes_through_a_trampoline(quits):
    with pytest.raises(quits):
        Virtual("clone").call(Stopped(quits()))

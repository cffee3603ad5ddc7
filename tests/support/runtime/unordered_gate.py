"""A gate on which no call is illegal: as in the bindings, which leave the order to TensorRT."""

from __future__ import annotations

from reference_runtime.bound.errors import NativeCrash
from reference_runtime.calling.gate.gate import Gate
from reference_runtime.calling.lifecycle.table import LifecycleError, Stage


class UnorderedGate(Gate):
    """Every claim is worth a ``destroy``, as in C++, and one more than there are claims is a crash."""

    def _next(self, target, call, table):
        try:
            return super()._next(target, call, table)
        except LifecycleError:
            return []

    def _birth(self, parent, call, table):
        try:
            return super()._birth(parent, call, table)
        except LifecycleError:
            return Stage.CREATED

    def let_go(self, target):
        owned = self._life(target).owned
        if owned is None:
            return True
        if owned.claims == 0:
            raise NativeCrash(
                f"{owned.name} was destroyed more often than it was handed out: the genuine bindings crash here."
            )
        owned.claims -= 1
        return True

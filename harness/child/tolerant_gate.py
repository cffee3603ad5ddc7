"""Judge rules as if a defect that another rule reports were fixed.

Theory. If a callback fails, TensorRT mostly takes a default for its answer, and goes on. With this gate, a rule does
the same for the tolerated callbacks, which have the defect. A default with which the rule could not go on is replaced:

* If it would end the build or the execution, success is assumed.
* A format query is answered from the case, which says what types the plugin takes.
* Arrays of stored fields are kept alive.
* A failing creator may use an array of one element as a number.
* A failing ``enqueue`` gets more workspace than the plugin asks for.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from harness.child.observers import ConversionAllower
from reference_runtime.calling.gate.gate import Gate
from reference_runtime.calling.gate.records import CallOutcome
from reference_runtime.calling.lifecycle.table import Call
from reference_runtime.interfaces.pointers import keeping

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from harness.subject.subject import Subject

_FORMATS = Call.SUPPORTS_FORMAT_COMBINATION.value
_CREATE = Call.CREATE_PLUGIN.value
_ENQUEUE = Call.ENQUEUE.value
_WORKSPACE = Call.GET_WORKSPACE_SIZE.value
#: The factor for the workspace of ``enqueue``: with it, a size in elements is enough in bytes for all types.
_MORE_WORKSPACE = 16
_FIELDS = Call.GET_FIELDS_TO_SERIALIZE.value
#: Callbacks of version 3 whose failure ends a build or an execution, and which return nothing.
_ENDING = {Call.CONFIGURE_PLUGIN.value, Call.ON_SHAPE_CHANGE.value}


class TolerantGate(Gate):
    """Gate that ignores failures of the tolerated callbacks."""

    def __init__(self, tolerated: Collection[str], **settings: Any) -> None:
        super().__init__(**settings)
        self._tolerated = tolerated
        self._types: list[set[Any]] = []
        self._linear: Any = None
        self._kept: list[Any] = []
        if _CREATE in tolerated:
            self.observers.append(ConversionAllower())

    def take_types(self, subject: Subject) -> None:
        """Answer the format query from this subject's case, if failures of the query are tolerated."""
        self._types = [{subject.data_type(name) for name in each.types} for each in subject.case.data_inputs]
        self._linear = subject.trt.TensorFormat.LINEAR

    def call(self, target: object, method: str, *arguments: object) -> CallOutcome:
        """Call a method of the user's object, or answer in its place."""
        if self._types and method == _FORMATS and method in self._tolerated:
            return CallOutcome(self._takes(*arguments))
        if method == _FIELDS and method in self._tolerated:
            with keeping(self._kept):
                return super().call(target, method, *arguments)
        outcome = super().call(target, method, *arguments)
        if method == _WORKSPACE and _ENQUEUE in self._tolerated and type(outcome.value) is int:
            return CallOutcome(outcome.value * _MORE_WORKSPACE)
        if outcome.error is not None and method in _ENDING and method in self._tolerated:
            return CallOutcome()
        return outcome

    def fail(self, target: object, method: str, *what: Any, **more: Any) -> None:
        """Record a failure, unless the callback is tolerated."""
        if method not in self._tolerated:
            super().fail(target, method, *what, **more)

    def _takes(self, pos: Any, in_out: Any, num_inputs: Any) -> bool:
        """Return whether a tensor is linear, and its type is the case's, or for outputs the first input's."""
        tensors: Sequence[Any] = [getattr(tensor, "desc", tensor) for tensor in in_out]
        types = self._types[pos] if pos < min(num_inputs, len(self._types)) else {tensors[0].type}
        return tensors[pos].format == self._linear and tensors[pos].type in types

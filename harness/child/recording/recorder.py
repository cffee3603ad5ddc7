"""Record a program's uses of plugins: their fields, networks and data.

Theory. The gate reports each callback, and so clones and executions. The application's calls show when a network is
built. Neither shows from which fields a plugin is made: a program may call its creator itself. So ``create_plugin`` of
each creator is wrapped as long as the program runs. A creator may use a field of one element as a number, since
PFD-007 reports that. The program goes on to use the plugin.
"""

from __future__ import annotations

import contextlib
import functools
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import numpy as np

from harness.checks.fields.field_variants import with_conversions
from harness.child.discovery.plugins import creator_key
from harness.child.recording.comparisons import Comparisons
from harness.child.recording.executions import Execution, key_of, tensors_of
from harness.child.recording.networks import Made, UnknownShapesError, uses_in
from harness.child.recording.ranges import Ranges
from reference_runtime.call_observer import showing
from reference_runtime.calling.gate.records import Phase
from reference_runtime.instruments import graph_of
from reference_runtime.interfaces.field_collections import PluginFieldCollection, PluginFieldCollection_
from reference_runtime.onnx.importing.fields import FieldData
from reference_runtime.registry.registry import get_plugin_registry
from reference_runtime.values.refusals import Refused

if TYPE_CHECKING:
    from harness.checks.sampling.sampling import Shapes
    from harness.child.onnx_models.uses import Use
    from reference_runtime.call_observer import ApplicationCall
    from reference_runtime.calling.gate.gate import CallOutcome, Event

_BUILDS = ("build_serialized_network", "build_serialized_network_to_stream", "build_engine_with_config")
_COLLECTIONS = (PluginFieldCollection, PluginFieldCollection_)


class Recorder:
    """Observer of the gate; the observer of the application's calls passes builds and registrations on to it.

    Attributes:
        uses: How the built networks use plugins, in the order of the builds.
        ranges: The ranges of the data of the plugins' inputs.
        comparisons: The references found in the program's comparisons.
        problems: Why some uses could not be recorded.
        used: The shapes with which each plugin was executed, by plugin key.
    """

    def __init__(self) -> None:
        self.uses: list[Use] = []
        self.ranges = Ranges()
        self.problems: list[str] = []
        self.used: dict[str, dict[Shapes, None]] = {}
        self.comparisons = Comparisons(self.fields_of)
        self._inputs: dict[int, tuple[np.ndarray[Any, Any] | None, ...]] = {}
        self._made: dict[int, Made] = {}
        self._undo: list[tuple[type, Any]] = []

    @contextlib.contextmanager
    def recording(self) -> Iterator[None]:
        """Record while the block runs; afterwards, each creator has its own ``create_plugin`` again."""
        for creator in get_plugin_registry().snapshot().values():
            self._wrap(type(creator))
        try:
            with showing(_Calls(self)), self.comparisons.watching():
                yield
        finally:
            for cls, own in reversed(self._undo):
                _put_back(cls, own)
            self._made.clear()

    def made(self, plugin: Any) -> Made | None:
        """Return the creator and fields of a plugin; None if its creation was not seen."""
        return self._made.get(id(plugin))

    def fields_of(self, key: str) -> dict[str, np.ndarray[Any, Any]] | None:
        """Return the fields of a plugin by its key; None unless exactly one use of it was recorded."""
        fields = [use.fields for use in self.uses if creator_key(use.creator) == key]
        return {field.name: field.data for field in fields[0]} if len(fields) == 1 else None

    def built(self, network: Any, config: Any) -> None:
        """Record how a network that is about to be built uses plugins."""
        try:
            self.uses += uses_in(graph_of(network), config, self.made)
        except (Refused, UnknownShapesError) as why:
            self.problems.append(str(why))

    # -- the gate's observer ------------------------------------------------------------------------------------

    def before(self, event: Event) -> None:
        """Copy the inputs of an execution."""
        if event.method == "enqueue" and event.phase is Phase.EXECUTION:
            descriptions, _, addresses = event.arguments[:3]
            self._inputs[event.number] = tensors_of(descriptions, addresses)

    def after(self, event: Event, outcome: CallOutcome) -> None:
        """Record the results of an execution, and the origin of a clone, which is that of the original."""
        if event.number in self._inputs:
            self._executed(event)
            if outcome.error is None:
                shapes = tuple(tuple(desc.dims) for desc in event.arguments[0])
                self.used.setdefault(key_of(event.receiver), {})[shapes] = None
        made = self._made.get(id(event.receiver)) if event.method == "clone" else None
        if made is not None and outcome.value is not None:
            self._made[id(outcome.value)] = Made(outcome.value, made.creator, made.fields)

    def _executed(self, event: Event) -> None:
        key, inputs = key_of(event.receiver), self._inputs.pop(event.number)
        for place, data in enumerate(inputs):
            if data is not None:
                self.ranges.see(key, place, data)
        outputs = tensors_of(event.arguments[1], event.arguments[3])
        self.comparisons.executed(key, Execution(inputs, outputs))

    # -- creators -----------------------------------------------------------------------------------------------

    def registered(self, creator: Any) -> None:
        """Wrap the class of a creator that is about to be registered."""
        self._wrap(type(creator))

    def _wrap(self, cls: type) -> None:
        create = getattr(cls, "create_plugin", None)
        if create is None or any(known is cls for known, _ in self._undo):
            return
        own = vars(cls).get("create_plugin")

        @functools.wraps(create)
        def create_plugin(creator: Any, *arguments: Any, **named: Any) -> Any:
            collection = next((each for each in (*arguments, *named.values()) if isinstance(each, _COLLECTIONS)), ())
            fields = tuple(_copied(collection))
            readable = {name: with_conversions(each) for name, each in named.items()}
            plugin = create(creator, *map(with_conversions, arguments), **readable)
            if plugin is not None:
                self._made[id(plugin)] = Made(plugin, creator, fields)
            return plugin

        self._undo.append((cls, own))
        cls.create_plugin = create_plugin  # type: ignore[attr-defined] # a class of the user's


class _Calls:
    """Observer of the application's calls, for a `Recorder`."""

    def __init__(self, recorder: Recorder) -> None:
        self._recorder = recorder

    def before(self, call: ApplicationCall) -> None:
        """Pass on a creator before it is registered, and a network before it is built."""
        if call.member == "register_creator":
            self._recorder.registered(next(iter(call.arguments.values()), None))
        elif call.member in _BUILDS:
            self._recorder.built(call.arguments.get("network"), call.arguments.get("config"))

    def after(self, call: ApplicationCall) -> None:
        """Do nothing: only the arguments of a call matter."""


def _copied(fields: Any) -> Iterator[FieldData]:
    for field in fields:
        data = field.data
        yield FieldData(str(field.name), np.array([] if data is None else data).ravel(), str(field.type.name))


def _put_back(cls: type, own: Any) -> None:
    if own is None:
        del cls.create_plugin  # type: ignore[attr-defined] # it was put there above
    else:
        cls.create_plugin = own  # type: ignore[attr-defined] # as above

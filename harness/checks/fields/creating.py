"""Create plugins from fields, and read the fields that a creator advertises or a plugin stores."""

from __future__ import annotations

import gc
import pathlib
from typing import TYPE_CHECKING, Any

import msgspec

from harness.checks.observation.watching import OutcomeLog, observing
from harness.contract.finding import CallbackFailedError, NotRun
from harness.subject.calling import insist_on_a_new_object, leniently, raise_for, stop_for_want_of_a_gpu
from harness.subject.fields import lend
from reference_runtime import instruments
from reference_runtime.instruments import MisuseKind, bound_bases, is_ours
from reference_runtime.interfaces import field_collections
from reference_runtime.registry.registry import find_creator as find_in
from reference_runtime.registry.registry import get_plugin_registry

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy as np

    from harness.subject.fields import FieldValue
    from harness.subject.subject import Subject
    from reference_runtime.calling.gate.gate import Failure

#: The creator's attributes that identify it in the registry.
NAMES = ("name", "plugin_version", "plugin_namespace")


class Creation(msgspec.Struct, frozen=True):
    """One call of ``create_plugin``.

    Attributes:
        plugin: The plugin that the call returned; None if the creator refused.
        failure: How the creator refused; None if it did not.
        lent: The field collection that the call received. Its memory has been freed since, as TensorRT does.
    """

    plugin: Any
    failure: Failure | None
    lent: Any

    @property
    def refusal(self) -> str:
        """The creator's failure and its line: ``raised ValueError: no (plugin.py:12)``; empty if it did not fail."""
        return "" if self.failure is None else describe(self.failure)

    @property
    def late_reads(self) -> list[str]:
        """Reads of the fields since the call returned: what was read, and the line of the user's code."""
        return self._misuses(MisuseKind.FREED_FIELDS, MisuseKind.FREED_BUFFER)

    @property
    def negative_indices(self) -> list[str]:
        """Reads with a negative index, and the lines of the user's code. They return memory before the first field."""
        return self._misuses(MisuseKind.NEGATIVE_INDEX)

    def _misuses(self, *kinds: MisuseKind) -> list[str]:
        misuses = [each for each in self.lent.misuses if each.kind in kinds]
        return [f"{each.what} ({pathlib.Path(each.where).name})" for each in misuses]


class Advertised(msgspec.Struct, frozen=True):
    """One field of a creator's ``field_names``, or of the fields that a plugin stores.

    Attributes:
        place: The collection, index and name, for messages: ``field_names[0] ('pads')``.
        name: The field's name.
        type: The field's declared type.
        dtype: The NumPy type that the declared type means; None if NumPy has none.
        size: The declared number of elements.
        source: The state of the field's buffer when the field was made; None for a field without data.
        alive: Whether the buffer still exists after garbage collection; True for a field without data.
    """

    place: str
    name: str
    type: Any
    dtype: np.dtype[Any] | None
    size: int
    source: Any
    alive: bool

    @property
    def carries_data(self) -> bool:
        """Return whether the field has elements to read."""
        return self.size > 0 and self.source is not None

    @property
    def is_readable(self) -> bool:
        """Return whether ``field.data`` returns the elements; otherwise it raises an AttributeError."""
        return self.dtype is not None and self.type.name != "FLOAT16"


def create_from(
    subject: Subject,
    values: Sequence[FieldValue],
    *,
    name: str = "plugin",
    read_through: type[np.ndarray[Any, Any]] | None = None,
) -> Creation:
    """Call ``create_plugin`` with fields. The creator may refuse them: the result says how.

    Args:
        subject: The plugin under test.
        values: The fields.
        name: The layer's name.
        read_through: The subclass of ndarray that ``field.data`` returns; by default ndarray itself.

    Raises:
        CallbackFailedError: ``create_plugin`` returned an object that it had returned before.
        NotRun: ``create_plugin`` failed because the machine lacks a package or a GPU.
    """
    gate = subject.gate
    with leniently(gate) as failures, lend(subject.trt, values, read_through=read_through) as collection:
        plugin = subject.caller.create(gate, subject.creator, name, collection)
    if failures:
        stop_for_want_of_a_gpu(failures[0])
    insist_on_a_new_object(gate, plugin, "create_plugin")
    return Creation(plugin, failures[0] if failures else None, collection)


def create_strictly(subject: Subject) -> Creation:
    """Create a plugin from the case's fields.

    Raises:
        CallbackFailedError: The creator refused, or returned an object that it had returned before.
        NotRun: ``create_plugin`` failed because the machine lacks a package or a GPU.
    """
    creation = create_from(subject, subject.fields)
    if creation.failure is not None:
        raise_for(creation.failure)
    return creation


def create_if_possible(subject: Subject, *, read_through: type[np.ndarray[Any, Any]] | None = None) -> Creation:
    """Create a plugin from the case's fields, for a rule that needs one, and does not judge ``create_plugin``.

    Raises:
        NotRun: ``create_plugin`` returned an object that it had returned before, or needs a missing package or GPU.
    """
    try:
        return create_from(subject, subject.fields, read_through=read_through)
    except CallbackFailedError as stop:
        raise NotRun(f"there is no plugin to look at: {stop}") from stop


def deserialize_from(subject: Subject, data: Any) -> tuple[Any, str]:
    """Return the plugin that the creator makes from serialized data, or None; and how the call failed, or ""."""
    with leniently(subject.gate) as failures:
        plugin = subject.caller.restore(subject.gate, subject.creator, "plugin", data)
    if failures:
        stop_for_want_of_a_gpu(failures[0])
    return plugin, describe(failures[0]) if failures else ""


def initialization_failure(subject: Subject, plugin: Any) -> Failure | None:
    """Initialize a plugin, and return how that failed, or None."""
    with leniently(subject.gate) as failures:
        subject.caller.make_ready(subject.gate, plugin)
    return failures[0] if failures else None


def describe(failure: Failure) -> str:
    """Return how a callback failed, and where in the user's code: ``raised ValueError: no (plugin.py:12)``."""
    trace = failure.error.__traceback__ if failure.error is not None else None
    place = ""
    while trace is not None:
        if not is_ours(trace.tb_frame):
            place = f" ({pathlib.Path(trace.tb_frame.f_code.co_filename).name}:{trace.tb_lineno})"
        trace = trace.tb_next
    return failure.what + place


def creator_attributes(creator: Any) -> dict[str, Any]:
    """Return the creator's native attributes by name, as C++ reads them; None for one that was never assigned."""
    base = bound_bases(type(creator))[0]
    return {name: instruments.read(creator, base, name) for name in (*NAMES, "field_names")}


def as_assigned(value: str) -> str:
    """Return the whole text that the user assigned to a native string. C++ keeps only the part before the first NUL."""
    return getattr(value, "assigned", value)


def advertised(creator: Any) -> list[Advertised]:
    """Return the fields that the creator advertises. Garbage is collected first, so that unowned buffers are gone."""
    fields = list(creator_attributes(creator)["field_names"] or ())
    if any(field.size for field in fields):
        gc.collect()
    return [_advertised(index, field) for index, field in enumerate(fields)]


def stored(subject: Subject) -> list[Advertised]:
    """Return the fields that a new plugin stores, read after ``get_fields_to_serialize`` has returned."""
    log = OutcomeLog(subject.caller.words.save)
    with leniently(subject.gate), observing(subject.gate, log):
        subject.try_serialize(subject.create())
    values = [outcome.value for _, outcome in log.calls]
    kind = subject.trt.PluginFieldCollection
    fields = [field for value in values if issubclass(type(value), kind) for field in kind.__iter__(value)]
    if fields:
        gc.collect()
    return [_advertised(index, field, subject.caller.words.save + "()") for index, field in enumerate(fields)]


def find_creator(name: str, version: str, namespace: str) -> Any:
    """Return the creator that the registry has for a name, a version and a namespace, or None."""
    return find_in(get_plugin_registry(), (name, version, namespace))


def registry_changes() -> list[str]:
    """Return a text for each registration and deregistration in this process, including refused ones."""
    return [
        f"{event.verb}({type(event.creator).__name__}, {event.namespace!r}) -> {event.result}"
        for event in get_plugin_registry().events
    ]


def _advertised(index: int, field: Any, collection: str = "field_names") -> Advertised:
    return Advertised(
        place=f"{collection}[{index}] ({field.name!r})",
        name=field.name,
        type=field.type,
        dtype=field_collections.declared_dtype(field.type),
        size=field.size,
        source=field_collections.source_of(field),
        alive=field_collections.is_alive(field),
    )

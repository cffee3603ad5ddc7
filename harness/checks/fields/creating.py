"""Read a creator's advertised fields, and offer it fields in unusual ways."""

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

#: The strings that name a creator.
NAMES = ("name", "plugin_version", "plugin_namespace")


class Creation(msgspec.Struct, frozen=True):
    """One call of ``create_plugin``.

    Attributes:
        plugin: What it returned; None where it refused.
        failure: How it refused.
        lent: The collection that it was given, which has been taken away.
    """

    plugin: Any
    failure: Failure | None
    lent: Any

    @property
    def refusal(self) -> str:
        """Describe the creator's failure and its line: ``raised ValueError: no (plugin.py:12)``; empty without one."""
        return "" if self.failure is None else describe(self.failure)

    @property
    def late_reads(self) -> list[str]:
        """Reads of the fields after the call so far: what was read, and where in the user's code."""
        return self._misuses(MisuseKind.FREED_FIELDS, MisuseKind.FREED_BUFFER)

    @property
    def negative_indices(self) -> list[str]:
        """Reads before the first field, where there is garbage."""
        return self._misuses(MisuseKind.NEGATIVE_INDEX)

    def _misuses(self, *kinds: MisuseKind) -> list[str]:
        found = [each for each in self.lent.misuses if each.kind in kinds]
        return [f"{each.what} ({pathlib.Path(each.where).name})" for each in found]


class Advertised(msgspec.Struct, frozen=True):
    """Hold one entry of a creator's ``field_names``, or of a plugin's stored fields.

    Attributes:
        place: Its place: ``field_names[0] ('pads')``.
        name: Its name.
        type: Its declared type.
        dtype: The NumPy type that readers will take its elements to have; None where they cannot read them.
        size: Its number of elements, as declared.
        source: What the buffer was when the field was made over it; None without one.
        alive: Whether the buffer is still there once only the creator holds it.
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
        """Return whether ``field.data`` returns the elements, rather than raise an AttributeError."""
        return self.dtype is not None and self.type.name != "FLOAT16"


def create_from(
    subject: Subject,
    values: Sequence[FieldValue],
    *,
    name: str = "plugin",
    creator: Any = None,
    read_through: type[np.ndarray[Any, Any]] | None = None,
) -> Creation:
    """Offer fields to a creator; to refuse them is its right.

    Args:
        subject: Whose creator it is.
        values: The fields.
        name: The layer's name.
        creator: A creator that replaces the subject's.
        read_through: The kind of array that ``field.data`` gives instead of a plain one.

    Raises:
        CallbackFailedError: What it returned is no new object.
    """
    gate = subject.gate
    with leniently(gate) as failures, lend(subject.trt, values, read_through=read_through) as collection:
        plugin = subject.caller.create(gate, creator or subject.creator, name, collection)
    if failures:
        stop_for_want_of_a_gpu(failures[0])
    insist_on_a_new_object(gate, plugin, "create_plugin")
    return Creation(plugin, failures[0] if failures else None, collection)


def create_strictly(subject: Subject) -> Creation:
    """Return a plugin made from the case's fields, with the collection that it was made from.

    Raises:
        CallbackFailedError: There is none, or it is one that had been made before.
    """
    creation = create_from(subject, subject.fields)
    if creation.failure is not None:
        raise_for(creation.failure)
    return creation


def create_if_possible(subject: Subject, *, read_through: type[np.ndarray[Any, Any]] | None = None) -> Creation:
    """Return the plugin made from the case's fields, for rules that the rule about a dying creator requires.

    Raises:
        NotRun: The creator is not called again, because it did not come back.
    """
    try:
        return create_from(subject, subject.fields, read_through=read_through)
    except CallbackFailedError as stop:
        raise NotRun(f"there is no plugin to look at: {stop}") from stop


def deserialize_from(subject: Subject, data: Any) -> tuple[Any, str]:
    """Return what the creator makes of serialized data, and in words how it failed."""
    with leniently(subject.gate) as failures:
        plugin = subject.caller.restore(subject.gate, subject.creator, "plugin", data)
    if failures:
        stop_for_want_of_a_gpu(failures[0])
    return plugin, describe(failures[0]) if failures else ""


def initialization_failure(subject: Subject, plugin: Any) -> Failure | None:
    """Initialize a plugin, and return how that failed, if it did."""
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
    """Return the creator's native attributes as C++ reads them: None where one was never assigned."""
    base = bound_bases(type(creator))[0]
    return {name: instruments.read(creator, base, name) for name in (*NAMES, "field_names")}


def as_assigned(value: str) -> str:
    """Return what the user assigned to a native string; C++ keeps only the part before the first NUL."""
    return getattr(value, "assigned", value)


def advertised(creator: Any) -> list[Advertised]:
    """Return what the creator advertises, read while only the creator holds it."""
    held = list(creator_attributes(creator)["field_names"] or ())
    if any(field.size for field in held):
        gc.collect()
    return [_advertised(index, field) for index, field in enumerate(held)]


def stored(subject: Subject) -> list[Advertised]:
    """Return the fields that a new plugin stores, read after ``get_fields_to_serialize`` has returned."""
    log = OutcomeLog(subject.caller.words.save)
    with leniently(subject.gate), observing(subject.gate, log):
        subject.try_serialize(subject.create())
    values = [outcome.value for _, outcome in log.calls]
    kind = subject.trt.PluginFieldCollection
    held = [field for value in values if issubclass(type(value), kind) for field in kind.__iter__(value)]
    if held:
        gc.collect()
    return [_advertised(index, field, subject.caller.words.save + "()") for index, field in enumerate(held)]


def find_creator(name: str, version: str, namespace: str) -> Any:
    """Return what the registry finds under a name, a version and a namespace, or None."""
    return find_in(get_plugin_registry(), (name, version, namespace))


def registry_changes() -> list[str]:
    """Return in words every registration and deregistration so far, refused ones included."""
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

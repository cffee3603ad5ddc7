"""Ask a plugin of an implicit batch about inputs whose single item the whole batch shares."""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING, Any

import msgspec

from harness.checks.shapes.shapes import network_dims
from reference_runtime import instruments
from reference_runtime.calling.trampolines import implicit_batch

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from harness.cases.case import Shape
    from harness.cases.input import Input
    from harness.subject.subject import Subject


class Sharing(msgspec.Struct, frozen=True):
    """One input, and the subject on two cases that differ in this input.

    Attributes:
        place: The index of the input.
        shared: The subject on a case in which the input is a single item for the whole batch.
        batched: The subject on a case in which the input is a batch of items.
    """

    place: int
    shared: Subject
    batched: Subject


def sharings(subject: Subject) -> Iterator[Sharing]:
    """Yield a sharing for each input, if another input has a dynamic batch."""
    inputs, dims = subject.case.data_inputs, network_dims(subject)
    for place, here in enumerate(dims):
        batches = [entry for other, entry in enumerate(inputs) if other != place and dims[other][0] == -1]
        if not batches or here[0] not in (1, -1):
            continue
        if here[0] == 1:
            batched = _with(subject, place, _as_batch(inputs[place], batches[0]))
            yield Sharing(place, subject.with_case(subject.case), batched)
        else:
            item = (1, *inputs[place].network_dims[1:])
            as_item = dataclasses.replace(inputs[place], dims=item, min=item, opt=item, max=item)
            yield Sharing(place, _with(subject, place, as_item), subject.with_case(subject.case))


def item_shape(subject: Subject, plugin: Any, index: int) -> Shape | None:
    """Return the answer of ``get_output_shape`` for the shapes of one item of each input; None if it is no shape."""
    items = [tuple(dims[1:]) for dims in network_dims(subject)]
    return implicit_batch.output_shape(subject.gate, plugin, index, items)


def reads_one_item(subject: Subject, plugin: Any, index: int) -> bool:
    """Return the answer of ``can_broadcast_input_across_batch`` for the input ``index``."""
    return implicit_batch.can_broadcast(subject.gate, plugin, index)


def broadcasts_output(subject: Subject, plugin: Any, index: int, flags: Sequence[bool]) -> bool:
    """Return the answer of ``is_output_broadcast_across_batch``; ``flags`` says which inputs are shared."""
    return implicit_batch.is_output_broadcast(subject.gate, plugin, index, flags)


def detach(subject: Subject, plugin: Any) -> None:
    """Call ``detach_from_context``."""
    implicit_batch.detach_from_context(subject.gate, plugin)


def own_methods(plugin: object) -> dict[str, str]:
    """Return the names that a plugin's own classes define, each with the class that Python would use."""
    own = [cls for cls in type(plugin).__mro__ if not instruments.is_bound(cls) and cls is not object]
    return {name: cls.__name__ for cls in reversed(own) for name in vars(cls)}


def _with(subject: Subject, place: int, entry: Input) -> Subject:
    inputs = list(subject.case.inputs)
    inputs[place] = entry
    return subject.with_case(dataclasses.replace(subject.case, inputs=tuple(inputs)))


def _as_batch(entry: Input, other: Input) -> Input:
    """Return an input with the same items in a batch, which is as large as that of another input."""
    item = entry.network_dims[1:]
    low, best, high = ((corner[0], *item) for corner in other.profile)
    name = other.names[0] or "batch"
    return dataclasses.replace(entry, dims=(name, *item), min=low, opt=best, max=high)

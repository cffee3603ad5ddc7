"""Ask a plugin about items that a whole batch shares, in networks with a shared or a batched input."""

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
    """Hold one input, and the subject on two cases: with the input as one item, and as a batch."""

    place: int
    shared: Subject
    batched: Subject


def sharings(subject: Subject) -> Iterator[Sharing]:
    """Yield a sharing for each input beside which another input has a batch that varies."""
    inputs, dims = subject.case.data_inputs, network_dims(subject)
    for place, here in enumerate(dims):
        batches = [entry for other, entry in enumerate(inputs) if other != place and dims[other][0] == -1]
        if not batches or here[0] not in (1, -1):
            continue
        given = subject.case
        if here[0] == 1:
            batched = _with(subject, place, _as_batch(inputs[place], batches[0]))
            yield Sharing(place, subject.with_case(given), batched)
        else:
            item = (1, *inputs[place].network_dims[1:])
            as_item = dataclasses.replace(inputs[place], dims=item, min=item, opt=item, max=item)
            yield Sharing(place, _with(subject, place, as_item), subject.with_case(given))


def item_shape(subject: Subject, plugin: Any, index: int) -> Shape | None:
    """Return what ``get_output_shape`` answers, for the shapes of one item of the inputs; None for no shape."""
    items = [tuple(dims[1:]) for dims in network_dims(subject)]
    return implicit_batch.output_shape(subject.gate, plugin, index, items)


def reads_one_item(subject: Subject, plugin: Any, index: int) -> bool:
    """Return what ``can_broadcast_input_across_batch`` answers."""
    return implicit_batch.can_broadcast(subject.gate, plugin, index)


def broadcasts_output(subject: Subject, plugin: Any, index: int, flags: Sequence[bool]) -> bool:
    """Return what ``is_output_broadcast_across_batch`` answers."""
    return implicit_batch.is_output_broadcast(subject.gate, plugin, index, flags)


def detach(subject: Subject, plugin: Any) -> None:
    """Call ``detach_from_context``."""
    implicit_batch.detach_from_context(subject.gate, plugin)


def own_methods(plugin: object) -> dict[str, str]:
    """Return what a plugin's own classes define, with the name of the class that does."""
    own = [cls for cls in type(plugin).__mro__ if not instruments.is_bound(cls) and cls is not object]
    return {name: cls.__name__ for cls in reversed(own) for name in vars(cls)}


def _with(subject: Subject, place: int, entry: Input) -> Subject:
    inputs = list(subject.case.inputs)
    inputs[place] = entry
    return subject.with_case(dataclasses.replace(subject.case, inputs=tuple(inputs)))


def _as_batch(entry: Input, other: Input) -> Input:
    """Return an input as a batch of its items, as many as another input has."""
    item = entry.network_dims[1:]
    low, best, high = ((corner[0], *item) for corner in other.profile)
    name = other.names[0] or "batch"
    return dataclasses.replace(entry, dims=(name, *item), min=low, opt=best, max=high)

"""Compute batches and shapes in networks with an implicit batch, which only API level 8.6 has."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from harness.checks.shapes.shapes import allocatable, network_dims, network_plugin
from harness.contract.interface import IMPLICIT_BATCH

if TYPE_CHECKING:
    from collections.abc import Sequence

    from harness.cases.case import Shape
    from harness.subject.subject import Subject

#: The key of the copied inputs in a subject's ``memory``.
COPIED_INPUTS = "inputs that are copied"


def is_implicit(subject: Subject) -> bool:
    """Return whether the plugin is for networks with an implicit batch."""
    return subject.interface in IMPLICIT_BATCH and subject.spec == "8.6"


def copied_inputs(subject: Subject) -> frozenset[int]:
    """Return the indices of the inputs whose single item TensorRT copies for the whole batch.

    A new plugin is asked, once in a rule.

    Raises:
        CallbackFailedError: A callback failed.
    """
    if not subject.caller.batches:
        return frozenset()
    return subject.once(
        COPIED_INPUTS, lambda: subject.caller.copied_inputs(subject.gate, subject.create(), network_dims(subject))
    )


def batch_of(subject: Subject, shapes: Sequence[Shape]) -> int:
    """Return the batch size of inputs with these shapes; 1 if each input is a single item."""
    batched = [shape[0] for shape, dims in zip(shapes, network_dims(subject), strict=False) if dims[0] != 1]
    return max(batched, default=1)


def greatest_batch(subject: Subject) -> int:
    """Return the greatest batch size in the case's profile."""
    return batch_of(subject, [entry.profile[2] for entry in subject.case.data_inputs])


def shape_with_batch(subject: Subject, name: str, shapes: Sequence[Shape]) -> Shape:
    """Return the shape of an engine's input or output by its name, with the batch."""
    kind, _, number = name.rpartition("_")
    if kind == "input":
        return tuple(shapes[int(number)])
    return allocatable(network_plugin(subject)[1][int(number)], shapes)


def add_item(network: Any, name: str, dtype: Any, dims: Shape) -> Any:
    """Add an input to a network with an implicit batch, and return its tensor.

    ``dims`` begins with the batch. If that is fixed at 1, the input is a single item for the whole batch.
    """
    tensor = network.add_input(name, dtype, dims[1:])
    if dims[0] == 1:
        tensor.broadcast_across_batch = True
    return tensor

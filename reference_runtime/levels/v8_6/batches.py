"""The batch of an engine with an implicit batch: the first dimension of its tensors, hidden from the application."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from reference_runtime.bound.bound_class import state
from reference_runtime.engine.context.context import live_context
from reference_runtime.values.dims import Dims, values
from reference_runtime.values.refusals import Refused

if TYPE_CHECKING:
    from reference_runtime.engine.loading import LiveEngine


def greatest(engine: Any) -> int:
    """Return the maximum batch size of an engine with an implicit batch; 0 if the batch is explicit."""
    live: LiveEngine = state(engine)["_live"]
    return live.plan.traits.max_batch


def of_an_item(engine: Any, shape: Dims) -> Dims:
    """Return the shape of one item of a tensor; the shape itself if the batch is explicit."""
    return Dims(values(shape)[1:]) if greatest(engine) and len(shape) else shape


def refuse_implicit(context: Any) -> None:
    """Raise `Refused` for an execution without a batch size if the batch is implicit."""
    if greatest(context.engine):
        raise Refused("the engine has an implicit batch dimension; use execute or execute_async, with a batch size")


def set_batch(context: Any, batch: int) -> None:
    """Set the batch size of the next execution, or raise `Refused`."""
    most = greatest(context.engine)
    if not 1 <= batch <= most:
        raise Refused(f"the batch has {batch} items; the engine takes 1 to {most}")
    shapes = live_context(context).shapes
    for place, tensor in enumerate(live_context(context).engine.plan.inputs):
        if tensor.desc.dims[:1] == (-1,):
            shapes.set_shape(place, (batch, *tensor.desc.dims[1:]))

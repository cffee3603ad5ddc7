"""IExecutionContext as in TensorRT 8.6: shapes, values and addresses by the number of a binding.

*And an error* in a docstring means that the error is also reported to the application's logger.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from reference_runtime.bound.bound_class import attribute, state
from reference_runtime.bound.conversions import int32, optional, sequence, size_t, string
from reference_runtime.bound.deprecations import deprecated
from reference_runtime.bound.overloads import Overload, accessor, bound
from reference_runtime.engine.context.context import IExecutionContext
from reference_runtime.levels.v8_6 import batches, profiles, shape_values
from reference_runtime.levels.v8_6.bindings import binding_at, io_names, synchronize, wrong_binding
from reference_runtime.values.descriptions import no_dims
from reference_runtime.values.dims import Dims, to_dims
from reference_runtime.values.refusals import Refused, complain

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from reference_runtime.levels.v8_6.bindings import Binding

_SELF = "self: IExecutionContext"
_BINDINGS = "bindings: List[int]"
_SHAPE = "shape: Dims"
_set_input_shape = IExecutionContext.set_input_shape
_switch = IExecutionContext.set_optimization_profile_async
_execute_v2 = IExecutionContext.execute_v2
_get_tensor_shape = IExecutionContext.get_tensor_shape
#: The key in a context's state for the names of the inputs whose shapes were set by binding.
_SET = "_shapes_set_by_binding"


def _binding(context: Any, index: int, method: str) -> Binding | None:
    """Return a binding of the context's profile; report an error and return None for any other number."""
    binding = binding_at(context.engine, index)
    if binding is None:
        wrong_binding(context.engine, f"IExecutionContext::{method}", index)
        return None
    active = profiles.profile_of(context)
    if binding.profile != active:
        _complain(
            context, method, f"binding {index} belongs to profile {binding.profile}, and the context is on {active}"
        )
        return None
    return binding


def _complain(context: Any, method: str, why: str) -> None:
    complain(f"IExecutionContext::{method}", Refused(why), to=profiles.log_of(context.engine))


def _move(context: Any, profile: int, stream: int, method: str) -> bool:
    """Switch to another profile; False, and an error, if it does not exist or another context has it."""
    if not profiles.take(context, profile, method):
        return False
    before = profiles.profile_of(context)
    try:
        _switch(context, profile, stream)
    except RuntimeError:
        return False
    profiles.moved(context, profile)
    if profile != before:
        state(context)[_SET] = set()
        shape_values.forget(context)
    return True


def _set_profile(context: Any, profile: int) -> None:
    if not _move(context, profile, 0, "setOptimizationProfile"):
        raise RuntimeError("Error in set optimization profile.")
    synchronize(context.engine)


def _addresses(context: Any, addresses: Sequence[int], method: str) -> list[int] | None:
    """Return the addresses of the active profile's bindings; report an error and return None for a wrong number.

    Shape inputs have the address of the context's copy of their values.
    """
    names = io_names(context.engine)
    profile = max(profiles.profile_of(context), 0)
    expected = len(names) * max(context.engine.num_optimization_profiles, 1)
    if len(addresses) != expected:
        _complain(context, method, f"the engine has {expected} bindings, and {len(addresses)} addresses were given")
        return None
    own = list(addresses[profile * len(names) : (profile + 1) * len(names)])
    return [shape_values.address(context, name) or address for name, address in zip(names, own, strict=True)]


def _is_refused(context: Any, method: str, work: Callable[[], None]) -> bool:
    """Do ``work``; return True, and report an error, if it is refused."""
    try:
        work()
    except Refused as refused:
        _complain(context, method, str(refused))
        return True
    return False


def _has_no_batch(context: Any, method: str) -> bool:
    return _is_refused(context, method, lambda: batches.refuse_implicit(context))


def _is_no_batch(context: Any, method: str, batch: int) -> bool:
    """Set the size of an implicit batch; return True, and report an error, if it is refused."""
    implicit = batches.greatest(context.engine) > 0
    return implicit and _is_refused(context, method, lambda: batches.set_batch(context, batch))


def _enqueue(context: Any, addresses: Sequence[int], stream: int, event: int | None) -> bool:
    """Run with addresses and an event that are set for this call only."""
    own = _addresses(context, addresses, "enqueueV2")
    if own is None:
        return False
    names = io_names(context.engine)
    before = [context.get_tensor_address(name) for name in names]
    event_before = context.get_input_consumed_event() if event else 0
    try:
        if not all(context.set_tensor_address(name, address) for name, address in zip(names, own, strict=True)):
            return False
        if event:
            context.set_input_consumed_event(event)
        return bool(context.execute_async_v3(stream))
    finally:
        for name, address in zip(names, before, strict=True):
            context.set_tensor_address(name, address)
        if event:
            context.set_input_consumed_event(event_before)


class ContextMembers:
    """The members of ``IExecutionContext`` in TensorRT 8.6 that version 10 lacks or changed."""

    active_optimization_profile = accessor(
        f"({_SELF}, arg0: int) -> None",
        profiles.profile_of,
        deprecated("set_optimization_profile_async")(_set_profile),
        int32,
    )
    all_binding_shapes_specified = attribute(
        lambda self: (
            {name for name in profiles.inputs(self.engine) if -1 in tuple(self.engine.get_tensor_shape(name))}
            <= state(self).get(_SET, set())
        )
    )
    all_shape_inputs_specified = attribute(
        lambda self: all(
            shape_values.address(self, name)
            for name in profiles.inputs(self.engine)
            if profiles.is_shape_input(self.engine, name)
        )
    )

    @bound(
        Overload(f"({_SELF}, profile_index: int, stream_handle: int) -> bool", int32, size_t),
    )
    def set_optimization_profile_async(self: Any, profile: int, stream: int) -> bool:
        """Switch to another profile; RuntimeError, and an error, if it does not exist or another context has it."""
        if not _move(self, profile, stream, "setOptimizationProfileAsync"):
            raise RuntimeError("Error in set optimization profile async.")
        return True

    @bound(Overload(f"({_SELF}, name: str, {_SHAPE}) -> bool", string, to_dims))
    def set_input_shape(self: Any, name: str, shape: Dims) -> bool:
        """Set the shape of an input; False, and an error, without a profile or for a shape that it excludes."""
        if _has_no_batch(self, "setInputShape"):
            return False
        if profiles.profile_of(self) == profiles.NONE:
            _complain(self, "setInputShape", "the context is on no optimization profile; set one first")
            return False
        return _set_input_shape(self, name, shape)

    @bound(Overload(f"({_SELF}, binding: int, {_SHAPE}) -> bool", int32, to_dims))
    @deprecated("set_input_shape")
    def set_binding_shape(self: Any, binding: int, shape: Dims) -> bool:
        """Set the shape of an input; False, and an error, for a binding or shape that the profile excludes."""
        io_binding = _binding(self, binding, "setBindingDimensions")
        if io_binding is None or not _set_input_shape(self, io_binding.tensor, shape):
            return False
        state(self).setdefault(_SET, set()).add(io_binding.tensor)
        return True

    @bound(Overload(f"({_SELF}, binding: int) -> Dims", int32))
    @deprecated("get_tensor_shape")
    def get_binding_shape(self: Any, binding: int) -> Dims:
        """Return the shape of a binding; -1 dimensions, and an error for a wrong binding or an unknown shape."""
        io_binding = _binding(self, binding, "getBindingDimensions")
        if io_binding is None:
            return no_dims()
        if io_binding.tensor not in profiles.inputs(self.engine) and self.infer_shapes():
            _complain(
                self, "getBindingDimensions", f"{io_binding.tensor} is an output, and not all input shapes are set"
            )
            return no_dims()
        shape: Dims = self.get_tensor_shape(io_binding.tensor)
        return shape

    @bound(Overload(f"({_SELF}, binding: int) -> Dims", int32))
    @deprecated("get_tensor_strides")
    def get_strides(self: Any, binding: int) -> Dims:
        """Return the strides of a binding; -1 dimensions, and an error, if the profile does not have the binding."""
        io_binding = _binding(self, binding, "getStrides")
        if io_binding is None:
            return no_dims()
        strides: Dims = self.get_tensor_strides(io_binding.tensor)
        return strides

    @bound(Overload(f"({_SELF}, binding: int, shape: List[int]) -> bool", int32, sequence(int32)))
    @deprecated("set_tensor_address")
    def set_shape_input(self: Any, binding: int, values: list[int]) -> bool:
        """Set the values of a shape input; False, and an error, for values that the profile excludes."""
        io_binding = _binding(self, binding, "setInputShapeBinding")
        if io_binding is None:
            return False
        try:
            shape_values.keep(self, io_binding.tensor, values)
        except Refused as refused:
            _complain(self, "setInputShapeBinding", str(refused))
            return False
        return True

    @bound(Overload(f"({_SELF}, binding: int) -> List[int]", int32))
    @deprecated("get_tensor_address")
    def get_shape(self: Any, binding: int) -> list[int]:
        """Return the values of a shape input; RuntimeError for another binding, or before they are set."""
        io_binding = _binding(self, binding, "getShapeBinding")
        values = None if io_binding is None else shape_values.kept(self, io_binding.tensor)
        if values is None:
            raise RuntimeError("Error in get shape bindings.")
        return values

    @bound(Overload(f"({_SELF}, {_BINDINGS}) -> bool", sequence(size_t)))
    def execute_v2(self: Any, bindings: list[int]) -> bool:
        """Run with the addresses of all bindings, and wait; False, and an error, if that fails."""
        if _has_no_batch(self, "executeV2"):
            return False
        own = _addresses(self, bindings, "executeV2")
        return own is not None and _execute_v2(self, own)

    @bound(
        Overload(
            f"({_SELF}, {_BINDINGS}, stream_handle: int, input_consumed: capsule = None) -> bool",
            sequence(size_t),
            size_t,
            optional(size_t),
            defaults=[None],
        )
    )
    @deprecated("execute_async_v3")
    def execute_async_v2(self: Any, bindings: list[int], stream: int, event: int | None) -> bool:
        """Run on a stream with the addresses of all bindings; False, and an error, if that fails."""
        return not _has_no_batch(self, "enqueueV2") and _enqueue(self, bindings, stream, event)

    @bound(Overload(f"({_SELF}, name: str) -> Dims", string))
    def get_tensor_shape(self: Any, name: str) -> Dims:
        """Return the shape of an input or output as far as it is known.

        With an implicit batch it is the shape of one item.
        """
        return batches.of_an_item(self.engine, _get_tensor_shape(self, name))

    @bound(
        Overload(f"({_SELF}, batch_size: int, {_BINDINGS}) -> bool", int32, sequence(size_t)),
        Overload(f"({_SELF}, {_BINDINGS}) -> bool", sequence(size_t)),
    )
    @deprecated("execute_v2")
    def execute(self: Any, *batch_and_bindings: Any) -> bool:
        """Run as ``execute_v2`` does, with a batch size, which has no effect if the batch is explicit."""
        if _is_no_batch(self, "execute", batch_and_bindings[0] if len(batch_and_bindings) > 1 else 1):
            return False
        own = _addresses(self, batch_and_bindings[-1], "execute")
        return own is not None and _execute_v2(self, own)

    @bound(
        Overload(
            f"({_SELF}, batch_size: int, {_BINDINGS}, stream_handle: int, input_consumed: capsule = None) -> bool",
            int32,
            sequence(size_t),
            size_t,
            optional(size_t),
            defaults=[None],
        )
    )
    @deprecated("execute_async_v2")
    def execute_async(self: Any, batch: int, bindings: list[int], stream: int, event: int | None) -> bool:
        """Run as ``execute_async_v2`` does, with a batch size, which has no effect if the batch is explicit."""
        return not _is_no_batch(self, "enqueue", batch) and _enqueue(self, bindings, stream, event)

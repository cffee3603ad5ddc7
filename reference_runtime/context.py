"""IExecutionContext: shapes, addresses and executions, as an application asks for them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from reference_runtime import formats
from reference_runtime.context_managers import make_context_manager
from reference_runtime.conversions import Mismatch, boolean, instance, int32, sequence, size_t, string
from reference_runtime.descriptions import no_dims
from reference_runtime.dims import MAX_DIMS, Dims, to_dims, values
from reference_runtime.enums import TensorIOMode
from reference_runtime.lifetimes import ends_with
from reference_runtime.native import attribute, made, pybind11_object, state
from reference_runtime.refusals import Refused, granted
from reference_runtime.signatures import Overload, accessor, bound

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from reference_runtime.descriptions import Extents
    from reference_runtime.running import LiveContext

__all__ = ["IExecutionContext", "bound_context"]

_NAME = "self: IExecutionContext, name: str"


def bound_context(live: LiveContext, engine: object) -> IExecutionContext:
    """Return the Python object of a context; it keeps ``engine`` alive, as in the original."""
    context = made(IExecutionContext, _live=live, _engine=engine, name="", debug_sync=False)
    ends_with(context, live.close)
    return context


def _live(context: IExecutionContext) -> LiveContext:
    live: LiveContext = state(context)["_live"]
    return live


def _granted(context: IExecutionContext, method: str, work: Callable[[], object]) -> bool:
    return granted(_live(context).engine.around.logger, f"IExecutionContext::{method}", work)


def _place(context: IExecutionContext, name: str) -> int:
    """Return the place of an input or output in the plan."""
    names = [tensor.name for tensor in _live(context).engine.plan.io]
    if name not in names:
        raise Refused(f"Given invalid tensor name: {name}. Get valid tensor names with getIOTensorName()")
    return names.index(name)


def _extents(context: IExecutionContext, name: str) -> Extents:
    """Return the shape of an input or output, with -1 for what is not known yet."""
    live, place = _live(context), _place(context, name)
    extents = live.extents()
    return live.shape_so_far(place) if extents is None else extents[place]


def _kept(name: str, kind: str, convert: Any) -> attribute:
    return accessor(
        f"(self: IExecutionContext, arg0: {kind}) -> None",
        lambda self: state(self)[name],
        lambda self, value: state(self).update({name: value}),
        convert,
    )


@make_context_manager
class IExecutionContext(pybind11_object, bound=True):
    """Runs an engine, with shapes and memory of its own."""

    engine = attribute(lambda self: state(self)["_engine"])
    name = _kept("name", "str", string)
    debug_sync = _kept("debug_sync", "bool", boolean)
    active_optimization_profile = attribute(lambda self: _live(self).profile)
    all_binding_shapes_specified = attribute(lambda self: not _live(self).missing_shapes())
    all_shape_inputs_specified = attribute(lambda _self: True)

    @bound(
        Overload(f"({_NAME}, shape: tuple) -> bool", string, instance(tuple)),
        Overload(f"({_NAME}, shape: list) -> bool", string, instance(list)),
        Overload(f"({_NAME}, shape: Dims) -> bool", string, to_dims),
    )
    def set_input_shape(self, name: str, shape: Any) -> bool:
        """Set the shape of an input; False, and an error, for one that the active profile does not allow."""
        extents = values(shape) if isinstance(shape, Dims) else _integers(shape)

        def work() -> None:
            place = _place(self, name)
            if _live(self).engine.plan.io[place].mode != TensorIOMode.INPUT:
                raise Refused(f"{name} is an output; its shape follows from the inputs")
            _live(self).set_shape(place, extents)

        return _granted(self, "setInputShape", work)

    @bound(Overload(f"({_NAME}) -> Dims", string))
    def get_tensor_shape(self, name: str) -> Dims:
        """Return the shape of a tensor; -1 stands for what is not known before all input shapes are set."""
        found: list[Extents] = []
        known = _granted(self, "getTensorShape", lambda: found.append(_extents(self, name)))
        return Dims(found[0]) if known else no_dims()

    @bound(Overload(f"({_NAME}) -> Dims", string))
    def get_tensor_strides(self, name: str) -> Dims:
        """Return the strides of a tensor; -1 where its shape is not known yet."""
        found: list[Extents] = []

        def work() -> None:
            desc = _live(self).engine.plan.io[_place(self, name)].desc.sized(_extents(self, name))
            found.append((-1,) * len(desc.dims) if -1 in desc.dims else formats.strides(desc))

        return Dims(found[0]) if _granted(self, "getTensorStrides", work) else no_dims()

    @bound(Overload(f"({_NAME}, memory: typing.SupportsInt) -> bool", string, size_t))
    def set_tensor_address(self, name: str, address: int) -> bool:
        """Say where an input or output is; False, and an error, for an address that is not aligned."""
        work = lambda: _live(self).set_address(_place(self, name), address)  # noqa: E731 - reads as the call it is
        return _granted(self, "setTensorAddress", work)

    @bound(Overload(f"({_NAME}) -> int", string))
    def get_tensor_address(self, name: str) -> int:
        """Return where an input or output is, or 0."""
        found: list[int] = []
        work = lambda: found.append(_live(self).addresses.get(_place(self, name), 0))  # noqa: E731 - as above
        return found[0] if _granted(self, "getTensorAddress", work) else 0

    @bound(Overload("(self: IExecutionContext) -> list[str]"))
    def infer_shapes(self) -> list[str]:
        """Return the names of the inputs whose shapes are not set; RuntimeError where shapes cannot be inferred."""
        missing = _live(self).missing_shapes()
        if not missing and not _granted(self, "inferShapes", lambda: _live(self).extents()):
            raise RuntimeError("infer_shapes error code: -1")
        return missing

    @bound(Overload(f"({_NAME}) -> int", string))
    def get_max_output_size(self, name: str) -> int:
        """Return how many bytes an output takes at most in the active profile; -1 before the shapes are set."""
        found: list[int] = []

        def work() -> None:
            place, live = _place(self, name), _live(self)
            if live.engine.plan.io[place].mode != TensorIOMode.OUTPUT or live.missing_shapes():
                raise Refused(f"{name} is no output, or input shapes are not set")
            greatest = live.engine.ranges[live.profile][place][2]
            found.append(formats.nbytes(live.engine.plan.io[place].desc.sized(greatest)))

        return found[0] if _granted(self, "getMaxOutputSize", work) else -1

    @bound(
        Overload(
            "(self: IExecutionContext, profile_index: typing.SupportsInt, stream_handle: typing.SupportsInt) -> bool",
            int32,
            size_t,
        )
    )
    def set_optimization_profile_async(self, index: int, _stream: int) -> bool:
        """Switch to another profile; RuntimeError, and an error, where there is none. Shapes are to be set again."""
        if not _granted(self, "setOptimizationProfileAsync", lambda: _live(self).set_profile(index)):
            raise RuntimeError("Error in set optimization profile async.")
        return True

    @bound(
        Overload(
            "(self: IExecutionContext, bindings: collections.abc.Sequence[typing.SupportsInt]) -> bool",
            sequence(size_t),
        )
    )
    def execute_v2(self, bindings: list[int]) -> bool:
        """Run, with the addresses of all inputs and outputs, and wait; False, and an error, where that fails."""
        return _granted(self, "executeV2", lambda: _execute_and_wait(_live(self), bindings))

    @bound(Overload("(self: IExecutionContext, stream_handle: typing.SupportsInt) -> bool", size_t))
    def execute_async_v3(self, stream: int) -> bool:
        """Run on a stream, with the addresses that were set; False, and an error, where that fails."""
        return _granted(self, "enqueueV3", lambda: _live(self).execute(_live(self).addresses, stream))


def _execute_and_wait(live: LiveContext, bindings: Sequence[int]) -> None:
    count = len(live.engine.plan.io)
    if len(bindings) != count:
        raise Refused(f"the engine has {count} inputs and outputs, and {len(bindings)} addresses were given")
    live.execute(dict(enumerate(bindings)), 0)
    live.engine.around.device.synchronize()


def _integers(shape: Sequence[Any]) -> Extents:
    if len(shape) > MAX_DIMS:
        raise RuntimeError("The number of input dims exceeds the maximum allowed number of dimensions")
    try:
        return tuple(int32(extent) for extent in shape)
    except Mismatch:
        raise RuntimeError(f"Unable to cast {shape!r} to integers of 32 bits") from None

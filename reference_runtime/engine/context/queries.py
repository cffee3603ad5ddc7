"""An application's queries and settings of a context, by names; `Refused` for invalid ones."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from reference_runtime.engine.context.execution import execute
from reference_runtime.shapes.tensor_facts import UNKNOWN
from reference_runtime.values import formats
from reference_runtime.values.enums import TensorIOMode
from reference_runtime.values.enums_building import ProfilingVerbosity
from reference_runtime.values.logger import ILogger, deliver
from reference_runtime.values.refusals import Refused

if TYPE_CHECKING:
    from collections.abc import Sequence

    from reference_runtime.engine.context.live_context import LiveContext
    from reference_runtime.values.descriptions import Extents

_DEFAULT_STREAMS: Final = (0, 1, 2)
"""The handles of the default stream: null, the legacy default stream, and the default stream of each thread."""
_DETAIL: Final = {
    int(ProfilingVerbosity.NONE): 0,
    int(ProfilingVerbosity.LAYER_NAMES_ONLY): 1,
    int(ProfilingVerbosity.DETAILED): 2,
}


def place_of(live: LiveContext, name: str) -> int:
    """Return the place of an input or output in the plan."""
    place = live.engine.io_places.get(name)
    if place is None:
        raise Refused(f"Given invalid tensor name: {name}. Get valid tensor names with getIOTensorName()")
    return place


def _output(live: LiveContext, name: str) -> int:
    place = place_of(live, name)
    if live.engine.plan.tensors[place].mode != TensorIOMode.OUTPUT:
        raise Refused(f"{name} is no output")
    return place


def set_input_shape(live: LiveContext, name: str, shape: Extents) -> None:
    """Set the shape of an input."""
    place = place_of(live, name)
    if live.engine.plan.tensors[place].mode != TensorIOMode.INPUT:
        raise Refused(f"{name} is an output; its shape follows from the inputs")
    live.shapes.set_shape(place, shape)


def extents(live: LiveContext, name: str) -> Extents:
    """Return the shape of an input or output, with -1 for unknown dimensions."""
    place = place_of(live, name)
    if place < len(live.engine.plan.inputs):
        return live.shapes.shape_so_far(place)
    return live.facts()[place].dims


def strides(live: LiveContext, name: str) -> Extents:
    """Return the strides of an input or output, with -1 where its shape is not known yet."""
    desc = live.engine.plan.tensors[place_of(live, name)].desc.sized(extents(live, name))
    return (UNKNOWN,) * len(desc.dims) if UNKNOWN in desc.dims else formats.strides(desc)


def max_output_size(live: LiveContext, name: str) -> int:
    """Return the maximum bytes of an output in the active profile."""
    place = _output(live, name)
    if live.shapes.missing(live.addresses):
        raise Refused(f"{name}: shapes of inputs are not set")
    desc = live.engine.plan.tensors[place].desc
    greatest = live.engine.ranges[live.shapes.profile][place][2]
    return max(formats.nbytes(desc.sized(dims)) for dims in (greatest, live.facts()[place].bound))


def needed_memory(live: LiveContext) -> int:
    """Return the device memory in bytes that the current shapes need."""
    missing = live.shapes.missing(live.addresses)
    if missing:
        raise Refused(f"the shapes or values of {', '.join(missing)} are not set")
    return live.memory.needed(live.facts())


def set_output_allocator(live: LiveContext, name: str, allocator: Any) -> None:
    """Set the allocator of an output; None removes it."""
    place = _output(live, name)
    if allocator is None:
        live.output_allocators.pop(place, None)
    else:
        live.output_allocators[place] = allocator


def output_allocator(live: LiveContext, name: str) -> Any:
    """Return the allocator of an output, or None."""
    return live.output_allocators.get(_output(live, name))


def set_aux_streams(live: LiveContext, streams: Sequence[int]) -> None:
    """Use the application's streams for work beside the main stream."""
    if any(stream in _DEFAULT_STREAMS for stream in streams) or len(set(streams)) != len(streams):
        raise Refused(f"auxiliary streams have to differ, and none may be the default stream: {list(streams)}")
    live.aux_streams = list(streams)


def report(live: LiveContext, profiler: Any) -> None:
    """Report the times of the last execution."""
    if profiler is None:
        raise Refused("no profiler is set")
    if not live.times:
        raise Refused("there is no execution whose times were not reported yet")
    live.report_times(profiler)


def check_verbosity(live: LiveContext, verbosity: ProfilingVerbosity) -> None:
    """Refuse a verbosity above that of the engine."""
    built = live.engine.plan.traits.profiling_verbosity
    if _DETAIL[int(verbosity)] > _DETAIL[int(built)]:
        raise Refused(f"{verbosity.name} is above {built.name}, with which the engine was built")


def set_debug_state(live: LiveContext, name: str, *, flag: bool) -> None:
    """Choose whether the listener sees a tensor that was marked."""
    place = _marked(live).get(name)
    if place is None:
        raise Refused(f"{name} was not marked as a debug tensor")
    _show(live, [place], flag=flag)


def set_all_debug_states(live: LiveContext, *, flag: bool) -> None:
    """Choose whether the listener sees the tensors that were marked."""
    _show(live, _marked(live).values(), flag=flag)


def debug_state(live: LiveContext, name: str) -> bool:
    """Say whether the listener sees a tensor."""
    return _marked(live).get(name, -1) in live.shown


def unfused_debug_state(live: LiveContext) -> bool:
    """Say whether the listener sees the tensors that were not marked."""
    return live.shows_unfused


def set_unfused_debug_state(live: LiveContext, *, flag: bool) -> None:
    """Choose whether the listener sees the tensors that were not marked; no layers are fused here, so each exists."""
    live.shows_unfused = flag
    marked = set(_marked(live).values())
    _show(live, [place for place in range(len(live.engine.plan.tensors)) if place not in marked], flag=flag)


def _marked(live: LiveContext) -> dict[str, int]:
    return {tensor.name: place for place, tensor in enumerate(live.engine.plan.tensors) if tensor.debug}


def _show(live: LiveContext, places: Any, *, flag: bool) -> None:
    if flag:
        live.shown.update(places)
    else:
        live.shown.difference_update(places)


def set_communicator(live: LiveContext, communicator: int) -> None:
    """Keep the communicator for several devices; this runtime has one device and does not use it."""
    if not communicator:
        raise Refused("the communicator is null")
    live.communicator = communicator


def execute_and_wait(live: LiveContext, bindings: Sequence[int], *, debug_sync: bool) -> None:
    """Run on the default stream, with the addresses of all inputs and outputs, and wait."""
    count = len(live.engine.plan.io)
    if len(bindings) != count:
        raise Refused(f"the engine has {count} inputs and outputs, and {len(bindings)} addresses were given")
    execute(live, dict(enumerate(bindings)), 0)
    live.engine.around.device.synchronize()
    for name, _ in live.times if debug_sync else ():
        deliver(live.engine.around.logger, ILogger.INFO, f"{name}: executed successfully")

"""Build the plan of a network: analyse it, then build one layer after the other.

The builder works on its own copies, cloned from the network's plugins. For a layer with a plugin it finds the formats,
times the plugin and serializes it (`layers.v2`, `layers.v3`, `layers.implicit_batch`). Other layers stay unchanged
(`layers.plain`). An application's monitor follows the phases and may stop the build after each step.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from reference_runtime.application import progress
from reference_runtime.builder import analysis, selection
from reference_runtime.builder.calibration import calibrated
from reference_runtime.builder.copies import copies
from reference_runtime.builder.layer_order import in_order
from reference_runtime.builder.layers import implicit_batch, plain, v2, v3
from reference_runtime.builder.points import checked_profiles, points_of
from reference_runtime.builder.work import Work
from reference_runtime.calling.adapters.version_2 import DYNAMIC, IMPLICIT_BATCH
from reference_runtime.calling.adapters.version_3 import DECORATED, V3
from reference_runtime.calling.gate.gate import Phase
from reference_runtime.network.public.profiles import Ranges
from reference_runtime.plan import MAX_AUX_STREAMS, Plan, TensorPlan, Traits
from reference_runtime.shapes.tensor_facts import ValueFacts
from reference_runtime.values.enums import DataType, TensorIOMode, TensorLocation
from reference_runtime.values.enums_building import BuilderFlag, PreviewFeature
from reference_runtime.values.refusals import Reason, Refused

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from reference_runtime.builder.config import Settings
    from reference_runtime.builder.copies import Kept
    from reference_runtime.builder.work import Copy
    from reference_runtime.calling.adapters.plugin_interface import PluginInterface
    from reference_runtime.devices.base import Device
    from reference_runtime.network.graph.graph import Graph
    from reference_runtime.network.graph.graph_parts import Layer, Tensor
    from reference_runtime.plan import LayerPlan, ProfilePlan
    from reference_runtime.values.descriptions import Range

_BUILDING = "Building the engine"
_LAYERS = "Building layers"


def build(graph: Graph, settings: Settings, device: Device, keep: Callable[[list[Kept]], None]) -> Plan:
    """Return the plan of a network, or raise `Refused`.

    ``keep`` takes the builder's copies that live as long as the builder; all others are destroyed here.
    """
    _check_network(graph)
    profiles = checked_profiles(graph, settings.profiles if graph.batch_limit is None else [_batches(graph)])
    layers = in_order(graph.layers, graph.inputs, _application(graph))
    settings.refuse_devices(layers)
    monitor = settings.progress_monitor
    with (
        progress.phase(graph.gate, monitor, _BUILDING, 2) as done,
        calibrated(graph, settings, device, lambda changed: build(graph, changed, device, keep)),
        copies(graph, layers, keep) as copied,
    ):
        work = _work(graph, settings, device, layers, copied, profiles)
        done(0)
        with progress.phase(graph.gate, monitor, _LAYERS, len(layers), _BUILDING) as built:
            plans = [_layer_plan(work, layer, place, built) for place, layer in enumerate(layers)]
        selection.report(work)
        done(1)
        return Plan(graph.name, _tensor_plans(work), tuple(plans), tuple(profiles), _traits(graph, settings))


def _batches(graph: Graph) -> Ranges:
    """Return the only profile of a network with an implicit batch: batches from 1 to the maximum, also the optimum."""
    most = 1 if graph.batch_limit is None else graph.batch_limit()
    shapes: dict[str, Range] = {}
    for tensor in graph.inputs:
        dims = tensor.dims or ()
        if dims[:1] == (-1,):
            greatest = (most, *dims[1:])
            shapes[tensor.name] = ((1, *dims[1:]), greatest, greatest)
    return Ranges(shapes)


def _check_network(graph: Graph) -> None:
    if graph.closed:
        raise Refused("the network was closed", Reason.NETWORK)
    if not graph.outputs and not graph.shape_outputs:
        raise Refused("Network must have at least one output", Reason.NETWORK)
    for tensor in graph.outputs:
        producer = graph.producers.get(tensor)
        if tensor.dtype == DataType.UINT8 and producer is not None and producer.plugin is not None:
            why = f"the output {tensor.name} is of UINT8, and a plugin produces it: a Cast or an Identity has to"
            raise Refused(why, Reason.USAGE)
    names = [tensor.name for tensor in _application(graph)]
    if len(set(names)) < len(names):
        raise Refused(f"inputs and outputs need different names, and they are {names}", Reason.NETWORK)


def _application(graph: Graph) -> list[Tensor]:
    """Return the tensors that the application sees: inputs, then outputs, then shape outputs."""
    return list(dict.fromkeys([*graph.inputs, *graph.outputs, *graph.shape_outputs]))


def _work(
    graph: Graph,
    settings: Settings,
    device: Device,
    layers: Sequence[Layer],
    copied: Mapping[Layer, Copy],
    profiles: Sequence[ProfilePlan],
) -> Work:
    """Analyse the network, and fix the default layout of the tensors whose layout no layer can choose."""
    inputs = {tensor: ValueFacts(tensor.dims) for tensor in graph.inputs if tensor.dims is not None}
    aliasing = settings.has_preview(PreviewFeature.ALIASED_PLUGIN_IO_10_03)
    with graph.gate.during(Phase.ANALYSIS):
        analysed = analysis.analyse(graph, layers, copied, inputs, aliasing=aliasing)
    _check_shape_tensors(graph, layers)
    points = points_of(graph.inputs, [analysed.rules[layer] for layer in layers], profiles)
    analysis.check_shared(layers, analysed, points)
    seen = _application(graph)
    inner = [tensor for layer in layers for tensor in layer.outputs if not _is_seen(tensor)]
    places = {tensor: place for place, tensor in enumerate([*seen, *inner])}
    scheduler = graph.scheduler.anew()  # decides as in the first build, so that the same network gives the same bytes
    work = Work(graph, settings, device, copied, analysed, points, places, scheduler, settings.timings)
    shapes = graph.needs.shape
    fixed = [tensor for tensor in places if (tensor in shapes or _is_seen(tensor)) and tensor.formats is None]
    work.settle(fixed, [work.default(tensor) for tensor in fixed])
    return work


def _check_shape_tensors(graph: Graph, layers: Sequence[Layer]) -> None:
    for layer in layers:
        for tensor in layer.outputs:
            if layer.plugin is not None and tensor in graph.needs.shape:
                why = f"{layer.name}: {tensor.name} is needed as a shape tensor, and a plugin computes it on the device"
                raise Refused(why, Reason.NETWORK)


def _is_seen(tensor: Tensor) -> bool:
    return tensor.is_input or tensor.is_output or tensor.is_shape_output


_BUILDERS: Final[Mapping[PluginInterface | None, Callable[[Work, Layer], LayerPlan]]] = {
    None: plain.layer_plan,
    DYNAMIC: v2.layer_plan,
    IMPLICIT_BATCH: implicit_batch.layer_plan,
    V3: v3.layer_plan,
    DECORATED: v3.layer_plan,
}


def _layer_plan(work: Work, layer: Layer, place: int, done: Callable[[int], None]) -> LayerPlan:
    copy = work.copies.get(layer)
    made = _BUILDERS[None if copy is None else copy.interface](work, layer)
    done(place)
    return made


def _tensor_plans(work: Work) -> tuple[TensorPlan, ...]:
    plans = []
    for tensor in work.places:
        mode = TensorIOMode.OUTPUT if _is_seen(tensor) else TensorIOMode.NONE
        # a tensor whose values decide shapes is on the host, unless it is marked as an ordinary output
        hosted = tensor.is_shape_output or (tensor in work.graph.needs.shape and not tensor.is_output)
        plans.append(
            TensorPlan(
                name=tensor.name,
                mode=TensorIOMode.INPUT if tensor.is_input else mode,
                desc=work.stored.get(tensor) or work.default(tensor),
                location=TensorLocation.HOST if hosted else TensorLocation.DEVICE,
                debug=tensor.is_debug,
            )
        )
    return tuple(plans)


def _traits(graph: Graph, settings: Settings) -> Traits:
    return Traits(
        max_batch=0 if graph.batch_limit is None else graph.batch_limit(),
        profiling_verbosity=settings.profiling_verbosity,
        capability=settings.engine_capability,
        hardware_compatibility=settings.hardware_compatibility_level,
        tactic_sources=settings.tactic_sources,
        aux_streams=min(max(settings.max_aux_streams, 0), MAX_AUX_STREAMS),
        refittable=BuilderFlag.REFIT in settings.chosen,
    )

"""Run a network for its calibration: in FP32, with every FLOAT tensor as an output.

Theory. The ranges of the tensors behind the inputs follow from the network's results for the batches. So the network is
built once more, in FP32 and with all its FLOAT tensors as outputs. It runs on each batch. Therefore a plugin whose
tensors can be INT8 has to offer FLOAT, too. Otherwise the application has to set every range itself.
"""

from __future__ import annotations

from contextlib import ExitStack, contextmanager
from dataclasses import replace
from typing import TYPE_CHECKING

from reference_runtime import plan
from reference_runtime.engine.context.execution import execute
from reference_runtime.engine.context.live_context import new_context
from reference_runtime.engine.loading import EngineServices, load
from reference_runtime.network.public.profiles import ranges_of
from reference_runtime.registry.registry import get_plugin_registry
from reference_runtime.values import formats
from reference_runtime.values.enums import DataType
from reference_runtime.values.enums_building import BuilderFlag
from reference_runtime.values.refusals import Refused

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    import numpy as np
    import numpy.typing as npt

    from reference_runtime.builder.settings import Settings
    from reference_runtime.devices.base import Device
    from reference_runtime.engine.context.live_context import LiveContext
    from reference_runtime.network.graph.graph import Graph
    from reference_runtime.network.graph.graph_parts import Tensor
    from reference_runtime.plan import Plan
    from reference_runtime.values.descriptions import Extents

_PRECISIONS = ("INT8", "FP16", "BF16", "FP8")


class CalibrationRun:
    """Runs the network on batches until it is closed; the first batch builds it."""

    def __init__(self, graph: Graph, settings: Settings, device: Device, build: Callable[[Settings], Plan]) -> None:
        self._graph, self._settings, self._device, self._build = graph, settings, device, build
        self._ends = ExitStack()
        self._context: LiveContext | None = None

    def close(self) -> None:
        """Close the built engine."""
        self._ends.close()

    def on(self, shapes: Sequence[Extents], addresses: Sequence[int]) -> Iterator[tuple[str, npt.NDArray[np.float32]]]:
        """Run the network on a batch, and yield the name and the values of each FLOAT tensor behind the inputs."""
        if not any(_lacks_range(tensor) for tensor in self._graph.tensors if not tensor.is_input):
            return
        if self._context is None:
            self._context = self._built()
        context, stream = self._context, self._device.new_stream()
        made = context.engine.plan
        for place, (tensor, dims) in enumerate(zip(made.inputs, shapes, strict=True)):
            if -1 in tensor.desc.dims:
                context.shapes.set_shape(place, dims)
        facts = context.facts()
        count = len(made.inputs)
        with ExitStack() as ends:
            described = [tensor.desc.sized(facts[count + k].dims) for k, tensor in enumerate(made.io[count:])]
            buffers = [self._device.allocate(formats.nbytes(desc), label="calibration") for desc in described]
            for buffer in buffers:
                ends.callback(buffer.free)
            places = dict(enumerate([*addresses, *(buffer.address for buffer in buffers)]))
            execute(context, places, stream.handle)
            for tensor, desc, buffer in zip(made.io[count:], described, buffers, strict=True):
                if desc.type == DataType.FLOAT:
                    raw = self._device.fetch(buffer.address, formats.nbytes(desc), stream=stream.handle)
                    yield tensor.name, formats.from_device(raw, desc)

    def _built(self) -> LiveContext:
        graph = self._graph
        try:
            with _all_seen(graph):
                data = plan.write(self._build(self._plain_settings()))
            around = EngineServices(graph.gate, graph.scheduler, graph.logger, get_plugin_registry(), self._device)
            engine = load(data, around)
            self._ends.callback(engine.close)
            return new_context(engine)
        except Refused as refused:
            why = "calibration runs the network in FP32, which cannot be built; offer FLOAT, or set every dynamic range"
            raise Refused(f"{why}: {refused}", refused.reason) from refused

    def _plain_settings(self) -> Settings:
        settings, flags = self._settings, self._settings.flags
        for name, flag in BuilderFlag.__members__.items():
            if name in _PRECISIONS:
                flags &= ~(1 << int(flag))
        own = settings.calibration_profile
        profiles = settings.profiles[:1] if own is None else [ranges_of(own)]
        return replace(
            settings,
            flags=flags,
            profiles=profiles,
            timing_cache=None,
            progress_monitor=None,
            algorithm_selector=None,
            int8_calibrator=None,
        )


def _lacks_range(tensor: Tensor) -> bool:
    return tensor.dtype == DataType.FLOAT and tensor.dynamic_range is None


@contextmanager
def _all_seen(graph: Graph) -> Iterator[None]:
    """Mark every FLOAT tensor of a network as an output, until the end of the block."""
    added = [
        tensor
        for tensor in graph.tensors
        if tensor.dtype == DataType.FLOAT and not (tensor.is_input or tensor.is_output or tensor.is_shape_output)
    ]
    before = list(graph.outputs)
    try:
        for tensor in added:
            tensor.is_output = True
        graph.outputs += added
        graph.version += 1
        yield
    finally:
        for tensor in added:
            tensor.is_output = False
        graph.outputs[:] = before
        graph.version += 1

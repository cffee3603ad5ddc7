"""The state of a build: the settings, the builder's copies of plugins, and the choices so far."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from msgspec import Struct, field

from reference_runtime.values.descriptions import Description
from reference_runtime.values.enums import TensorFormat
from reference_runtime.values.precision import scale_of

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from reference_runtime.application.algorithms import Choice, Question
    from reference_runtime.builder.config import Settings
    from reference_runtime.calling.adapters.plugin_interface import PluginInterface
    from reference_runtime.calling.gate.scheduler import Scheduler
    from reference_runtime.calling.trampolines.capabilities import Capabilities
    from reference_runtime.devices.base import Device
    from reference_runtime.network.graph.graph import Graph
    from reference_runtime.network.graph.graph_parts import Layer, Tensor
    from reference_runtime.plan.timing_cache import Timings
    from reference_runtime.shapes.shape_rules import ExtentRule
    from reference_runtime.shapes.tensor_facts import ValueFacts
    from reference_runtime.values.descriptions import Range


class Copy(Struct, frozen=True):
    """The builder's own copy of a layer's plugin."""

    interface: PluginInterface
    capabilities: Capabilities

    @property
    def plugin(self) -> Any:
        """The plugin itself."""
        return self.capabilities.plugin


class Analysis(Struct, frozen=True):
    """The results of `analysis`: dimensions and values of each tensor, the shape rule of each layer, shared memory.

    ``aliases`` holds for each output of a layer the input whose memory it shares, or -1.
    """

    facts: Mapping[Tensor, ValueFacts]
    rules: Mapping[Layer, ExtentRule[Tensor]]
    aliases: Mapping[Layer, tuple[int, ...]]


class Point(Struct, frozen=True):
    """One profile: the range of each tensor, and its dimensions and values at the optimum of every input."""

    ranges: Mapping[Tensor, Range]
    best: Mapping[Tensor, ValueFacts]


class Work(Struct):
    """The state of the engine that is being built."""

    graph: Graph
    settings: Settings
    device: Device
    copies: Mapping[Layer, Copy]
    analysis: Analysis
    points: Sequence[Point]
    places: Mapping[Tensor, int]
    """The index of each tensor in the plan."""
    scheduler: Scheduler
    timings: Timings | None
    """The known timings, from the configuration's cache or from this build alone; None if none are kept."""
    stored: dict[Tensor, Description] = field(default_factory=dict)
    """The memory layout of each tensor that is settled."""
    selected: list[tuple[Question, Choice]] = field(default_factory=list)
    """The choice for each layer, to be reported to the application's algorithm selector."""

    def default(self, tensor: Tensor) -> Description:
        """Return a tensor's default layout."""
        scale = scale_of(tensor.dtype, tensor.dynamic_range)
        return Description(self.analysis.facts[tensor].dims, tensor.dtype, TensorFormat.LINEAR, scale)

    def indices(self, tensors: Sequence[Tensor]) -> tuple[int, ...]:
        """Return the tensors' indices in the plan."""
        return tuple(self.places[tensor] for tensor in tensors)

    def settle(self, tensors: Sequence[Tensor], chosen: Sequence[Description]) -> None:
        """Give tensors the layouts that a layer chose, except those that are settled."""
        for tensor, desc in zip(tensors, chosen, strict=True):
            self.stored.setdefault(tensor, desc)

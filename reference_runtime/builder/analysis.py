"""The queries of a build that depend on the network alone: types, dimensions, and shared memory."""

from __future__ import annotations

from math import prod
from typing import TYPE_CHECKING

from reference_runtime.builder.work import Analysis
from reference_runtime.network.graph.layer_inference import layer_rule
from reference_runtime.shapes import expression_nodes
from reference_runtime.shapes.shape_rules import ShapeRule
from reference_runtime.values.enums import DataType
from reference_runtime.values.precision import canonical
from reference_runtime.values.refusals import Reason, Refused

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from reference_runtime.builder.work import Copy, Point
    from reference_runtime.network.graph.graph import Graph
    from reference_runtime.network.graph.graph_parts import Layer, Tensor
    from reference_runtime.shapes.shape_rules import ExtentRule
    from reference_runtime.shapes.tensor_facts import ValueFacts

_SIZE_TYPES = (DataType.INT32, DataType.INT64)


def analyse(
    graph: Graph,
    layers: Sequence[Layer],
    copies: Mapping[Layer, Copy],
    inputs: Mapping[Tensor, ValueFacts],
    *,
    aliasing: bool,
) -> Analysis:
    """Query all plugins, once or several times; the last answers count. Raise `Refused` for an unusable answer.

    ``inputs`` has the dimensions of the network's inputs. Shared memory is refused if ``aliasing`` is not enabled.
    """
    for _ in range(graph.scheduler.count("analyses that are repeated", 0, 4)):
        _once(graph, layers, copies, inputs, aliasing=aliasing)
    return _once(graph, layers, copies, inputs, aliasing=aliasing)


def _once(
    graph: Graph,
    layers: Sequence[Layer],
    copies: Mapping[Layer, Copy],
    inputs: Mapping[Tensor, ValueFacts],
    *,
    aliasing: bool,
) -> Analysis:
    facts, rules, aliases = dict(inputs), {}, {}
    for layer in layers:
        known = [facts[tensor] for tensor in layer.operands]
        rules[layer] = _rule(graph, layer, copies.get(layer), known)
        aliases[layer] = _aliases(graph, layer, copies.get(layer), aliasing=aliasing)
        facts.update(zip(layer.outputs, rules[layer].infer(known), strict=True))
    return Analysis(facts, rules, aliases)


def _rule(graph: Graph, layer: Layer, copy: Copy | None, known: Sequence[ValueFacts]) -> ExtentRule[Tensor]:
    if copy is None:
        return layer_rule(graph.gate, layer, known)
    repeats, learns = copy.interface.repeats_types, copy.interface.learns_types
    ranks = [len(facts.dims) for facts in known[: len(layer.inputs)]]
    types_first = learns or (repeats and graph.scheduler.choose("types asked for before shapes", [True, False]))
    if types_first:
        _check_types(graph, layer, copy, ranks)
    if repeats and graph.scheduler.choose("network's plugin asked for shapes in a build", [False, True]):
        layer_rule(graph.gate, layer, known)
    rule = layer_rule(graph.gate, layer, known, copy=copy)
    if repeats and not types_first and graph.scheduler.choose("types asked for in a build", [True, False]):
        _check_types(graph, layer, copy, ranks)
    _check_sizes(layer, rule)
    return rule


def _check_types(graph: Graph, layer: Layer, copy: Copy, ranks: Sequence[int]) -> None:
    """Query the types of the outputs; in a weakly typed network all `REAL_TYPES` count as FLOAT.

    A decorated plugin gets this query before the query for its shapes, because it remembers the types.
    """
    real = [tensor.dtype for tensor in layer.inputs]
    types = real if graph.strongly_typed else [canonical(dtype) for dtype in real]
    if copy.interface.output_types(graph.gate, copy.capabilities, types, len(layer.outputs), ranks) is None:
        raise Refused(f"{layer.name}: the plugin's get_output_data_types failed", Reason.NETWORK)


def sizes_of(rule: ExtentRule[Tensor]) -> tuple[int, ...]:
    """Return the numbers of the outputs of a plugin that are size tensors."""
    if not isinstance(rule, ShapeRule):
        return ()
    sizes = [expression_nodes.outputs_sized_by(node) for shape in rule.shapes for node in shape]
    return tuple(sorted(set().union(*sizes)))


def _check_sizes(layer: Layer, rule: ExtentRule[Tensor]) -> None:
    for output in sizes_of(rule):
        if not 0 <= output < len(layer.outputs):
            why = f"output {output} was declared a size tensor, and there are {len(layer.outputs)} outputs"
            raise Refused(f"{layer.name}: {why}", Reason.NETWORK)
        rank = len(rule.shapes[output]) if isinstance(rule, ShapeRule) else 0
        dtype = layer.outputs[output].dtype
        if rank or dtype not in _SIZE_TYPES:
            why = f"size tensor {output} must be a scalar of INT32 or INT64, and has {rank} dimensions of {dtype}"
            raise Refused(f"{layer.name}: {why}", Reason.NETWORK)


def _aliases(graph: Graph, layer: Layer, copy: Copy | None, *, aliasing: bool) -> tuple[int, ...]:
    """Query which outputs share the memory of an input, if the plugin's interface has this query.

    NVIDIA's builder refuses shared memory without the preview feature (observed on TensorRT-RTX 1.7.1).
    """
    if copy is None:
        return (-1,) * len(layer.outputs)
    sources = copy.interface.aliases(graph.gate, copy.capabilities, len(layer.outputs))
    if not aliasing and any(source >= 0 for source in sources):
        why = "the plugin aliases inputs, and PreviewFeature.ALIASED_PLUGIN_IO_10_03 is not set in the configuration"
        raise Refused(f"{layer.name}: {why}", Reason.USAGE)
    shared = [source for source in sources if source >= 0]
    if len(set(shared)) < len(shared) or not all(-1 <= source < len(layer.inputs) for source in sources):
        why = f"get_aliased_input gave {list(sources)}; an input can be shared by one output, and there are"
        raise Refused(f"{layer.name}: {why} {len(layer.inputs)} inputs", Reason.NETWORK)
    return sources


def check_shared(layers: Sequence[Layer], analysis: Analysis, points: Sequence[Point]) -> None:
    """Refuse an output that shares an input's memory and can be larger.

    NVIDIA's builder does not check this, and the end of a larger output is beyond the memory of the input.
    """
    for layer in layers:
        for output, source in zip(layer.outputs, analysis.aliases[layer], strict=True):
            if source >= 0 and any(_is_larger(point, output, layer.inputs[source]) for point in points):
                why = f"output {output.name} shares the memory of input {source}, and can be larger"
                raise Refused(f"{layer.name}: {why}", Reason.NETWORK)


def _is_larger(point: Point, output: Tensor, source: Tensor) -> bool:
    pairs = zip(point.ranges[output], point.ranges[source], strict=True)
    return any(prod(mine) > prod(its) for mine, its in pairs)

"""Yield the nodes of a model in an order in which they can be computed, with local functions inlined.

Theory. The type of a node may be the name of a function in the model. Then copies of the function's nodes replace it.
Inner tensors have new names in the copies, and references to attributes have the values of the calling node. An
operator or plugin of that name has precedence over the function. The depth of nested functions is limited, as in
NVIDIA's parser.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from msgspec import Struct

from reference_runtime.onnx.importing.operators import IMPORTED, REFUSED
from reference_runtime.onnx.importing.status import ImportFailed, Status
from reference_runtime.values.enums import ErrorCode

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

_DEEPEST: Final = 24


class Step(Struct, frozen=True):
    """A node to import, with the index of its node in the model's graph, and the local functions around it."""

    node: Any
    index: int
    stack: tuple[str, ...] = ()

    @property
    def name(self) -> str:
        """The node's name."""
        return node_name(self.node)


def node_name(node: Any) -> str:
    """Return the name of a node; without one, a name made from that of its first output."""
    return f"node_of_{node.output[0]}" if not node.name and node.output else str(node.name)


def node_status(step: Step, code: Any, desc: str, func: str, file: str = "onnxOpImporters.cpp") -> Status:
    """Return an error of a node."""
    node = step.node
    return Status(code, desc, func, file, step.index, str(node.name), str(node.op_type), step.stack)


def steps(model: Any, is_plugin: Callable[[Any], bool]) -> Iterator[Step]:
    """Yield the nodes of a model's graph, or raise `ImportFailed`; ``is_plugin`` says which functions are plugins."""
    functions = {str(function.name): function for function in model.functions}

    def written_out(step: Step) -> Iterator[Step]:
        kind = str(step.node.op_type)
        if kind in IMPORTED or kind in REFUSED or kind not in functions or is_plugin(step.node):
            yield step
            return
        if len(step.stack) >= _DEEPEST:
            why = "ONNX graph contains nested structures that exceed the maximum allowed by TensorRT!"
            raise ImportFailed(Status(ErrorCode.UNSUPPORTED_GRAPH, why, "parseNode", node=step.index, stack=step.stack))
        stack = (*step.stack, f"{step.name} ({kind})")
        for node in _body(step, functions[kind]):
            yield from written_out(Step(node, step.index, stack))

    for index in _order(model.graph.node):
        yield from written_out(Step(model.graph.node[index], index))


def _body(step: Step, function: Any) -> Iterator[Any]:
    """Yield copies of a function's nodes, with the tensors and attributes of the node that calls it."""
    outer = dict(zip(function.input, step.node.input, strict=False))
    outer |= dict(zip(function.output, step.node.output, strict=False))
    attributes = {attribute.name: attribute for attribute in (*function.attribute_proto, *step.node.attribute)}
    for inner in _order(function.node):
        node = type(step.node)()
        node.CopyFrom(function.node[inner])
        node.input[:] = [_renamed(name, outer, step.name) for name in node.input]
        node.output[:] = [_renamed(name, outer, step.name) for name in node.output]
        _fill(node, attributes)
        yield node


def _renamed(name: str, outer: Mapping[str, str], within: str) -> str:
    return outer.get(name, f"{within}/{name}" if name else "")


def _fill(node: Any, attributes_of_call: Mapping[str, Any]) -> None:
    """Replace references to the caller's attributes; an attribute that the caller does not give is removed."""
    attributes = []
    for attribute in node.attribute:
        original = attributes_of_call.get(attribute.ref_attr_name) if attribute.ref_attr_name else attribute
        if original is not None:
            copy = type(attribute)()
            copy.CopyFrom(original)
            copy.name = attribute.name
            attributes.append(copy)
    del node.attribute[:]
    node.attribute.extend(attributes)


def _order(nodes: Sequence[Any]) -> list[int]:
    """Return the nodes' indices in their order, but each after the nodes whose outputs it reads."""
    producers = {name: index for index, node in enumerate(nodes) for name in node.output if name}
    done: dict[int, None] = {}
    for first in range(len(nodes)):
        pending, opened = [first], set[int]()
        while pending:
            index = pending[-1]
            before = [producers[name] for name in nodes[index].input if name in producers]
            missing = [other for other in before if other not in done]
            if index in done or not missing:
                done[pending.pop()] = None
            elif index in opened:
                why = "Failed to sort the model topologically."
                raise ImportFailed(Status(ErrorCode.INVALID_GRAPH, why, "parseGraph"))
            else:
                opened.add(index)
                pending += missing
    return list(done)

"""Write ONNX models whose only node is the plugin of a case: NVIDIA's builder gets plugins only from ONNX.

If a model like this cannot express a case, the case is not judged, and the reason is reported.
"""

from __future__ import annotations

import base64
import itertools
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, Final

from harness.checks.formats.choices import accepted_choices, reported_types
from harness.child.nvidias_builder.asked import WantedBuild
from harness.contract.finding import NotRun

if TYPE_CHECKING:
    from collections.abc import Sequence

    from harness.cases.input import Input
    from harness.subject.fields import FieldValue
    from harness.subject.subject import Subject

#: The number of choices of types that are built at level 5.
_CHOICES: Final = 8
#: ONNX's numbers of element types, by the names of TensorRT's types.
_ELEMENTS: Final = {
    "FLOAT": 1, "UINT8": 2, "INT8": 3, "INT32": 6, "INT64": 7, "BOOL": 9, "HALF": 10, "BF16": 16,
}  # fmt: skip
_UNDEFINED: Final = 0
#: The types of fields that an attribute with numbers can hold, each with ONNX's number of the attribute type.
_ATTRIBUTES: Final = {"FLOAT32": 6, "INT32": 7}
#: The types of fields that an attribute with a tensor can hold.
_AS_TENSORS: Final = {"INT8"}
#: A type that the builder refuses for inputs and outputs of a network.
_NOT_AT_THE_EDGE: Final = "UINT8"
_SHAPE_INPUTS: Final = "tensorrt_plugin_shape_input_indices"
_OPERATORS: Final = 17


def builds_of(subject: Subject) -> tuple[WantedBuild, ...]:
    """Return a build for each choice of the case's input types that the plugin accepts, up to a limit.

    Raises:
        NotRun: A model cannot express the case, or the builder refuses it for every plugin.
    """
    _insist_on_a_model(subject)
    listed = itertools.islice(_choices(subject), subject.sampled(_CHOICES))
    builds = tuple(_build(subject, number, names) for number, names in enumerate(listed))
    if not builds:
        raise NotRun("the plugin accepts no types of the case but UINT8, which the builder refuses at a network's edge")
    return builds


def _insist_on_a_model(subject: Subject) -> None:
    case = subject.case
    if case.unknown:
        raise NotRun(case.unknown)
    for place, entry in enumerate(case.inputs):
        rank = len(entry.dims or ())
        if entry.shape_input and rank != 1:
            raise NotRun(
                f"inputs[{place}] is a shape input of rank {rank}, and the builder takes those of rank 1 alone"
            )
    for value in subject.fields:
        if value.type.name not in {"CHAR", *_ATTRIBUTES, *_AS_TENSORS}:
            raise NotRun(f"field {value.name!r} is of type {value.type.name}, which an ONNX model does not carry")


def _choices(subject: Subject) -> Iterator[tuple[str, ...]]:
    for names in accepted_choices(subject):
        types = [subject.data_type(name) for name in names]
        if _NOT_AT_THE_EDGE not in {kind.name for kind in (*types, *reported_types(subject, types))}:
            yield names


def _build(subject: Subject, number: int, names: tuple[str, ...]) -> WantedBuild:
    case = subject.case
    inputs = [(f"x{place}", entry) for place, entry in enumerate(case.inputs)]
    return WantedBuild(
        number=number,
        types=names,
        text=base64.b64encode(_model(subject, inputs, names)).decode(),
        extents={
            name: [list(each) for each in entry.profile]
            for name, entry in inputs
            if not entry.shape_input and -1 in entry.network_dims
        },
        values={name: [list(each) for each in entry.profile] for name, entry in inputs if entry.shape_input},
    )


def _model(subject: Subject, inputs: Sequence[tuple[str, Input]], names: Sequence[str]) -> bytes:
    from onnx import helper  # noqa: PLC0415 - other runs need no models

    case = subject.case
    types = [subject.data_type(name) for name in names]
    elements = [*types, *(subject.data_type(entry.types[0]) for entry in case.shape_inputs)]
    tensors = [
        helper.make_tensor_value_info(name, _ELEMENTS[kind.name], _dims(name, entry))
        for (name, entry), kind in zip(inputs, elements, strict=True)
    ]
    outputs = [
        helper.make_tensor_value_info(f"y{place}", _ELEMENTS.get(kind.name, _UNDEFINED), None)
        for place, kind in enumerate(reported_types(subject, types))
    ]
    node = helper.make_node(
        case.plugin,
        [tensor.name for tensor in tensors],
        [tensor.name for tensor in outputs],
        name="node",
        plugin_version=case.version,
        plugin_namespace=case.namespace,
    )
    node.attribute.extend(_attribute(value) for value in subject.fields)
    if case.shape_inputs:
        places = [place for place, entry in enumerate(case.inputs) if entry.shape_input]
        node.attribute.append(helper.make_attribute(_SHAPE_INPUTS, places))
    graph = helper.make_graph([node], "graph", tensors, outputs)
    model: bytes = helper.make_model(graph, opset_imports=[helper.make_opsetid("", _OPERATORS)]).SerializeToString()
    return model


def _dims(name: str, entry: Input) -> list[int | str]:
    """Return the dimensions of an input, with names in place of dynamic dimensions."""
    if entry.shape_input:
        return list(entry.dims or ())
    names = entry.names
    return [
        (names[place] or f"{name}_{place}") if extent < 0 else extent for place, extent in enumerate(entry.network_dims)
    ]


def _attribute(value: FieldValue) -> Any:
    from onnx import helper, numpy_helper  # noqa: PLC0415 - as above

    kind = _ATTRIBUTES.get(value.type.name)
    if kind is not None:
        return helper.make_attribute(value.name, value.data.tolist(), attr_type=kind)
    if value.type.name == "CHAR":  # the parser adds a NUL to each text
        return helper.make_attribute(value.name, value.data.tobytes().removesuffix(b"\0"))
    return helper.make_attribute(value.name, numpy_helper.from_array(value.data))

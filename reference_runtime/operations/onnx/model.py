"""Handle models of one node: their bytes, their output shapes by ONNX's inference, and their results.

`onnx.reference` computes the results. Plans contain these models, so a model must not refer to other files, domains or
graphs.
"""

from __future__ import annotations

import functools
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import numpy as np

from reference_runtime.operations.onnx.library import OnnxMissing, library
from reference_runtime.operations.onnx.tables import NOT_HERE
from reference_runtime.operations.operation import quiet
from reference_runtime.shapes.tensor_facts import UNKNOWN
from reference_runtime.values.checked_json import PlanError
from reference_runtime.values.refusals import Reason, Refused

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from reference_runtime.operations.operation import Array
    from reference_runtime.values.descriptions import Extents

_IR_VERSION: Final = 8
_DOMAINS: Final = ("", "ai.onnx")


class Single(NamedTuple):
    """The content of a model of one node."""

    model: Any
    node: Any
    elements: tuple[int, ...]
    """The element types of its inputs, as the model declares them."""
    opset: int

    @property
    def op_type(self) -> str:
        """Return the name of the operator."""
        return str(self.node.op_type)


def model_of(node: Any, opset: int, elements: Sequence[int]) -> bytes:
    """Return the bytes of a model with one node of the default domain; ``elements`` are the types of its inputs."""
    helper = library("helper")
    alone = library().NodeProto()
    alone.CopyFrom(node)
    alone.ClearField("name")
    alone.ClearField("doc_string")
    alone.domain = ""
    names = [f"i{place}" for place in range(len(elements))]
    left = iter(names)
    alone.input[:] = [next(left) if name else "" for name in node.input]
    alone.output[:] = [f"o{place}" if name else "" for place, name in enumerate(node.output)]
    inputs = [helper.make_tensor_value_info(*pair, None) for pair in zip(names, elements, strict=True)]
    outputs = [library().ValueInfoProto(name=name) for name in alone.output if name]
    graph = helper.make_graph([alone], "node", inputs, outputs)
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", opset)], ir_version=_IR_VERSION)
    data: bytes = model.SerializeToString(deterministic=True)
    return data


@functools.lru_cache(maxsize=1024)
def single(data: bytes) -> Single:
    """Return the content of a model of one node."""
    model = library().ModelProto.FromString(data)
    elements = tuple(int(entry.type.tensor_type.elem_type) for entry in model.graph.input)
    return Single(model, model.graph.node[0], elements, int(model.opset_import[0].version))


def check(data: bytes) -> None:
    """Check that the data are a model of one ONNX operator, exactly as `model_of` writes it.

    Raises:
        PlanError: They are not, or the package `onnx` is not installed.
    """
    try:
        one = single(data)
        inside = one.node.domain in _DOMAINS and one.op_type not in NOT_HERE and not _leads_away(one.node)
        inside = inside and model_of(one.node, one.opset, one.elements) == data and not why_not(data)
    except OnnxMissing as error:
        raise PlanError(f"the plan has layers of ONNX. {error}") from error
    except Exception as error:
        raise PlanError(f"a node of ONNX cannot be read: {first_line(error)}") from error
    if not inside:
        raise PlanError("a layer holds no single node of ONNX that this runtime would have written")


def why_not(data: bytes) -> str:
    """Return why a node cannot be computed; empty if it can."""
    one = single(data)
    try:
        library("defs").get_schema(one.op_type, one.opset, "")
        _evaluator(data)
    except Exception as error:  # noqa: BLE001 - after any error of the library there is no layer
        return f"onnx.reference does not compute {one.op_type} of opset {one.opset}: {first_line(error)}"
    return ""


def computed(data: bytes, inputs: Sequence[Array]) -> list[Array]:
    """Return the outputs of a node.

    Raises:
        Refused: `onnx.reference` cannot compute the node for these inputs.
    """
    feed = {f"i{place}": array for place, array in enumerate(inputs)}
    try:
        with quiet():
            results = _evaluator(data).run(None, feed)
    except Exception as error:
        raise _refused(data, "be computed for", [array.shape for array in inputs], error) from error
    arrays = (np.asarray(value) for value in results)
    # Numbers of types that NumPy does not have are passed as float32.
    return [array if array.dtype.kind in "biuf" else array.astype(np.float32) for array in arrays]


@functools.lru_cache(maxsize=1024)
def output_elements(data: bytes, elements: tuple[int, ...]) -> tuple[int, ...]:
    """Return the element types of the outputs, for the element types of the inputs.

    Raises:
        Refused: The operator does not accept these types.
    """
    try:
        graph = _inferred(data, [(element, None) for element in elements], {})
    except Exception as error:
        names = ", ".join(library("helper").tensor_dtype_to_string(element) for element in elements)
        why = f"{single(data).op_type} cannot be applied to elements of {names}: {first_line(error)}"
        raise Refused(why, Reason.NETWORK) from error
    return tuple(int(entry.type.tensor_type.elem_type) for entry in graph.output)


def output_shapes(data: bytes, shapes: Sequence[Extents], known: Mapping[int, Array]) -> list[Extents | None]:
    """Return the dimensions of each output; None if not even its rank is known.

    ``known`` has the known values of inputs, by position.

    Raises:
        Refused: The operator does not accept these shapes or values.
    """
    pairs = list(zip(single(data).elements, shapes, strict=True))
    try:
        graph = _inferred(data, pairs, known)
    except Exception as error:
        raise _refused(data, "be applied to", shapes, error) from error
    return [_dims(entry.type.tensor_type) for entry in graph.output]


def first_line(error: Exception) -> str:
    """Return the first line of an error's message, at most 200 characters."""
    return (str(error).strip().splitlines() or [type(error).__name__])[0][:200]


@functools.lru_cache(maxsize=256)
def _evaluator(data: bytes) -> Any:
    return library("reference").ReferenceEvaluator(single(data).model)


def _leads_away(node: Any) -> bool:
    """Return whether a node contains graphs, or tensors in other files."""
    with_graph = any(attribute.HasField("g") or attribute.graphs for attribute in node.attribute)
    tensors = [attribute.t for attribute in node.attribute if attribute.HasField("t")]
    tensors += [tensor for attribute in node.attribute for tensor in attribute.tensors]
    return with_graph or any(tensor.external_data or tensor.data_location for tensor in tensors)


def _inferred(data: bytes, inputs: Sequence[tuple[int, Extents | None]], known: Mapping[int, Array]) -> Any:
    helper = library("helper")
    model = library().ModelProto()
    model.CopyFrom(single(data).model)
    del model.graph.input[:]
    for place, (element, dims) in enumerate(inputs):
        shape = None if dims is None else [None if extent == UNKNOWN else extent for extent in dims]
        model.graph.input.append(helper.make_tensor_value_info(f"i{place}", element, shape))
        if place in known:
            model.graph.initializer.append(library("numpy_helper").from_array(known[place], f"i{place}"))
    return library("shape_inference").infer_shapes(model, check_type=True, strict_mode=True).graph


def _dims(tensor: Any) -> Extents | None:
    if not tensor.HasField("shape"):
        return None
    return tuple(int(dim.dim_value) if dim.HasField("dim_value") else UNKNOWN for dim in tensor.shape.dim)


def _refused(data: bytes, what: str, shapes: Sequence[Extents], error: Exception) -> Refused:
    shown = ", ".join(str(list(dims)) for dims in shapes)
    return Refused(f"{single(data).op_type} cannot {what} {shown}: {first_line(error)}", Reason.NETWORK)

"""Make a case for each distinct use of a plugin in a model, named after its first node."""

from __future__ import annotations

import dataclasses
import re
import sys
from collections.abc import Iterator, Sequence
from types import ModuleType
from typing import TYPE_CHECKING

import msgspec
import numpy as np

from harness.cases.case import Case, CaseError, Input
from harness.child.discovery.plugins import creator_key
from harness.child.onnx_models.uses import ModelError, uses_of
from harness.config import onnx_dims
from harness.subject.serialized_cases import Given, Reached, to_plain
from harness.subject.subject import case_type

if TYPE_CHECKING:
    from harness.child.discovery.plugins import Discovery
    from harness.child.onnx_models.uses import TensorUse, Use
    from harness.protocol.messages import ChildSettings
    from reference_runtime.calling.gate.gate import Gate

_STRANGE = re.compile(r"[^A-Za-z0-9_.-]+")
#: The scale of an INT8 tensor: what the runtime takes for one that has none.
_SCALE = 1.0


class ModelCase(msgspec.Struct, frozen=True):
    """A case, and the key of the plugin that it is about."""

    key: str
    case: Case


def model_cases(settings: ChildSettings, discovery: Discovery, gate: Gate) -> dict[str, list[Case]]:
    """Return the cases that the models of a run are for the plugins of a module.

    Raises:
        ModelError: A model cannot be used, or uses a plugin that is not the module's.
        PluginRefusedError: A plugin does not take what a model gives it.
        CaseError: A use cannot be put as a case.
    """
    known = [plugin.key for plugin in discovery.plugins]
    listed = ", ".join(known) or "no plugin"
    ranges = onnx_dims.parse(settings.onnx_dims)
    uses = [use for path in settings.onnx for use in uses_of(path, ranges, gate, listed)]
    try:
        onnx_dims.check(ranges, list(dict.fromkeys(name for use in uses for name in use.points[0].extents)))
    except onnx_dims.DimsError as error:
        raise ModelError(str(error)) from error
    found: dict[str, list[Case]] = {}
    for each in cases_of(sys.modules["tensorrt"], uses):
        if each.key not in known:
            name = discovery.module.__name__
            raise ModelError(
                f"--plugin-onnx: the model uses {each.key}, which is registered and is no plugin of {name} "
                f"(found: {listed}). Name its module with --plugin-module"
            )
        found.setdefault(each.key, []).append(each.case)
    return found


def cases_of(trt: ModuleType, uses: Sequence[Use]) -> list[ModelCase]:
    """Return the cases of a model or several; uses that differ in their nodes' names alone are one case.

    Raises:
        CaseError: A use cannot be put as a case.
    """
    found: dict[tuple[str, str], ModelCase] = {}
    taken: set[tuple[str, str]] = set()
    for use in uses:
        case = _case(trt, use)
        key = creator_key(use.creator)
        alike = (key, repr(to_plain(dataclasses.replace(case, name="any"))))
        if alike not in found:
            name = next(each for each in _names(use.node) if (key, each) not in taken)
            taken.add((key, name))
            found[alike] = ModelCase(key, dataclasses.replace(case, name=name))
    return list(found.values())


def _names(node: str) -> Iterator[str]:
    """Yield the name of a node as a case can have it, and others in case it is taken."""
    name = _STRANGE.sub(".", node).strip(".") or "node"
    yield name
    number = 2
    while True:
        yield f"{name}-{number}"
        number += 1


def _case(trt: ModuleType, use: Use) -> Case:
    reached = [tuple(tensor.shapes[place] for tensor in use.inputs) for place in range(len(use.points))]
    for place, tensor in enumerate(use.inputs):
        if any(min(shape, default=0) < 0 for shape in tensor.shapes) and not tensor.is_shape_input:
            raise CaseError(
                f"node {use.node!r}: the dimensions of input {place} follow from data, and no case can say them"
            )
    dims = [_dims(tensor, use, place) for place, tensor in enumerate(use.inputs)]
    is_tied = all(tied for _, tied in dims)
    inputs = [_input(tensor, names) for tensor, (names, _) in zip(use.inputs, dims, strict=True)]
    return Case(
        plugin=use.creator.name,
        version=use.creator.plugin_version,
        namespace=use.creator.plugin_namespace or "",
        name="model",
        fields={field.name: (field.data, trt.PluginFieldType.__members__[field.kind]) for field in use.fields},
        inputs=tuple(inputs),
        valid=None if is_tied else Reached(tuple(dict.fromkeys(reached))),
    )


def _dims(tensor: TensorUse, use: Use, place: int) -> tuple[tuple[int | str, ...], bool]:
    """Return a tensor's dimensions with the model's names, and whether they say all that ties them to each other.

    A dimension that is computed from the model's dimensions, and is not equal to one, has a separate name.
    """
    found = [_name(column, use) for column in zip(*tensor.shapes, strict=True)]
    if tensor.is_shape_input:
        return tensor.dims, all(isinstance(name, int) for name in found)
    named = tuple(f"input{place}.{axis}" if name is None else name for axis, name in enumerate(found))
    return named, None not in found


def _name(column: Sequence[int], use: Use) -> int | str | None:
    """Return the only dimension, or the name of the dimension that was equal to it in every trial."""
    if len(set(column)) == 1:
        return column[0]
    for name in use.points[0].extents:
        if [point.extents[name] for point in use.points] == list(column):
            return name
    return None


def _input(tensor: TensorUse, dims: tuple[int | str, ...]) -> Input:
    kind = case_type(tensor.type)
    if kind is None:
        raise CaseError(f"an input of type {tensor.type} is none that a case can have")
    low, high = (tuple(pick(column) for column in zip(*tensor.shapes, strict=True)) for pick in (min, max))
    best = tensor.shapes[1]
    if tensor.is_shape_input:
        return Input(dims=dims, min=low, opt=best, max=high, types=(kind,), shape_input=True)
    values = None if tensor.constant is None else Given(np.asarray(tensor.constant))
    scale = _SCALE if kind == "int8" else None
    return Input(dims=dims, min=low, opt=best, max=high, types=(kind,), values=values, scale=scale)

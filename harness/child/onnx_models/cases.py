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
#: The scale of an INT8 input: the runtime's default for tensors without a scale.
_SCALE = 1.0


class ModelCase(msgspec.Struct, frozen=True):
    """A case, and the key of the plugin that it is about."""

    key: str
    case: Case


def model_cases(settings: ChildSettings, discovery: Discovery, gate: Gate) -> dict[str, list[Case]]:
    """Return the cases that the run's models contain for a module's plugins, by plugin key.

    Raises:
        ModelError: A model cannot be used, or uses a plugin that is not the module's.
        PluginRefusedError: A plugin does not take a node's attributes or inputs.
        CaseError: No case can express the use of a plugin.
    """
    keys = [plugin.key for plugin in discovery.plugins]
    listed = ", ".join(keys) or "no plugin"
    ranges = onnx_dims.parse(settings.onnx_dims)
    uses = [use for path in settings.onnx for use in uses_of(path, ranges, gate, listed)]
    try:
        onnx_dims.check(ranges, list(dict.fromkeys(name for use in uses for name in use.points[0].extents)))
    except onnx_dims.DimsError as error:
        raise ModelError(str(error)) from error
    cases: dict[str, list[Case]] = {}
    for each in cases_of(sys.modules["tensorrt"], uses):
        if each.key not in keys:
            name = discovery.module.__name__
            raise ModelError(
                f"--plugin-onnx: the model uses {each.key}, which is registered and is no plugin of {name} "
                f"(found: {listed}). Name its module with --plugin-module"
            )
        cases.setdefault(each.key, []).append(each.case)
    return cases


def cases_of(trt: ModuleType, uses: Sequence[Use]) -> list[ModelCase]:
    """Return the cases for uses of plugins; uses that differ only in their nodes' names are one case.

    Raises:
        CaseError: No case can express a use.
    """
    cases: dict[tuple[str, str], ModelCase] = {}
    taken: set[tuple[str, str]] = set()
    for use in uses:
        case = _case(trt, use)
        key = creator_key(use.creator)
        alike = (key, repr(to_plain(dataclasses.replace(case, name="any"))))
        if alike not in cases:
            name = next(each for each in _names(use.node) if (key, each) not in taken)
            taken.add((key, name))
            cases[alike] = ModelCase(key, dataclasses.replace(case, name=name))
    return list(cases.values())


def _names(node: str) -> Iterator[str]:
    """Yield a node's name in the form that a case can have, and then the same name with numbers."""
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
    """Return a tensor's dimensions with the model's names, and whether these names express all relations between them.

    A dimension that the model computes from its dynamic dimensions, and that equals none of them, gets a new name.
    """
    names = [_name(column, use) for column in zip(*tensor.shapes, strict=True)]
    if tensor.is_shape_input:
        return tensor.dims, all(isinstance(name, int) for name in names)
    named = tuple(f"input{place}.{axis}" if name is None else name for axis, name in enumerate(names))
    return named, None not in names


def _name(column: Sequence[int], use: Use) -> int | str | None:
    """Return a dimension's only value, or the name of a model's dimension with the same values; else None.

    ``column`` has the values of the dimension at the points of ``use``.
    """
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

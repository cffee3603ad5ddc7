"""Write cases that no file holds as plain data, and read them: inferred cases, and cases from an ONNX model.

Each request carries its case to the process that judges. So a function in one of these cases is a class of this module.
"""

from __future__ import annotations

import base64
import dataclasses
from typing import TYPE_CHECKING, Any

import msgspec
import numpy as np

from harness.cases.case import Case
from harness.cases.input import Input
from harness.cases.unknown import Unknown
from reference_runtime.values.enums import PluginFieldType

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from harness.cases.input import Shape

_KEYS = ("dims", "min", "opt", "max", "types", "values", "scale")


class Reached(msgspec.Struct, frozen=True):
    """A case's ``valid``: only these shapes are valid, since a model or a program was seen to use them."""

    shapes: tuple[tuple[Shape, ...], ...]

    def __call__(self, *shapes: Shape, fields: Any) -> bool:  # noqa: ARG002 - the signature of ``valid``
        """Return whether the shapes are valid."""
        return tuple(tuple(shape) for shape in shapes) in self.shapes


class Given(msgspec.Struct, frozen=True, eq=False):
    """An input's ``values``: the data of a constant in a model."""

    data: np.ndarray[Any, Any]

    def __call__(self, rng: Any, shape: Shape, dtype: Any) -> Any:  # noqa: ARG002 - the signature of ``values``
        """Return the data in a shape and a type; repeated or cut, if the shape has another size."""
        return np.resize(self.data, shape).astype(dtype)


def to_plain(case: Case) -> dict[str, Any]:
    """Return a case that no file holds, as JSON can hold it."""
    return {
        "plugin": case.plugin,
        "version": case.version,
        "namespace": case.namespace,
        "name": case.name,
        "inferred": case.inferred,
        "fields": _known(case.fields, lambda fields: {name: _plain_field(value) for name, value in fields.items()}),
        "inputs": _known(case.inputs, lambda inputs: [_plain_input(entry) for entry in inputs]),
        "reached": case.valid.shapes if isinstance(case.valid, Reached) else None,
    }


def case_from_plain(data: dict[str, Any]) -> Case:
    """Return the case that :func:`to_plain` described."""
    reached = data["reached"]
    return Case(
        plugin=data["plugin"],
        version=data["version"],
        namespace=data["namespace"],
        name=data["name"],
        inferred=data["inferred"],
        fields=_from_known(data["fields"], lambda fields: {name: _field(value) for name, value in fields.items()}),
        inputs=_from_known(data["inputs"], lambda inputs: tuple(_input(entry) for entry in inputs)),
        valid=None if reached is None else Reached(_tuples(reached)),
    )


def _known(part: Any, plain: Callable[[Any], Any]) -> Any:
    return part.reason if isinstance(part, Unknown) else plain(part)


def _from_known(part: Any, made: Callable[[Any], Any]) -> Any:
    return Unknown(part) if isinstance(part, str) else made(part)


def with_oracle(case: Case, others: Sequence[Case]) -> Case:
    """Return a case with the reference, tolerance and stand-ins of one of the user's cases of the same plugin.

    The first case with a reference counts, unless it has a field that this case lacks. The reference could read that
    field. If no case counts, return the case as it is.
    """
    for other in others:
        if other.reference is not None and set(other.fields) <= set(case.fields):
            reference = _Oracle(other.reference, dict(other.fields))
            return dataclasses.replace(case, reference=reference, tolerance=other.tolerance, stand_ins=other.stand_ins)
    return case


class _Oracle(msgspec.Struct, frozen=True, eq=False):
    """A user's reference, which gets each field in the form that the user's own case has: text, number or array."""

    reference: Callable[..., Any]
    like: dict[str, Any]

    def __call__(self, *arrays: Any, fields: dict[str, Any]) -> Any:
        """Return the right outputs."""
        return self.reference(
            *arrays, fields={name: _in_form(value, self.like.get(name)) for name, value in fields.items()}
        )


def _in_form(value: Any, like: Any) -> Any:
    """Return a field's data as text, bytes, a number or an array."""
    data, kind = value if isinstance(value, tuple) else (np.asarray(value), None)
    if isinstance(like, bytes):
        return data.tobytes().rstrip(b"\0")
    if isinstance(like, str) or (like is None and kind is not None and kind.name == "CHAR"):
        return data.tobytes().rstrip(b"\0").decode(errors="replace")
    form = like[0] if isinstance(like, tuple) else like
    return data.reshape(-1)[0] if form is not None and np.ndim(form) == 0 and data.size == 1 else data


def plain_input(entry: Input) -> dict[str, Any]:
    """Return the keys and values that a file of cases would have for an input."""
    pairs = {key: getattr(entry, key) for key in _KEYS}
    plain = {key: value for key, value in pairs.items() if value is not None and not callable(value)}
    return {**plain, "shape_input": True} if entry.shape_input else plain


def _plain_input(entry: Input) -> dict[str, Any]:
    values = _plain_array(entry.values.data) if isinstance(entry.values, Given) else None
    return {**plain_input(entry), "shape_input": entry.shape_input, "given": values}


def _input(data: dict[str, Any]) -> Input:
    constant = data["given"]
    rest = {key: value for key, value in data.items() if key != "given"}
    return Input(**rest if constant is None else {**rest, "values": Given(_array(constant))})


def _plain_field(value: Any) -> dict[str, Any]:
    if isinstance(value, str):
        value = (np.frombuffer(value.encode(), np.int8), PluginFieldType.CHAR)
    data, kind = value if isinstance(value, tuple) else (value, None)
    return {**_plain_array(np.asarray(data)), "type": None if kind is None else kind.name}


def _field(data: dict[str, Any]) -> Any:
    array, kind = _array(data), data["type"]
    return array if kind is None else (array, PluginFieldType.__members__[kind])


def _plain_array(array: np.ndarray[Any, Any]) -> dict[str, Any]:
    data = base64.b64encode(array.tobytes()).decode()
    return {"dtype": str(array.dtype), "dims": list(array.shape), "data": data}


def _array(data: dict[str, Any]) -> np.ndarray[Any, Any]:
    flat = np.frombuffer(base64.b64decode(data["data"]), np.dtype(data["dtype"]))
    array: np.ndarray[Any, Any] = flat.reshape(data["dims"]).copy()
    return array


def _tuples(value: Any) -> Any:
    return tuple(_tuples(each) for each in value) if isinstance(value, (list, tuple)) else value

"""The serialized engine: what it records, as values, and its bytes.

Theory. A plan is deterministic: the same network and the same choices give the same bytes. Integers are little-endian.

    magic       8 bytes    89 54 52 54 52 45 46 0A
    version     u32        of this format; a reader refuses all others
    metadata    u32        length
    payloads    u32        number n
                n x u64    lengths
    metadata    JSON, ASCII, keys sorted, no spaces
    payloads    what each plugin's ``serialize`` wrote, in the order of the layers
    checksum    32 bytes   SHA-256 of everything before

Nothing is ever evaluated or unpickled. Every length is checked against a limit and against the bytes that are there,
the checksum catches damage, and the metadata are checked against the records below, key by key. Whatever is wrong
with a plan, the one error is `PlanError`.
"""

from __future__ import annotations

import hashlib
import json
import struct
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from reference_runtime import checked_json as checked
from reference_runtime import formats, nodes
from reference_runtime.checked_json import PlanError, require
from reference_runtime.descriptions import Description
from reference_runtime.enums import DataType, TensorFormat, TensorIOMode
from reference_runtime.errors import ExpressionError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from reference_runtime.descriptions import Range

__all__ = ["MAX_PAYLOAD", "LayerPlan", "Plan", "PlanError", "ProfilePlan", "TensorPlan", "read", "write"]

VERSION: Final = 1
MAX_METADATA: Final = 1 << 26
MAX_PAYLOADS: Final = 1 << 16
MAX_PAYLOAD: Final = 1 << 32

_MAGIC: Final = b"\x89TRTREF\n"
_HEADER: Final = struct.Struct("<8sIII")
_LENGTH: Final = struct.Struct("<Q")
_CHECKSUM: Final = hashlib.sha256().digest_size


@dataclass(frozen=True)
class TensorPlan:
    """A tensor of the network, as the application or another layer sees it; `NONE` is one between layers."""

    name: str
    mode: TensorIOMode
    desc: Description


@dataclass(frozen=True)
class LayerPlan:
    """One plugin layer.

    ``inputs`` and ``outputs`` are indices of tensors. ``chosen`` describes them, inputs first, as the plugin gets
    them: where that differs from the tensor, the engine reformats. ``shapes`` holds for each output the expressions
    of its extents in the extents of the inputs, in their plain form.
    """

    name: str
    plugin_type: str
    plugin_version: str
    plugin_namespace: str
    inputs: tuple[int, ...]
    outputs: tuple[int, ...]
    chosen: tuple[Description, ...]
    shapes: tuple[tuple[Any, ...], ...]
    workspace: int
    payload: bytes

    @property
    def tensors(self) -> tuple[int, ...]:
        """The indices of all its tensors, inputs first."""
        return (*self.inputs, *self.outputs)


@dataclass(frozen=True)
class ProfilePlan:
    """One optimization profile: least, best and greatest extents of each input."""

    ranges: tuple[Range, ...]


@dataclass(frozen=True)
class Plan:
    """Everything an engine needs. Tensors come in the order inputs, outputs, those between layers."""

    name: str
    tensors: tuple[TensorPlan, ...]
    layers: tuple[LayerPlan, ...]
    profiles: tuple[ProfilePlan, ...]

    @property
    def inputs(self) -> tuple[TensorPlan, ...]:
        """The tensors that the application fills."""
        return tuple(tensor for tensor in self.tensors if tensor.mode == TensorIOMode.INPUT)

    @property
    def io(self) -> tuple[TensorPlan, ...]:
        """The tensors that the application sees, in the order of ``get_tensor_name``."""
        return tuple(tensor for tensor in self.tensors if tensor.mode != TensorIOMode.NONE)


def write(plan: Plan) -> bytes:
    """Return the bytes of a plan."""
    metadata = json.dumps(_encode(plan), sort_keys=True, separators=(",", ":"), allow_nan=False).encode("ascii")
    payloads = [layer.payload for layer in plan.layers]
    parts = [
        _HEADER.pack(_MAGIC, VERSION, len(metadata), len(payloads)),
        *(_LENGTH.pack(len(payload)) for payload in payloads),
        metadata,
        *payloads,
    ]
    body = b"".join(parts)
    return body + hashlib.sha256(body).digest()


def read(data: bytes) -> Plan:
    """Return the plan that ``data`` holds, or raise `PlanError`."""
    metadata, payloads = _unpack(data)
    try:
        plan = _decode(json.loads(metadata), payloads)
    except (RecursionError, UnicodeDecodeError, json.JSONDecodeError, ExpressionError) as error:
        raise PlanError(f"the metadata cannot be read: {error}") from error
    _check(plan)
    return plan


def _unpack(data: bytes) -> tuple[bytes, list[bytes]]:
    require(len(data) >= _HEADER.size + _CHECKSUM, f"{len(data)} bytes are too few for a plan")
    magic, version, metadata_length, count = _HEADER.unpack_from(data)
    require(magic == _MAGIC, "the bytes do not begin as a plan of the reference runtime does")
    require(version == VERSION, f"the plan has version {version}; this runtime reads version {VERSION}")
    require(metadata_length <= MAX_METADATA, f"{metadata_length} bytes of metadata are too many")
    require(count <= MAX_PAYLOADS, f"{count} payloads are too many")
    start = _HEADER.size + count * _LENGTH.size
    require(len(data) >= start + metadata_length + _CHECKSUM, "the plan is truncated")
    lengths = [_LENGTH.unpack_from(data, _HEADER.size + place * _LENGTH.size)[0] for place in range(count)]
    require(all(length <= MAX_PAYLOAD for length in lengths), "a payload is too long")
    expected = start + metadata_length + sum(lengths) + _CHECKSUM
    require(len(data) == expected, f"the plan says that it has {expected} bytes, and has {len(data)}")
    body, checksum = data[:-_CHECKSUM], data[-_CHECKSUM:]
    require(hashlib.sha256(body).digest() == checksum, "the plan is damaged: its checksum does not fit")
    return body[start : start + metadata_length], _cut(body[start + metadata_length :], lengths)


def _cut(data: bytes, lengths: Sequence[int]) -> list[bytes]:
    pieces, start = [], 0
    for length in lengths:
        pieces.append(data[start : start + length])
        start += length
    return pieces


def _encode(plan: Plan) -> dict[str, Any]:
    return {
        "name": plan.name,
        "tensors": [
            {"name": tensor.name, "mode": int(tensor.mode), "desc": _encode_description(tensor.desc)}
            for tensor in plan.tensors
        ],
        "layers": [_encode_layer(layer) for layer in plan.layers],
        "profiles": [profile.ranges for profile in plan.profiles],
    }


def _encode_layer(layer: LayerPlan) -> dict[str, Any]:
    return {
        "name": layer.name,
        "type": layer.plugin_type,
        "version": layer.plugin_version,
        "namespace": layer.plugin_namespace,
        "inputs": layer.inputs,
        "outputs": layer.outputs,
        "chosen": [_encode_description(desc) for desc in layer.chosen],
        "shapes": layer.shapes,
        "workspace": layer.workspace,
    }


def _encode_description(desc: Description) -> dict[str, Any]:
    return {"dims": desc.dims, "type": int(desc.type), "format": int(desc.format), "scale": desc.scale}


def _decode(data: object, payloads: Sequence[bytes]) -> Plan:
    fields = checked.record(data, "name", "tensors", "layers", "profiles")
    layers = checked.items(fields["layers"], lambda layer: layer, exactly=len(payloads))
    return Plan(
        name=checked.text(fields["name"]),
        tensors=checked.items(fields["tensors"], _decode_tensor),
        layers=tuple(_decode_layer(layer, payload) for layer, payload in zip(layers, payloads, strict=True)),
        profiles=checked.items(fields["profiles"], lambda ranges: ProfilePlan(checked.items(ranges, _decode_range))),
    )


def _decode_tensor(data: object) -> TensorPlan:
    fields = checked.record(data, "name", "mode", "desc")
    mode = checked.member(TensorIOMode, fields["mode"])
    return TensorPlan(checked.text(fields["name"]), mode, _decode_description(fields["desc"]))


def _decode_layer(data: object, payload: bytes) -> LayerPlan:
    keys = ("name", "type", "version", "namespace", "inputs", "outputs", "chosen", "shapes", "workspace")
    fields = checked.record(data, *keys)
    return LayerPlan(
        name=checked.text(fields["name"]),
        plugin_type=checked.text(fields["type"]),
        plugin_version=checked.text(fields["version"]),
        plugin_namespace=checked.text(fields["namespace"]),
        inputs=checked.items(fields["inputs"], _index),
        outputs=checked.items(fields["outputs"], _index),
        chosen=checked.items(fields["chosen"], _decode_description),
        shapes=checked.items(fields["shapes"], lambda shape: checked.items(shape, _expression, checked.MAX_RANK)),
        workspace=checked.integer(fields["workspace"], 0, checked.MAX_EXTENT),
        payload=payload,
    )


def _decode_description(data: object) -> Description:
    fields = checked.record(data, "dims", "type", "format", "scale")
    dims, scale = checked.extents(fields["dims"]), fields["scale"]
    require(isinstance(scale, float), f"{scale!r} is no scale")
    dtype, layout = checked.member(DataType, fields["type"]), checked.member(TensorFormat, fields["format"])
    require(bool(formats.candidates(dims, [dtype], [layout])), f"there is no {layout} of {dtype} for {list(dims)}")
    return Description(dims, dtype, layout, scale)


def _decode_range(data: object) -> Range:
    least, best, greatest = checked.items(data, checked.extents, exactly=3)
    return least, best, greatest


def _index(data: object) -> int:
    return checked.integer(data, 0, checked.MAX_ITEMS)


def _expression(data: object) -> Any:
    nodes.from_plain(data)  # raises where the form is not valid
    return data


def _check(plan: Plan) -> None:
    """Refuse a plan whose parts do not fit together."""
    modes = [tensor.mode for tensor in plan.tensors]
    order = [TensorIOMode.INPUT, TensorIOMode.OUTPUT, TensorIOMode.NONE]
    require(modes == sorted(modes, key=order.index), "the tensors are not in order")
    require(bool(plan.profiles), "there is no profile")
    for profile in plan.profiles:
        require(len(profile.ranges) == len(plan.inputs), "a profile has not one range for each input")
        for tensor, extents in zip(plan.inputs, profile.ranges, strict=True):
            fits = all(len(shape) == len(tensor.desc.dims) and min(shape, default=0) >= 0 for shape in extents)
            require(fits, f"a profile does not fit {tensor.name!r}")
    ready = set(range(len(plan.inputs)))
    for layer in plan.layers:
        _check_layer(layer, plan.tensors, ready)
        ready.update(layer.outputs)
    require(ready == set(range(len(plan.tensors))), "a tensor has no source")


def _check_layer(layer: LayerPlan, tensors: Sequence[TensorPlan], ready: set[int]) -> None:
    new = set(layer.outputs)
    require(ready.issuperset(layer.inputs), f"{layer.name!r} reads what is not there yet")
    require(len(new) == len(layer.outputs) and not new & ready, f"{layer.name!r} writes what is there already")
    require(max(new, default=0) < len(tensors), f"{layer.name!r} writes a tensor that does not exist")
    ranks = [len(tensors[place].desc.dims) for place in layer.tensors]
    require([len(desc.dims) for desc in layer.chosen] == ranks, f"{layer.name!r} does not fit its tensors")
    require([len(shape) for shape in layer.shapes] == ranks[len(layer.inputs) :], f"{layer.name!r} has wrong shapes")

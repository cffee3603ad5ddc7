"""IInt8Calibrator and its subclasses: they provide the scales of INT8 tensors without explicit quantization.

Theory. Before timing, TensorRT asks for the cache of an earlier calibration (``read_calibration_cache``). If no cache
exists, it asks for batches until none is left, and runs the network on them. It computes a scale for each tensor, and
passes the result to ``write_calibration_cache``. Deprecated since TensorRT 10.1, in favour of explicit quantization.

A cache is text: a line ``TRT-<version>-<kind>``, then ``<tensor>: <scale>`` for each tensor. The scale is the float32
in eight hexadecimal digits.
"""

from __future__ import annotations

import math
import struct
from string import hexdigits
from typing import TYPE_CHECKING, Any, Final

from reference_runtime.application.callback import Hook
from reference_runtime.bound.bound_class import pybind11_object
from reference_runtime.bound.conversions import Mismatch, instance, int32, sequence, size_t, string
from reference_runtime.bound.overloads import Overload, bound, constructor, shown_signature
from reference_runtime.values.enums_building import CalibrationAlgoType

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from reference_runtime.calling.gate.gate import Gate

_INTERFACE: Final = "IInt8Calibrator"
_KINDS: Final = {
    CalibrationAlgoType.LEGACY_CALIBRATION: "LegacyCalibration",
    CalibrationAlgoType.ENTROPY_CALIBRATION: "EntropyCalibration",
    CalibrationAlgoType.ENTROPY_CALIBRATION_2: "EntropyCalibration2",
    CalibrationAlgoType.MINMAX_CALIBRATION: "MinMaxCalibration",
}
_VERSION: Final = "TRT-101601"
_DIGITS: Final = 8


def _cache(value: Any) -> bytes | None:
    if value is None:
        return None
    try:
        return memoryview(value).tobytes()
    except TypeError:
        name = type(value).__name__
        why = f"Exception caught in read_calibration_cache(): Object of type '{name}' is not an instance of 'buffer'"
        raise Mismatch(why) from None


_SIZE = Hook(_INTERFACE, "get_batch_size", "TensorRT reads -1", int32, missing=-1, failed=-1)
_BATCH = Hook(
    _INTERFACE,
    "get_batch",
    "TensorRT assumes that no batch is left",
    lambda value: None if value is None else sequence(size_t)(value) or None,  # an empty list ends the batches, too
    pure=False,
)
_READ = Hook(_INTERFACE, "read_calibration_cache", "TensorRT calibrates again", _cache, pure=False)
_WRITE = Hook(_INTERFACE, "write_calibration_cache", "the calibration is not kept", pure=False)
_ALGORITHM = Hook(
    _INTERFACE,
    "get_algorithm",
    "TensorRT uses the legacy calibration",
    instance(CalibrationAlgoType),
    missing=CalibrationAlgoType.LEGACY_CALIBRATION,
    failed=CalibrationAlgoType.LEGACY_CALIBRATION,
    by_value=True,
)
_NO_BUFFER = "Unable to convert function return value to a Python type! The signature was\n\t"


def _some_buffer(value: Any) -> Any:
    try:
        return memoryview(value)
    except TypeError as error:
        raise Mismatch from error


def _constructor(owner: str) -> Any:
    @constructor(Overload(f"(self: {owner}) -> None"))
    def initialise(_self: Any) -> None:
        """Create the C++ object, which has no attributes."""

    return initialise


def _methods(owner: str) -> tuple[Any, Any, Any]:
    """Make the methods that applications override; messages of the methods name the class."""

    @bound(Overload(f"(self: {owner}, names: collections.abc.Sequence[str]) -> list[int]", sequence(string)))
    def get_batch(_self: Any, _names: list[str]) -> list[int]:
        """Return no batch, as the genuine method does."""
        return []

    reading = f"(self: {owner}) -> typing_extensions.Buffer"

    @bound(Overload(reading))
    def read_calibration_cache(_self: Any) -> bytes:
        """Raise a TypeError, as the genuine method does, because it has no buffer to return."""
        raise TypeError(_NO_BUFFER + shown_signature(reading, "read_calibration_cache"))

    @bound(Overload(f"(self: {owner}, cache: typing_extensions.Buffer) -> None", _some_buffer))
    def write_calibration_cache(_self: Any, _cache: Any) -> None:
        """Do nothing, as the genuine method does."""

    return get_batch, read_calibration_cache, write_calibration_cache


def _fixed(owner: str, chosen: CalibrationAlgoType) -> Any:
    """Make the ``get_algorithm`` of a subclass; like the genuine bindings, `algorithm` ignores an override of it."""

    @bound(Overload(f"(self: {owner}) -> CalibrationAlgoType"))
    def get_algorithm(_self: Any) -> CalibrationAlgoType:
        """Return the algorithm of the class."""
        return chosen

    return get_algorithm


class IInt8Calibrator(pybind11_object, bound=True):
    """The base class of an application's calibrator; each subclass below has an algorithm to compute scales."""

    __init__ = _constructor("IInt8Calibrator")
    get_batch, read_calibration_cache, write_calibration_cache = _methods("IInt8Calibrator")

    @bound(Overload("(self: IInt8Calibrator) -> int"))
    def get_batch_size(self) -> int:
        """Call the override as C++ does; -1 without one."""
        return int(_SIZE.directly(self))

    @bound(Overload("(self: IInt8Calibrator) -> CalibrationAlgoType"))
    def get_algorithm(self) -> CalibrationAlgoType:
        """Call the override as C++ does."""
        kind: CalibrationAlgoType = _ALGORITHM.directly(self)
        return kind


class IInt8LegacyCalibrator(IInt8Calibrator, bound=True):
    """Calibration by quantile and regression cutoff."""

    __init__ = _constructor("IInt8LegacyCalibrator")
    get_algorithm = _fixed("IInt8LegacyCalibrator", CalibrationAlgoType.LEGACY_CALIBRATION)
    get_batch, read_calibration_cache, write_calibration_cache = _methods("IInt8LegacyCalibrator")


class IInt8EntropyCalibrator(IInt8Calibrator, bound=True):
    """Calibration by entropy."""

    __init__ = _constructor("IInt8EntropyCalibrator")
    get_algorithm = _fixed("IInt8EntropyCalibrator", CalibrationAlgoType.ENTROPY_CALIBRATION)
    get_batch, read_calibration_cache, write_calibration_cache = _methods("IInt8EntropyCalibrator")


class IInt8EntropyCalibrator2(IInt8Calibrator, bound=True):
    """Calibration by entropy, per tensor."""

    __init__ = _constructor("IInt8EntropyCalibrator2")
    get_algorithm = _fixed("IInt8EntropyCalibrator2", CalibrationAlgoType.ENTROPY_CALIBRATION_2)
    get_batch, read_calibration_cache, write_calibration_cache = _methods("IInt8EntropyCalibrator2")


class IInt8MinMaxCalibrator(IInt8Calibrator, bound=True):
    """Calibration by the greatest magnitude."""

    __init__ = _constructor("IInt8MinMaxCalibrator")
    get_algorithm = _fixed("IInt8MinMaxCalibrator", CalibrationAlgoType.MINMAX_CALIBRATION)
    get_batch, read_calibration_cache, write_calibration_cache = _methods("IInt8MinMaxCalibrator")


def algorithm(gate: Gate, calibrator: object) -> CalibrationAlgoType:
    """Return the algorithm with which a calibrator's scales are computed."""
    kinds = (IInt8LegacyCalibrator, IInt8EntropyCalibrator, IInt8EntropyCalibrator2, IInt8MinMaxCalibrator)
    for kind in kinds:
        if isinstance(calibrator, kind):
            fixed: CalibrationAlgoType = kind.get_algorithm(calibrator)
            return fixed
    chosen: CalibrationAlgoType = _ALGORITHM.through(gate, calibrator)
    return chosen


def batch_size(gate: Gate, calibrator: object) -> int:
    """Return the number of samples in each batch of a calibrator."""
    return int(_SIZE.through(gate, calibrator))


def next_batch(gate: Gate, calibrator: object, names: Sequence[str]) -> list[int] | None:
    """Return the addresses of the inputs' next batch; None if no batch is left."""
    addresses: list[int] | None = _BATCH.through(gate, calibrator, list(names))
    return addresses


def read_cache(gate: Gate, calibrator: object) -> bytes | None:
    """Return the cache of an earlier calibration; None if there is none, so that TensorRT calibrates."""
    data: bytes | None = _READ.through(gate, calibrator)
    return data


def write_cache(gate: Gate, calibrator: object, data: bytes) -> None:
    """Pass the result of a calibration to the application."""
    _WRITE.through(gate, calibrator, memoryview(data))


def write_scales(kind: CalibrationAlgoType, scales: Mapping[str, float]) -> bytes:
    """Return a cache that holds the scale of each tensor."""
    lines = [f"{name}: {struct.pack('>f', scale).hex()}" for name, scale in scales.items()]
    return "".join(f"{line}\n" for line in (f"{_VERSION}-{_KINDS[kind]}", *lines)).encode()


def read_scales(data: bytes) -> dict[str, float] | None:
    """Return the scale of each tensor in a cache; None if the data are no cache, which TensorRT ignores."""
    head, *lines = data.decode(errors="replace").splitlines() or [""]
    if not head.startswith("TRT-"):
        return None
    scales = {}
    for line in lines:
        name, colon, digits = line.rpartition(": ")
        if not colon or len(digits) != _DIGITS or not set(digits) <= set(hexdigits):
            return None
        (scales[name],) = struct.unpack(">f", bytes.fromhex(digits))
    return scales if all(math.isfinite(scale) for scale in scales.values()) else None

"""INT8 calibration: the ranges that a calibrator gives to tensors that have none, for one build.

A cache of the application's may hold the scale of any tensor. Without one the batches are read, and the greatest
magnitude of each input of the network gives its scale, whatever the kind of calibrator; the tensors behind them keep
none. What was worked out is handed to the application. The network itself stays as it is.
"""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING, Final

import numpy as np

from reference_runtime import calibrators, formats
from reference_runtime.descriptions import Description
from reference_runtime.enums import DataType, TensorFormat
from reference_runtime.enums_building import BuilderFlag
from reference_runtime.profiles import Ranges, checked_ranges, ranges_of
from reference_runtime.refusals import Reason, Refused

if TYPE_CHECKING:
    from collections.abc import Iterator

    from reference_runtime.backends.base import Device
    from reference_runtime.builder.settings import Settings
    from reference_runtime.graph import Graph
    from reference_runtime.graph_parts import Tensor

__all__ = ["calibrated"]

_INT8_MAX: Final = 127
_DEFAULT_STREAM: Final = 0


@contextmanager
def calibrated(graph: Graph, settings: Settings, device: Device) -> Iterator[None]:
    """Give tensors without a range the one of their calibration, until the end of the build."""
    if settings.int8_calibrator is None or BuilderFlag.INT8 not in settings.chosen or graph.strongly_typed:
        yield
        return
    scales = _scales(graph, settings, device)
    given = [tensor for tensor in graph.tensors if tensor.dynamic_range is None and tensor.name in scales]
    try:
        for tensor in given:
            bound = scales[tensor.name] * _INT8_MAX
            tensor.dynamic_range = (-bound, bound)
        yield
    finally:
        for tensor in given:
            tensor.dynamic_range = None


def _scales(graph: Graph, settings: Settings, device: Device) -> dict[str, float]:
    gate, calibrator = graph.gate, settings.int8_calibrator
    kept = calibrators.read_cache(gate, calibrator)
    known = None if kept is None else calibrators.read_scales(kept)
    if known is not None:
        return known
    calibrators.batch_size(gate, calibrator)
    scales = _measured(graph, settings, device)
    calibrators.write_cache(gate, calibrator, calibrators.write_scales(calibrators.algorithm(gate, calibrator), scales))
    return scales


def _measured(graph: Graph, settings: Settings, device: Device) -> dict[str, float]:
    """Read the batches, and return the scale of each input."""
    described = {tensor: desc for tensor, desc in _described(graph, settings).items() if desc.type == DataType.FLOAT}
    names = [tensor.name for tensor in graph.inputs]
    greatest = dict.fromkeys(described, 0.0)
    while (addresses := calibrators.next_batch(graph.gate, settings.int8_calibrator, names)) is not None:
        if len(addresses) != len(names):
            why = f"the calibrator gave {len(addresses)} addresses for the inputs {names}"
            raise Refused(why, Reason.USAGE)
        for tensor, address in zip(graph.inputs, addresses, strict=True):
            if tensor in described:
                data = device.fetch(address, formats.nbytes(described[tensor]), stream=_DEFAULT_STREAM)
                greatest[tensor] = max(greatest[tensor], float(np.abs(np.frombuffer(data, np.float32)).max(initial=0)))
    return {tensor.name: value / _INT8_MAX for tensor, value in greatest.items() if value}


def _described(graph: Graph, settings: Settings) -> dict[Tensor, Description]:
    """Return how each input of a batch lies in memory: with the best extents of the calibration profile."""
    own = settings.calibration_profile
    profiles: list[Ranges] = settings.profiles[:1] if own is None else [ranges_of(own)]
    (ranges,) = checked_ranges(graph.inputs, profiles)
    return {
        tensor: Description(best, tensor.dtype, TensorFormat.LINEAR)
        for tensor, (_, best, _) in zip(graph.inputs, ranges, strict=True)
    }

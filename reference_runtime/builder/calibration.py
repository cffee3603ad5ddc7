"""INT8 calibration: a calibrator gives ranges to the tensors that have none, for one build.

The application's cache may hold the scale of any tensor. Without a cache the builder reads the calibrator's batches and
runs the network on them in FP32 (`calibration_run`). The largest magnitude of each tensor gives its scale, for every
kind of calibrator. The network does not run if every tensor behind the inputs has a range already. The application
receives the scales as the content of a new cache. The network itself stays unchanged.
"""

from __future__ import annotations

from contextlib import closing, contextmanager
from typing import TYPE_CHECKING, Final

import numpy as np

from reference_runtime.application import calibrators
from reference_runtime.builder.calibration_run import CalibrationRun
from reference_runtime.network.public.profiles import Ranges, checked_ranges, ranges_of
from reference_runtime.values import formats
from reference_runtime.values.descriptions import Description
from reference_runtime.values.enums import DataType, TensorFormat
from reference_runtime.values.enums_building import BuilderFlag
from reference_runtime.values.refusals import Reason, Refused

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    import numpy.typing as npt

    from reference_runtime.builder.settings import Settings
    from reference_runtime.devices.base import Device
    from reference_runtime.network.graph.graph import Graph
    from reference_runtime.network.graph.graph_parts import Tensor
    from reference_runtime.plan import Plan

_INT8_MAX: Final = 127
_DEFAULT_STREAM: Final = 0


@contextmanager
def calibrated(graph: Graph, settings: Settings, device: Device, build: Callable[[Settings], Plan]) -> Iterator[None]:
    """Give tensors without a dynamic range the range of their calibration, until the end of the block.

    ``build`` returns the plan of the network with other settings.
    """
    if settings.int8_calibrator is None or BuilderFlag.INT8 not in settings.chosen or graph.strongly_typed:
        yield
        return
    scales = _scales(graph, settings, device, build)
    calibrated_tensors = [tensor for tensor in graph.tensors if tensor.dynamic_range is None and tensor.name in scales]
    try:
        for tensor in calibrated_tensors:
            bound = scales[tensor.name] * _INT8_MAX
            tensor.dynamic_range = (-bound, bound)
        yield
    finally:
        for tensor in calibrated_tensors:
            tensor.dynamic_range = None


def _scales(graph: Graph, settings: Settings, device: Device, build: Callable[[Settings], Plan]) -> dict[str, float]:
    gate, calibrator = graph.gate, settings.int8_calibrator
    kept = calibrators.read_cache(gate, calibrator)
    known = None if kept is None else calibrators.read_scales(kept)
    if known is not None:
        return known
    size = calibrators.batch_size(gate, calibrator)
    with closing(CalibrationRun(graph, settings, device, build)) as run:
        scales = _measured(graph, settings, device, size, run)
    calibrators.write_cache(gate, calibrator, calibrators.write_scales(calibrators.algorithm(gate, calibrator), scales))
    return scales


def _measured(graph: Graph, settings: Settings, device: Device, size: int, run: CalibrationRun) -> dict[str, float]:
    """Read the batches, and return the scale of each tensor."""
    whole = _described(graph, settings, size)
    described = {tensor: desc for tensor, desc in whole.items() if desc.type == DataType.FLOAT}
    names = [tensor.name for tensor in graph.inputs]
    greatest: dict[str, float] = {}
    while (addresses := calibrators.next_batch(graph.gate, settings.int8_calibrator, names)) is not None:
        if len(addresses) != len(names):
            why = f"the calibrator gave {len(addresses)} addresses for the inputs {names}"
            raise Refused(why, Reason.USAGE)
        for tensor, address in zip(graph.inputs, addresses, strict=True):
            if tensor in described:
                data = device.fetch(address, formats.nbytes(described[tensor]), stream=_DEFAULT_STREAM)
                _note(greatest, tensor.name, np.frombuffer(data, np.float32))
        shapes = [whole[tensor].dims for tensor in graph.inputs]
        for name, array in run.on(shapes, addresses):
            _note(greatest, name, array)
    return {name: value / _INT8_MAX for name, value in greatest.items() if value}


def _note(greatest: dict[str, float], name: str, array: npt.NDArray[np.float32]) -> None:
    """Record the largest finite magnitude in a tensor."""
    greatest_value = float(np.abs(array[np.isfinite(array)]).max(initial=0))
    greatest[name] = max(greatest.get(name, 0.0), greatest_value)


def _described(graph: Graph, settings: Settings, size: int) -> dict[Tensor, Description]:
    """Return the description of each input for a batch, with the optimum dimensions of the calibration profile.

    Without a calibration profile the first profile counts. An implicit batch has the calibrator's batch size.
    """
    if graph.batch_limit is not None:
        shapes = {tensor: tensor.dims or () for tensor in graph.inputs}
        return {
            tensor: Description(tuple(size if n == -1 else n for n in dims), tensor.dtype, TensorFormat.LINEAR)
            for tensor, dims in shapes.items()
        }
    own = settings.calibration_profile
    profiles: list[Ranges] = settings.profiles[:1] if own is None else [ranges_of(own)]
    (ranges,) = checked_ranges(graph.inputs, profiles)
    return {
        tensor: Description(best, tensor.dtype, TensorFormat.LINEAR)
        for tensor, (_, best, _) in zip(graph.inputs, ranges, strict=True)
    }

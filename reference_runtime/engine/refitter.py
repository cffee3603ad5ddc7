"""Refitter: the class by which an application gives new weights to an engine."""

from __future__ import annotations

import functools
from typing import TYPE_CHECKING

from reference_runtime.application.error_recorder import error_recorder_of, refusable
from reference_runtime.bound.bound_class import attribute, pybind11_object, state
from reference_runtime.bound.conversions import boolean, c_string, float32, instance, int32, sequence, size_t, string
from reference_runtime.bound.deprecations import deprecated
from reference_runtime.bound.overloads import Overload, accessor, bound, constructor
from reference_runtime.engine.engine import ICudaEngine
from reference_runtime.engine.refitting import Refit
from reference_runtime.values.enums import DataType, TensorLocation
from reference_runtime.values.enums_layers import WeightsRole
from reference_runtime.values.logger import ILogger
from reference_runtime.values.refusals import Logged, Refused, complain
from reference_runtime.values.weights import Weights, to_weights

if TYPE_CHECKING:
    from reference_runtime.engine.loading import LiveEngine

_EXPLICIT = "Deprecated in TensorRT 10.1. Superseded by explicit quantization."
_SELF = "(self: Refitter"
_NAMED = f"{_SELF}, weights_name: str) ->"
_refusable = functools.partial(refusable, "IRefitter")
_ROLES = "tuple[list[str], list[WeightsRole]]"


def _refit(refitter: Refitter) -> Refit:
    refit: Refit = state(refitter)["_refit"]
    return refit


@_refusable("setMaxThreads")
def _set_max_threads(refitter: Refitter, count: int) -> None:
    if count < 1:
        raise Refused(f"a refitter needs at least 1 thread, not {count}")
    state(refitter)["_max_threads"] = count


class Refitter(pybind11_object, bound=True):
    """Gives new weights to an engine that was built with ``BuilderFlag.REFIT``."""

    @constructor(
        Overload(f"{_SELF}, engine: ICudaEngine, logger: ILogger) -> None", instance(ICudaEngine), instance(ILogger))
    )
    def __init__(self, engine: ICudaEngine, logger: ILogger) -> None:
        live: LiveEngine = state(engine)["_live"]
        if not live.plan.traits.refittable:
            why = Refused("the engine was not built with BuilderFlag.REFIT")
            complain("createInferRefitter", why, to=Logged(logger))
            raise TypeError("pybind11::init(): factory function returned nullptr")
        state(self).update(_refit=Refit(live), _engine=engine, _logger=logger, _gate=live.around.gate)
        state(self).update(_max_threads=1, _validation=True)

    logger = attribute(lambda self: state(self)["_logger"])
    error_recorder = error_recorder_of("Refitter")
    max_threads = accessor(
        f"{_SELF}, arg0: typing.SupportsInt) -> bool",
        lambda self: state(self)["_max_threads"],
        _set_max_threads,
        int32,
    )
    weights_validation = accessor(
        f"{_SELF}, arg0: bool) -> None",
        lambda self: state(self)["_validation"],
        lambda self, flag: state(self).update(_validation=flag),
        boolean,
    )

    @bound(
        Overload(
            f"{_SELF}, layer_name: str, role: WeightsRole, weights: Weights) -> bool",
            c_string,
            instance(WeightsRole),
            to_weights,
        )
    )
    @_refusable("setWeights")
    def set_weights(self, layer_name: str, role: WeightsRole, weights: Weights) -> bool:
        """Set the weights of a layer; False, and an error, for those that do not match the present ones."""
        _refit(self).give(layer_name, weights, TensorLocation.HOST, role)
        return True

    @bound(
        Overload(f"{_SELF}, name: str, weights: Weights) -> bool", c_string, to_weights),
        Overload(
            f"{_SELF}, name: str, weights: Weights, location: TensorLocation) -> bool",
            c_string,
            to_weights,
            instance(TensorLocation),
        ),
    )
    @_refusable("setNamedWeights")
    def set_named_weights(self, name: str, weights: Weights, location: TensorLocation = TensorLocation.HOST) -> bool:
        """Set weights by name; False, and an error, for those that do not match the present ones."""
        _refit(self).give(name, weights, location)
        return True

    @bound(Overload(f"{_NAMED} Weights", c_string))
    @_refusable("getNamedWeights", lambda: Weights(DataType.FLOAT))
    def get_named_weights(self, name: str) -> Weights:
        """Return the weights that were set; empty weights, and an error, if none were."""
        return _refit(self).held(name)[0]

    @bound(Overload(f"{_NAMED} TensorLocation", c_string))
    @_refusable("getWeightsLocation", lambda: TensorLocation.HOST)
    def get_weights_location(self, name: str) -> TensorLocation:
        """Return the location of the weights that were set; the host, and an error, if none were."""
        return _refit(self).held(name)[1]

    @bound(Overload(f"{_NAMED} Weights", c_string))
    def get_weights_prototype(self, name: str) -> Weights:
        """Return type and number of the weights of a name, without data; the number is -1 for an unknown name."""
        kind, count = _refit(self).prototype(name)
        return Weights(kind, 0, count)

    @bound(Overload(f"{_NAMED} bool", c_string))
    def unset_named_weights(self, name: str) -> bool:
        """Forget the weights that were set; False where none were."""
        return _refit(self).new_weights.pop(name, None) is not None

    @bound(Overload(f"{_SELF}) -> list[str]"))
    def get_all_weights(self) -> list[str]:
        """Return the names of all weights that can be refitted."""
        return list(_refit(self).layers)

    @bound(Overload(f"{_SELF}) -> {_ROLES}"))
    def get_all(self) -> tuple[list[str], list[WeightsRole]]:
        """Return the layers with weights that can be refitted, and the roles of the weights."""
        names = list(_refit(self).layers)
        return names, [WeightsRole.CONSTANT] * len(names)

    @bound(Overload(f"{_SELF}) -> list[str]"))
    def get_missing_weights(self) -> list[str]:
        """Return the names of further weights that have to be set: none, because here no weights depend on others."""
        return []

    @bound(Overload(f"{_SELF}) -> {_ROLES}"))
    def get_missing(self) -> tuple[list[str], list[WeightsRole]]:
        """Return the layers whose weights have to be set as well, and the roles of these weights: none."""
        return [], []

    @bound(Overload(f"{_SELF}) -> bool"))
    @_refusable("refitCudaEngine")
    def refit_cuda_engine(self) -> bool:
        """Let the engine use the weights that were set."""
        _refit(self).apply(0)
        return True

    @bound(Overload(f"{_SELF}, stream_handle: typing.SupportsInt) -> bool", size_t))
    @_refusable("refitCudaEngineAsync")
    def refit_cuda_engine_async(self, stream: int) -> bool:
        """Let the engine use the weights that were set, in the order of a stream."""
        _refit(self).apply(stream)
        return True

    @bound(Overload(f"{_SELF}, tensor_name: str) -> tuple", string))
    @deprecated(_EXPLICIT)
    @_refusable("getDynamicRange", lambda: (0.0, 0.0))
    def get_dynamic_range(self, name: str) -> tuple[float, float]:
        """Return zeros, with an error: no tensor has a dynamic range that can be refitted."""
        raise _no_range(name)

    @bound(
        Overload(
            f"{_SELF}, tensor_name: str, range: collections.abc.Sequence[typing.SupportsFloat]) -> bool",
            string,
            sequence(float32),
        )
    )
    @deprecated(_EXPLICIT)
    @_refusable("setDynamicRange")
    def set_dynamic_range(self, name: str, bounds: list[float]) -> bool:
        """Return False, with an error: no tensor has a dynamic range that can be refitted."""
        if len(bounds) != 2:  # noqa: PLR2004 - a minimum and a maximum
            raise ValueError("Dynamic range must contain exactly 2 elements")
        raise _no_range(name)

    @bound(Overload(f"{_SELF}) -> list[str]"))
    @deprecated(_EXPLICIT)
    def get_tensors_with_dynamic_range(self) -> list[str]:
        """Return the names of tensors whose dynamic range can be refitted: none, because scales are fixed here."""
        return []


def _no_range(name: str) -> Refused:
    return Refused(f"tensor {name!r} has no dynamic range that can be refitted")

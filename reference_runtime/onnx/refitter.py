"""OnnxParserRefitter: gives an engine the weights of another ONNX model."""

from __future__ import annotations

import ctypes
from math import prod
from typing import TYPE_CHECKING, Any, Final

from reference_runtime.bound.bound_class import attribute, pybind11_object, state
from reference_runtime.bound.conversions import buffer, c_string, instance, int32, size_t, string
from reference_runtime.bound.overloads import Overload, bound, constructor
from reference_runtime.engine.refitter import Refitter
from reference_runtime.onnx.importing.files import load, read_file
from reference_runtime.onnx.importing.status import ImportFailed, Status
from reference_runtime.onnx.importing.weights import constant
from reference_runtime.onnx.parser import ParserError, nth_error
from reference_runtime.operations.onnx.library import library
from reference_runtime.values.enums import ErrorCode
from reference_runtime.values.logger import ILogger, deliver
from reference_runtime.values.weights import owned

if TYPE_CHECKING:
    from collections.abc import Callable

_SELF: Final = "(self: OnnxParserRefitter"
_MODEL: Final = f"{_SELF}, model: typing_extensions.Buffer, path: str = None) -> bool"


def _errors(refitter: OnnxParserRefitter) -> list[Status]:
    errors: list[Status] = state(refitter)["_errors"]
    return errors


def _attempted(refitter: OnnxParserRefitter, work: Callable[[], None]) -> bool:
    try:
        work()
    except ImportFailed as failed:
        _errors(refitter).append(failed.status)
        deliver(state(refitter)["_logger"], ILogger.ERROR, str(failed.status))
        return False
    return True


def _refit(refitter: OnnxParserRefitter, model: Any, loaded: dict[str, bytes]) -> None:
    """Set those refittable weights of the engine that have the name of an initializer."""
    target: Refitter = state(refitter)["_refitter"]
    known = set(target.get_all_weights())
    initializers = [tensor for tensor in model.graph.initializer if str(tensor.name) in known]
    if not initializers:
        raise _failed("none of the model's initializers has the name of weights that can be refitted")
    for tensor in initializers:
        operation = constant(tensor, loaded.get(str(tensor.name)))
        if operation is None:
            raise _failed(f"initializer {tensor.name!r} has a type that TensorRT does not have")
        weights = owned(operation.dtype, operation.weights, prod(operation.dims))
        state(refitter)["_kept"].append(weights)
        if not target.set_named_weights(str(tensor.name), weights):
            raise _failed(f"the engine does not take initializer {tensor.name!r}")


def _failed(why: str) -> ImportFailed:
    return ImportFailed(Status(ErrorCode.REFIT_FAILED, why, "refitOnnxWeights", "ModelRefitter.cpp"))


class OnnxParserRefitter(pybind11_object, bound=True):
    """A reader of weights from ONNX models."""

    @constructor(
        Overload(f"{_SELF}, refitter: Refitter, logger: ILogger) -> None", instance(Refitter), instance(ILogger))
    )
    def __init__(self, refitter: Refitter, logger: ILogger) -> None:
        library()
        state(self).update(_refitter=refitter, _logger=logger, _errors=[], _kept=[], _model=None, _loaded={})

    num_errors = attribute(lambda self: len(_errors(self)))

    @bound(Overload(_MODEL, buffer, c_string, defaults=[None]))
    def refit_from_bytes(self, model: bytes, path: str | None) -> bool:
        """Give the refitter the weights of a model; its ``refit_cuda_engine`` puts them into the engine."""
        return _attempted(self, lambda: _refit(self, load(model, path), {}))

    @bound(Overload(f"{_SELF}, model: str) -> bool", string))
    def refit_from_file(self, model: str) -> bool:
        """Give the refitter the weights of a model in a file."""
        data = read_file(model, lambda text: deliver(state(self)["_logger"], ILogger.ERROR, text))
        return data is not None and _attempted(self, lambda: _refit(self, load(data, model), {}))

    @bound(Overload(f"{_SELF}, index: typing.SupportsInt) -> ParserError", int32))
    def get_error(self, index: int) -> ParserError:
        """Return an error by its index."""
        return nth_error(self, _errors(self), index)

    @bound(Overload(f"{_SELF}) -> None"))
    def clear_errors(self) -> None:
        """Remove all errors."""
        _errors(self).clear()

    @bound(Overload(_MODEL, buffer, c_string, defaults=[None]))
    def load_model_proto(self, model: bytes, path: str | None) -> bool:
        """Read a model, whose weights ``refit_model_proto`` sets."""
        return _attempted(self, lambda: state(self).update(_model=load(model, path), _loaded={}))

    @bound(
        Overload(
            f"{_SELF}, name: str, data: typing.SupportsInt, size: typing.SupportsInt) -> bool", string, size_t, size_t
        )
    )
    def load_initializer(self, name: str, data: int, size: int) -> bool:
        """Copy the bytes of an initializer from an address; they replace those in the model."""
        state(self)["_loaded"][name] = ctypes.string_at(data, size)
        return True

    @bound(Overload(f"{_SELF}) -> bool"))
    def refit_model_proto(self) -> bool:
        """Give the refitter the weights of the model that ``load_model_proto`` read."""
        model = state(self)["_model"]
        if model is None:
            return _attempted(self, lambda: _refuse("there is no model: call load_model_proto first"))
        return _attempted(self, lambda: _refit(self, model, state(self)["_loaded"]))


def _refuse(why: str) -> None:
    raise _failed(why)

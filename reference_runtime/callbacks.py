"""How the bindings treat each callback: what a result must be, what a failure becomes, and the words for it.

Theory. A method is missing, raises, returns something unusable, or gives a value. Each of the first three prints a
line to file descriptor 2 and leaves C++ with a default; here it leaves a `NoValue` and a record in the gate, and
`trampolines` knows the default. The bindings have two forms of message (*caught in*, *thrown from*), an empty one for
``None`` where an object of a bound class is needed, and none for ``None`` where a pointer is.
"""

from __future__ import annotations

import enum
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from reference_runtime import native
from reference_runtime.calls import FailureKind, Outcome
from reference_runtime.conversions import Mismatch, boolean, instance, size_t
from reference_runtime.enums import DataType
from reference_runtime.errors import NativeCrash
from reference_runtime.expressions import DimsExprs
from reference_runtime.lifecycle import Call
from reference_runtime.overrides import describe
from reference_runtime.plugins.v2 import IPluginV2, to_payload
from reference_runtime.plugins.v2_dynamic import IPluginV2DynamicExt

if TYPE_CHECKING:
    from collections.abc import Callable

    from reference_runtime.gate import Gate

__all__ = ["CALLBACKS", "Callback", "NoValue", "invoke", "made_by", "read_attribute"]

_WIDTH: Final = 80


class NoValue(enum.Enum):
    """Why a call has no value."""

    MISSING = enum.auto()
    FAILED = enum.auto()


@dataclass(frozen=True)
class Callback:
    """How the bindings treat one method.

    ``becomes`` is what TensorRT makes of a failure, ``wanted`` the bindings' name of the result's type. ``optional``
    methods may be missing, ``thrown`` chooses the form of message, and ``by_value`` says that the result is an object
    of a bound class and no pointer.
    """

    becomes: str
    convert: Callable[[Any], Any] = lambda _value: None
    wanted: str = ""
    optional: bool = False
    thrown: bool = False
    by_value: bool = False


def _truth(value: object) -> bool:
    if value is NotImplemented:  # true in the bindings; later Pythons warn or refuse
        return True
    try:
        return bool(boolean(value))
    except Exception as error:
        raise Mismatch from error


def _pointer(cls: type) -> Callable[[Any], Any]:
    def convert(value: Any) -> Any:
        if isinstance(value, cls) and not native.is_initialised(value):
            raise NativeCrash(
                f"A {type(value).__name__} whose __init__ did not run was handed to TensorRT: the genuine bindings "
                "crash here."
            )
        return None if value is None else instance(cls)(value)

    return convert


CALLBACKS: Final[dict[Call, Callback]] = {
    Call.GET_OUTPUT_DATATYPE: Callback(
        "TensorRT takes the output's type to be FLOAT", instance(DataType), "nvinfer1::DataType", by_value=True
    ),
    Call.GET_OUTPUT_DIMENSIONS: Callback(
        "TensorRT takes the output for a scalar", instance(DimsExprs), "nvinfer1::DimsExprs", by_value=True
    ),
    Call.SUPPORTS_FORMAT_COMBINATION: Callback("TensorRT takes the combination to be unsupported", _truth, "bool"),
    Call.CONFIGURE_PLUGIN: Callback("TensorRT goes on as if the plugin were configured"),
    Call.GET_WORKSPACE_SIZE: Callback("TensorRT goes on with a workspace of 0 bytes", size_t, "size_t", optional=True),
    Call.INITIALIZE: Callback("TensorRT does not use the object", optional=True, thrown=True),
    Call.TERMINATE: Callback("TensorRT goes on as if the plugin had terminated", optional=True),
    Call.ENQUEUE: Callback("the execution fails, with no word of the reason", thrown=True),
    Call.GET_SERIALIZATION_SIZE: Callback("TensorRT stores nothing for the plugin", size_t, "size_t", optional=True),
    Call.SERIALIZE: Callback("TensorRT stores nothing for the plugin", to_payload, "std::string"),
    Call.CLONE: Callback(
        "TensorRT has no copy to work with", _pointer(IPluginV2DynamicExt), "nvinfer1::IPluginV2DynamicExt"
    ),
    Call.DESTROY: Callback("the bindings never release the object", optional=True),
    Call.CREATE_PLUGIN: Callback("TensorRT gets no plugin", _pointer(IPluginV2), "IPluginV2*"),
    Call.DESERIALIZE_PLUGIN: Callback("TensorRT cannot use the engine", _pointer(IPluginV2), "IPluginV2*"),
}


def invoke(gate: Gate, target: object, call: Call, *arguments: object, called: Call | None = None) -> Any:
    """Call a method and convert what it returns; ``called`` is the method whose default this call is part of."""
    callback, shown = CALLBACKS[call], (called or call).value
    outcome = gate.call(target, call.value, *arguments)
    if outcome.missing:
        return _without(gate, target, call, shown)
    if outcome.error is not None:
        described = describe(outcome.error)
        form = f"thrown from {shown}()" if callback.thrown else f"caught in {shown}():"
        gate.say(f"[ERROR] Exception {form} {described}")
        what = f"raised {described.partition(chr(10))[0]}"
        gate.fail(target, call.value, FailureKind.RAISED, what, callback.becomes, outcome=outcome)
        return NoValue.FAILED
    return _converted(gate, target, call, outcome)


def made_by(gate: Gate, target: object, call: Call, *arguments: object) -> Any:
    """Return the object that a method makes, or None; that it returned None is silent, but no less a failure."""
    value = invoke(gate, target, call, *arguments)
    if value is None:
        becomes = CALLBACKS[call].becomes
        gate.fail(target, call.value, FailureKind.RETURNED, "returned None", becomes, outcome=Outcome())
    if value is None or isinstance(value, NoValue):
        return None
    gate.count_return(value)
    return value


def read_attribute(gate: Gate, plugin: object, name: str) -> Any:
    """Return what C++ sees of an attribute that the plugin must have assigned."""
    value = native.read(plugin, IPluginV2DynamicExt, name)
    if name not in native.state(plugin):
        gate.say(f"[ERROR] Exception caught in {name}(): AttributeError: {name} not initialized")
        what = "was never assigned through the inherited property"
        becomes = f"TensorRT reads {'a null pointer' if value is None else value}"
        gate.fail(plugin, name, FailureKind.MISSING, what, becomes, outcome=Outcome(missing=True))
    return value


def _without(gate: Gate, target: object, call: Call, shown: str) -> NoValue:
    callback, method = CALLBACKS[call], call.value
    if not callback.optional:
        gate.say(f"Method: {method} was not overriden. Please provide an implementation for this method.")
        gate.say(f"[ERROR] Exception caught in {shown}(): RuntimeError: no implementation provided for {method}()")
        missing = Outcome(missing=True)
        gate.fail(target, method, FailureKind.MISSING, "is not overridden", callback.becomes, outcome=missing)
    return NoValue.MISSING


def _converted(gate: Gate, target: object, call: Call, outcome: Outcome) -> Any:
    callback, method = CALLBACKS[call], call.value
    try:
        return callback.convert(outcome.value)
    except Mismatch:
        if outcome.value is None and callback.by_value:
            gate.say(f"[ERROR] Exception caught in {method}(): ")
        else:
            gate.say(f"[ERROR] Return value of {method}() could not be interpreted as {callback.wanted}")
        what = f"returned {_shown(outcome.value)}, which is no {_plain_name(callback.wanted)}"
        gate.fail(target, method, FailureKind.RETURNED, what, callback.becomes, outcome=outcome)
        return NoValue.FAILED


def _plain_name(wanted: str) -> str:
    """Return the bindings' name of a type as Python users know it."""
    names = {"std::string": "bytes", "size_t": "size in bytes"}
    return names.get(wanted, wanted.rpartition(":")[2].rstrip("*"))


def _shown(value: object) -> str:
    try:
        shown = repr(value)
    except Exception:  # noqa: BLE001 - a message must not fail because a value's repr does
        return f"a {type(value).__name__}"
    return shown if len(shown) <= _WIDTH else f"{shown[: _WIDTH - 3]}..."

"""Treat each callback as the bindings do: the required result, the effect of a failure, the message.

Theory. A method is missing, raises, returns an unusable value, or returns a value. In the first three cases the
bindings print to file descriptor 2 and give C++ a default. An optional method may be missing without a message. Here
`invoke` returns a `NoValue`, and the gate records the failure; `trampolines` knows the default. The bindings have two
forms of message (*caught in*, *thrown from*). If C++ needs a value, the message for ``None`` has no text after the
colon. If C++ needs a pointer, ``None`` is a null pointer, and no message is printed.

This module has `invoke` for all tables, and the table of version 2. The table of version 3 is in `callbacks.v3`.
"""

from __future__ import annotations

import enum
from typing import TYPE_CHECKING, Any, Final

from msgspec import Struct

from reference_runtime.bound import bound_class
from reference_runtime.bound.conversions import Mismatch, boolean, instance, is_really, size_t
from reference_runtime.bound.errors import NativeCrash
from reference_runtime.bound.overrides import describe
from reference_runtime.bound.telling import shown
from reference_runtime.calling.gate.records import CallOutcome, FailureKind, Part
from reference_runtime.calling.lifecycle.table import Call
from reference_runtime.interfaces.v2 import IPluginV2, to_payload
from reference_runtime.interfaces.v2_dynamic import IPluginV2DynamicExt
from reference_runtime.shapes.expressions import DimsExprs
from reference_runtime.values.enums import DataType

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from reference_runtime.calling.gate.gate import Gate

#: The bindings' types that have other names in Python.
_PLAIN_NAMES: Final = {"std::string": "bytes", "size_t": "size in bytes", "int32_t": "integer of 32 bits"}


class NoValue(enum.Enum):
    """The reason that a call has no value."""

    MISSING = enum.auto()
    FAILED = enum.auto()


class NullValue(Mismatch):
    """The method returned ``None`` where C++ needs a value: the bindings report it with an empty message."""


class Callback(Struct, frozen=True):
    """The bindings' treatment of one method.

    ``becomes`` is TensorRT's reaction to a failure. ``convert`` makes C++'s value of a result, or raises `Mismatch`.
    ``type_name`` is the bindings' name of the result's type, and ``plain`` a name for users of Python. ``optional``
    methods may be missing. ``thrown`` chooses the form of message for exceptions. ``named`` replaces the method's name
    in messages. ``part`` is the kind of object that has the method.
    """

    becomes: str
    convert: Callable[[Any], Any] = lambda _value: None
    type_name: str = ""
    optional: bool = False
    thrown: bool = False
    named: str = ""
    plain: str = ""
    part: Part = Part.PLUGIN


def truth(result: object) -> bool:
    """Convert to a C++ ``bool`` as a result."""
    if result is NotImplemented:  # true in the bindings; later Pythons warn or refuse
        return True
    try:
        return bool(boolean(result))
    except Exception as error:
        raise Mismatch from error


def pointer(cls: type) -> Callable[[Any], Any]:
    """Return the converter to a pointer to an object of a bound class: ``None`` is the null pointer."""
    instance_of = instance(cls)

    def convert(result: Any) -> Any:
        if is_really(result, cls) and not bound_class.is_initialised(result, cls):
            raise NativeCrash(
                f"A {type(result).__name__} whose __init__ did not run was handed to TensorRT: the genuine bindings "
                "crash here."
            )
        return None if result is None else instance_of(result)

    return convert


def value(cls: type) -> Callable[[Any], Any]:
    """Return the converter to an object of a bound class; for ``None`` the converter raises `NullValue`."""
    instance_of = instance(cls)

    def convert(result: Any) -> Any:
        if result is None:
            raise NullValue
        return instance_of(result)

    return convert


CALLBACKS: Final[dict[Call, Callback]] = {
    Call.GET_OUTPUT_DATATYPE: Callback(
        "TensorRT takes the output's type to be FLOAT", value(DataType), "nvinfer1::DataType"
    ),
    Call.GET_OUTPUT_DIMENSIONS: Callback(
        "TensorRT takes the output for a scalar", value(DimsExprs), "nvinfer1::DimsExprs"
    ),
    Call.SUPPORTS_FORMAT_COMBINATION: Callback("TensorRT takes the combination to be unsupported", truth, "bool"),
    Call.CONFIGURE_PLUGIN: Callback("TensorRT goes on as if the plugin were configured"),
    Call.GET_WORKSPACE_SIZE: Callback("TensorRT goes on with a workspace of 0 bytes", size_t, "size_t", optional=True),
    Call.INITIALIZE: Callback("TensorRT does not use the object", optional=True, thrown=True),
    Call.TERMINATE: Callback("TensorRT goes on as if the plugin had terminated", optional=True),
    Call.ENQUEUE: Callback("the execution fails, and TensorRT gives no reason", thrown=True),
    Call.GET_SERIALIZATION_SIZE: Callback("TensorRT stores nothing for the plugin", size_t, "size_t", optional=True),
    Call.SERIALIZE: Callback("TensorRT stores nothing for the plugin", to_payload, "std::string"),
    Call.CLONE: Callback(
        "TensorRT has no copy to work with", pointer(IPluginV2DynamicExt), "nvinfer1::IPluginV2DynamicExt"
    ),
    Call.DESTROY: Callback("the bindings never release the object", optional=True),
    Call.CREATE_PLUGIN: Callback("TensorRT gets no plugin", pointer(IPluginV2), "IPluginV2*"),
    Call.DESERIALIZE_PLUGIN: Callback("TensorRT cannot use the engine", pointer(IPluginV2), "IPluginV2*"),
}


def invoke(
    gate: Gate,
    target: object,
    call: Call,
    *arguments: object,
    called: Call | None = None,
    table: Mapping[Call, Callback] = CALLBACKS,
) -> Any:
    """Call a method and return its converted result, or a `NoValue`.

    Messages name ``called`` instead of ``call``: the bindings' default for one method may run another.
    """
    callback = table[call]
    shown = called.method if called else callback.named or call.method
    outcome = gate.call(target, call.method, *arguments)
    if outcome.missing:
        return _without(gate, target, call, callback, shown)
    if outcome.error is not None:
        described = describe(outcome.error)
        form = f"thrown from {shown}()" if callback.thrown else f"caught in {shown}():"
        gate.say(f"[ERROR] Exception {form} {described}")
        what = f"raised {described.partition(chr(10))[0]}"
        _fail(gate, target, call, FailureKind.RAISED, what, callback, outcome)
        return NoValue.FAILED
    return _converted(gate, target, call, callback, outcome)


def made_by(
    gate: Gate, target: object, call: Call, *arguments: object, table: Mapping[Call, Callback] = CALLBACKS
) -> Any:
    """Return the object that a method makes, or None.

    A method that returned ``None`` counts as a failure, although the bindings print nothing then.
    """
    made = invoke(gate, target, call, *arguments, table=table)
    if made is None:
        _fail(gate, target, call, FailureKind.NULL, "returned None", table[call], CallOutcome())
    if made is None or isinstance(made, NoValue):
        return None
    gate.count_return(made)
    return made


def reject(gate: Gate, target: object, call: Call, complaint: str, what: str, becomes: str) -> None:
    """Print and record the bindings' error about a result of the right type."""
    gate.say(f"[ERROR] Exception thrown from {call.value}() RuntimeError: {complaint}")
    gate.fail(target, call.value, FailureKind.RETURNED, what, becomes, outcome=CallOutcome())


def read_attribute(gate: Gate, target: object, name: str, owner: type = IPluginV2DynamicExt) -> Any:
    """Return C++'s value of an attribute of the bound class ``owner`` that must have been assigned."""
    seen = bound_class.read(target, owner, name)
    if not bound_class.is_assigned(target, owner, name):
        gate.say(f"[ERROR] Exception caught in {name}(): AttributeError: {name} not initialized")
        what = "was never assigned through the inherited property"
        becomes = f"TensorRT reads {'a null pointer' if seen is None else seen}"
        gate.fail(target, name, FailureKind.MISSING, what, becomes, outcome=CallOutcome(missing=True))
    return seen


def _without(gate: Gate, target: object, call: Call, callback: Callback, name: str) -> NoValue:
    method = call.value
    if not callback.optional:
        gate.say(f"Method: {method} was not overriden. Please provide an implementation for this method.")
        gate.say(f"[ERROR] Exception caught in {name}(): RuntimeError: no implementation provided for {method}()")
        _fail(gate, target, call, FailureKind.MISSING, "is not overridden", callback, CallOutcome(missing=True))
    return NoValue.MISSING


def _converted(gate: Gate, target: object, call: Call, callback: Callback, outcome: CallOutcome) -> Any:
    try:
        return callback.convert(outcome.value)
    except Mismatch as mismatch:
        name = callback.named or call.method
        if isinstance(mismatch, NullValue):
            gate.say(f"[ERROR] Exception caught in {name}(): ")
        else:
            gate.say(f"[ERROR] Return value of {name}() could not be interpreted as {callback.type_name}")
        plain = _PLAIN_NAMES.get(callback.type_name, callback.type_name.rpartition(":")[2].rstrip("*"))
        what = f"returned {shown(outcome.value)}, which is no {callback.plain or plain}"
        _fail(gate, target, call, FailureKind.RETURNED, what, callback, outcome)
        return NoValue.FAILED


def _fail(
    gate: Gate, target: object, call: Call, kind: FailureKind, what: str, callback: Callback, outcome: CallOutcome
) -> None:
    gate.fail(target, call.value, kind, what, callback.becomes, outcome=outcome, part=callback.part)

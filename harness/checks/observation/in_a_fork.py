"""Run a function in a fork, so that only its result reaches this process."""

from __future__ import annotations

import base64
import json
import os
import signal
import sys
import traceback
import warnings
from typing import TYPE_CHECKING, Any, NoReturn

import numpy as np

from harness.contract.finding import (
    CallbackFailedError,
    CallbackFailure,
    NeedsDeviceError,
    NotRun,
    SkippedCallbackError,
)
from harness.process import flight_recorder
from reference_runtime.devices import cuda_api
from reference_runtime.instruments import NeedsHost
from reference_runtime.interfaces.saved_fields import SavedField
from reference_runtime.values.enums import PluginFieldType

if TYPE_CHECKING:
    from collections.abc import Callable

#: How a fork ended in which an assertion in C++ failed.
ASSERTED = "died by SIGABRT"
#: How a fork ended that exited before it sent a result.
EXITED = "ended without a result"
_CHUNK = 1 << 16
_BYTES, _ARRAY, _FIELD = "bytes in base64", "array in base64", "serialized field"


def apart(work: Callable[[], Any]) -> Any:
    """Call ``work`` in a fork of this process, and return its result: JSON data, bytes, NumPy arrays and stored fields.

    Raises:
        CallbackFailedError: A callback failed in the fork, or the fork ended without a result.
        SkippedCallbackError: The fork would have called a callback that must not be called.
        NotRun: The work raised it.
        NeedsDeviceError: The work needs memory or a device that this machine lacks.
        NeedsHost: This process uses CUDA, which does not work in a fork.
        RuntimeError: The work raised another exception; the message has its traceback.
    """
    if cuda_api.is_in_use():
        raise NeedsHost("work in a process apart")
    reading, writing = os.pipe()
    sys.stdout.flush()
    sys.stderr.flush()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)  # the fork does not need the other threads
        pid = os.fork()
    if not pid:
        os.close(reading)
        _end(writing, work)
    os.close(writing)
    data = _receive(reading)
    _, status = os.waitpid(pid, 0)
    if not data:
        lack = flight_recorder.taken_lack()
        if lack:
            raise NeedsDeviceError(lack)
        died = os.WIFSIGNALED(status)
        how = f"died by {signal.Signals(os.WTERMSIG(status)).name}" if died else EXITED
        raise CallbackFailedError(CallbackFailure("the plugin", how, "a process apart"))
    return _value(json.loads(data, object_hook=unpacked))


def _end(writing: int, work: Callable[[], Any]) -> NoReturn:
    """Send the outcome and end the process at once, without its normal clean-up."""
    try:
        data = memoryview(_message(work).encode())
        while data:
            data = data[os.write(writing, data) :]
        sys.stdout.flush()
        sys.stderr.flush()
    finally:
        os._exit(0)


def _message(work: Callable[[], Any]) -> str:
    try:
        return json.dumps(_outcome(work), default=packed)
    except TypeError:  # the result has a type that cannot be sent
        return json.dumps({"broken": traceback.format_exc()})


def _outcome(work: Callable[[], Any]) -> dict[str, Any]:
    try:
        return {"value": work()}
    except CallbackFailedError as error:
        return {"mishap": error.failure.to_plain()}
    except SkippedCallbackError as error:
        return {"shunned": error.failure.to_plain()}
    except (NeedsDeviceError, MemoryError) as reason:
        return {"needs device": str(reason)}
    except NotRun as reason:
        return {"not run": str(reason)}
    except Exception:  # noqa: BLE001 - the parent process raises it again
        return {"broken": traceback.format_exc()}


def _value(outcome: dict[str, Any]) -> Any:
    if "mishap" in outcome:
        raise CallbackFailedError(CallbackFailure.from_plain(outcome["mishap"]))
    if "shunned" in outcome:
        raise SkippedCallbackError(CallbackFailure.from_plain(outcome["shunned"]))
    if "needs device" in outcome:
        raise NeedsDeviceError(outcome["needs device"])
    if "not run" in outcome:
        raise NotRun(outcome["not run"])
    if "broken" in outcome:
        raise RuntimeError(f"the work in a forked process failed\n{outcome['broken']}")
    return outcome["value"]


def packed(value: object) -> dict[str, Any]:
    """Return bytes, an array or a stored field as data for JSON.

    Raises:
        TypeError: The value has another type.
    """
    if isinstance(value, bytes):
        return {_BYTES: base64.b64encode(value).decode()}
    if isinstance(value, np.ndarray):
        return {_ARRAY: base64.b64encode(value.tobytes()).decode(), "type": value.dtype.str, "shape": value.shape}
    if isinstance(value, SavedField):
        return {_FIELD: [value.name, int(value.type), value.length, value.data]}
    raise TypeError(f"a {type(value).__name__} cannot leave a process apart")


def unpacked(data: dict[str, Any]) -> Any:
    """Return the value that :func:`packed` converted; other data as they are."""
    if _BYTES in data:
        return base64.b64decode(data[_BYTES])
    if _ARRAY in data:
        return np.frombuffer(base64.b64decode(data[_ARRAY]), data["type"]).reshape(data["shape"])
    if _FIELD in data:
        name, kind, length, content = data[_FIELD]
        return SavedField(name, PluginFieldType(kind), length, content)
    return data


def _receive(reading: int) -> bytes:
    parts = []
    while part := os.read(reading, _CHUNK):
        parts.append(part)
    os.close(reading)
    return b"".join(parts)

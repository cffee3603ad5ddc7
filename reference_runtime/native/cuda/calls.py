"""Make callbacks that C++ calls as functions of CUDA, with types as letters and failures as statuses.

No Python exception may pass through C++. A failure that CUDA has a status for becomes that status. Any other failure,
such as an access beyond a buffer or a kernel without a stand-in, is kept. It is raised when the call into the plugin
has returned.
"""

from __future__ import annotations

import ctypes
import threading
from collections.abc import Callable
from typing import Any, Final

from reference_runtime.bound.errors import NeedsStandIn
from reference_runtime.bridges.cupy.cuda.status import CUDARuntimeError
from reference_runtime.native.exchange.misuses import note

SUCCESS: Final = 0
_ILLEGAL_ADDRESS: Final = 700


class Dim3(ctypes.Structure):
    """The dimensions of a grid or a block."""

    _fields_ = (("x", ctypes.c_uint), ("y", ctypes.c_uint), ("z", ctypes.c_uint))

    @property
    def extents(self) -> tuple[int, int, int]:
        """Return x, y and z."""
        return self.x, self.y, self.z


_LETTERS: Final[dict[str, Any]] = {
    "p": ctypes.c_void_p,
    "i": ctypes.c_int,
    "u": ctypes.c_uint,
    "z": ctypes.c_size_t,
    "s": ctypes.c_char_p,
    "f": ctypes.c_float,
    "d": Dim3,
    "b": ctypes.c_bool,
    "v": None,
}


class _Last(threading.local):
    status = SUCCESS


_LAST: Final = _Last()


def callback(types: str, function: Callable[..., Any]) -> Any:
    """Return a ctypes callback that runs a function; ``types`` has a letter for the result, and for each argument.

    A result ``i`` is a status; None means success. Any other result is returned unchanged. Null pointers arrive as 0.
    """
    result, takes = types[0], types[1:]
    returns_status = result == "i"

    def guarded(*arguments: Any) -> Any:
        try:
            answer = function(*(0 if each is None else each for each in arguments))
        except CUDARuntimeError as error:
            _LAST.status = error.status
            return error.status if returns_status else 0
        except NeedsStandIn as error:  # the launch succeeds; that its results are missing is raised afterwards
            note(error)
            return SUCCESS
        except BaseException as error:  # noqa: BLE001 - see the module's docstring
            note(error)
            _LAST.status = _ILLEGAL_ADDRESS
            return _ILLEGAL_ADDRESS if returns_status else 0
        return SUCCESS if answer is None and returns_status else answer

    return ctypes.CFUNCTYPE(_LETTERS[result], *(_LETTERS[letter] for letter in takes))(guarded)


def last_error() -> int:
    """Return the status of the last call that failed in this thread; 0 if none did."""
    return _LAST.status


def take_last_error() -> int:
    """Return the status of the last call that failed in this thread, and reset it to 0."""
    status, _LAST.status = _LAST.status, SUCCESS
    return status


def store(where: int, value: float, kind: Any = ctypes.c_uint64) -> None:
    """Write a number to an address, as a value of a ctypes type."""
    kind.from_address(where).value = value

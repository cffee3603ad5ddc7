"""Build objects that C++ can call: a table of virtual functions, and memory that begins with the table's address."""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, Final

from reference_runtime.native.abi.facts import DESTRUCTOR
from reference_runtime.native.abi.slots import address_of_code

if TYPE_CHECKING:
    from reference_runtime.native.abi.slots import Abi

_BEFORE: Final = 2
"""Words before the first slot: the offset to the whole object, and its type information. Both are 0 here."""


class Words:
    """An object that C++ reads: words of memory that begin with the address of its table."""

    __slots__ = ("_memory", "address")

    def __init__(self, *words: int) -> None:
        self._memory = (ctypes.c_void_p * len(words))(*words)
        self.address = ctypes.addressof(self._memory)

    def __setitem__(self, place: int, word: int) -> None:
        """Change the word at an index."""
        self._memory[place] = word


class Table:
    """The table of one interface; each method is called with the object's address first.

    A slot without a method does nothing, and returns 0. ``info`` is the address of the code of ``getInterfaceInfo``,
    which returns a structure. A ctypes callback cannot do that.
    """

    def __init__(self, abi: Abi, interface: str, methods: Mapping[str, Callable[..., Any]], *, info: int = 0) -> None:
        slots = abi.slots[interface].values()
        self._memory = (ctypes.c_void_p * (_BEFORE + len(slots)))()
        self._callbacks = []
        for slot in slots:
            if slot.name == "getInterfaceInfo":
                self._memory[_BEFORE + slot.number] = info
                continue
            callback = abi.prototype(slot)(methods.get(slot.name, _nothing(slot.returns)))
            self._callbacks.append(callback)
            self._memory[_BEFORE + slot.number] = address_of_code(callback)
        self.address = ctypes.addressof(self._memory) + _BEFORE * ctypes.sizeof(ctypes.c_void_p)


def _nothing(returns: str) -> Callable[..., Any]:
    empty = None if returns == "void" or returns.endswith("*") or returns == DESTRUCTOR else 0
    return lambda *_: empty

"""Calls of virtual functions of C++ objects: by the address of the object, an interface, and the function's name."""

from __future__ import annotations

import ctypes
from typing import Any, Final

from reference_runtime.native.abi.facts import Epoch, Slot
from reference_runtime.native.abi.structures import Structures

#: The destructor that frees the object, too.
DELETE: Final = "~/2"
_WORD: Final = ctypes.sizeof(ctypes.c_void_p)


class Abi:
    """The calling conventions for objects of one epoch: slots, structures and the type of strings.

    With ``texts_as_addresses`` a string is the address of its first character, which can be passed on unchanged.
    """

    def __init__(self, name: str, *, texts_as_addresses: bool = False) -> None:
        self.epoch = Epoch.of(name)
        self.structures = Structures(self.epoch)
        self.slots = {
            interface: {slot.name: slot for slot in self.epoch.slots(interface)} for interface in self.epoch.interfaces
        }
        self._text = ctypes.c_void_p if texts_as_addresses else ctypes.c_char_p
        self._prototypes: dict[tuple[str, ...], Any] = {}
        self._functions: dict[tuple[int, str], Functions] = {}

    def call(self, this: int, interface: str, method: str, *arguments: Any) -> Any:
        """Call a virtual function of the object at an address."""
        return self.functions(this, interface)[method](this, *arguments)

    def functions(self, this: int, interface: str) -> Functions:
        """Return the virtual functions of the object at an address: each takes the address first."""
        table = ctypes.c_void_p.from_address(this).value or 0
        functions = self._functions.get((table, interface))
        if functions is None:
            functions = self._functions[table, interface] = Functions(self, table, interface)
        return functions

    def has(self, interface: str, method: str = "") -> bool:
        """Return whether this epoch has an interface and, if ``method`` is given, whether that has the function."""
        return interface in self.slots and (not method or method in self.slots[interface])

    def prototype(self, slot: Slot, returns: str = "") -> Any:
        """Return the ctypes type of a slot's function; ``returns`` replaces the type of its result."""
        key = (returns or slot.returns, *slot.takes)
        made = self._prototypes.get(key)
        if made is None:
            types = map(self.structures.type_named, key)
            result, *takes = (self._text if each is ctypes.c_char_p else each for each in types)
            made = self._prototypes[key] = ctypes.CFUNCTYPE(result, ctypes.c_void_p, *takes)
        return made


class Functions(dict[str, Any]):
    """The functions of one table, by name; each is read from the table when it is first called."""

    def __init__(self, abi: Abi, table: int, interface: str) -> None:
        super().__init__()
        self._abi, self._table, self._interface = abi, table, interface

    def __missing__(self, method: str) -> Any:
        slot = self._abi.slots[self._interface][method]
        code = ctypes.c_void_p.from_address(self._table + _WORD * slot.number).value
        made = self[method] = self._abi.prototype(slot)(code)
        return made


def text(value: bytes | None) -> str | None:
    """Return the text of a C++ string, decoded from UTF-8; None for a null pointer."""
    return None if value is None else value.decode("utf-8", "replace")


def address_of_code(function: Any) -> int:
    """Return the address of the code of a ctypes function or callback."""
    return ctypes.cast(function, ctypes.c_void_p).value or 0

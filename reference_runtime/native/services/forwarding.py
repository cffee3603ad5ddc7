"""A library's objects as a foreign builder sees them: each call is shown to an observer, then forwarded.

A forwarding object has the table of its interface and nothing else. An answer that is an object of the library becomes
a forwarding object, too. So the builder never has an object of the library itself, and no call of it goes unseen.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from contextlib import AbstractContextManager
from typing import TYPE_CHECKING, Any, Final

from reference_runtime.native.abi.slots import Abi, text
from reference_runtime.native.abi.tables import Table, Words

if TYPE_CHECKING:
    from reference_runtime.native.elf.loading import Pairs

#: Called with an object's address, its interface and the method; the block is the call.
Observer = Callable[[int, str, str], AbstractContextManager[None]]

_PLUGIN: Final = "IPluginV3"
#: Methods that return a plugin.
_MAKERS: Final = ("createPlugin", "clone", "attachToContext")


class Forwarding:
    """The forwarding objects of one library.

    Args:
        epoch: The epoch whose tables they have.
        pairs: Where what an interface says of itself is kept.
        observer: Sees each call.
    """

    def __init__(self, epoch: str, pairs: Pairs, observer: Observer) -> None:
        self._abi = Abi(epoch, texts_as_addresses=True)
        interfaces = self._abi.epoch.interfaces.items()
        self._interfaces = {tuple(facts["info"][:2]): name for name, facts in interfaces if facts.get("info")}
        self._pairs = pairs
        self._observer = observer
        self._tables: dict[tuple[str, str, int, int], Table] = {}
        self._objects: dict[tuple[int, str], Words] = {}
        self._behind: dict[int, int] = {}

    def of(self, this: int, interface: str) -> int:
        """Return the address of the object that forwards to the object at an address."""
        words = self._objects.get((this, interface))
        if words is None:
            words = self._objects[this, interface] = Words(self._table(this, interface).address)
            self._behind[words.address] = this
        return words.address

    def _table(self, this: int, interface: str) -> Table:
        info = self._info(this)
        key = (interface, *info)
        if key not in self._tables:
            methods = {slot: functools.partial(self._forward, interface, slot) for slot in self._abi.slots[interface]}
            self._tables[key] = Table(self._abi, interface, methods, info=self._pairs.function(*info))
        return self._tables[key]

    def _info(self, this: int) -> tuple[str, int, int]:
        info = self._abi.call(this, "IVersionedInterface", "getInterfaceInfo")
        return text(info.kind) or "", info.major, info.minor

    def _forward(self, interface: str, method: str, address: int, *arguments: Any) -> Any:
        this = self._behind[address]
        with self._observer(this, interface, method):
            answer = self._abi.call(this, interface, method, *arguments)
        if not answer:
            return answer
        if method in _MAKERS:
            return self.of(answer, _PLUGIN)
        return self._capability(answer) if method == "getCapabilityInterface" else answer

    def _capability(self, this: int) -> int:
        """Return what forwards to a capability; one of an unknown kind is handed over as it is."""
        interface = self._interfaces.get(self._info(this)[:2])
        return this if interface is None else self.of(this, interface)

"""A library's objects as a foreign builder sees them: each call is shown to a listener, then forwarded.

A forwarding object has the table of its interface and nothing else. An answer that is an object of the library becomes
a forwarding object, too. So the builder never has an object of the library itself, and no call of it goes unseen.
The listener learns what the library does wrong in a call, and in most cases the builder goes on.
"""

from __future__ import annotations

import functools
from typing import TYPE_CHECKING, Any, Final, Protocol

from reference_runtime.native.abi.slots import DELETE, Abi, text
from reference_runtime.native.abi.tables import Table, Words
from reference_runtime.native.exchange.fields import insist_on_lasting
from reference_runtime.native.exchange.lent_memory import ReadAheadError
from reference_runtime.native.exchange.misuses import MisuseError, taken
from reference_runtime.native.services.lent_arguments import LentArguments

if TYPE_CHECKING:
    from collections.abc import Sequence
    from contextlib import AbstractContextManager

    from reference_runtime.native.elf.loading import Pairs
    from reference_runtime.native.heap.ledger import Heap

_PLUGIN: Final = "IPluginV3"
_FIELDS: Final = "getFieldsToSerialize"
_CAPABILITY: Final = "getCapabilityInterface"
#: Methods that return a plugin that was not there before.
_MAKERS: Final = ("createPlugin", "clone", "attachToContext")
#: Methods that return a status, and those whose null pointer is a mistake.
_STATUS: Final = {
    "configurePlugin", "getOutputDataTypes", "getOutputShapes", "getValidTactics", "setTactic", "onShapeChange",
}  # fmt: skip
_NEVER_NULL: Final = {
    "clone", "attachToContext", _CAPABILITY, _FIELDS, "getPluginName", "getPluginVersion", "getPluginNamespace",
}  # fmt: skip
#: What fills the descriptions that a query may not read yet.
_OTHERS: Final = (0, 0xDD)
#: What an answer is about, where another rule than that of the method reports it.
ITSELF, OF_ANOTHER_KIND, PAST_POS = " of itself", " of another kind", " past pos"
#: What the capabilities say that they are, by the number that asks for them.
_CAPABILITIES: Final = ("PLUGIN_V3ONE_CORE", "PLUGIN_V3ONE_BUILD", "PLUGIN_V3ONE_RUNTIME")


class Listener(Protocol):
    """An observer of forwarded calls."""

    def calling(self, interface: str, method: str) -> AbstractContextManager[None]:
        """Return the block in which a call is made."""
        ...

    def answered(self, method: str, arguments: Sequence[Any], answer: Any) -> None:
        """Take note of an answer; the arguments are the builder's own."""
        ...

    def tell(self, method: str, about: str, what: str) -> None:
        """Take note of a mistake of the library, in words that follow the method's name."""
        ...

    def lacking(self, error: BaseException) -> None:
        """Take note that this machine lacks something."""
        ...


class Forwarding:
    """The forwarding objects of one library.

    Args:
        epoch: The epoch whose tables they have.
        pairs: Where what an interface says of itself is kept.
        listener: Sees each call.
        heap: The library's, if it is watched.
    """

    def __init__(self, epoch: str, pairs: Pairs, listener: Listener, heap: Heap | None = None) -> None:
        self._abi = Abi(epoch, texts_as_addresses=True)
        interfaces = self._abi.epoch.interfaces.items()
        self._interfaces = {tuple(facts["info"][:2]): name for name, facts in interfaces if facts.get("info")}
        self._pairs = pairs
        self._listener = listener
        self._heap = heap
        self._arguments = LentArguments(self._abi)
        self._tables: dict[tuple[str, str, int, int], Table] = {}
        self._objects: dict[tuple[int, str], Words] = {}
        self._behind: dict[int, int] = {}
        self._parts: dict[int, set[int]] = {}
        self._all: list[Words] = []

    def of(self, this: int, interface: str) -> int:
        """Return the address of the object that forwards to the object at an address."""
        words = self._objects.get((this, interface))
        if words is None:
            words = self._objects[this, interface] = Words(self._table(this, interface).address)
            self._all.append(words)  # the builder may call it when it is destroyed
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
        if method == DELETE and not self._let_go(this, address):
            return None
        taken()
        with self._listener.calling(interface, method), self._arguments.lent(interface, method, arguments) as lent:
            answer = self._abi.call(this, interface, method, *lent)
        errors = taken()
        if any(isinstance(error, ReadAheadError) for error in errors):
            self._ask_again(this, interface, method, arguments, answer)
        for error in errors:
            self._tell_of(method, error)
        if method in _STATUS and answer:
            self._listener.tell(method, "", f"returned {answer}")
        if method in _NEVER_NULL and not answer:
            self._listener.tell(method, "", "returned a null pointer")
        if method != _FIELDS or not answer or self._last(answer):  # who takes note of fields reads them
            self._listener.answered(method, arguments, answer)
        return self._handed(method, this, arguments, answer) if answer else answer

    def _handed(self, method: str, this: int, arguments: Sequence[Any], answer: int) -> int:
        """Return what the builder gets of an answer."""
        if method in _MAKERS:
            if (answer, _PLUGIN) in self._objects:
                same = "itself" if answer == this else "a plugin that it had returned before"
                self._listener.tell(method, ITSELF, f"returned {same}")
            return self.of(answer, _PLUGIN)
        if method == _CAPABILITY:
            return self._capability(this, arguments[0], answer)
        return answer

    def _capability(self, plugin: int, asked: int, this: int) -> int:
        """Return what forwards to a capability; one of an unknown kind is handed over as it is."""
        kind, major, _ = self._info(this)
        if not 0 <= asked < len(_CAPABILITIES) or kind != _CAPABILITIES[asked]:
            self._listener.tell(_CAPABILITY, OF_ANOTHER_KIND, f"returned an object that says it is a {kind!r} {major}")
        interface = self._interfaces.get((kind, major))
        if interface is None:
            return this
        self._parts.setdefault(plugin, set()).add(this)
        return self.of(this, interface)

    def _last(self, address: int) -> bool:
        """Return whether fields can be read after the call, and report it if not."""
        if self._heap is not None:
            try:
                insist_on_lasting(address, self._heap.wrong_with)
            except MisuseError as error:
                self._tell_of(_FIELDS, error)
                return False
        return True

    def _tell_of(self, method: str, error: BaseException) -> None:
        if not isinstance(error, MisuseError):
            self._listener.lacking(error)
        elif not isinstance(error, ReadAheadError):  # it may have read what did not matter
            self._listener.tell(method, "", f"did what it must not: {error}")

    def _ask_again(self, this: int, interface: str, method: str, arguments: Sequence[Any], answer: Any) -> None:
        """Ask a query that has read what is not for it yet, with something else there."""
        for others in _OTHERS:
            with self._arguments.lent(interface, method, arguments, others) as lent:
                other = self._abi.call(this, interface, method, *lent)
            taken()
            if other != answer:
                what = f"looked past pos={arguments[0]}: it returned {answer}, and {other} with something else there"
                self._listener.tell(method, PAST_POS, what)
                return

    def _let_go(self, this: int, address: int) -> bool:
        """Forget a plugin that is destroyed: another may be made at its address. Return whether it was alive."""
        known = self._objects.get((this, _PLUGIN))
        if known is None or known.address != address:
            return False
        gone = {this, *self._parts.pop(this, ())}
        self._objects = {key: words for key, words in self._objects.items() if key[0] not in gone}
        return True
